/**
 * Invariant 3, for whoever looks for a record: once its change was told, the current version is mentioned
 * under all of its terms. Mentions that are too many harm nobody: each is checked at its record. Ruling 23,
 * Decisions 31 and 32.
 */
import { outboxKeyOf, textOf } from '../store/keys.ts';
import { currentOf, type Life, mentionKeysOfLife } from './life.ts';
import { isDelivered } from './outbox.ts';
import { subjectOf } from './place.ts';
import { type Violation, violationOf } from './violation.ts';

/** What is wrong with the mentions of a life. */
export function* checkMentions(life: Life): Generator<Violation, void, undefined> {
  const { scope, items } = life;
  const current = currentOf(life);
  const entry = current && outboxKeyOf(scope, current);
  if (!entry || items.has(textOf(entry)) || !isDelivered(life, entry.sk)) return;
  const missing = mentionKeysOfLife(life).find((key) => !items.has(textOf(key)));
  if (!missing) return;
  const fact = `The record is not mentioned at '${textOf(missing)}'; "npm run reindex" mends it.`;
  yield violationOf(3, { ...subjectOf(life), change: current.change }, fact);
}
