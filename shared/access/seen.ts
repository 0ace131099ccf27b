/**
 * Records as conditions of rules and policies see them: every form of the names in it, and the wallets that its
 * addresses mean now. Nothing is read where no condition asks for a name. Ruling 42, Decision 42.
 */
import { payForRow } from '../ledger/budget.ts';
import { addressesIn, hasForms, needsForms, seenAs } from '../ledger/names.ts';
import { subjectOf } from '../ledger/policy.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Conditions } from '../ledger/rule.ts';
import type { Call } from '../port/action.ts';
import { meaningIn, type ReadWallets } from '../record/meaning.ts';
import { oncePerCall, remember } from '../record/once-per-call.ts';
import { readerFor } from '../record/reader.ts';

const walletsKnown = 'wallets behind addresses';

/** Keeps the wallets that a decision has read, so that rules judge the same wallets as those that it moves. */
export function rememberWallets(call: Call, wallets: ReadWallets): void {
  remember(call, walletsKnown, wallets);
}

/** Shows data to these conditions, as the data of a record of the kind. */
export async function viewFor(
  call: Call,
  kind: string,
  data: Conditions,
  conditions: () => readonly (Conditions | undefined)[],
): Promise<(shown: Conditions) => readonly Conditions[]> {
  if (!hasForms(kind) || !conditions().some(needsForms)) return (shown) => [shown];
  const addresses = addressesIn(kind, data);
  const known = oncePerCall<ReadWallets>(call, walletsKnown, () => new Map());
  const reader = oncePerCall(call, 'reader of addresses', () => readerFor(call));
  for (const { address } of addresses) payForRow(call.work, address);
  const meaningOf = await meaningIn(reader, addresses, known);
  return (shown) => seenAs(kind, shown, meaningOf);
}

/** The whole record, as the filters of these policies see it. */
export async function wholeFor(
  call: Call,
  kind: string,
  record: LedgerRecord,
  policies: readonly Pick<LedgerRecord, 'data'>[],
): Promise<unknown> {
  const filters = () => policies.map(({ data }) => data['filter'] as Conditions | undefined);
  const view = await viewFor(call, kind, record.data, filters);
  return wholeIn(record, view(record.data));
}

/** The whole record, with each of these views of its data. */
export function wholeIn(
  record: LedgerRecord | { readonly meta: { readonly domain: string | undefined } },
  views: readonly Conditions[],
): unknown {
  return together(views.map((data) => subjectOf({ ...record, data } as LedgerRecord)));
}

/** One subject for conditions, which look into each view. */
export function together(views: readonly unknown[]): unknown {
  return views.length > 1 ? views : views[0];
}
