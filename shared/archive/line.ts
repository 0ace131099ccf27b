/** Lines of an archive, from items of the table and back. */

import { canonicalOf } from '../crypto/canonical.ts';
import type { Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { type ItemName, keyOfItem } from '../store/keys.ts';
import { pack, unpack } from '../store/pack.ts';
import { plainOf, unpackRuns } from '../store/pack-log.ts';
import type { Item } from '../store/request.ts';
import { ArchiveError, type ArchiveLine, type OtherLine, type VersionLine } from './form.ts';
import { type Wording, whatOfItem, wordings } from './wording.ts';

/** A line, and the text by which lines are sorted. */
export interface Ordered {
  readonly order: string;
  readonly text: string;
}

const numberLength = 12;
const luidTimeStart = '$wlt.'.length;
/** Sorts before all characters of a handle, so that a longer handle follows its own beginning. */
const apart = ' ';

/** The line of an item; undefined for an item that follows from others. */
export function lineOfItem(name: ItemName, item: Item): ArchiveLine | undefined {
  if (name.item === 'head' || name.item === 'change') {
    // An import begins its lists anew, apart from that of intents.
    const { part: _part, ...version } = unpack(item);
    return { what: 'version', ...version } satisfies VersionLine;
  }
  if (name.item === 'rulebook') return layoutLineOf(name, item);
  if (name.item === 'leaves') {
    const runs = unpackRuns(name.index, item);
    return otherLineOf(name.item, name, { ...keyOfItem(item), ...plainOf(runs) });
  }
  if (name.item === 'log') {
    // An import makes each place by itself.
    const { packed: _packed, ...log } = item;
    return otherLineOf(name.item, name, log);
  }
  if (name.item === 'balance') {
    // Those who move it waited for each other until then.
    const { growing: _growing, ...balance } = item;
    return otherLineOf(name.item, name, balance);
  }
  const isMark = name.item === 'usage' && name.kind === 'symbol';
  const what = isMark ? 'used' : whatOfItem[name.item];
  return what === undefined ? undefined : otherLineOf(what, name, item);
}

/** The layout of a busy ledger; the counts of its rulebook follow from records. */
function layoutLineOf(name: ItemName, { spread }: Item): ArchiveLine | undefined {
  return spread === undefined ? undefined : otherLineOf('layout', name, { spread });
}

function otherLineOf(what: string, name: ItemName, item: Item): OtherLine {
  const wording = wordingOf(what);
  const { pk: _pk, sk: _sk, ...attributes } = item;
  const line: Record<string, unknown> = { what, ...wording.names(name, item) };
  const left = new Set(Object.keys(attributes));
  for (const [member, { codec, attribute = member, isOptional }] of Object.entries(
    wording.members,
  )) {
    left.delete(attribute);
    const value = attributes[attribute];
    if (value === undefined && isOptional) continue;
    line[member] = codec.write(value);
  }
  if (left.size > 0)
    throw new ArchiveError(`An archive has no word for ${[...left].join(', ')} of a ${what}.`);
  return { ...line, what };
}

/** The version in a line. */
export function versionOfLine(line: ArchiveLine): Version {
  const { what: _what, ...said } = line as VersionLine;
  const version = unpack({ ...pack(said) });
  const [told, kept] = [canonicalOf(said), canonicalOf(version)];
  // The ledger has written no version that loses or changes members when it is stored.
  if (told !== kept) throw new ArchiveError('No version of a record reads like that.');
  return version;
}

/** The item of a line, key and attributes. */
export function itemOfLine(ledger: Scope, line: OtherLine): Item {
  const wording = wordingOf(line.what);
  const { what: _what, ...members } = line;
  const left = new Set(Object.keys(members));
  for (const [member, codec] of Object.entries(wording.named)) {
    left.delete(member);
    codec.read(members[member]);
  }
  const attributes: Record<string, unknown> = {};
  for (const [member, { codec, attribute = member, isOptional }] of Object.entries(
    wording.members,
  )) {
    left.delete(member);
    if (members[member] === undefined && isOptional) continue;
    attributes[attribute] = codec.read(members[member]);
  }
  if (left.size > 0) throw new ArchiveError(`A ${line.what} does not say ${[...left].join(', ')}.`);
  return { ...attributes, ...wording.key(ledger, line) };
}

export function orderedOf(line: ArchiveLine): Ordered {
  return { order: orderOf(line), text: JSON.stringify(line) };
}

/** The sort text of a line: records by creation, each with its versions, then all other lines. */
export function orderOf(line: ArchiveLine): string {
  if (isVersionLine(line)) {
    const { luid } = line.record;
    const section = line.kind === 'ledger' ? 'a' : 'b';
    return [section, luid.slice(luidTimeStart), luid, padded(line.change)].join(apart);
  }
  const { section, order } = wordingOf(line.what);
  return [section, ...order.map((member) => partOf(line[member]))].join(apart);
}

export function isVersionLine(line: ArchiveLine): line is VersionLine {
  return line.what === 'version';
}

function partOf(value: unknown): string {
  return typeof value === 'number' ? padded(value) : String(value);
}

function padded(number: number): string {
  return String(number).padStart(numberLength, '0');
}

function wordingOf(what: string): Wording {
  const wording = Object.hasOwn(wordings, what) ? wordings[what] : undefined;
  if (!wording) throw new ArchiveError(`An archive has no line '${what}'.`);
  return wording;
}
