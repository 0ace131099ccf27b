/** Shared set-up of the workers that sign checkpoints of logs. */
import type { Scope } from '../shared/port/ports.ts';
import { checkpointMaker, checkpoints } from '../shared/record/log-signer.ts';
import type { Checkpoints } from '../shared/signal/at-once.ts';
import { scopesOf } from '../shared/signal/shards.ts';
import { noteCheckpoint } from './cosigning.ts';
import { complain } from './environment.ts';
import { signing } from './signing.ts';
import { table } from './table.ts';

const { store, keyring } = signing.services;

/** Signs a checkpoint of all that the log of a ledger has. */
export const signCheckpoint = checkpoints({
  logs: table.logs,
  store,
  keyring,
  signed: noteCheckpoint,
});

/** Signs checkpoints that are stored with the leaves of their log. */
export const checkpointsAtOnce: Checkpoints = {
  checkpointOf: checkpointMaker({ store, keyring }),
  signed: noteCheckpoint,
};

/** Signs a checkpoint for each log of some that went on since its last one, as long as there is time. */
export async function signForgotten(
  hasTime: () => boolean,
  scopes: AsyncIterable<Scope> = scopesOf(table.outbox),
): Promise<void> {
  for await (const scope of scopes) {
    if (!hasTime()) return;
    await signCheckpoint(scope).catch((error: unknown) => complain('log', error));
  }
}
