/** Emulates the schedules of EventBridge, with shorter intervals. */
import { randomUUID } from 'node:crypto';
import type { InvokedWorker } from '../../infra/topology.ts';
import type { Fields } from './aws-json.ts';
import { account, region } from './instance.ts';

/** Starts the clocks; returns a function that stops them. A tick is skipped while the last one runs. */
export function startClocks(
  schedules: readonly { readonly name: string; readonly target: InvokedWorker }[],
  tickSeconds: number,
  wake: (target: InvokedWorker, event: Fields) => Promise<void>,
): () => Promise<void> {
  let isStopped = false;
  const ended = schedules.map(async ({ name, target }) => {
    while (!isStopped) {
      await wake(target, tickOf(name));
      await pause(tickSeconds * 1000);
    }
  });
  return async () => {
    isStopped = true;
    // A clock that sleeps until its next tick need not be awaited.
    await Promise.race([Promise.all(ended), pause(100)]);
  };
}

function tickOf(name: string): Fields {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: new Date().toISOString().replace(/\.\d{3}Z$/, 'Z'),
    region,
    resources: [`arn:aws:events:${region}:${account}:rule/${name}`],
    detail: {},
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
