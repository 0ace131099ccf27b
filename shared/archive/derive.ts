/**
 * The items of the table that an archive stands for: those that its lines say, and those that follow from them, by the
 * same rules by which the audit asks for them. Of mentions there are none: they are made with the records (`load.ts`).
 */

import { sealsOf } from '../audit/seal.ts';
import { holdOf } from '../audit/way.ts';
import { keepsPlace } from '../ledger/kind.ts';
import { isDropped, nameOfVersion, type Version } from '../ledger/record.ts';
import { countedRelationsOf } from '../ledger/relation.ts';
import { governed, isGoverning, rulesOf } from '../ledger/rulebook.ts';
import { isAsked } from '../port/deliveries.ts';
import type { Scope } from '../port/ports.ts';
import {
  changeKeyOf,
  dueKeyOf,
  expiryKeyOf,
  headKeyOf,
  indexKeyOf,
  type Key,
  listKeyOf,
  pointerKeyOf,
  refersKeyOf,
  rulebookKeyOf,
  usageKeyOf,
} from '../store/keys.ts';
import { pack } from '../store/pack.ts';
import type { Item } from '../store/request.ts';
import { faultAt, type OtherLine } from './form.ts';
import { isVersionLine, itemOfLine, versionOfLine } from './line.ts';
import type { Numbered } from './read.ts';

type Json = Readonly<Record<string, unknown>>;

/** An item, or what is added to the counts of one. */
export type Derived =
  | { readonly key: Key; readonly item: Json; readonly mayRepeat?: true }
  | { readonly key: Key; readonly adds: Readonly<Record<string, number>> };

/** The record whose versions are being read: as many of them as are needed to its end. */
interface Open {
  readonly number: number;
  readonly first: Version;
  /** The last one with the data of the first. */
  readonly alike: Version;
  readonly last: Version;
}

/** The items of a ledger, from its lines. */
export async function* derivedOf(
  ledger: Scope,
  lines: AsyncIterable<Numbered>,
): AsyncGenerator<readonly Derived[], void, undefined> {
  let open: Open | undefined;
  for await (const { number, line } of lines) {
    const next = isVersionLine(line) ? saying(number, () => versionOfLine(line)) : undefined;
    const before = open?.last.record.luid === next?.record.luid ? open : undefined;
    if (open && !before) yield endOf(ledger, open);
    yield saying(number, () =>
      next ? betweenOf(ledger, next, before?.last) : derivedOfLine(ledger, line as OtherLine),
    );
    open = next && opened(number, next, before);
  }
  if (open) yield endOf(ledger, open);
}

/** What there is because a version follows another one, or none. */
function betweenOf(ledger: Scope, next: Version, previous: Version | undefined): Derived[] {
  const marks = marksOf(ledger, next, previous);
  return previous ? [changeOf(ledger, previous), ...marks] : marks;
}

function opened(number: number, next: Version, open: Open | undefined): Open {
  if (!open) return { number, first: next, alike: next, last: next };
  const isAlike = next.record.hash === open.first.record.hash;
  return { ...open, number, last: next, alike: isAlike ? next : open.alike };
}

/** What is there because of how a record stands in the end. */
function endOf(ledger: Scope, { number, first, alike, last }: Open): readonly Derived[] {
  return saying(number, () => {
    const scope = scopeOf(ledger, last);
    const versions = [...new Set([first, alike, last])];
    const seals = sealsOf(scope, last.kind, versions).flatMap(({ keys: [key], hash }): Derived[] =>
      // Two records may have the same proof from a time when not all were remembered: the older one has it.
      key ? [{ key, item: { luid: last.record.luid, hash }, mayRepeat: true }] : [],
    );
    return [...seals, ...(isDropped(last) ? endedOf(scope, last) : currentOf(scope, ledger, last))];
  });
}

function endedOf(scope: Scope, version: Version): Derived[] {
  const { kind, record, change } = version;
  const handle = nameOfVersion(version);
  const pointer = { kind, handle, dropped: change };
  return [changeOf(scope, version), { key: pointerKeyOf(scope, kind, record.luid), item: pointer }];
}

function currentOf(scope: Scope, ledger: Scope, version: Version): Derived[] {
  const { kind, record } = version;
  const handle = nameOfVersion(version);
  const named = { handle };
  const index = indexKeyOf(scope, version);
  const hold = holdOf(scope, version);
  const expiry = expiryKeyOf(scope, version);
  return [
    { key: headKeyOf(scope, kind, handle), item: { ...pack(version) } },
    { key: listKeyOf(scope, version), item: named },
    ...(keepsPlace(kind)
      ? []
      : [{ key: pointerKeyOf(scope, kind, record.luid), item: { kind, handle } }]),
    ...(index ? [{ key: index, item: named }] : []),
    ...(hold ? [{ key: hold.key, item: { signer: hold.signer } }] : []),
    ...(expiry ? [{ key: expiry, item: named }] : []),
    ...countedRelationsOf(kind, record.data).map((relation) => ({
      key: refersKeyOf(scope, relation, record.luid),
      adds: { refers: 1 },
    })),
    ...rulesOf(kind, record).map((rule) => ({ key: rulebookKeyOf(ledger), adds: { [rule]: 1 } })),
  ];
}

/** Each time that a record begins to govern its ledger, or ceases to, is counted. Decision 47. */
function marksOf(ledger: Scope, next: Version, previous: Version | undefined): Derived[] {
  const isMarked = isGoverning(next) !== isGoverning(previous);
  return isMarked ? [{ key: rulebookKeyOf(ledger), adds: { [governed]: 1 } }] : [];
}

function changeOf(ledger: Scope, version: Version): Derived {
  const { record, change } = version;
  const key = changeKeyOf(scopeOf(ledger, version), record.luid, change);
  return { key, item: { ...pack(version) } };
}

/** The record of a ledger lies with the server. */
function scopeOf(ledger: Scope, { kind }: Version): Scope {
  return kind === 'ledger' ? '' : ledger;
}

function derivedOfLine(ledger: Scope, line: OtherLine): Derived[] {
  const { pk, sk, ...item } = itemOfLine(ledger, line) as Item & Key;
  const own = { key: { pk, sk }, item };
  if (line.what === 'balance') {
    const key = usageKeyOf(ledger, 'wallet', String(line['wallet']));
    return [own, { key, adds: { balances: 1 } }];
  }
  return line.what === 'delivery' ? [own, ...markerOf(ledger, line)] : [own];
}

/** A delivery is marked while it is due. Decision 18. */
function markerOf(ledger: Scope, line: OtherLine): Derived[] {
  const { due, subject, luid, replay, attempts } = line as OtherLine & {
    readonly due?: number;
    readonly subject: string;
    readonly luid: string;
    readonly replay: number;
    readonly attempts: number;
  };
  if (due === undefined) return [];
  const key = dueKeyOf({ scope: ledger, subject, luid }, due);
  return [{ key, item: isAsked({ replay, attempts }) ? { asked: true } : {} }];
}

function saying<Answer>(number: number, what: () => Answer): Answer {
  try {
    return what();
  } catch (error) {
    throw faultAt(number, error);
  }
}
