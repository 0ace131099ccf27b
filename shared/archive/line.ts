/** Lines of an archive: of items of the table, and back as items. */

import { canonicalOf } from '../crypto/canonical.ts';
import type { Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import type { ItemName } from '../store/keys.ts';
import { pack, unpack } from '../store/pack.ts';
import type { Item } from '../store/request.ts';
import { ArchiveFault, type Line, type OtherLine, type VersionLine } from './form.ts';
import { type Wording, whatOfItem, wordings } from './wording.ts';

/** A line, and the text by which the lines of an archive are in order. */
export interface Ordered {
  readonly order: string;
  readonly text: string;
}

const numberLength = 12;
const luidTimeStart = '$wlt.'.length;
/** Follows no character of a handle, so that what begins like another sorts after it. */
const apart = ' ';

/** The line of an item of the table; undefined for what follows from others. */
export function lineOfItem(name: ItemName, item: Item): Line | undefined {
  if (name.item === 'head' || name.item === 'change')
    return { what: 'version', ...unpack(item) } satisfies VersionLine;
  const isMark = name.item === 'usage' && name.kind === 'symbol';
  const what = isMark ? 'used' : whatOfItem[name.item];
  return what === undefined ? undefined : otherLineOf(what, name, item);
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
    throw new ArchiveFault(`An archive has no word for ${[...left].join(', ')} of a ${what}.`);
  return { ...line, what };
}

/** A version that a line says, all of it. */
export function versionOfLine(line: Line): Version {
  const { what: _what, ...said } = line as VersionLine;
  const version = unpack({ ...pack(said) });
  const [told, kept] = [canonicalOf(said), canonicalOf(version)];
  // What would be lost, or be another thing once it is stored, is not what the ledger has written.
  if (told !== kept) throw new ArchiveFault('No version of a record reads like that.');
  return version;
}

/** The key and the attributes of a line that is no version. */
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
  if (left.size > 0) throw new ArchiveFault(`A ${line.what} does not say ${[...left].join(', ')}.`);
  return { ...attributes, ...wording.key(ledger, line) };
}

/** A line as text, and its place among the others. */
export function orderedOf(line: Line): Ordered {
  return { order: orderOf(line), text: JSON.stringify(line) };
}

/** The place of a line: records by the time they were made and each with its versions, then all else. */
export function orderOf(line: Line): string {
  if (isVersionLine(line)) {
    const { luid } = line.record;
    const section = line.kind === 'ledger' ? 'a' : 'b';
    return [section, luid.slice(luidTimeStart), luid, padded(line.change)].join(apart);
  }
  const { section, order } = wordingOf(line.what);
  return [section, ...order.map((member) => partOf(line[member]))].join(apart);
}

export function isVersionLine(line: Line): line is VersionLine {
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
  if (!wording) throw new ArchiveFault(`An archive has no line '${what}'.`);
  return wording;
}
