/**
 * Access control: the one place that decides whether a request is granted. It reads what the rules depend on; the core
 * weighs them. Rulings 30 to 38.
 */
import { type Grant, grantsOf, type Question, weigh, weighUntilGranted } from '../ledger/access.ts';
import type { Kind } from '../ledger/kind.ts';
import { subjectOf } from '../ledger/policy.ts';
import { domainOfStanding, type Standing, standingsFor } from '../ledger/standing.ts';
import type { Call } from '../port/action.ts';
import type { Asked, Verdict, Way } from '../port/asked.ts';
import { readerFor } from '../record/reader.ts';
import { remembered } from '../record/remembered.ts';
import { type Callers, callerOf, callersOf } from './caller.ts';
import { invokedBy } from './invoke.ts';
import {
  above,
  type Ground,
  isGoverned,
  liesIn,
  standingsAt,
  standingsIn,
  withNamed,
} from './standings.ts';

interface AccessContext extends Ground {
  readonly callers: Callers;
  /** The rules that count for every record. */
  readonly standings: readonly Standing[];
}

/** The cache key of the ledger's context. */
const ground = 'ground';

/** True when a rule grants the query. The decision goes to `call.onVerdict`. */
export async function isAllowed(call: Call, asked: Asked): Promise<boolean> {
  const verdict = await verdictOn(call, asked);
  call.onVerdict?.(verdict);
  return verdict.isGranted;
}

/** True when a rule grants the query. Unlike in `isAllowed`, an open ledger grants nothing. */
export async function isGrantedByRule(call: Call, asked: Asked): Promise<boolean> {
  const judged = inDecidingLedger(call, asked);
  const ways = await weighQuery(judged, asked);
  const isGranted = grantsIn(ways).length > 0;
  call.onVerdict?.({ asked, ledger: judged.ledger.handle, isOpen: false, ways, isGranted });
  return isGranted;
}

/**
 * Reports a grant by a server rule that needs no read: to the owner of the record, and to a caller who was granted the
 * same before. Ruling 30.
 */
export function sayGranted(call: Call, asked: Asked): void {
  const { handle: ledger } = call.ledger;
  call.onVerdict?.({ asked, ledger, isOpen: false, ways: [], isGranted: true });
}

/** The decision on a query. A ledger without rules is open and grants everything. Ruling 31. */
async function verdictOn(call: Call, asked: Asked): Promise<Verdict> {
  const judged = inDecidingLedger(call, asked);
  const isOpen = !isGoverned(await groundOf(judged));
  const ways = isOpen ? [] : await weighQuery(judged, asked);
  const isGranted = isOpen || grantsIn(ways).length > 0;
  return { asked, ledger: judged.ledger.handle, isOpen, ways, isGranted };
}

/** True when each row of a list needs a permission query, as records of ledgers always do. */
export async function isSifted(call: Call, kind: Kind): Promise<boolean> {
  return kind === 'ledger' || isGoverned(await groundOf(call));
}

/** The rules that grant the query, the decisive one first. */
export async function grantsFor(call: Call, asked: Asked): Promise<Grant[]> {
  return grantsIn(await weighQuery(inDecidingLedger(call, asked), asked, true));
}

function grantsIn(ways: readonly Way[]): Grant[] {
  return ways.flatMap(({ weighed }) => weighed.filter(({ missing }) => missing === undefined));
}

/** Weighs the rules for each alternative of a query, until one grants it. With `isWhole` it weighs all. */
async function weighQuery(
  call: Call,
  asked: Asked,
  isWhole = call.isExplained === true,
): Promise<Way[]> {
  const scene = await sceneOf(call);
  const laid = standingsFor(asked, [
    ...scene.standings,
    ...(await standingsAt(call, scene, asked)),
  ]);
  const lies = await liesIn(call, asked);
  const everywhere = laid.filter((one) => domainOfStanding(one) === undefined);
  // When the record could be in any domain, the rules outside all domains are weighed first. A grant by them saves
  // reading the others.
  if (!lies && !isWhole && everywhere.length < laid.length) {
    const ways = await weighAlternatives(call, scene, asked, everywhere, {});
    if (grantsIn(ways).length > 0) return ways;
  }
  return weighAlternatives(call, scene, asked, laid, { lies }, isWhole);
}

/** Weighs the given rule sources, together with the policies that they name. */
async function weighAlternatives(
  call: Call,
  scene: AccessContext,
  asked: Asked,
  laid: readonly Standing[],
  { lies }: Pick<Question, 'lies'>,
  isWhole = false,
): Promise<Way[]> {
  const standings = await withNamed(call, laid, lies);
  const place = lies ? { lies } : { above: await above(call, standings) };
  const all = [[asked.action, asked.about ?? asked.kind] as const, ...(asked.or ?? [])];
  const ways: Way[] = [];
  const weighing = isWhole ? weigh : weighUntilGranted;
  for (const [action, record] of all) {
    const asking = { ...asked, action, ...place };
    const question = await questionOf(call, scene, asking, record, standings);
    const weighed = weighing(question, standings, call.work.patternMaker);
    ways.push({ action, record, weighed });
    if (!isWhole && grantsIn(ways).length > 0) break;
  }
  return ways;
}

/** Stores context that was read before, so that it is not read again. */
export function groundedOn(call: Call, known: Ground): void {
  void remembered(call, ground, async () => known);
}

/**
 * The call as seen by the ledger whose rules decide. For the record of another ledger it is that ledger. For a new
 * ledger it is the default one, since any other could grant it to anyone. In that ledger the caller is no signer: the
 * key of a token counts, but not its name, and a token of the provider has no key. Decision 40.
 */
function inDecidingLedger(call: Call, { kind, record, draft }: Asked): Call {
  if (kind !== 'ledger') return call;
  const { defaultLedger } = call.services.settings;
  const handle = record?.data.handle ?? (draft ? defaultLedger : call.ledger.handle);
  if (handle === call.ledger.handle) return call;
  return remembered(call, `ledger ${handle}`, () => {
    const { bearer, ...rest } = call;
    const { signer: _signer, ...key } = bearer ?? {};
    const isKnown = bearer?.public !== undefined;
    const ledger = { ...call.ledger, handle };
    return { ...rest, ledger, ...(isKnown && { bearer: key as typeof bearer }) };
  });
}

function groundOf(call: Call): Promise<Ground> {
  return remembered(call, ground, async () => {
    const reader = readerFor(call);
    const [home, rulebook] = await Promise.all([reader.home(), reader.rulebook()]);
    return { home, rulebook };
  });
}

function sceneOf(call: Call): Promise<AccessContext> {
  return remembered(call, 'scene', () => readScene(call));
}

async function readScene(call: Call): Promise<AccessContext> {
  const known = await groundOf(call);
  const callers = await callersOf(call, known.home);
  const standings = await standingsIn(call, known, callers.circles);
  return { ...known, callers, standings };
}

/** Answers a named check, which is a query of its own; it is not reported. */
async function isGranted(call: Call, asked: Asked): Promise<boolean> {
  return (await verdictOn(call, asked)).isGranted;
}

async function questionOf(
  call: Call,
  { callers, home }: AccessContext,
  asked: Asked & Pick<Question, 'lies' | 'above'>,
  record: string,
  standings: readonly Standing[],
): Promise<Question> {
  const { action, draft, change, beside, lies, above: domains, isForOthers } = asked;
  // Facts about this record say nothing of one beside it. Decision 48.
  const own = beside ? undefined : asked.record;
  const data = own?.data ?? draft?.data;
  const question = {
    action,
    record,
    lies,
    ...(domains && { above: domains }),
    caller: callerOf(callers, own, home),
    subject: data && {
      data,
      ...(own && { whole: subjectOf(own) }),
      ...(change && { change }),
    },
    ...(beside && { isNobodys: true as const }),
    ...(isForOthers && { isForOthers }),
    ...(asked.extent === 'all' && !beside && { isOfAll: true as const }),
    passes: () => true,
  };
  const isChecked = standings.some(({ rules }) => rules.some(({ invoke }) => invoke));
  if (!data || !isChecked) return question;
  // Named checks read other records, so only those run that could turn the decision.
  const granting = grantsOf(question, standings, call.work.patternMaker);
  const invokes = granting.flatMap(({ rule }) => rule.invoke ?? []);
  const passing = await invokedBy(call, asked, new Set(invokes), isGranted);
  return { ...question, passes: (invoke) => passing.has(invoke) };
}
