/**
 * Tables in a file of LMDB, for all threads and commands of one machine. A write is answered when it is on the disk, and
 * writes that meet share a commit. Decision 149.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DescribeTableCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { open, type RootDatabase } from 'lmdb';
import { messageOf } from '../../shared/ledger/thrown.ts';
import type { FileClient } from '../../shared/store/client.ts';
import { type Command, isWrite, keysHashOf, tableOf } from './command.ts';
import { endProcess } from './end-process.ts';
import { Engine } from './engine.ts';
import { type FileDatabase, fileItems } from './file-items.ts';
import { type FileRoom, makeFile, NoRoom, openFileRoom } from './file-room.ts';
import { readersOf, writtenElsewhere, writtenInPlace } from './in-place.ts';
import { reserveLock } from './lock-file.ts';
import { assertSound } from './sound-file.ts';

/** A file that this thread has open. */
interface OpenFile {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly room: FileRoom;
  readonly tables: Map<string, OpenTable>;
  userCount: number;
  writeCount: number;
  closing?: Promise<void>;
}

interface OpenTable {
  readonly database: FileDatabase;
  readonly engine: Engine;
}

/** The form of the items in a file is part of the names of its tables. */
const prefix = 'items-1/';
const binary = { keyEncoding: 'binary', encoding: 'binary' } as const;
/** More than the transactions of the time in which one is sent again. */
const tokenCountMax = 10_000;
/** The time limit of a write, in milliseconds. */
const writeMsMax = 5_000;
/** LMDB looks for readers that were killed every ten minutes, for which the file may have to grow. */
const writesPerCheck = 1_000;
const fleeting = 'fleeting';

const files = new Map<string, OpenFile>();
/** Writes of this thread that are under way in that of the package. */
const writing = new Set<Promise<object>>();
let isClosing = false;

/** The address of a file. A fleeting one is not synced: it does not outlast the machine. */
export function addressOfFile(path: string, { isFleeting = false } = {}): string {
  const url = pathToFileURL(path);
  if (isFleeting) url.searchParams.set(fleeting, 'yes');
  return url.href;
}

/** A client of the tables in a file, for `tableClient`. `destroy` closes the file with its last client. */
export function fileClient(address: string): FileClient {
  const file = openedAt(address);
  file.userCount += 1;
  let isOpen = true;
  const send = async (command: Command): Promise<object> => {
    // The package would end the process for a read beside the end of the file's last writes.
    if (!isOpen) throw new Error('The file is closed.');
    return answered(file, command);
  };
  const destroy = (): void => {
    if (!isOpen) return;
    isOpen = false;
    file.userCount -= 1;
    if (file.userCount > 0) return;
    files.delete(address);
    void closed(file);
  };
  return { send, destroy } as unknown as FileClient;
}

/** Makes a table in a file; one that is there stays as it is. */
export function makeTableIn(address: string, tableName: string): void {
  const { root } = openedAt(address);
  root.openDB({ name: `${prefix}${tableName}`, ...binary });
}

/**
 * Closes the files of this thread, once its writes under way have ended; further ones wait for ever. A thread must not
 * end before: LMDB would wait for it, with the file locked.
 */
export async function closeFiles(): Promise<void> {
  isClosing = true;
  await Promise.allSettled(writing);
  await Promise.all([...files.values()].map(closed));
  files.clear();
}

/** Closes a file, once; its writes under way still need their room. */
function closed(file: OpenFile): Promise<void> {
  file.closing ??= file.root.close().finally(file.room.close);
  return file.closing;
}

function openedAt(address: string): OpenFile {
  const known = files.get(address);
  if (known) return known;
  const url = new URL(address);
  const path = fileURLToPath(url);
  assertSound(path);
  reserveLock(path);
  makeFile(path);
  const noSync = url.searchParams.has(fleeting);
  const root = open<Buffer, Buffer>({
    ...{ path, noSubdir: true, ...binary },
    // A commit ends when its pages, and the page that names them, are on the disk.
    ...{ overlappingSync: false, noSync },
    // With it, a commit that fails rejects a promise, too, that nobody is given, which would end the process.
    eventTurnBatching: false,
  });
  assertReader(root);
  const file: OpenFile = {
    root,
    room: openFileRoom(path),
    tables: new Map(),
    userCount: 0,
    writeCount: 0,
  };
  files.set(address, file);
  return file;
}

/**
 * Takes the place of a reader, or throws. A place has the number of its process, and a process of another container may
 * have the same: it would pass for this one. It reads no page: the first command that meets a damaged one names it.
 */
function assertReader(root: RootDatabase<Buffer, Buffer>): void {
  try {
    root.useReadTransaction().done();
  } catch (error) {
    if (!readersOf(root).includes(process.pid)) throw error;
    throw new Error(
      `a process of another container has it open, and has the same number as this one, ${process.pid}; work on it in the container of its ledger`,
      { cause: error },
    );
  }
}

async function answered(file: OpenFile, command: Command): Promise<object> {
  if (isClosing) return new Promise(() => {});
  const { engine, database } = tableIn(file, tableOf(command));
  if (command instanceof DescribeTableCommand)
    return { Table: { ItemCount: (database.getStats() as { entryCount: number }).entryCount } };
  if (!isWrite(command)) return read(file, () => engine.answer(command));
  file.writeCount += 1;
  // Pages that nobody reads any more are used again.
  if (file.writeCount % writesPerCheck === 0) file.root.readerCheck();
  // Read as far as possible before the file is locked.
  engine.actions(command);
  const write = () => {
    try {
      return file.room.within(database, () => engine.answer(command));
    } catch (error) {
      // It is undone. One that was sent again waits behind it, and is not the same any more.
      if (error instanceof NoRoom) engine.forgetToken(command);
      throw error;
    }
  };
  try {
    const output = writing.size === 0 && writtenInPlace(file.root, () => doneIn(database, write));
    return output || (await inTime(underWay(writtenElsewhere(() => writtenTo(database, write)))));
  } catch (error) {
    // An answer of the engine has this member. What else failed may be done or not, and is done again.
    if ('$metadata' in (error as object)) throw error;
    if (error instanceof NoRoom) throw unwritten(error);
    engine.forgetTokens();
    // Ends the process where the file takes nothing any more.
    read(file, () => database.doesExist(Buffer.from(prefix)));
    throw unwritten(error);
  }
}

/**
 * Reads what all threads and processes have written until now. After a head page that the disk did not take, LMDB refuses
 * the file until it is opened anew, and its package waits for ever: the process ends then.
 */
function read<Output>({ root }: OpenFile, reading: () => Output): Output {
  try {
    root.resetReadTxn();
    return reading();
  } catch (error) {
    if (error instanceof Error && error.message.includes('MDB_PANIC')) endProcess(error.message);
    throw error;
  }
}

/** Does a write in this thread: the file is held meanwhile, and what it says is on the disk afterwards. */
function doneIn(database: FileDatabase, write: () => object): object {
  let output: object | undefined;
  try {
    database.transactionSync(() => {
      output = write();
    });
  } catch (error) {
    if (output) endFor(error);
    throw error;
  }
  if (!output) throw new Error('The write was not done.');
  return output;
}

/** Counts a write among those under way, until it has ended. */
function underWay(written: Promise<object>): Promise<object> {
  writing.add(written);
  const leave = () => writing.delete(written);
  written.then(leave, leave);
  return written;
}

async function writtenTo(database: FileDatabase, write: () => object): Promise<object> {
  let output: object | undefined;
  try {
    await database.childTransaction(() => {
      output = write();
    });
  } catch (error) {
    const { commitError } = error as { readonly commitError?: Promise<never> };
    await commitError?.catch(endFor);
    throw error;
  }
  // The package tells of success where one of the commit could not be ended, and leaves out those behind it.
  if (!output) throw new Error('The write was not done.');
  return output;
}

/**
 * Ends the process at once, after a commit that the disk did not take although there was room: nobody knows what is on the disk,
 * and LMDB's package may have written over other memory (`file-room.ts`). All that was answered is on the disk.
 */
function endFor(error: unknown): void {
  endProcess(messageOf(error));
}

/** An error of the write that nobody knows the end of, where it takes too long: another process may be stopped while it writes. */
function inTime<Output>(written: Promise<Output>): Promise<Output> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('The database file is held by another process or thread.')),
      writeMsMax,
    );
  });
  return Promise.race([written, late]).finally(() => clearTimeout(timer));
}

function tableIn({ root, room, tables }: OpenFile, name: string): OpenTable {
  const known = tables.get(name);
  if (known) return known;
  const inFile = `${prefix}${name}`;
  // LMDB ends the names of databases by a zero byte.
  const isThere = [...root.getKeys()].some((key) => key.toString().replace(/\0$/, '') === inFile);
  if (!isThere) {
    const message = `There is no table ${name} in the file.`;
    throw new ResourceNotFoundException({ $metadata: { httpStatusCode: 400 }, message });
  }
  const database = root.openDB({ name: inFile, ...binary });
  // The first read takes the place of a reader, by which other processes know of this one before it writes.
  database.doesExist(Buffer.from(prefix));
  const items = fileItems(database, room.wrote);
  const engine = new Engine(name, items, { tokenCountMax, fingerprintOf: keysHashOf });
  const table = { database, engine };
  tables.set(name, table);
  return table;
}

/** The error of a write that is not known to be done, as DynamoDB has it. */
function unwritten(cause: unknown): Error {
  const why = messageOf(cause);
  return Object.assign(new Error(`The database file cannot be written: ${why}`, { cause }), {
    name: 'InternalServerError',
  });
}
