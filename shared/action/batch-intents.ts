/**
 * Batches of intents. `independent`: each is created by itself, and the answer says of each what a create of its own
 * would have answered. `atomic`: all are stored in one transaction, or none is. Ruling 90, Decisions 102, 103 and 128.
 */
import { open } from '../access/required-permission.ts';
import { shareCountMax, shareOf } from '../crypto/luid.ts';
import { runForMany } from '../crypto/pool.ts';
import { kinds } from '../ledger/kind.ts';
import type { Action, Call } from '../port/action.ts';
import type { Luids } from '../port/ports.ts';
import { signed, withOwnProofs } from '../record/sign.ts';
import { BatchBody } from '../shape/batch.ts';
import { type BatchItem, carried } from './batch-answer.ts';
import { createApart } from './batch-apart.ts';
import { storeTogether } from './batch-together.ts';

const { prefix } = kinds.intent;

/**
 * Creates the intents of the body. Errors of one intent are in its line of the answer; those of a whole batch are:
 * - `record.schema-invalid`: no batch
 * - `record.invalid`: an atomic batch of which an intent would be refused, fail or wait; `custom.errors` says which
 * - `api.body-malformed`: an atomic batch that does not fit into one transaction; `custom.fitting` says how many would
 * - `api.request-timeout`: too many conflicts of an atomic batch
 */
export const batchIntents: Action = {
  requires: open(
    'Each intent of a batch is judged by itself, by the permission of its own create.',
  ),
  body: BatchBody,
  run: async (sent) => {
    const { data, mode } = sent.body as BatchBody;
    const call = withAlikeLuids(sent);
    const items = await (mode === 'atomic'
      ? runForMany(() => together(call, data))
      : createApart(call, data));
    const { ledger, services } = call;
    const nowMs = services.clock();
    const { lines, text } = carried(items.map((item) => withOwnProofs(ledger, item, nowMs)));
    return { status: 200, body: signed(ledger, lines, nowMs, text) };
  },
};

/** A call that makes the luids of intents with one share: then they lie in the same partitions, and share items there. */
function withAlikeLuids(call: Call): Call {
  const { luids, clock } = call.services;
  const share = shareOf(luids(prefix, clock()), shareCountMax);
  const alike: Luids = (kind, nowMs) => luids(kind, nowMs, kind === prefix ? share : undefined);
  return { ...call, services: { ...call.services, luids: alike } };
}

async function together(call: Call, bodies: readonly unknown[]): Promise<BatchItem[]> {
  const { status, records } = await storeTogether(call, bodies);
  return records.map((record) => ({ status, ...record }));
}
