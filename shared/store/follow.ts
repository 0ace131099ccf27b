/**
 * The writes that follow a commit, in one transaction: index entries, entries of books, leaves with their checkpoint, and
 * the end of the outbox entries. It takes one sync of the disk where transactions share them. All of it is stored or nothing, so each
 * order that is kept between the steps holds. Reads come before, and what they found is a condition. Writes without a
 * condition for which there is no room go before. Decision 143.
 */
import { logOf } from '../log/leaf.ts';
import type { EntryVersion } from '../port/catalog.ts';
import type { Following } from '../port/following.ts';
import { logStep } from './append-log.ts';
import { indexStep } from './catalog.ts';
import { actionCountMax, bytesMax, bytesOf } from './group-commit.ts';
import { bookStep } from './keep-books.ts';
import { endStep } from './outbox.ts';
import type { Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { tryTo } from './try-to.ts';
import { actionsOf, handIn } from './write-all.ts';

/** Does all steps at once; false where one of them asks for more, or it is too much: then it takes step by step. */
export async function writeAtOnce(
  table: Table,
  versions: readonly EntryVersion[],
  { nowMs, checkpointOf }: Parameters<Following['writeAtOnce']>[1],
): Promise<boolean> {
  // Entries that share an item may have to be divided.
  if (versions.some(({ entry }) => entry.block)) return false;
  const deadline = deadlineIn(table.deadlineMs);
  const [log, ...others] = new Set(
    versions.map(({ entry, version }) => logOf(entry.scope, version)),
  );
  if (log === undefined || others.length > 0) return false;
  const logged = versions.map(({ version }) => version);
  // Whoever has a log has the versions in it by then.
  const ended = versions.map(({ entry }) => ({ ...entry, isLogged: true }) as const);
  const planned = await Promise.all([
    indexStep(table, versions, nowMs, deadline),
    bookStep(table, versions, nowMs, deadline),
    logStep(table, log, logged, checkpointOf, deadline),
    endStep(table, ended, deadline),
  ]);
  const steps = planned.filter((step) => step !== undefined);
  if (steps.length < planned.length) return false;
  const actions = steps.flatMap((step) => step.actions ?? []);
  const writes = steps.flatMap((step) => actionsOf(table, step.writes ?? {}));
  if (actions.length > actionCountMax) return false;
  const isLight = bytesOf([...writes, ...actions]) <= bytesMax;
  const room = isLight ? actionCountMax - actions.length : 0;
  await handIn(table, writes.slice(room), actionCountMax, deadline);
  if (!(await tryTo(table, [...writes.slice(0, room), ...actions], deadline))) return false;
  for (const { rest } of steps) await rest?.();
  return true;
}
