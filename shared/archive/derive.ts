/**
 * The items of the table that an archive stands for: those of its lines, and the projection of its records
 * (`store/projection.ts`). Index entries of terms are not among them: the import makes them (`load.ts`).
 */

import type { PlainObject } from '../ledger/compare.ts';
import type { Version } from '../ledger/record.ts';
import { isRetryRequested } from '../port/deliveries.ts';
import type { Scope } from '../port/ports.ts';
import {
  dueKeyOf,
  expiryMarkAttribute,
  expiryMarkKey,
  expiryShardCountMax,
  type Key,
  usageKeyOf,
} from '../store/keys.ts';
import { spreadIn } from '../store/pack-delivery.ts';
import { type Run, unpackRuns } from '../store/pack-log.ts';
import { placeItem } from '../store/pack-places.ts';
import { contentOf, itemsOfCurrent, itemsOfStep, type Projected } from '../store/projection.ts';
import type { Item } from '../store/request.ts';
import { type ArchiveHeader, errorAt, type OtherLine } from './form.ts';
import { isVersionLine, itemOfLine, versionOfLine } from './line.ts';
import type { Numbered } from './read.ts';

/** An item, or an addition to the counts of one. */
export type Derived =
  | { readonly key: Key; readonly item: PlainObject; readonly mayRepeat?: true }
  | { readonly key: Key; readonly adds: Readonly<Record<string, number>> };

/** The items of a ledger, from its lines; the items of a current version follow the last line of its record. */
export async function* derivedOf(
  { ledger, version: formatVersion }: Pick<ArchiveHeader, 'ledger' | 'version'>,
  lines: AsyncIterable<Numbered>,
): AsyncGenerator<readonly Derived[], void, undefined> {
  let last: { readonly number: number; readonly version: Version } | undefined;
  const derive = (projected: Projected) => derived(projected, formatVersion);
  const ended = (): readonly Derived[] => {
    if (!last) return [];
    const { number, version } = last;
    return saying(number, () => itemsOfCurrent(scopeOf(ledger, version), version).flatMap(derive));
  };
  for await (const { number, line } of lines) {
    const next = isVersionLine(line) ? saying(number, () => versionOfLine(line)) : undefined;
    const isSame = next !== undefined && last?.version.record.luid === next.record.luid;
    if (!isSame) yield ended();
    const previous = isSame ? last?.version : undefined;
    yield saying(number, () =>
      next
        ? itemsOfStep(scopeOf(ledger, next), next, previous).flatMap(derive)
        : derivedOfLine(ledger, line as OtherLine),
    );
    last = next && { number, version: next };
  }
  yield ended();
}

/** The derived item of a projected one; none for contents that have lines of their own, such as signals and secrets. */
function derived(projected: Projected, formatVersion: ArchiveHeader['version']): Derived[] {
  const { item, key, adds } = projected;
  if (adds) return [{ key, adds }];
  const content = contentOf(projected);
  if (!content || (item === 'holder' && formatVersion > 1)) return [];
  // Two records may share a proof from a release that did not guard all proofs: the older one has the guard. Two signers
  // may show a key; an archive of version 1 does not say which one holds it, so the older one does.
  const mayRepeat = item === 'seal' || item === 'holder';
  return [{ key, item: { ...content }, ...(mayRepeat && { mayRepeat }) }];
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
  if (line.what === 'leaves')
    return [own, ...unpackRuns(Number(line['index']), item).map((run) => placeOf(ledger, run))];
  // The counts of the same rulebook follow from records.
  if (line.what === 'layout')
    return [
      { key: own.key, adds: { spread: Number(line['spread']) } },
      { key: expiryMarkKey, item: { [expiryMarkAttribute]: expiryShardCountMax } },
    ];
  return line.what === 'delivery' ? [own, ...markerOf(ledger, line)] : [own];
}

/** The place of changes in the log. */
function placeOf(ledger: Scope, run: Run): Derived {
  const { pk, sk, ...item } = placeItem(ledger, run) as Item & Key;
  return { key: { pk, sk }, item };
}

/** The marker of a due delivery. Decision 18. */
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
  const isRequested = isRetryRequested({ replay, attempts });
  return [{ key, item: { ...(isRequested && { asked: true }), ...spreadIn(line) } }];
}

function saying<Answer>(number: number, what: () => Answer): Answer {
  try {
    return what();
  } catch (error) {
    throw errorAt(number, error);
  }
}
