/** A child process that ends with its parent, however that ends. */
import { type ChildProcess, spawn } from 'node:child_process';

/**
 * The shell reads a pipe from this process. When this process ends, even by `kill -9`, the pipe closes, `cat` ends, and
 * the shell ends the program. When the program ends, so does the shell, with its exit code.
 */
const shellTie = `exec 3<&0
    "$0" "$@" 3<&- & program=$!
    { cat <&3 >/dev/null; kill "$program"; } 2>/dev/null & tie=$!
    exec 3<&-
    wait "$program"; code=$?
    kill "$tie" 2>/dev/null
    exit "$code"`;

/** The same by Node, for systems without a shell. */
const nodeTie = `const [binary, ...words] = process.argv.slice(1);
  const program = require('node:child_process').spawn(binary, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  process.stdin.on('close', () => program.kill('SIGKILL')).on('error', () => {}).resume();
  program.on('error', (error) => { console.error(error.message); process.exit(127); });
  program.on('exit', (code, signal) => process.exit(code ?? 128 + require('node:os').constants.signals[signal]));`;

export type Tie = 'shell' | 'node';

const usual: Tie = process.platform === 'win32' ? 'node' : 'shell';

/**
 * Starts a program that ends when the pipe to its standard input closes. A program that ended by a signal has 128 and the
 * number of the signal as its exit code. On POSIX the child leads a process group.
 */
export function spawnTied(
  binary: string,
  words: readonly string[],
  tie: Tie = usual,
): ChildProcess {
  const [file, options] =
    tie === 'shell' ? ['/bin/sh', ['-c', shellTie]] : [process.execPath, ['--eval', nodeTie, '--']];
  return spawn(file, [...options, binary, ...words], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/** Ends a tied child at once, with its program. */
export function endTied(child: ChildProcess): void {
  try {
    // Windows has no groups: there the pipe ends the program.
    if (process.platform === 'win32') child.stdin?.destroy();
    else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // No process is left in the group.
  }
}
