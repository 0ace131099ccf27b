/**
 * Exporting a ledger from a table into a file. Until the file is whole, the lines lie sorted in a folder beside it, so
 * that an export that was broken off can go on. Decision 74.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nameWhole, writeWhole } from '../disk/whole-file.ts';
import type { Keyring } from '../port/ports.ts';
import { outboxKeyOf, shardOf } from '../store/keys.ts';
import type { Item } from '../store/request.ts';
import { type ArchivePlace, collect, luidOf, sumOfLines, type Whose } from './collect.ts';
import {
  ArchiveError,
  type ArchiveHeader,
  type ArchiveLine,
  type EndLine,
  format,
  formatVersion,
  type Sealing,
  type VersionLine,
} from './form.ts';
import { type Ordered, orderedOf } from './line.ts';
import { resealed } from './reseal.ts';
import { newSorter, type SortedText, type Sorter } from './sorter.ts';
import { writeArchive } from './write.ts';

export interface SaveOptions {
  readonly place: ArchivePlace;
  readonly ledger: string;
  /** The path of the file. There is no file before, and a whole archive after. */
  readonly path: string;
  /** True when no other process can write to the table meanwhile. */
  readonly isAtRest: boolean;
  /** True to continue an export that was broken off. */
  readonly isResumed: boolean;
  /** The keyring of the server and the one for the archive; without them private keys stay wrapped as they are. */
  readonly rewrap?: { readonly from: Keyring; readonly to: Keyring; readonly sealing: Sealing };
  /** Locks a file, which is made, until what it returns is called; throws when another process has it. */
  readonly lock?: (path: string) => () => void;
  readonly nowMs: () => number;
  readonly runLengthMax?: number;
  /** Called with the progress: items read, or lines written of all. */
  readonly onProgress?: (progress: ExportProgress) => void;
}

export interface ExportProgress {
  readonly doing: 'reading' | 'reading again' | 'writing';
  readonly done: number;
  /** Absent while it is unknown. */
  readonly of?: number;
}

/** The stored progress of an export. */
interface ExportState extends Whose {
  readonly tableName: string;
  /** The number of this reading of the table, from 1. */
  readonly round: number;
  readonly looked: number;
  readonly lines: number;
  readonly runs: number;
  readonly told: Readonly<Record<number, string>>;
  /** The sum of the lines so far, and that of the reading before. */
  readonly sum: string;
  readonly sumBefore?: string;
  /** The place to go on; absent when all was read. */
  readonly next?: Item;
  readonly isRead?: true;
}

const nothing = { looked: 0, lines: 0, runs: 0, told: {}, sum: '0' } as const;
/** The lines between two reports of progress. */
const reportEach = 1_000;
/** The readings of a table to which others write. */
const roundCountMax = 4;

/** Exports a ledger; returns the last line of the archive. */
export async function save(options: SaveOptions): Promise<EndLine> {
  const folder = `${options.path}.part`;
  assertFree(options.path);
  const luid = await luidOf(options.place, options.ledger);
  const unlock = claim(options, folder);
  try {
    const end = await written(options, folder, luid);
    nameWhole(join(folder, 'archive'), options.path);
    unlock();
    rmSync(folder, { recursive: true, force: true });
    return end;
  } finally {
    unlock();
  }
}

/** Makes the folder beside the file, for this export alone; returns its release. */
function claim({ path, isResumed, lock = () => () => {} }: SaveOptions, folder: string) {
  const isNew = isMade(folder);
  const unlock = lock(join(folder, 'lock'));
  try {
    // The export that had the lock may have come to its end.
    assertFree(path);
    if (isNew || isResumed) return unlock;
    throw new ArchiveError(
      `An export to ${path} was broken off. Go on with --resume, or remove ${folder}.`,
    );
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Makes a folder; false when it is there. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function assertFree(path: string): void {
  if (existsSync(path)) throw new ArchiveError(`${path} is there already.`);
}

/** Reads the table until the file can be written, and writes it. */
async function written(options: SaveOptions, folder: string, luid: string): Promise<EndLine> {
  let state = beginning(options, folder, luid);
  // A reading from before a break may be of another moment: the file is one that was read after it from its first item.
  const broken = options.isResumed ? state.round : 0;
  for (;;) {
    state = await readOn(options, folder, state);
    const isSame = options.isAtRest || state.sum === state.sumBefore;
    if (state.round > broken && isSame) break;
    if (state.round === broken + roundCountMax)
      throw new ArchiveError(
        `The ledger went on while it was exported, ${roundCountMax} times. Stop it, or export a table that was restored to a moment.`,
      );
    state = again(state);
    // Stored first: what says that a reading is at its end has its lines.
    keep(folder, state);
    rmSync(runsOf(folder, state.round - 1), { recursive: true, force: true });
  }
  return write(options, folder, state);
}

function beginning({ place, ledger }: SaveOptions, folder: string, luid: string): ExportState {
  const fresh: ExportState = {
    ...{ ledger, luid, tableName: place.tableName },
    ...{ round: 1, ...nothing },
  };
  const statePath = join(folder, 'state.json');
  if (!existsSync(statePath)) return fresh;
  const state = JSON.parse(readFileSync(statePath, 'utf8')) as ExportState;
  if (state.luid !== luid || state.tableName !== place.tableName)
    throw new ArchiveError(`${folder} is of another ledger, or of another table.`);
  return state;
}

/** Reads the rest of this round; the progress is stored with each run that is written. */
async function readOn(
  options: SaveOptions,
  folder: string,
  from: ExportState,
): Promise<ExportState> {
  if (from.isRead) return from;
  const { place, onProgress, runLengthMax } = options;
  const kept = { runsKept: from.runs, ...(runLengthMax && { runLengthMax }) };
  const sorter = newSorter(runsOf(folder, from.round), kept);
  const sum = sumOfLines(from.sum);
  let state = from;
  for await (const { lines, told: published, looked, next } of collect(place, from, from.next)) {
    for (const line of lines) take(sorter, sum, line);
    const { next: _next, ...before } = state;
    state = {
      ...before,
      looked: state.looked + looked,
      lines: state.lines + lines.length,
      told: { ...state.told, ...published },
      sum: sum.sum(),
      ...(next ? { next } : { isRead: true }),
    };
    onProgress?.({ doing: from.round > 1 ? 'reading again' : 'reading', done: state.looked });
    if (next && !sorter.isFull()) continue;
    await sorter.flush();
    state = { ...state, runs: sorter.runCount() };
    keep(folder, state);
  }
  return state;
}

function take(sorter: Sorter, sum: ReturnType<typeof sumOfLines>, line: Ordered): void {
  sorter.add({ key: line.order, text: line.text });
  sum.add(line);
}

/** Starts the next reading of the table, which has to find the same. */
function again({ next: _next, isRead: _isRead, sum, round, ...state }: ExportState): ExportState {
  return { ...state, round: round + 1, ...nothing, sumBefore: sum };
}

async function write(options: SaveOptions, folder: string, state: ExportState): Promise<EndLine> {
  const { ledger, nowMs, rewrap } = options;
  const header: ArchiveHeader = {
    ...{ what: 'archive', format, version: formatVersion },
    ledger,
    luid: state.luid,
    moment: new Date(nowMs()).toISOString(),
    secrets: rewrap?.sealing ?? { by: 'keyring' },
  };
  return writeArchive(join(folder, 'archive'), header, textsOf(options, folder, state));
}

/** The lines of the archive. */
async function* textsOf(
  options: SaveOptions,
  folder: string,
  state: ExportState,
): AsyncGenerator<string> {
  let [done, announced]: [number, string | undefined] = [0, undefined];
  let isOfServer = true;
  for await (const { key, text } of distinct(runsOf(folder, state.round), state.runs)) {
    const isStill = key.startsWith('a');
    if (isStill) announced = announcedBy(state, text) ?? announced;
    // The versions of the ledger's own record come first, followed by the line about their signals.
    else if (isOfServer && announced) yield orderedOf({ what: 'announced', place: announced }).text;
    isOfServer &&= isStill;
    yield await rewrapped(options, key, text);
    done += 1;
    if (done % reportEach === 0) options.onProgress?.({ doing: 'writing', done, of: state.lines });
  }
}

/** The sorted lines, each once: a break while runs were merged may have left a line in both. */
async function* distinct(folder: string, runsKept: number): AsyncGenerator<SortedText> {
  let before = '';
  for await (const entry of newSorter(folder, { runsKept }).sorted()) {
    if (entry.text !== before) yield entry;
    before = entry.text;
  }
}

/** The place of a change of the ledger's own record, if the server has published it. */
function announcedBy({ told: published }: ExportState, text: string): string | undefined {
  const version = JSON.parse(text) as VersionLine;
  const { sk } = outboxKeyOf('', version);
  return sk <= (published[shardOf(version.record.luid)] ?? '') ? sk : undefined;
}

/** A line, rewrapped for another keyring where `rewrap` is given. */
async function rewrapped(
  { ledger, rewrap }: SaveOptions,
  key: string,
  text: string,
): Promise<string> {
  const isSecret = key.startsWith('e') || key.startsWith('f');
  if (!rewrap || !isSecret) return text;
  return JSON.stringify(
    await resealed(ledger, JSON.parse(text) as ArchiveLine, rewrap.from, rewrap.to),
  );
}

function keep(folder: string, state: ExportState): void {
  writeWhole(join(folder, 'state.json'), JSON.stringify(state));
}

function runsOf(folder: string, round: number): string {
  return join(folder, `runs-${round}`);
}
