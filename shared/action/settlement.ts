/**
 * What becomes of an intent whose signatures are all there, and how it is written down: the words of the
 * ledger, the changes that they make, and the signals that tell them. Rulings 46 to 48 and 58.
 */
import { turnoversOf } from '../ledger/balance.ts';
import type { Advance, EntryHandles } from '../ledger/intent.ts';
import { firstChangeOf, type LedgerRecord, type Version } from '../ledger/record.ts';
import { type NetMove, type Outcome, settle } from '../ledger/settle.ts';
import type { Claim } from '../shape/intent.ts';
import type { Call, Identity, Services } from './action.ts';
import type { Signal } from './ports.ts';
import { factsOf, openingsOf, type Scene } from './scene.ts';
import { countersign } from './sign.ts';

export interface Settlement {
  readonly outcome: Outcome;
  readonly moves: readonly NetMove[];
}

/** Settles claims, and opens the balances that move; undefined when what they name has changed meanwhile. */
export async function settlementOf(
  call: Call,
  scene: Scene,
  claims: readonly Claim[],
): Promise<Settlement | undefined> {
  const { outcomes, moves } = settle(factsOf(scene), [{ claims }]);
  const [outcome] = outcomes as [Outcome];
  const openings = openingsOf(call, scene, moves);
  const isOpen = openings.length === 0 || (await call.services.store.open(openings));
  return isOpen ? { outcome, moves } : undefined;
}

/** Names entries by new handles. */
export function entryHandles({ luids, clock }: Services): EntryHandles {
  const nowMs = clock();
  return (schema) => luids(schema === 'debit' ? 'deb' : 'cre', nowMs).replace(/^\$(...)\./, '$1_');
}

/** The record after what the ledger says of it. */
export function spokenOf(
  ledger: Identity,
  record: LedgerRecord,
  advances: readonly Advance[],
): LedgerRecord {
  const { hash, meta } = record;
  const words = advances.flatMap((advance) => advance.words);
  const proofs = [...meta.proofs, ...words.map((word) => countersign(ledger, hash, word))];
  const status = advances.at(-1)?.status ?? meta.status;
  return { ...record, meta: { ...meta, proofs, status } };
}

/** One signal for each change that the ledger makes, from the one of this index on. Ruling 58, Decision 6. */
export function advanceSignals(version: Version, fromStep = 0): Signal[] {
  const first = firstChangeOf(version);
  return version.steps.slice(fromStep).map(({ action }, index) => ({
    signal: action === 'create' ? 'intent-created' : 'intent-updated',
    change: first + fromStep + index,
  }));
}

/** One signal for each balance that received. Ruling 58. */
export function receiptSignals({ change }: Version, outcome: Outcome): Signal[] {
  if (!outcome.settles) return [];
  return [...turnoversOf(outcome.entries).values()]
    .filter(({ credits }) => credits > 0n)
    .map(({ wallet, symbol, credits }) => ({
      signal: 'balance-received',
      change,
      custom: { wallet, symbol, amount: String(credits) },
    }));
}
