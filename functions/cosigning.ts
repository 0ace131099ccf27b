/** Shared set-up of the workers that ask witnesses to cosign checkpoints: the sweeper, and its thread offline. */
import { send } from '../shared/outgoing/send.ts';
import type { Scope } from '../shared/port/ports.ts';
import { scopesOf } from '../shared/signal/shards.ts';
import { askWitnesses, type WitnessPorts } from '../shared/witness/ask.ts';
import { complain, warn } from './environment.ts';
import { metric } from './figures.ts';
import { signing } from './signing.ts';
import { table } from './table.ts';

/** The time for a witness to answer, in milliseconds. */
const timeoutMs = 5_000;
/** The logs whose witnesses are asked at a time. */
const atOnce = 16;

const { policy, services } = signing;
const ports: WitnessPorts = {
  logs: table.logs,
  store: services.store,
  clock: services.clock,
  send: (request) => send(request, { policy, timeoutMs, keepBody: true }),
  failed: ({ scope, vkey, fault, isNews, isContradiction }) => {
    metric(isContradiction ? 'LogContradicted' : 'WitnessFailed', 1);
    if (!isNews) return;
    if (isContradiction)
      complain('witness', `The witness ${vkey} of the log of ${scope}: ${fault}`);
    else warn('witness', { ledger: scope, witness: vkey, why: fault });
  },
};

/** The logs whose newest checkpoint is not cosigned by every witness, as far as this process knows. */
const open = new Set<Scope>();
/** The logs whose witnesses are asked just now. */
const running = new Set<Scope>();

/** Notes that a log has a new checkpoint. */
export function noteCheckpoint(scope: Scope): void {
  open.add(scope);
}

/**
 * Begins to ask the witnesses of the logs with new checkpoints, and again those that did not cosign one, at their time. It
 * does not wait for them, so that slow witnesses of one log do not delay those of others.
 */
export async function askOpen(): Promise<void> {
  for (const scope of open) {
    if (running.size >= atOnce) return;
    if (running.has(scope)) continue;
    open.delete(scope);
    running.add(scope);
    void ask(scope).finally(() => running.delete(scope));
  }
}

/** Asks the witnesses of all logs, as long as there is time. */
export async function askAll(hasTime: () => boolean): Promise<void> {
  open.clear();
  const scopes = scopesOf(table.outbox);
  const work = async (): Promise<void> => {
    while (hasTime()) {
      const { value: scope, done } = await scopes.next();
      if (done) return;
      await ask(scope);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Asks the witnesses of a log; those that have not cosigned are asked again. */
async function ask(scope: Scope): Promise<void> {
  const isDone = await askWitnesses(ports, scope).catch((error: unknown) => {
    complain('witness', error);
    return false;
  });
  if (!isDone) open.add(scope);
}
