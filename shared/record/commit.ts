/** Commits with retries, and the API errors for failed conditions that no retry can mend. */
import { randomUUID } from 'node:crypto';
import { kindOfLuid } from '../ledger/address.ts';
import { assert } from '../ledger/assert.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { isDropped, nameOfVersion, type Version } from '../ledger/record.ts';
import { changedDependency } from '../ledger/relation.ts';
import type { Call, Services } from '../port/action.ts';
import type { Commit, Conflict, Scope, Write } from '../port/ports.ts';
import { momentOf } from './sign.ts';
import { excessOf } from './size.ts';

/** A decision is retried this often when other requests were faster. */
const attemptCountMax = 40;
const waitMsBase = 2;
const waitMsMax = 250;
/**
 * The longest time from the moment that a commit states until the store gets it, in milliseconds. The store takes up to 15
 * seconds, and what is answered about a moment is final after 30. Decision 92.
 */
const statedMsMax = 10_000;

/** A commit and the result to return once it is stored. Without writes nothing is committed. */
export interface Decided<Result> {
  readonly commit: Commit;
  readonly result: Result;
}

/**
 * Decides and commits, again and again while retrying can help. `decide` reads and returns a commit, or throws an
 * API error; its argument counts the earlier attempts. It returns undefined when its reads were inconsistent. One that took
 * too long is taken anew.
 * Refuses with `api.request-timeout` after too many attempts.
 */
export async function commitDecided<Result>(
  services: Services,
  decide: (attempt: number) => Promise<Decided<Result> | undefined>,
): Promise<Result> {
  for (let attempt = 0; attempt < attemptCountMax; attempt += 1) {
    const found = await decide(attempt);
    const decided = found && !isLate(services, found.commit) ? found : undefined;
    const conflict = decided && (await conflictOf(services, decided.commit));
    if (decided && !conflict) return decided.result;
    if (decided && conflict) await refuseFor(services, decided.commit, conflict);
    // Requests that conflict retry at the same time; full jitter spreads them.
    const waitMs = Math.random() * Math.min(waitMsMax, waitMsBase * 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new LedgerError(
    'api.request-timeout',
    'Others changed the same records too often; nothing was stored.',
  );
}

/**
 * The same for a request. Each further attempt is a call that has cached nothing (`once-per-call.ts`): a right, a rule or
 * a key that the one before has read may have ended since.
 */
export function commitForCall<Result>(
  call: Call,
  decide: (call: Call, attempt: number) => Promise<Decided<Result> | undefined>,
): Promise<Result> {
  return commitDecided(call.services, (attempt) =>
    decide(attempt === 0 ? call : { ...call }, attempt),
  );
}

/** True for a commit that took so long to be decided that what was answered about its moment may be final. Decision 92. */
export function isLate(
  { clock }: Pick<Services, 'clock'>,
  { moves = [] }: Pick<Commit, 'moves'>,
): boolean {
  const leastMs = clock() - statedMsMax;
  return moves.some(({ statedMs }) => statedMs < leastMs);
}

/** Commits, and returns the first condition that failed. */
async function conflictOf({ store }: Services, commit: Commit): Promise<Conflict | undefined> {
  if (commit.writes.length === 0) return undefined;
  const excess = excessOf(commit);
  if (excess) throw excess;
  const [conflict] = await store.commit(commit);
  return conflict;
}

/** Throws when no retry can mend the failed condition. */
async function refuseFor(services: Services, commit: Commit, conflict: Conflict): Promise<void> {
  if (!('write' in conflict)) return;
  const write = commit.writes[conflict.write];
  assert(write, 'a conflict names a write of its commit');
  if (conflict.what === 'handle')
    await assertHandleFree(services, write.scope, write.next.kind, nameOfVersion(write.next));
  if (conflict.what === 'replayed') {
    await services.store.inForce?.(write.next);
    throw replayed(write.next, conflict);
  }
  if (conflict.what === 'used') throw inUse(write);
}

/** The error for renaming or dropping a record in use, or for changing what its use depends on. Rulings 12 and 44. */
function inUse({ next, previous = next }: Write): LedgerError {
  const title = titleOf(previous);
  if (isDropped(next))
    return new LedgerError(
      'record.drop-rejected',
      `${title} is in use: other records refer to it.`,
    );
  const isRenamed = nameOfVersion(next) !== nameOfVersion(previous);
  const isOfSymbol = changedDependency(next, previous) === 'factor';
  const isHeld = isOfSymbol
    ? 'change its factor: it has balances'
    : 'leave its bridge: it has balances';
  const mayBeHeld = previous.kind === 'wallet' || previous.kind === 'symbol';
  const renaming = `change its handle: ${mayBeHeld ? 'it has balances, or ' : ''}other records refer to it`;
  const why = isRenamed ? renaming : isHeld;
  return new LedgerError('record.update-rejected', `${title} cannot ${why}.`);
}

/** Refuses a taken handle with `record.duplicated` and its holder; returns when it is free. Ruling 52. */
export async function assertHandleFree(
  services: Services,
  scope: Scope,
  kind: Kind,
  handle: string,
): Promise<void> {
  const [holder] = await services.store.load([{ what: 'record', scope, kind, handle }]);
  if (!holder) return;
  // It is the answer to a create that is sent again.
  await services.store.inForce?.(holder);
  throw duplicated(holder);
}

/** The error for a signed body that was accepted before. Ruling 16, Decision 7. */
function replayed(
  version: Version,
  { luid, hash }: { readonly luid: string; readonly hash: string },
): LedgerError {
  if (!isDropped(version)) {
    if (kindOfLuid(luid) === version.kind) return duplicated(version, { luid, hash });
    const detail = 'What was signed has made another record already; sign it anew.';
    return new LedgerError('record.duplicated', detail, { luid, hash });
  }
  const detail = `${titleOf(version)} is not the record that this drop has ended; sign it anew.`;
  return new LedgerError('record.drop-rejected', detail, { luid, hash });
}

/** The error for a handle that a record holds, or held when its create was accepted first. Ruling 52. */
export function duplicated(
  version: Version,
  { luid, hash }: { readonly luid: string; readonly hash: string } = version.record,
): LedgerError {
  const isHolder = luid === version.record.luid;
  // The status tells a client that lost the answer how its intent ended.
  const { status } = version.record.meta;
  return new LedgerError('record.duplicated', `${titleOf(version)} already exists.`, {
    luid,
    hash,
    ...(version.kind === 'intent' && isHolder && { status }),
  });
}

function titleOf({ kind, record }: Version): string {
  const { title, naming = 'handle' } = lineOf(kind);
  return `${title} with ${naming} ${record.data[naming]}`;
}

/**
 * The moment of a change: now, or that of the change before it when the clocks of two functions differ. So a
 * history and its signals never run backwards.
 */
export function laterMoment(nowMs: number, previous: Version): string {
  const now = momentOf(nowMs);
  const before = previous.steps.at(-1)?.moment ?? now;
  // ISO 8601 UTC texts of equal length sort as times.
  return [before, now].sort().at(-1) ?? now;
}

/** A new idempotency token of a commit, 36 characters long, the maximum of DynamoDB. */
export function newToken(): string {
  return randomUUID();
}
