/**
 * Events and intents as conditions of effects and bridges see them: every form of the names in it, and the wallets
 * that its addresses mean now. Nothing is read where no condition asks for a name. Ruling 42, Decision 42.
 */
import { isPlain } from '../ledger/compare.ts';
import { addressesIn, hasForms, needsForms, seenAs } from '../ledger/names.ts';
import { subjectOf } from '../ledger/policy.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { meaningIn } from '../record/meaning.ts';
import { readerOf } from '../record/reader.ts';
import type { AcceptPorts } from './accepted.ts';

type FilterOrNone = Readonly<Record<string, unknown>> | undefined;
type SeenServices = Pick<AcceptPorts['services'], 'store'>;

/** The data of an event, as these filters see it. */
export async function seenEvent(
  services: SeenServices,
  scope: Scope,
  sent: Readonly<Record<string, unknown>>,
  filters: readonly FilterOrNone[],
): Promise<unknown> {
  const data = withNames(withNumbers(sent));
  // The event of a monitor names its intent and has no record of it.
  const isShown = (name: string) => 'data' in (data[name] as object);
  const kind = Object.keys(data).find((name) => hasForms(name) && isShown(name));
  if (kind === undefined || !filters.some(needsForms)) return data;
  const record = data[kind] as LedgerRecord;
  const views = await viewsOf(services, scope, kind, record.data);
  return views.map((view) => ({ ...data, [kind]: { ...record, data: view } }));
}

/** The data of an event with amounts that are numbers: those beyond 2^53 are sent as their digits. Decision 15. */
function withNumbers(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { amount, balance } = data;
  if (typeof amount === 'string') return { ...data, amount: BigInt(amount) };
  const available = isPlain(balance) ? balance['available'] : undefined;
  if (!isPlain(balance) || typeof available !== 'string') return data;
  return { ...data, balance: { ...balance, available: BigInt(available) } };
}

/** The wallet and the symbol that an event names by handle alone, as the text and as a record of that handle. Decision 15. */
function withNames(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const forms = (['wallet', 'symbol'] as const).flatMap((name) => {
    const handle = data[name];
    return typeof handle === 'string' ? [[name, [handle, { data: { handle } }]] as const] : [];
  });
  return forms.length === 0 ? data : { ...data, ...Object.fromEntries(forms) };
}

/** An intent, as these filters see it. */
export async function seenIntent(
  services: SeenServices,
  scope: Scope,
  intent: LedgerRecord,
  filters: readonly FilterOrNone[],
): Promise<unknown> {
  if (!filters.some(needsForms)) return subjectOf(intent);
  const views = await viewsOf(services, scope, 'intent', intent.data);
  return views.map((data) => subjectOf({ ...intent, data }));
}

async function viewsOf(
  { store }: SeenServices,
  scope: Scope,
  kind: string,
  data: LedgerRecord['data'],
): Promise<readonly LedgerRecord['data'][]> {
  const meaningOf = await meaningIn(readerOf(store, scope), addressesIn(kind, data));
  return seenAs(kind, data, meaningOf);
}
