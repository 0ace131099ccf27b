/** Intents of a batch, each created in a transaction of its own. Decision 102. */
import { handleOf } from '../ledger/address.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Call } from '../port/action.ts';
import { draftOf } from '../record/author.ts';
import type { IntentData } from '../shape/intent.ts';
import type { BatchItem } from './batch-answer.ts';
import { lineOfCreate, refusedLine } from './batch-line.ts';
import { inOrder } from './in-order.ts';

/** Intents of one request that are created at the same time. */
const atOnce = 8;

/** The call of one intent of a batch, or the error of its body. */
export type CheckedElement = Call | LedgerError;

/** Creates intents at the same time; those that name the same wallet or intent are created in their order. */
export async function createAlone(
  call: Call,
  elements: readonly CheckedElement[],
  endMs: number,
): Promise<BatchItem[]> {
  const tasks = elements.map((own) =>
    own instanceof LedgerError
      ? { names: [], run: async () => refusedLine(call, own) }
      : { names: namesIn(own), run: () => lineOfCreate(own, endMs) },
  );
  return inOrder(tasks, atOnce);
}

/** True for an intent that no transaction takes beside others: it writes another intent, or the limits of a balance. */
export function isAlone(call: Call): boolean {
  const { reverses, claims } = dataOf(call);
  return reverses !== undefined || claims.some(({ action }) => action === 'limit');
}

function dataOf(call: Call): IntentData {
  return draftOf(call).data as unknown as IntentData;
}

/** The wallets that the claims of an intent name. */
export function walletsIn(call: Call): readonly string[] {
  const wallets = dataOf(call).claims.flatMap((claim) => [
    ...('source' in claim ? [handleOf(claim.source)] : []),
    ...('target' in claim ? [handleOf(claim.target)] : []),
    ...('wallet' in claim ? [handleOf(claim.wallet)] : []),
  ]);
  return [...new Set(wallets)];
}

/** The wallets and the intents that an intent names. */
function namesIn(call: Call): string[] {
  const { handle, reverses } = dataOf(call);
  const intents = [handle, ...(reverses === undefined ? [] : [reverses])];
  return [
    ...new Set(intents.map((name) => `intent ${name}`)),
    ...walletsIn(call).map((name) => `wallet ${name}`),
  ];
}
