/** From the obstacles of a commit to refusals in the contract's words. */
import { randomUUID } from 'node:crypto';
import { assert } from '../ledger/assert.ts';
import { LedgerError } from '../ledger/errors.ts';
import { lineOf } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Services } from './action.ts';
import type { Commit, Obstacle, Write } from './ports.ts';
import { momentOf } from './sign.ts';

/** How often an action decides anew when others were faster. */
const attemptCountMax = 40;
const waitMsBase = 2;
const waitMsMax = 250;

/**
 * Decides and commits until nothing stands in the way that deciding anew could help with. `decide`
 * reads, refuses or returns what to commit (nothing, when it stands already), with what to answer.
 */
export async function commitDecided<Result>(
  services: Services,
  decide: () => Promise<{ readonly commit: Commit; readonly result: Result }>,
): Promise<Result> {
  for (let attempt = 0; attempt < attemptCountMax; attempt += 1) {
    const { commit, result } = await decide();
    if (commit.writes.length === 0) return result;
    const [obstacle] = await services.store.commit(commit);
    if (!obstacle) return result;
    await refuseFor(services, commit, obstacle);
    // Whoever else was faster decides anew as well; full jitter keeps them apart.
    const waitMs = Math.random() * Math.min(waitMsMax, waitMsBase * 2 ** attempt);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new LedgerError(
    'api.request-timeout',
    'Others changed the same records too often; nothing was stored.',
  );
}

/** Refuses for an obstacle that deciding anew cannot remove. */
async function refuseFor(services: Services, commit: Commit, obstacle: Obstacle): Promise<void> {
  if (!('write' in obstacle)) return;
  const write = commit.writes[obstacle.write];
  assert(write, 'an obstacle names a write of its commit');
  if (obstacle.what === 'handle') await refuseDuplicate(services, write);
  if (obstacle.what === 'replayed')
    throw duplicated(write.next, { luid: obstacle.luid, hash: obstacle.hash });
  if (obstacle.what === 'used')
    throw new LedgerError(
      'record.update-rejected',
      `${titleOf(write.next)} cannot change its handle: other records refer to it.`,
    );
}

/** Refuses a taken handle and says who holds it; returns when it became free meanwhile. Ruling 52. */
async function refuseDuplicate(services: Services, write: Write): Promise<void> {
  const { scope, next } = write;
  const { handle } = next.record.data;
  const [holder] = await services.store.load([{ what: 'record', scope, kind: next.kind, handle }]);
  if (holder) throw duplicated(holder);
}

/** The refusal of a handle that a record holds, or held when its create was replayed. Ruling 52. */
export function duplicated(
  version: Version,
  { luid, hash }: { readonly luid: string; readonly hash: string } = version.record,
): LedgerError {
  return new LedgerError('record.duplicated', `${titleOf(version)} already exists.`, {
    luid,
    hash,
  });
}

function titleOf({ kind, record }: Version): string {
  return `${lineOf(kind).title} with handle ${record.data.handle}`;
}

/**
 * The moment of a change: now, or that of the change before it when the clocks of two functions
 * differ, so that a record's history and its signals never run backwards.
 */
export function laterMoment(nowMs: number, previous: Version): string {
  const now = momentOf(nowMs);
  const before = previous.steps.at(-1)?.moment ?? now;
  // ISO 8601 UTC texts of equal length sort as the times they name.
  return [before, now].sort().at(-1) ?? now;
}

/** A name for a commit, new each time one is decided; 36 characters, as many as the database takes. */
export function newToken(): string {
  return randomUUID();
}
