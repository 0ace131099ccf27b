/**
 * What conditions of effects and bridges see of an event or an intent: every form of the names in it, and the wallets
 * that its addresses mean now. Nothing is read where no condition asks for a name. Ruling 42, Decision 42.
 */
import { addressesIn, asksForNames, hasForms, seenAs } from '../ledger/names.ts';
import { subjectOf } from '../ledger/policy.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { meaningIn } from '../record/meaning.ts';
import { readerOf } from '../record/reader.ts';
import type { AcceptPorts } from './accepted.ts';

type Filter = Readonly<Record<string, unknown>> | undefined;
type Services = Pick<AcceptPorts['services'], 'store'>;

/** The data of an event, as these filters see it. */
export async function seenEvent(
  services: Services,
  scope: Scope,
  data: Readonly<Record<string, unknown>>,
  filters: readonly Filter[],
): Promise<unknown> {
  const kind = Object.keys(data).find(hasForms);
  if (kind === undefined || !filters.some(asksForNames)) return data;
  const record = data[kind] as LedgerRecord;
  const views = await viewsOf(services, scope, kind, record.data);
  return views.map((view) => ({ ...data, [kind]: { ...record, data: view } }));
}

/** An intent, as these filters see it. */
export async function seenIntent(
  services: Services,
  scope: Scope,
  intent: LedgerRecord,
  filters: readonly Filter[],
): Promise<unknown> {
  if (!filters.some(asksForNames)) return subjectOf(intent);
  const views = await viewsOf(services, scope, 'intent', intent.data);
  return views.map((data) => subjectOf({ ...intent, data }));
}

async function viewsOf(
  { store }: Services,
  scope: Scope,
  kind: string,
  data: LedgerRecord['data'],
): Promise<readonly LedgerRecord['data'][]> {
  const meaningOf = await meaningIn(readerOf(store, scope), addressesIn(kind, data));
  return seenAs(kind, data, meaningOf);
}
