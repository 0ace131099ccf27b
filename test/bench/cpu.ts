/** CPU time of other processes, from `/proc`. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** `/proc` has times in hundredths of a second, whatever the tick of the kernel. proc(5). */
const tickMs = 10;

/** A process as in `/proc`. */
interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly cpuMs: number;
}

/** CPU time of the processes since their start, user and system, in milliseconds; NaN if unknown. */
export function cpuMsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (statOf(pid)?.cpuMs ?? Number.NaN), 0);
}

/** CPU time of all processes since the start of the machine, in milliseconds; NaN if unknown. */
export function cpuMsOfAll(): number {
  try {
    const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const [user = 0, nice = 0, system = 0] = first.split(/ +/).slice(1).map(Number);
    return (user + nice + system) * tickMs;
  } catch {
    return Number.NaN;
  }
}

/** The processes below this one, at any depth. */
export function processesBelow(ancestor: number): number[] {
  const stats = processes();
  const below: number[] = [];
  for (let parents = [ancestor]; parents.length > 0; ) {
    const children = stats.filter(({ parent }) => parents.includes(parent));
    parents = children.map(({ pid }) => pid);
    below.push(...parents);
  }
  return below;
}

function processes(): Stat[] {
  try {
    const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
    return pids.flatMap((pid) => statOf(pid) ?? []);
  } catch {
    return [];
  }
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any character, parentheses included.
    const [, parent = 0, , , , , , , , , , user = 0, system = 0] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { pid, parent, cpuMs: (user + system) * tickMs };
  } catch {
    return undefined;
  }
}
