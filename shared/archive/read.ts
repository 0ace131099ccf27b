/**
 * Reading an archive: each line once and in its order, from the header to the end. A missing, surplus, misplaced or
 * unknown line is an error with its line number.
 */
import { createHash } from 'node:crypto';
import { canonicalOf } from '../crypto/canonical.ts';
import {
  ArchiveError,
  type ArchiveHeader,
  type ArchiveLine,
  type EndLine,
  errorAt,
  format,
  formatVersions,
} from './form.ts';
import { orderOf } from './line.ts';
import { linesIn } from './text-lines.ts';
import { sortedOf } from './write.ts';

/** A line, and its number from 1. */
export interface Numbered {
  readonly number: number;
  readonly line: ArchiveLine;
  /** Its length in bytes. */
  readonly bytes: number;
}

/** The header of an archive. */
export async function headerOf(path: string): Promise<ArchiveHeader> {
  for await (const { text } of linesIn(path)) return headerIn(text);
  throw new ArchiveError('The file is empty.');
}

/**
 * All lines but the first and the last one. A wrong hash of all lines is thrown after the last one: until then the
 * caller may have found the line that is wrong.
 */
export async function* readArchive(
  path: string,
  onEnd?: (end: EndLine) => void,
): AsyncGenerator<Numbered, void, undefined> {
  const sha256 = createHash('sha256');
  const counts: Record<string, number> = {};
  const log: LogSeen = { settled: 0, leaves: 0 };
  let [number, order, end]: [number, string, EndLine | undefined] = [0, '', undefined];
  for await (const { text, isEnded } of linesIn(path)) {
    number += 1;
    if (end) throw new ArchiveError('There is more behind the end.', number);
    if (!isEnded) throw new ArchiveError('The file ends in the middle of a line.', number);
    const line = lineIn(text, number);
    if (line.what === 'end') {
      end = line as unknown as EndLine;
      continue;
    }
    sha256.update(`${text}\n`);
    if (number === 1) {
      headerIn(text);
      continue;
    }
    const next = orderAt(line, number);
    assertAfter(order, next, number);
    order = next;
    counts[line.what] = (counts[line.what] ?? 0) + 1;
    see(log, line);
    yield { number, line, bytes: Buffer.byteLength(text) + 1 };
  }
  if (!end) throw new ArchiveError('The file ends here, and should go on: it has no end.', number);
  onEnd?.(end);
  assertWhole(end, { what: 'end', lines: number - 1, counts, sha256: sha256.digest('hex') });
  assertLeaves(log, number);
}

function headerIn(text: string): ArchiveHeader {
  const header = lineIn(text, 1) as unknown as ArchiveHeader;
  const isOurs = header.what === 'archive' && header.format === format;
  if (!isOurs) throw new ArchiveError('This is no archive of a ledger.', 1);
  if (!formatVersions.includes(header.version))
    throw new ArchiveError(
      `The archive is of version ${header.version}; this release reads ${formatVersions.join(' and ')}.`,
      1,
    );
  const { ledger, luid, moment, secrets } = header;
  const isSealed =
    secrets?.by === 'keyring' || (secrets?.by === 'passphrase' && typeof secrets.salt === 'string');
  if (![ledger, luid, moment].every((one) => typeof one === 'string') || !isSealed)
    throw new ArchiveError('The first line does not say of which ledger the archive is.', 1);
  return header;
}

function lineIn(text: string, number: number): ArchiveLine {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null && typeof (line as ArchiveLine).what === 'string')
      return line as ArchiveLine;
  } catch (error) {
    throw errorAt(number, error);
  }
  throw new ArchiveError('This is no line of an archive.', number);
}

function orderAt(line: ArchiveLine, number: number): string {
  try {
    return orderOf(line);
  } catch (error) {
    throw errorAt(number, error);
  }
}

function assertAfter(before: string, order: string, number: number): void {
  if (order === before) throw new ArchiveError('The same was said before.', number);
  if (order < before) throw new ArchiveError('The line is not in its order.', number);
}

function assertWhole(said: EndLine, found: EndLine): void {
  const fault = (fact: string) => new ArchiveError(fact, found.lines + 1, { isOfWhole: true });
  if (said.lines !== found.lines)
    throw fault(`There should be ${said.lines} lines before this one, and ${found.lines} are.`);
  if (canonicalOf(said.counts) !== canonicalOf(sortedOf(found.counts)))
    throw fault('There are other lines than the end counts.');
  if (said.sha256 !== found.sha256)
    throw fault(
      `The lines are not those that were written: they hash to ${found.sha256}, not to ${said.sha256}.`,
    );
}

/** The leaves that a log has settled, and how many of them there are, from the first one on. */
interface LogSeen {
  settled: number;
  leaves: number;
}

function see(log: LogSeen, line: ArchiveLine): void {
  if (line.what === 'log') log.settled = Number(line['settled']);
  if (line.what === 'leaves' && line['index'] === log.leaves) log.leaves += leavesIn(line['runs']);
}

/** The number of leaves in runs, each of which has them as its fourth. */
function leavesIn(runs: unknown): number {
  const all = Array.isArray(runs) ? (runs as readonly unknown[]) : [];
  const leaves = all.flatMap((run) => (Array.isArray(run) && Array.isArray(run[3]) ? run[3] : []));
  return leaves.length;
}

/** An import would wait for leaves that never come: it makes the tiles over them. */
function assertLeaves({ settled, leaves }: LogSeen, number: number): void {
  if (leaves >= settled) return;
  const fact = `The log has settled ${settled} leaves, and the first ${leaves} are here.`;
  throw new ArchiveError(fact, number, { isOfWhole: true });
}
