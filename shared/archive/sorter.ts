/**
 * Sorting more than fits into memory: input is sorted piece by piece into files (runs), and all runs are merged when
 * they are read. A run is written whole or not at all, so that finished runs survive a crash.
 */
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { nameWhole } from '../disk/whole-file.ts';
import { ArchiveError } from './form.ts';
import { linesIn } from './text-lines.ts';

/** A text under a key by which it is sorted; neither has a line's end. */
export interface SortedText {
  readonly key: string;
  readonly text: string;
}

export interface Sorter {
  readonly add: (entry: SortedText) => void;
  /** True when enough has come in for a run. */
  readonly isFull: () => boolean;
  /** Writes the entries since the last run as one run. */
  readonly flush: () => Promise<void>;
  /** The number of runs. */
  readonly runCount: () => number;
  /** All entries of all runs, by their keys; equal keys in the order of their runs. */
  readonly sorted: () => AsyncGenerator<SortedText, void, undefined>;
}

export interface SorterOptions {
  /** The characters that are sorted in memory at a time. */
  readonly runLengthMax?: number;
  /** The runs that are read at a time; when there are more, some are merged first. */
  readonly runCountMax?: number;
  /** The existing runs to use; 0 unless said. */
  readonly runsKept?: number;
}

const runLengthDefault = 16 * 1024 * 1024;
const runCountDefault = 64;
/** Separates a key from its text; sorts before all characters of keys. */
const apart = '\u0000';
const runName = /^run-(\d+)$/;

/** A sorter with its runs in a folder. */
export function newSorter(folder: string, options: SorterOptions = {}): Sorter {
  const { runLengthMax = runLengthDefault, runCountMax = runCountDefault, runsKept = 0 } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const run of runsIn(folder).slice(runsKept)) rmSync(pathOf(folder, run));
  let [entries, length]: [SortedText[], number] = [[], 0];
  return {
    add: (entry) => {
      assertSortable(entry.key);
      entries.push(entry);
      length += entry.key.length + entry.text.length;
    },
    isFull: () => length >= runLengthMax,
    flush: async () => {
      if (entries.length === 0) return;
      const sorted = entries.toSorted(byKey);
      [entries, length] = [[], 0];
      await writeRun(folder, sorted);
    },
    runCount: () => runsIn(folder).length,
    sorted: () => mergedIn(folder, runCountMax),
  };
}

async function* mergedIn(folder: string, runCountMax: number): AsyncGenerator<SortedText> {
  for (let runs = runsIn(folder); runs.length > runCountMax; runs = runsIn(folder)) {
    // The oldest runs are merged in the place of the last of them, so that equal keys keep their order.
    const oldest = runs.slice(0, runCountMax);
    await writeRun(folder, merged(folder, oldest), oldest.at(-1));
    for (const run of oldest.slice(0, -1)) rmSync(pathOf(folder, run));
  }
  yield* merged(folder, runsIn(folder));
}

/** The entries of runs, merged by key. */
async function* merged(folder: string, runs: readonly number[]): AsyncGenerator<SortedText> {
  const readers = runs.map((run) => linesIn(pathOf(folder, run)));
  const heads = await Promise.all(readers.map(nextOf));
  try {
    for (;;) {
      const least = leastOf(heads);
      const entry = heads[least];
      const reader = readers[least];
      if (!entry || !reader) return;
      yield entry;
      heads[least] = await nextOf(reader);
    }
  } finally {
    await Promise.all(readers.map((reader) => reader.return()));
  }
}

async function nextOf(reader: ReturnType<typeof linesIn>): Promise<SortedText | undefined> {
  const { done, value } = await reader.next();
  return done ? undefined : entryOf(value.text);
}

function leastOf(heads: readonly (SortedText | undefined)[]): number {
  let least = -1;
  for (const [index, head] of heads.entries()) {
    const other = heads[least];
    if (head && (!other || head.key < other.key)) least = index;
  }
  return least;
}

async function writeRun(
  folder: string,
  entries: Iterable<SortedText> | AsyncIterable<SortedText>,
  run = (runsIn(folder).at(-1) ?? 0) + 1,
): Promise<void> {
  const path = pathOf(folder, run);
  await pipeline(linesOf(entries), createWriteStream(`${path}.part`, { mode: 0o600, flush: true }));
  nameWhole(`${path}.part`, path);
}

async function* linesOf(
  entries: Iterable<SortedText> | AsyncIterable<SortedText>,
): AsyncGenerator<string> {
  for await (const { key, text } of entries) yield `${key}${apart}${text}\n`;
}

/** An entry, as a line of a run has it. */
export function entryOf(line: string): SortedText {
  const end = line.indexOf(apart);
  return { key: line.slice(0, end), text: line.slice(end + 1) };
}

function runsIn(folder: string): number[] {
  if (!existsSync(folder)) return [];
  const numbers = readdirSync(folder).flatMap((name) => runName.exec(name)?.[1] ?? []);
  return numbers.map(Number).toSorted((one, other) => one - other);
}

function pathOf(folder: string, run: number): string {
  return join(folder, `run-${run}`);
}

function byKey(one: SortedText, other: SortedText): number {
  if (one.key === other.key) return 0;
  return one.key < other.key ? -1 : 1;
}

function assertSortable(key: string): void {
  if (key.includes(apart) || key.includes('\n'))
    throw new ArchiveError(`'${key}' cannot be sorted by.`);
}
