/** The end of a command that runs until it is asked to stop. */

/** Resolves when this process is asked to stop, by Ctrl-C or SIGTERM. A second signal changes nothing. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    // Ctrl-C reaches a process twice: from the terminal, and from the npm that started it.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}
