/**
 * Access: the one place that decides whether a request is let through. What has to be known is read
 * here, and the rules are judged by the core. Rulings 30 to 38.
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
  /** The rules that stand whatever record is asked about. */
  readonly standings: readonly Standing[];
}

/** The name under which a call remembers its ground. */
const ground = 'ground';

/** Whether a rule grants what is asked; whoever listens to the call hears it. */
export async function isAllowed(call: Call, asked: Asked): Promise<boolean> {
  const verdict = await verdictOn(call, asked);
  call.onVerdict?.(verdict);
  return verdict.isGranted;
}

/** Whether a rule grants what is asked; that a ledger is open grants nothing here. */
export async function isGrantedByRule(call: Call, asked: Asked): Promise<boolean> {
  const judged = judgedIn(call, asked);
  const ways = await weighedFor(judged, asked);
  const isGranted = grantsIn(ways).length > 0;
  call.onVerdict?.({ asked, ledger: judged.ledger.handle, isOpen: false, ways, isGranted });
  return isGranted;
}

/**
 * Says that something is granted by the server's own rule, where nothing has to be read for it: to the owner of what
 * is asked about, and to whoever was let in with the same before. Ruling 30.
 */
export function sayGranted(call: Call, asked: Asked): void {
  const { handle: ledger } = call.ledger;
  call.onVerdict?.({ asked, ledger, isOpen: false, ways: [], isGranted: true });
}

/** What the rules say. A ledger without a rule of its own is open. Ruling 31. */
async function verdictOn(call: Call, asked: Asked): Promise<Verdict> {
  const judged = judgedIn(call, asked);
  const isOpen = !isGoverned(await groundOf(judged));
  const ways = isOpen ? [] : await weighedFor(judged, asked);
  const isGranted = isOpen || grantsIn(ways).length > 0;
  return { asked, ledger: judged.ledger.handle, isOpen, ways, isGranted };
}

/** Whether rows of a list have to be asked about: every ledger has rules of its own. */
export async function isSifted(call: Call, kind: Kind): Promise<boolean> {
  return kind === 'ledger' || isGoverned(await groundOf(call));
}

/** The rules that grant what is asked, first the decisive one. */
export async function grantsFor(call: Call, asked: Asked): Promise<Grant[]> {
  return grantsIn(await weighedFor(judgedIn(call, asked), asked, true));
}

function grantsIn(ways: readonly Way[]): Grant[] {
  return ways.flatMap(({ weighed }) => weighed.filter(({ missing }) => missing === undefined));
}

/** The rules as they are weighed for what is asked, one way of asking after the other, until one grants it or all of them. */
async function weighedFor(
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
  // Of what could lie anywhere, those are asked first who may say so of all: then nothing else is read for it.
  if (!lies && !isWhole && everywhere.length < laid.length) {
    const ways = await waysIn(call, scene, asked, everywhere, {});
    if (grantsIn(ways).length > 0) return ways;
  }
  return waysIn(call, scene, asked, laid, { lies }, isWhole);
}

/** The same for the rules that were laid down there, and in the policies that they name. */
async function waysIn(
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

/** What was read already need not be read again. */
export function groundedOn(call: Call, known: Ground): void {
  void remembered(call, ground, async () => known);
}

/**
 * The call as the ledger would hear it whose rules decide: about the record of another ledger, that one, and
 * the default one about a new ledger, since any other could let in whomever it likes. Nobody is a signer of
 * this ledger there: a key counts, its token's name does not, and a token of the provider has no key. Decision 40.
 */
function judgedIn(call: Call, { kind, record, draft }: Asked): Call {
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

/** The rules themselves, asked again for a named check: a part of another question. */
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
  // What is known of this record says nothing of another one. Decision 48.
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
  // A check reads other records: only those are made on which it depends whether a rule grants.
  const granting = grantsOf(question, standings, call.work.patternMaker);
  const invokes = granting.flatMap(({ rule }) => rule.invoke ?? []);
  const passing = await invokedBy(call, asked, new Set(invokes), isGranted);
  return { ...question, passes: (invoke) => passing.has(invoke) };
}
