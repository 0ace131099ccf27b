/**
 * Explains why a request is granted or refused. The rules are asked for the permission that its endpoint requires, by
 * the code that asks them in requests, and each verdict is recorded. Nothing is stored and nothing signed.
 */

import { allow, allowEmptiness } from '../../shared/access/allow.ts';
import { type Callers, callersOf } from '../../shared/access/caller.ts';
import { endpointAt } from '../../shared/http/route.ts';
import { hasAnyRight } from '../../shared/intent/rights.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { LedgerRecord, RecordData } from '../../shared/ledger/record.ts';
import type { Action, Asks, Call, Services } from '../../shared/port/action.ts';
import type { Verdict } from '../../shared/port/asked.ts';
import type { Bearer } from '../../shared/port/bearer.ts';
import { newWork } from '../../shared/port/work.ts';
import { findWithin } from '../../shared/record/find.ts';
import { domainOfDraft, type Said } from '../../shared/record/place.ts';
import { bearerOf, sketchOf } from './explain-sketch.ts';
import type { Wish } from './explain-wish.ts';

export interface Explanation {
  /** Its method and path. */
  readonly request: string;
  readonly ledger: string;
  /** Why the endpoint requires no permission. */
  readonly open?: string;
  /** The callers, as the ledger knows them; undefined when their token is refused. */
  readonly callers?: Callers;
  /** True when the data of a creation or an update were not given. */
  readonly isUnsaid?: boolean;
  /** The stored record, also when the caller may not know of it. */
  readonly record?: LedgerRecord;
  /** The permission queries, in order: the first one decides unless it is refused. */
  readonly verdicts: readonly Verdict[];
  /** The permission queries about the claims of an intent, which decide whether it waits. Ruling 49. */
  readonly rights: readonly Verdict[];
  /** The API error for a list that turns out to be empty. Decision 37. */
  readonly whenEmpty?: LedgerError;
  /** The API error; absent when the request is granted. */
  readonly refusal?: LedgerError;
}

/** The actions of a group of endpoints. */
type Actions = Readonly<Record<string, Action>>;

/** Explains a request to one of these endpoints. */
export async function explain(
  services: Services,
  actions: Actions,
  wish: Wish,
): Promise<Explanation> {
  const { endpoint, path } = endpointAt(Object.keys(actions), wish.method, wish.path);
  const action = actions[endpoint] as Action;
  const ledger = wish.ledger ?? services.settings.defaultLedger;
  await assertHosted(services, ledger);
  const request = `${wish.method} ${wish.path}`;
  const about = { request, ledger, verdicts: [], rights: [] };
  const { asks } = action;
  if ('open' in asks) return { ...about, open: asks.open };
  let bearer: Bearer | undefined;
  try {
    bearer = await bearerOf(services, ledger, wish);
  } catch (error) {
    return { ...about, refusal: refusalIn(error) };
  }
  const blank = { ...blankCall(services, ledger, path, bearer), query: wish.query };
  const record = await recordAt(asks, blank);
  const { body, isUnsaid } = await sketchOf(blank, { ...action, asks }, wish, record);
  const call = { ...blank, body };
  const callers = await callersOf(call);
  const found = { ...about, isUnsaid, callers, ...(record && { record }) };
  return { ...found, ...(await asked(asks, call, wish, record)) };
}

/** The request without a body. */
function blankCall(
  services: Services,
  ledger: string,
  path: Call['path'],
  bearer: Bearer | undefined,
): Call {
  return {
    services: readable(services),
    ledger: { handle: ledger, key: unusable },
    path,
    query: {},
    body: undefined,
    work: newWork(services),
    ...(bearer && { bearer }),
  };
}

/** The permission queries of the endpoint, with the verdicts of the rules. */
async function asked(
  asks: Asks,
  call: Call,
  { action }: Wish,
  record: LedgerRecord | undefined,
): Promise<Pick<Explanation, 'verdicts' | 'rights' | 'refusal' | 'whenEmpty'>> {
  const verdicts: Verdict[] = [];
  const rights: Verdict[] = [];
  const { services } = call;
  const explained = { ...call, work: newWork(services), isExplained: true as const };
  const listening = { ...explained, onVerdict: (verdict: Verdict) => void verdicts.push(verdict) };
  try {
    if (action !== undefined) {
      await askFor(action, asks, listening, record);
      return { verdicts, rights };
    }
    await asks.allow(listening);
  } catch (error) {
    return { verdicts, rights, refusal: refusalIn(error) };
  }
  const intent = record ?? (call.body as LedgerRecord | undefined);
  if (asks.record === 'intent' && call.body && intent?.data['claims'] !== undefined)
    await hasAnyRight(
      {
        ...explained,
        work: newWork(services),
        onVerdict: (verdict) => void rights.push(verdict),
      },
      intent,
    );
  const whenEmpty = asks.action === 'query' ? await refusalWhenEmpty(asks, call) : undefined;
  return { verdicts, rights, ...(whenEmpty && { whenEmpty }) };
}

/** The API error for an empty list of records that belong to another record. */
async function refusalWhenEmpty(
  { record: kind }: Asks,
  call: Call,
): Promise<LedgerError | undefined> {
  const within = await findWithin(call, kind);
  if (within === undefined) return undefined;
  try {
    await allowEmptiness(call, kind, within);
    return undefined;
  } catch (error) {
    return refusalIn(error);
  }
}

/** Asks for another action than that of the endpoint, on the same record. */
async function askFor(
  action: string,
  { record: kind, find }: Asks,
  call: Call,
  record: LedgerRecord | undefined,
): Promise<void> {
  if (find && !record) await find(call);
  const { data, meta } = (call.body ?? {}) as {
    data?: RecordData;
    meta?: { proofs: Said['proofs'] };
  };
  const said = data && !find ? { data, proofs: meta?.proofs ?? [] } : undefined;
  const draft = said && { data: said.data, domain: await domainOfDraft(call, kind, said) };
  await allow(call, { action, kind, ...(record && { record }), ...(draft && { draft }) });
}

/** The record that the path names; an operator may see every record. */
async function recordAt({ find }: Asks, call: Call): Promise<LedgerRecord | undefined> {
  try {
    return (await find?.(call))?.current?.record;
  } catch (error) {
    refusalIn(error);
    return undefined;
  }
}

/** The API error; any other error is a bug. */
function refusalIn(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  throw error;
}

async function assertHosted({ store }: Services, handle: string): Promise<void> {
  const [ledger] = await store.load([{ what: 'record', scope: '', kind: 'ledger', handle }]);
  if (!ledger) throw new Error(`There is no ledger '${handle}' here.`);
}

/** A key for a call that signs nothing. */
const unusable: Call['ledger']['key'] = {
  public: '',
  get privateKey(): never {
    throw new Error('An explanation signs nothing.');
  },
};

/** The services, with every write refused. */
function readable(services: Services): Services {
  const refuse = async (): Promise<never> => {
    throw new Error('An explanation stores nothing.');
  };
  return {
    ...services,
    store: { ...services.store, commit: refuse, open: refuse },
    deliveries: { ...services.deliveries, add: refuse, save: refuse },
    notes: { use: refuse, attempt: refuse },
    reports: { ...services.reports, save: refuse, end: refuse, put: refuse, erase: refuse },
    keyring: { wrap: refuse, unwrap: refuse },
  };
}
