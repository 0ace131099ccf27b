/** The end of a command that runs until it is asked to stop. */

/** The signals to stop: Ctrl-C, the end of the terminal (of which Node ends also below `nohup`), and of a supervisor. */
const signals = ['SIGINT', 'SIGHUP', 'SIGTERM'] as const;

/** Resolves when this process is asked to stop. A second signal changes nothing. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    // Ctrl-C reaches a process twice: from the terminal, and from the npm that started it.
    for (const signal of signals) process.on(signal, () => resolve());
  });
}
