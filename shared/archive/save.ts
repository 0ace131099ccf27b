/**
 * Exporting a ledger: out of a table into a file. What was read lies sorted in a folder beside the file until that is
 * whole, so that an export that was broken off goes on. Decision 74.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keyring } from '../port/ports.ts';
import { outboxKeyOf, shardOf } from '../store/keys.ts';
import type { Item } from '../store/request.ts';
import { collect, luidOf, type Place, sumOfLines, type Whose } from './collect.ts';
import {
  ArchiveFault,
  type End,
  format,
  formatVersion,
  type Header,
  type Line,
  type Sealing,
  type VersionLine,
} from './form.ts';
import { type Ordered, orderedOf } from './line.ts';
import { resealed } from './reseal.ts';
import { type Entry, newSorter, type Sorter } from './sorter.ts';
import { writeArchive } from './write.ts';

export interface SaveOptions {
  readonly place: Place;
  readonly ledger: string;
  /** The file. Nothing is there before, and a whole archive after. */
  readonly path: string;
  /** Whether nobody else can write to the table meanwhile. */
  readonly isAtRest: boolean;
  /** Whether an export that was broken off goes on. */
  readonly isResumed: boolean;
  /** The keyring of the server and the one that private keys are for; without them they stay as they are. */
  readonly rewrap?: { readonly from: Keyring; readonly to: Keyring; readonly sealing: Sealing };
  readonly nowMs: () => number;
  readonly runLengthMax?: number;
  /** Told how far it got: items that were looked at, and lines that were written of how many. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly doing: 'reading' | 'reading again' | 'writing';
  readonly done: number;
  /** Absent when that is not known. */
  readonly of?: number;
}

/** How far an export got. */
interface State extends Whose {
  readonly tableName: string;
  /** Which reading of the table it is, from 1. */
  readonly round: number;
  readonly looked: number;
  readonly lines: number;
  readonly runs: number;
  readonly told: Readonly<Record<number, string>>;
  /** What was read so far, and what the reading before found. */
  readonly sum: string;
  readonly sumBefore?: string;
  /** Where to go on; absent when all was read. */
  readonly next?: Item;
  readonly isRead?: true;
}

const nothing = { looked: 0, lines: 0, runs: 0, told: {}, sum: '0' } as const;
/** How many lines are written between two words of how far it got. */
const tellEach = 1_000;
/** How often a table is read that others write to. */
const roundCountMax = 4;

/** Exports a ledger; answers the end of the archive. */
export async function save(options: SaveOptions): Promise<End> {
  const folder = `${options.path}.part`;
  if (existsSync(options.path)) throw new ArchiveFault(`${options.path} is there already.`);
  let state = await beginning(options, folder);
  const wasBroken = options.isResumed;
  for (;;) {
    state = await readOn(options, folder, state);
    // What was read before a break was read at another moment as well.
    const isSure = options.isAtRest && !(wasBroken && state.round === 1);
    if (isSure || state.sum === state.sumBefore) break;
    if (state.round === roundCountMax)
      throw new ArchiveFault(
        `The ledger went on while it was exported, ${roundCountMax} times. Stop it, or export a table that was restored to a moment.`,
      );
    state = again(state);
    rmSync(runsOf(folder, state.round - 1), { recursive: true, force: true });
  }
  const end = await write(options, folder, state);
  renameSync(join(folder, 'archive'), options.path);
  rmSync(folder, { recursive: true });
  return end;
}

async function beginning(options: SaveOptions, folder: string): Promise<State> {
  const { place, ledger, isResumed } = options;
  const luid = await luidOf(place, ledger);
  const fresh: State = {
    ...{ ledger, luid, tableName: place.tableName },
    ...{ round: 1, ...nothing },
  };
  const statePath = join(folder, 'state.json');
  if (!isResumed && existsSync(folder))
    throw new ArchiveFault(
      `An export to ${options.path} was broken off. Go on with --resume, or remove ${folder}.`,
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(statePath)) return fresh;
  const state = JSON.parse(readFileSync(statePath, 'utf8')) as State;
  if (state.luid !== luid || state.tableName !== place.tableName)
    throw new ArchiveFault(`${folder} is of another ledger, or of another table.`);
  return state;
}

/** Reads what is still to be read in this round; the state is kept with each run that is written. */
async function readOn(options: SaveOptions, folder: string, from: State): Promise<State> {
  if (from.isRead) return from;
  const { place, onProgress, runLengthMax } = options;
  const kept = { runsKept: from.runs, ...(runLengthMax && { runLengthMax }) };
  const sorter = newSorter(runsOf(folder, from.round), kept);
  const sum = sumOfLines(from.sum);
  let state = from;
  for await (const { lines, told, looked, next } of collect(place, from, from.next)) {
    for (const line of lines) take(sorter, sum, line);
    const { next: _next, ...before } = state;
    state = {
      ...before,
      looked: state.looked + looked,
      lines: state.lines + lines.length,
      told: { ...state.told, ...told },
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

/** The next reading of a table, which has to find the same. */
function again({ next: _next, isRead: _isRead, sum, round, ...state }: State): State {
  return { ...state, round: round + 1, ...nothing, sumBefore: sum };
}

async function write(options: SaveOptions, folder: string, state: State): Promise<End> {
  const { ledger, nowMs, rewrap } = options;
  const header: Header = {
    ...{ what: 'archive', format, version: formatVersion },
    ledger,
    luid: state.luid,
    moment: new Date(nowMs()).toISOString(),
    secrets: rewrap?.sealing ?? { by: 'keyring' },
  };
  return writeArchive(join(folder, 'archive'), header, textsOf(options, folder, state));
}

/** The lines as they are written. */
async function* textsOf(
  options: SaveOptions,
  folder: string,
  state: State,
): AsyncGenerator<string> {
  let [done, announced]: [number, string | undefined] = [0, undefined];
  let isOfServer = true;
  for await (const { key, text } of distinct(runsOf(folder, state.round), state.runs)) {
    const isStill = key.startsWith('a');
    if (isStill) announced = announcedBy(state, text) ?? announced;
    // The versions of the ledger's own record come first, and what is known of them behind.
    else if (isOfServer && announced) yield orderedOf({ what: 'announced', place: announced }).text;
    isOfServer &&= isStill;
    yield await rewrapped(options, key, text);
    done += 1;
    if (done % tellEach === 0) options.onProgress?.({ doing: 'writing', done, of: state.lines });
  }
}

/** What was sorted, each line once: a break while runs were made one may have left both. */
async function* distinct(folder: string, runsKept: number): AsyncGenerator<Entry> {
  let before = '';
  for await (const entry of newSorter(folder, { runsKept }).sorted()) {
    if (entry.text !== before) yield entry;
    before = entry.text;
  }
}

/** The place of a change of the ledger's own record, if the server has told it. */
function announcedBy({ told }: State, text: string): string | undefined {
  const version = JSON.parse(text) as VersionLine;
  const { sk } = outboxKeyOf('', version);
  return sk <= (told[shardOf(version.record.luid)] ?? '') ? sk : undefined;
}

/** A line with what it keeps secret under another keyring, when that is wanted. */
async function rewrapped(
  { ledger, rewrap }: SaveOptions,
  key: string,
  text: string,
): Promise<string> {
  const isSecret = key.startsWith('e') || key.startsWith('f');
  if (!rewrap || !isSecret) return text;
  return JSON.stringify(await resealed(ledger, JSON.parse(text) as Line, rewrap.from, rewrap.to));
}

function keep(folder: string, state: State): void {
  const path = join(folder, 'state.json');
  writeFileSync(`${path}.part`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${path}.part`, path);
}

function runsOf(folder: string, round: number): string {
  return join(folder, `runs-${round}`);
}
