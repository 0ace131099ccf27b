/**
 * Access control: the one place that decides whether a request is granted. It reads what the rules depend on; the core
 * weighs them. Rulings 30 to 38.
 */
import {
  type AccessSubject,
  conditionsFor,
  type EvaluatedRule,
  evaluate,
  evaluateUntilGranted,
  type Grant,
  grantsOf,
  type Question,
} from '../ledger/access.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Conditions } from '../ledger/rule.ts';
import { domainOfSource, type RuleSource, ruleSourcesFor } from '../ledger/rule-source.ts';
import type { Call } from '../port/action.ts';
import type { AccessDecision, EvaluatedQuery, PermissionQuery } from '../port/permission-query.ts';
import type { ReadWallets } from '../record/meaning.ts';
import { oncePerCall } from '../record/once-per-call.ts';
import { readerFor } from '../record/reader.ts';
import { passingChecks } from './named-checks.ts';
import { type Callers, callerOf, callersOf } from './principals.ts';
import {
  above,
  isGoverned,
  type LedgerContext,
  liesIn,
  ruleSourcesAt,
  ruleSourcesIn,
  withNamed,
} from './rule-sources.ts';
import { rememberWallets, together, viewFor, wholeIn } from './seen.ts';

interface AccessContext extends LedgerContext {
  readonly callers: Callers;
  /** The rules that count for every record. */
  readonly sources: readonly RuleSource[];
}

/** The cache key of the ledger's context. */
const ledgerContext = 'ledger context';

/** True when a rule grants the query. The decision goes to `call.onVerdict`. */
export async function isAllowed(call: Call, query: PermissionQuery): Promise<boolean> {
  const verdict = await verdictOn(call, query);
  call.onVerdict?.(verdict);
  return verdict.isGranted;
}

/** True when a rule grants the query. Unlike in `isAllowed`, an open ledger grants nothing. */
export async function isGrantedByRule(call: Call, query: PermissionQuery): Promise<boolean> {
  const judged = inDecidingLedger(call, query);
  const ways = await weighQuery(judged, query);
  const isGranted = grantsIn(ways).length > 0;
  call.onVerdict?.({ query, ledger: judged.ledger.handle, isOpen: false, ways, isGranted });
  return isGranted;
}

/**
 * Reports a grant by a server rule that needs no read: to the owner of the record, and to a caller who was granted the
 * same before. Ruling 30.
 */
export function reportGranted(call: Call, query: PermissionQuery): void {
  const { handle: ledger } = call.ledger;
  call.onVerdict?.({ query, ledger, isOpen: false, ways: [], isGranted: true });
}

/** The decision on a query. A ledger without rules is open and grants everything. Ruling 31. */
async function verdictOn(call: Call, query: PermissionQuery): Promise<AccessDecision> {
  const judged = inDecidingLedger(call, query);
  const isOpen = !isGoverned(await ledgerContextOf(judged));
  const ways = isOpen ? [] : await weighQuery(judged, query);
  const isGranted = isOpen || grantsIn(ways).length > 0;
  return { query, ledger: judged.ledger.handle, isOpen, ways, isGranted };
}

/** True when each row of a list needs a permission query, as records of ledgers always do. */
export async function isSifted(call: Call, kind: Kind): Promise<boolean> {
  return kind === 'ledger' || isGoverned(await ledgerContextOf(call));
}

/** Every rule that counts for the query, in the order of evaluation, with what is missing of it. */
export async function weighedFor(
  call: Call,
  query: PermissionQuery,
): Promise<readonly EvaluatedRule[]> {
  const ways = await weighQuery(inDecidingLedger(call, query), query, true);
  return ways.flatMap(({ weighed }) => weighed);
}

function grantsIn(ways: readonly EvaluatedQuery[]): Grant[] {
  return ways.flatMap(({ weighed }) => weighed.filter(({ missing }) => missing === undefined));
}

/** Weighs the rules for each alternative of a query, until one grants it. With `isWhole` it weighs all. */
async function weighQuery(
  call: Call,
  query: PermissionQuery,
  isWhole = call.isExplained === true,
): Promise<EvaluatedQuery[]> {
  const context = await requestContextOf(call);
  const laid = ruleSourcesFor(query, [
    ...context.sources,
    ...(await ruleSourcesAt(call, context, query)),
  ]);
  const lies = await liesIn(call, query);
  const everywhere = laid.filter((one) => domainOfSource(one) === undefined);
  // When the record could be in any domain, the rules outside all domains are weighed first. A grant by them saves
  // reading the others.
  if (!lies && !isWhole && everywhere.length < laid.length) {
    const ways = await weighAlternatives(call, context, query, everywhere, {});
    if (grantsIn(ways).length > 0) return ways;
  }
  return weighAlternatives(call, context, query, laid, { lies }, isWhole);
}

/** Weighs the given rule sources, together with the policies that they name. */
async function weighAlternatives(
  call: Call,
  context: AccessContext,
  query: PermissionQuery,
  laid: readonly RuleSource[],
  { lies }: Pick<Question, 'lies'>,
  isWhole = false,
): Promise<EvaluatedQuery[]> {
  const sources = await withNamed(call, laid, lies);
  const place = lies ? { lies } : { above: await above(call, sources) };
  const all = [[query.action, query.about ?? query.kind] as const, ...(query.or ?? [])];
  const ways: EvaluatedQuery[] = [];
  const weighing = isWhole ? evaluate : evaluateUntilGranted;
  for (const [action, record] of all) {
    const asking = { ...query, action, ...place };
    const question = await questionOf(call, context, asking, record, sources);
    const weighed = weighing(question, sources, call.work.patternMaker);
    ways.push({ action, record, weighed });
    if (!isWhole && grantsIn(ways).length > 0) break;
  }
  return ways;
}

/** Stores context that was read before, so that it is not read again. */
export function rememberContext(
  call: Call,
  { wallets, ...known }: LedgerContext & { readonly wallets?: ReadWallets },
): void {
  if (wallets) rememberWallets(call, wallets);
  void oncePerCall(call, ledgerContext, async () => known);
}

/**
 * The call as seen by the ledger whose rules decide. For the record of another ledger it is that ledger. For a new
 * ledger it is the default one, since any other could grant it to anyone. In that ledger the caller is no signer: the
 * key of a token counts, but not its name, and a token of the provider has no key. Decision 40.
 */
function inDecidingLedger(call: Call, { kind, record, draft }: PermissionQuery): Call {
  if (kind !== 'ledger') return call;
  const { defaultLedger } = call.services.settings;
  const handle = record?.data.handle ?? (draft ? defaultLedger : call.ledger.handle);
  if (handle === call.ledger.handle) return call;
  return oncePerCall(call, `ledger ${handle}`, () => {
    const { bearer, ...rest } = call;
    const { signer: _signer, ...key } = bearer ?? {};
    const isKnown = bearer?.public !== undefined;
    const ledger = { ...call.ledger, handle };
    return { ...rest, ledger, ...(isKnown && { bearer: key as typeof bearer }) };
  });
}

function ledgerContextOf(call: Call): Promise<LedgerContext> {
  return oncePerCall(call, ledgerContext, async () => {
    const reader = readerFor(call);
    const [home, rulebook] = await Promise.all([reader.home(), reader.rulebook()]);
    return { home, rulebook };
  });
}

function requestContextOf(call: Call): Promise<AccessContext> {
  return oncePerCall(call, 'request context', () => readRequestContext(call));
}

async function readRequestContext(call: Call): Promise<AccessContext> {
  const known = await ledgerContextOf(call);
  const callers = await callersOf(call, known.home);
  const sources = await ruleSourcesIn(call, known, callers.circles);
  return { ...known, callers, sources };
}

/** Answers a named check, which is a query of its own; it is not reported. */
async function isGranted(call: Call, query: PermissionQuery): Promise<boolean> {
  return (await verdictOn(call, query)).isGranted;
}

async function questionOf(
  call: Call,
  { callers, home }: AccessContext,
  query: PermissionQuery & Pick<Question, 'lies' | 'above'>,
  record: string,
  sources: readonly RuleSource[],
): Promise<Question> {
  const { action, placedKind, lies, above: domains, isForOthers } = query;
  // Facts about this record say nothing of one beside it. Decision 48.
  const own = placedKind ? undefined : query.record;
  const subject = await subjectFor(call, query, own, () =>
    conditionsFor({ action, record }, sources),
  );
  const question = {
    action,
    record,
    lies,
    ...(domains && { above: domains }),
    caller: callerOf(callers, own, home),
    subject,
    ...(placedKind && { isNobodys: true as const }),
    ...(isForOthers && { isForOthers }),
    ...(query.extent === 'all' && !placedKind && { isOfAll: true as const }),
    passes: () => true,
  };
  const isChecked = sources.some(({ rules }) => rules.some(({ invoke }) => invoke));
  if (!subject || !isChecked) return question;
  // Named checks read other records, so only those run that could turn the decision.
  const granting = grantsOf(question, sources, call.work.patternMaker);
  const invokes = granting.flatMap(({ rule }) => rule.invoke ?? []);
  const passing = await passingChecks(call, query, new Set(invokes), isGranted);
  return { ...question, passes: (invoke) => passing.has(invoke) };
}

/** The record or draft, as the conditions see it. */
async function subjectFor(
  call: Call,
  { kind, draft, change }: PermissionQuery,
  own: LedgerRecord | undefined,
  conditions: () => readonly Conditions[],
): Promise<AccessSubject | undefined> {
  const data = own?.data ?? draft?.data;
  if (!data) return undefined;
  const view = await viewFor(call, kind, data, conditions);
  const views = view(data);
  return {
    data: together(views),
    // A draft has no more than its domain yet.
    whole: wholeIn(own ?? { meta: { domain: draft?.domain } }, views),
    ...(change && { change: together(view(change)) }),
  };
}
