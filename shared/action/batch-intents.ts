/**
 * Batches of intents. `independent`: each is created by itself, and the answer says of each what a create of its own
 * would have answered. `atomic`: all are stored in one transaction, or none is. Ruling 90, Decisions 102 and 103.
 */
import { perform } from '../access/perform.ts';
import { open } from '../access/required-permission.ts';
import { handleOf } from '../ledger/address.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Action, Call } from '../port/action.ts';
import { httpStatusOf } from '../port/status.ts';
import { signed, signedError } from '../record/sign.ts';
import { BatchBody } from '../shape/batch.ts';
import type { IntentData } from '../shape/intent.ts';
import type { SignedBody } from '../shape/record.ts';
import { type BatchItem, carried } from './batch-answer.ts';
import { checkedCall, storedAs } from './batch-element.ts';
import { storeTogether } from './batch-together.ts';
import { createIntent } from './create-intent.ts';
import { inOrder } from './in-order.ts';

/** Intents of one request that are created at the same time. */
const atOnce = 8;
/** The time after which no further intent of a batch is begun, in milliseconds. */
const budgetMs = 20_000;

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
  run: async (call) => {
    const { data, mode } = call.body as BatchBody;
    const items = mode === 'atomic' ? await together(call, data) : await apart(call, data);
    return { status: 200, body: signed(call.ledger, carried(items), call.services.clock()) };
  },
};

async function together(call: Call, bodies: readonly unknown[]): Promise<BatchItem[]> {
  const { status, records } = await storeTogether(call, bodies);
  return records.map((record) => ({ status, ...record }));
}

/** Creates each intent by itself. Those that name the same wallet or intent are created in their order. */
async function apart(call: Call, bodies: readonly unknown[]): Promise<BatchItem[]> {
  const endMs = call.services.clock() + budgetMs;
  const tasks = bodies.map((body) => {
    const own = attempted(() => checkedCall(call, body));
    if (own instanceof LedgerError) return { names: [], run: async () => refusedItem(call, own) };
    return { names: namesIn(own), run: () => created(own, endMs) };
  });
  return inOrder(tasks, atOnce);
}

async function created(call: Call, endMs: number): Promise<BatchItem> {
  try {
    if (call.services.clock() > endMs) throw tooLate();
    const { body } = await perform(createIntent, call);
    return { status: 201, ...(body as LedgerRecord) };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const stored = error.reason === 'record.duplicated' ? await storedAs(call) : undefined;
    return stored ? { status: 200, ...stored.record } : refusedItem(call, error);
  }
}

function attempted<Result>(run: () => Result): Result | LedgerError {
  try {
    return run();
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
}

function refusedItem({ ledger, services }: Call, error: LedgerError): BatchItem {
  return { status: httpStatusOf(error), ...signedError(ledger, error, services.clock()) };
}

function tooLate(): LedgerError {
  const detail = 'The batch took too long; this intent was not begun, and can be sent again.';
  return new LedgerError('api.request-timeout', detail);
}

/** The wallets and the intents that an intent names. */
function namesIn({ body }: Call): string[] {
  const { handle, reverses, claims } = (body as SignedBody).data as unknown as IntentData;
  const wallets = claims.flatMap((claim) => [
    ...('source' in claim ? [handleOf(claim.source)] : []),
    ...('target' in claim ? [handleOf(claim.target)] : []),
    ...('wallet' in claim ? [handleOf(claim.wallet)] : []),
  ]);
  const intents = [handle, ...(reverses === undefined ? [] : [reverses])];
  return [
    ...new Set([
      ...intents.map((name) => `intent ${name}`),
      ...wallets.map((name) => `wallet ${name}`),
    ]),
  ];
}
