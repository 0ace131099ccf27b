/** What follows a request is done by a thread that the processor serves after those of requests. Decision 152. */
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { start } from '../fixture/runtime.ts';

/** The nice values of the threads of a process. proc(5): the number is the 19th field, the 17th behind the name. */
function niceValues(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map((id) => {
    const line = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return Number(fields[16]);
  });
}

it.skipIf(process.platform !== 'linux')(
  'one thread of the runtime is five behind all others',
  async () => {
    const runtime = await start();
    onTestFinished(runtime.stop);
    const own = getPriority();
    const others = () => niceValues(runtime.pid).filter((nice) => nice !== own);
    await expect.poll(others, { timeout: 60_000 }).toEqual([Math.min(19, own + 5)]);
    await fetch(`${runtime.url}/health`);
    expect(others()).toEqual([Math.min(19, own + 5)]);
  },
);
