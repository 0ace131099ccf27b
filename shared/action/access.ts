/**
 * Access: the one place that decides whether a request is let through. What has to be known is read
 * here, and the rules are judged by the core. Rulings 30 to 38.
 */
import { type Grant, type Question, speaksOf, type Weighed, weigh } from '../ledger/access.ts';
import type { Kind } from '../ledger/kind.ts';
import { subjectOf } from '../ledger/policy.ts';
import type { Standing } from '../ledger/standing.ts';
import type { Call } from './action.ts';
import { type Callers, callerOf, callersOf } from './caller.ts';
import { type Asked, invokedBy } from './invoke.ts';
import { remembered } from './remembered.ts';
import { type Ground, isGoverned, standingsAt, standingsIn } from './standings.ts';

interface Scene extends Ground {
  readonly callers: Callers;
  /** The rules that stand whatever record is asked about. */
  readonly standings: readonly Standing[];
}

/** The name under which a call remembers its ground. */
const ground = 'ground';

/** Whether a rule grants what is asked. A ledger without a rule of its own is open. Ruling 31. */
export async function isAllowed(call: Call, asked: Asked): Promise<boolean> {
  if (!isGoverned(await groundOf(judgedIn(call, asked)))) return true;
  const grants = await grantsFor(call, asked);
  return grants.length > 0;
}

/** Whether rows of a list have to be asked about: every ledger has rules of its own. */
export async function isSifted(call: Call, kind: Kind): Promise<boolean> {
  return kind === 'ledger' || isGoverned(await groundOf(call));
}

/** The rules that grant what is asked, first the decisive one. */
export async function grantsFor(from: Call, asked: Asked): Promise<Grant[]> {
  const weighed = await weighedFor(from, asked);
  return weighed.filter(({ missing }) => missing === undefined);
}

/** All rules as they are weighed for what is asked, one way of asking after the other. */
async function weighedFor(from: Call, asked: Asked): Promise<Weighed[]> {
  const call = judgedIn(from, asked);
  const scene = await sceneOf(call);
  const standings = [...scene.standings, ...(await standingsAt(call, scene, asked))];
  const ways = [[asked.action, asked.about ?? asked.kind] as const, ...(asked.or ?? [])];
  const found: Weighed[] = [];
  for (const [action, record] of ways) {
    const question = await questionOf(call, scene, { ...asked, action }, record, standings);
    found.push(...weigh(question, standings, call.services.patternMaker));
  }
  return found;
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
    const scope = call.ledger.handle;
    const [home, rulebook] = await call.services.store.load([
      { what: 'record', scope: '', kind: 'ledger', handle: scope },
      { what: 'rulebook', scope },
    ]);
    return { home: home?.record, rulebook };
  });
}

function sceneOf(call: Call): Promise<Scene> {
  return remembered(call, 'scene', () => readScene(call));
}

async function readScene(call: Call): Promise<Scene> {
  const known = await groundOf(call);
  const callers = await callersOf(call);
  const standings = await standingsIn(call, known, callers.circles);
  return { ...known, callers, standings };
}

async function questionOf(
  call: Call,
  { callers, home }: Scene,
  asked: Asked,
  record: string,
  standings: readonly Standing[],
): Promise<Question> {
  const { action, draft, change } = asked;
  const data = asked.record?.data ?? draft?.data;
  const invokes = standings.flatMap((standing) =>
    standing.rules
      .filter((rule) => speaksOf(rule, standing, { action, record }))
      .flatMap(({ invoke }) => invoke ?? []),
  );
  const passing = data
    ? await invokedBy(call, asked, new Set(invokes), isAllowed)
    : new Set<string>();
  return {
    action,
    record,
    caller: callerOf(callers, asked.record, home),
    subject: data && {
      data,
      ...(asked.record && { whole: subjectOf(asked.record) }),
      ...(change && { change }),
    },
    passes: (invoke) => passing.has(invoke),
  };
}
