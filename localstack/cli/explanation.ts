/**
 * Explains why a request is granted or refused. The rules are asked for the permission that its endpoint requires, by
 * the code that asks them in requests, and each verdict is recorded. Nothing is stored and nothing signed.
 */

import { allow, allowEmptiness } from '../../shared/access/allow.ts';
import { type Callers, callersOf } from '../../shared/access/principals.ts';
import { endpointAt } from '../../shared/http/route.ts';
import { hasAnyRight } from '../../shared/intent/rights.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { LedgerRecord, RecordData } from '../../shared/ledger/record.ts';
import type { Action, Call, RequiredPermission, Services } from '../../shared/port/action.ts';
import type { Bearer } from '../../shared/port/bearer.ts';
import type { AccessDecision } from '../../shared/port/permission-query.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { findWithin } from '../../shared/record/find.ts';
import { type DraftData, domainOfDraft } from '../../shared/record/place.ts';
import type { ExplainRequest } from './explain-request.ts';
import { bearerOf, sketchOf } from './explain-sketch.ts';

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
  readonly verdicts: readonly AccessDecision[];
  /** The permission queries about the claims of an intent, which decide whether it waits. Ruling 49. */
  readonly rights: readonly AccessDecision[];
  /** The API error for a list that turns out to be empty. Decision 37. */
  readonly whenEmpty?: LedgerError;
  /** The API error; absent when the request is granted. */
  readonly error?: LedgerError;
}

/** The actions of a group of endpoints. */
type ActionsByEndpoint = Readonly<Record<string, Action>>;

/** Explains a request to one of these endpoints. */
export async function explain(
  services: Services,
  actions: ActionsByEndpoint,
  input: ExplainRequest,
): Promise<Explanation> {
  const { endpoint, path } = endpointAt(Object.keys(actions), input.method, input.path);
  const action = actions[endpoint] as Action;
  const ledger = input.ledger ?? services.settings.defaultLedger;
  await assertHosted(services, ledger);
  const request = `${input.method} ${input.path}`;
  const about = { request, ledger, verdicts: [], rights: [] };
  const { requires } = action;
  if ('open' in requires) return { ...about, open: requires.open };
  let bearer: Bearer | undefined;
  try {
    bearer = await bearerOf(services, ledger, input);
  } catch (error) {
    return { ...about, error: errorIn(error) };
  }
  const blank = { ...blankCall(services, ledger, path, bearer), query: input.query };
  const record = await recordAt(requires, blank);
  const { body, isUnsaid } = await sketchOf(blank, { ...action, requires }, input, record);
  const call = { ...blank, body };
  const callers = await callersOf(call);
  const found = { ...about, isUnsaid, callers, ...(record && { record }) };
  return { ...found, ...(await permissionFor(requires, call, input, record)) };
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
async function permissionFor(
  requires: RequiredPermission,
  call: Call,
  { action }: ExplainRequest,
  record: LedgerRecord | undefined,
): Promise<Pick<Explanation, 'verdicts' | 'rights' | 'error' | 'whenEmpty'>> {
  const verdicts: AccessDecision[] = [];
  const rights: AccessDecision[] = [];
  const { services } = call;
  const explained = { ...call, work: newWork(services), isExplained: true as const };
  const listening = {
    ...explained,
    onVerdict: (verdict: AccessDecision) => void verdicts.push(verdict),
  };
  try {
    if (action !== undefined) {
      await askFor(action, requires, listening, record);
      return { verdicts, rights };
    }
    await requires.allow(listening);
  } catch (error) {
    return { verdicts, rights, error: errorIn(error) };
  }
  const intent = record ?? (call.body as LedgerRecord | undefined);
  if (requires.record === 'intent' && call.body && intent?.data['claims'] !== undefined)
    await hasAnyRight(
      {
        ...explained,
        work: newWork(services),
        onVerdict: (verdict) => void rights.push(verdict),
      },
      intent,
    );
  const whenEmpty = requires.action === 'query' ? await errorWhenEmpty(requires, call) : undefined;
  return { verdicts, rights, ...(whenEmpty && { whenEmpty }) };
}

/** The API error for an empty list of records that belong to another record. */
async function errorWhenEmpty(
  { record: kind }: RequiredPermission,
  call: Call,
): Promise<LedgerError | undefined> {
  const within = await findWithin(call, kind);
  if (within === undefined) return undefined;
  try {
    await allowEmptiness(call, kind, within);
    return undefined;
  } catch (error) {
    return errorIn(error);
  }
}

/** Asks for another action than that of the endpoint, on the same record. */
async function askFor(
  action: string,
  { record: kind, find }: RequiredPermission,
  call: Call,
  record: LedgerRecord | undefined,
): Promise<void> {
  if (find && !record) await find(call);
  const { data, meta } = (call.body ?? {}) as {
    data?: RecordData;
    meta?: { proofs: DraftData['proofs'] };
  };
  const said = data && !find ? { data, proofs: meta?.proofs ?? [] } : undefined;
  const draft = said && { data: said.data, domain: await domainOfDraft(call, kind, said) };
  await allow(call, { action, kind, ...(record && { record }), ...(draft && { draft }) });
}

/** The record that the path names; an operator may see every record. */
async function recordAt(
  { find }: RequiredPermission,
  call: Call,
): Promise<LedgerRecord | undefined> {
  try {
    return (await find?.(call))?.current?.record;
  } catch (error) {
    errorIn(error);
    return undefined;
  }
}

/** The API error; any other error is a bug. */
function errorIn(error: unknown): LedgerError {
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
    notes: { use: refuse, isUsed: refuse, attempt: refuse },
    reports: { ...services.reports, save: refuse, end: refuse, put: refuse, erase: refuse },
    keyring: { wrap: refuse, unwrap: refuse },
  };
}
