/**
 * An intent that goes on: with the signature that was missing, with what a bridge reports of it, with the word of
 * whoever decides, or after its time. Whoever is first moves it, since each write is of the versions that were
 * read; who comes later decides anew, and is kept as audit data. Rulings 48 to 51, 55 and 56.
 */
import { LedgerError } from '../ledger/errors.ts';
import {
  bridgedIn,
  expired,
  expiryOf,
  isPending,
  isUndecided,
  stepsOf,
  threadOf,
  unsupportedOf,
} from '../ledger/intent.ts';
import { carriedOf, type LedgerRecord, type Version } from '../ledger/record.ts';
import { type Report, transit } from '../ledger/transition.ts';
import type { Call, Identity, Services } from './action.ts';
import { commitDecided, type Decided, laterMoment, newToken } from './commit.ts';
import type { WaitingIntent } from './expiries.ts';
import type { Scope, Signal } from './ports.ts';
import { haveRights } from './rights.ts';
import { claimsOf, readScene, wishOf } from './scene.ts';
import { settlementOf } from './settlement.ts';
import { signed } from './signed.ts';
import { type Member, type Refusal, spokenOf } from './thread.ts';
import { type Happening, refused, turn } from './turn.ts';

/** What a proof is to an intent, beside a signature: the report of a bridge, or a decision. */
export type Role =
  | { readonly is: 'report'; readonly entry: string; readonly report: Report }
  | { readonly is: 'decision'; readonly status: 'committed' | 'aborted' };

/** An intent with what a request adds to it. */
interface Revision {
  readonly scope: Scope;
  readonly previous: Version;
  readonly next: Version;
  readonly signals: readonly Signal[];
}

/** How much of what a bridge says is repeated, in characters. */
const detailLengthMax = 500;

/** Goes as far as it can with the proof that the revision adds; undefined when it has to be decided anew. */
export async function goOn(
  call: Call,
  revision: Revision,
  role: Role | undefined,
): Promise<Decided<Version> | undefined> {
  const { services, ledger } = call;
  const { previous, next } = revision;
  const moment = momentOfRevision(revision);
  const others = await othersOf(services, revision.scope, previous);
  if (!others) return undefined;
  const members = membersOf(previous, memberOf(revision), others);
  if (isOver(members, moment))
    return turned(services, ledger, revision, members, { event: refused, refusal: expired });
  if (role?.is === 'report') {
    const member = accepting(memberOf(revision), next.record.meta.proofs.length - 1);
    const { entry, report } = role;
    const refusal = refusalOf(next.record, entry);
    const event = { what: 'reported', entry, report } as const;
    const noted = membersOf(previous, member, others);
    return turned(services, ledger, revision, noted, { event, refusal });
  }
  if (role?.is === 'decision')
    return turned(services, ledger, revision, members, {
      event: { what: 'decided', status: role.status },
    });
  if (!isPending(previous.record)) return kept(revision);
  const claims = claimsOf(next.record.data);
  const scene = await readScene(call, claims);
  if (!(await haveRights(call, scene, claims, next.record.meta.proofs))) return kept(revision);
  const settlement = await settlementOf(call, scene, wishOf(next.record.data), moment);
  return settlement && signed(call, scene, memberOf(revision), settlement);
}

/** Ends an intent, and its thread, that has waited for too long; nothing happens when it does not wait any more. */
export async function expire(
  services: Services,
  ledger: Identity,
  waiting: WaitingIntent,
): Promise<void> {
  await goOnAlone(services, ledger, waiting, (version, moment) =>
    isOver([version], moment)
      ? { member: unchanged(version), happening: { event: refused, refusal: expired } }
      : undefined,
  );
}

/** Notes that a bridge does not do what was asked of it; the ledger says so in its place. Ruling 57. */
export async function refuseEntry(
  services: Services,
  ledger: Identity,
  { entry, bridge, ...intent }: WaitingIntent & { readonly entry: string; readonly bridge: string },
): Promise<void> {
  const detail = `Bridge ${bridge} does not support what was asked of it.`;
  const refusal = { fault: 'core.bridge-unsupported-operation', detail } as const;
  const event = { what: 'reported', entry, report: 'unsupported' } as const;
  await goOnAlone(services, ledger, intent, (version, moment) => {
    const isKnown = bridgedIn(version).some(({ handle }) => handle === entry);
    // It changes nothing any more: then nothing is said either.
    if (!isKnown || !transit(threadOf([version]), event)) return undefined;
    const { record } = version;
    const status = record.meta.status;
    const advances = [{ status, words: [unsupportedOf(entry, detail, moment)] }];
    const said = spokenOf(ledger, record, advances);
    const steps = stepsOf(advances, record.meta.proofs.length, moment, 'update');
    const signals = [{ signal: 'intent-updated', change: version.change + 1 }];
    const member = accepting(
      { ...unchanged(version), record: said, steps, signals },
      said.meta.proofs.length - 1,
    );
    return { member, happening: { event, refusal } };
  });
}

/** What a service does to an intent by itself: with the version that stands, until that can be stored. */
async function goOnAlone(
  services: Services,
  ledger: Identity,
  { scope, luid, handle }: WaitingIntent,
  decide: (
    version: Version,
    moment: string,
  ) => { readonly member: Member; readonly happening: Happening } | undefined,
): Promise<void> {
  await commitDecided(services, async () => {
    const want = { what: 'record', scope, kind: 'intent', handle } as const;
    const [previous] = await services.store.load([want]);
    const nothing = { commit: { token: newToken(), writes: [] }, result: undefined };
    if (previous?.record.luid !== luid) return nothing;
    const moment = laterMoment(services.clock(), previous);
    const decided = decide(previous, moment);
    if (!decided) return nothing;
    const others = await othersOf(services, scope, previous);
    if (!others) return undefined;
    const members = membersOf(previous, decided.member, others);
    const { happening } = decided;
    const done = await turn(services, ledger, { scope, members, moment }, happening);
    return done && { commit: done.commit, result: undefined };
  });
}

/** The commit of an event that a proof brings; one that changes nothing is kept as audit data. Ruling 56. */
async function turned(
  services: Services,
  ledger: Identity,
  revision: Revision,
  members: readonly Member[],
  happening: Happening,
): Promise<Decided<Version> | undefined> {
  const { scope, previous } = revision;
  const moment = momentOfRevision(revision);
  const done = await turn(services, ledger, { scope, members, moment }, happening);
  if (!done) return undefined;
  if (!done.isNews) return kept(revision);
  const own = done.commit.writes.find(({ next }) => next.record.luid === previous.record.luid);
  return { commit: done.commit, result: own?.next ?? revision.next };
}

/** The other intents of a thread by their handles; undefined when one of them cannot be seen yet. */
async function othersOf(
  { store }: Services,
  scope: Scope,
  { record, together = [] }: Version,
): Promise<Version[] | undefined> {
  const handles = together.filter((handle) => handle !== record.data.handle);
  if (handles.length === 0) return [];
  const found = await store.load(
    handles.map((handle) => ({ what: 'record', scope, kind: 'intent', handle }) as const),
  );
  const there = found.flatMap((one) => one ?? []);
  return there.length === handles.length ? there : undefined;
}

/** The intents of a thread in their order. */
function membersOf(
  { together = [] }: Version,
  own: Member,
  others: readonly Version[],
): readonly Member[] {
  const all = [own, ...others.map(unchanged)];
  const placeOf = ({ record }: Member) => together.indexOf(record.data.handle);
  return all.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function unchanged(version: Version): Member {
  return {
    previous: version,
    record: version.record,
    steps: [],
    signals: [],
    ...carriedOf(version),
  };
}

function memberOf({ previous, next, signals }: Revision): Member {
  const { record, steps } = next;
  return { ...unchanged(previous), record, steps, signals };
}

/** The member with one more proof that counts. */
function accepting(member: Member, index: number): Member {
  return { ...member, accepted: [...(member.accepted ?? []), index] };
}

/** The commit that keeps what a request adds, and nothing more. */
function kept({ scope, previous, next, signals }: Revision): Decided<Version> {
  const whole = { ...next, ...carriedOf(previous) };
  const write = { scope, previous, next: whole, signals };
  return { commit: { token: newToken(), writes: [write] }, result: whole };
}

/** Why an entry that a bridge refuses makes its intent fail. */
function refusalOf({ meta }: LedgerRecord, entry: string): Refusal {
  const { reason, detail } = meta.proofs.at(-1)?.custom ?? {};
  const said = [reason, detail].filter((text) => typeof text === 'string' && text !== '');
  const why = said.length > 0 ? `: ${said.join(', ').slice(0, detailLengthMax)}` : '';
  return {
    fault: 'core.bridge-prepare-failed',
    detail: `A bridge refused the entry ${entry}${why}.`,
  };
}

/** Whether a thread waits that should not at this moment. Texts of moments sort as the times they name. */
function isOver(members: readonly { readonly record: LedgerRecord }[], moment: string): boolean {
  const [first] = members;
  if (!first || !isUndecided(first.record)) return false;
  const expiry = expiryOf(first.record);
  return expiry !== undefined && moment >= expiry;
}

function momentOfRevision({ next }: Revision): string {
  return next.steps.at(-1)?.moment ?? next.record.meta.moment;
}

/** Refuses a decision that comes too early or too late. Ruling 51. */
export function assertDecidable(
  { data, meta }: LedgerRecord,
  status: 'committed' | 'aborted',
): void {
  const isOpen =
    status === 'committed' ? meta.status === 'prepared' : isUndecided({ meta } as LedgerRecord);
  if (isOpen) return;
  throw new LedgerError(
    'record.update-rejected',
    `Intent ${data.handle} is ${meta.status} and cannot become ${status}.`,
    { status: meta.status },
  );
}
