/**
 * Invariant 3, between records: the counts of references are right, so that a record keeps its handle and does not end
 * as long as others name it, and no longer. Rulings 12 and 44. The tally tells which counts may be wrong; these alone
 * are counted again, from the lists of the kinds that may refer.
 */

import { type Kind, lineOf } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import { type Relation, referringKinds } from '../ledger/relation.ts';
import type { Scope } from '../port/ports.ts';
import { type Key, keyOfItem, textOf } from '../store/keys.ts';
import { itemsOfCurrent } from '../store/projection.ts';
import { listedOf } from './listed.ts';
import { type AuditRun, roundCountMax, waitFor } from './run.ts';
import type { AuditSource, NamedItem } from './source.ts';
import { type AuditViolation, violationOf } from './violation.ts';

/** An item that counts the references to a record. */
interface Counter {
  readonly scope: Scope;
  readonly named: Relation;
  readonly key: Key;
  readonly text: string;
}

/** Checks the counts of references among these items. */
export async function* auditCounters(
  run: AuditRun,
  odd: readonly NamedItem[],
): AsyncGenerator<AuditViolation, void, undefined> {
  const groups = new Map<string, Counter[]>();
  for (const counter of odd.flatMap(counterOf)) {
    const name = `${counter.scope}#${counter.named.kind}`;
    groups.set(name, [...(groups.get(name) ?? []), counter]);
  }
  for (const group of groups.values()) yield* await wrongIn(run, group);
}

function counterOf({ name, item }: NamedItem): Counter[] {
  if (name.item !== 'refers') return [];
  const { scope, kind, handle } = name;
  const key = keyOfItem(item);
  return [{ scope, named: { kind, handle }, key, text: textOf(key) }];
}

/** The violations among counts of one kind and ledger that are wrong each time they are counted. */
async function wrongIn({ source, options }: AuditRun, group: readonly Counter[]) {
  let wrong: AuditViolation[] = [];
  let doubtful = group;
  const rounds = options.isLive ? roundCountMax : 1;
  for (let round = 0; round < rounds && doubtful.length > 0; round += 1) {
    await waitFor(round);
    const before = await countsAt(source, doubtful);
    const expected = await countAgain(source, doubtful);
    const after = await countsAt(source, doubtful);
    doubtful = doubtful.filter(({ text }) => {
      const ends = [before.get(text) ?? 0, after.get(text) ?? 0];
      return !isBetween(expected.get(text) ?? 0, ends);
    });
    wrong = doubtful.map(({ scope, named, text }) =>
      violationOf(
        3,
        { scope, ...named },
        `It is counted wrongly at '${text}' how many records refer to this one.`,
        { expected: expected.get(text), found: after.get(text) },
      ),
    );
  }
  return wrong;
}

/** True when a count lies between the values that were read before and after counting. */
export function isBetween(count: number, found: readonly number[]): boolean {
  return count >= Math.min(...found) && count <= Math.max(...found);
}

async function countsAt(
  source: AuditSource,
  counters: readonly Counter[],
): Promise<ReadonlyMap<string, number>> {
  const items = await source.at(counters.map(({ key }) => key));
  return new Map(
    counters.map(({ text }) => [text, Number(items.get(text)?.['refers'] ?? 0n)] as const),
  );
}

/** The number of current versions that each of these items should count. */
async function countAgain(
  source: AuditSource,
  counters: readonly Counter[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(counters.map(({ text }) => [text, 0]));
  const [first] = counters;
  if (!first) return counts;
  const { scope, named } = first;
  const handles = [...new Set(counters.map((counter) => counter.named.handle))];
  for await (const version of referringTo(source, scope, named.kind, handles)) {
    const texts = countersOf(scope, version).filter((text) => counts.has(text));
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** All current versions that may name one of these records of a kind. */
async function* referringTo(
  source: AuditSource,
  scope: Scope,
  kind: Kind,
  handles: readonly string[],
): AsyncGenerator<Version, void, undefined> {
  for (const referring of referringKinds(kind)) {
    const parents = lineOf(referring).within === kind ? handles : undefined;
    yield* listedOf(source, scope, referring, parents);
  }
}

/** The items that count the references of a version. */
function countersOf(scope: Scope, version: Version): string[] {
  const counted = itemsOfCurrent(scope, version).filter(({ item }) => item === 'refers');
  return counted.map(({ key }) => textOf(key));
}
