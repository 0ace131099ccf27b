/**
 * `countersign watch-log`: keeps the last checkpoint of a log, asks for the next one, and judges if it goes on from there.
 * What does not is kept as evidence, and the checkpoint before stays.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  isProofOf,
  type Ledger,
  LedgerUntrusted,
  ledgerKeysOf,
} from '../../shared/client/client.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { logSigner, originOf } from '../../shared/log/checkpoint.ts';
import { cosignatureBy } from '../../shared/log/cosignature.ts';
import { type KeyEntry, keysOf, linkFaults } from '../../shared/log/key-table.ts';
import { type NoteKey, vkeyOf } from '../../shared/log/note.ts';
import { configFolder } from '../command/config-folder.ts';
import {
  type ConnectionOptions,
  type Session,
  settingsOf,
  usualServer,
  withLedger,
} from '../command/connection.ts';
import { printAnswer } from '../command/printable.ts';
import { exitCodes } from '../runtime/failing.ts';
import { colours, print } from './output.ts';
import { openWatchFolder, type WatchedLog, type WatchFolder } from './watch-log-folder.ts';
import {
  type AskConsistency,
  courseOf,
  keptCheckpoint,
  type LogCourse,
  type ReadCheckpoint,
  signedCheckpoint,
  verifyNote,
} from './watch-log-judge.ts';

export interface WatchLogOptions extends ConnectionOptions {
  /** The folder of what is kept; by default one in the configuration folder, for the server and the ledger. */
  readonly folder?: string;
  /** Witnesses by their vkeys: each must have cosigned. */
  readonly witnesses: readonly NoteKey[];
}

/** A cosignature of a witness that was asked for; without `seconds` there is none. */
interface Seen {
  readonly witness: string;
  readonly size: number;
  readonly seconds?: number;
}

/** The result of a run. */
interface WatchResult {
  readonly course: LogCourse | 'first';
  readonly origin: string;
  readonly size: number;
  /** The size of the checkpoint before. */
  readonly before?: number;
  readonly evidence?: string;
  /** True when the ledger has another key than the one that was kept; that one leads to it, or the given one. */
  readonly isRotated?: true;
  readonly seen: readonly Seen[];
  readonly logKeys: readonly string[];
}

const codes: Readonly<Record<WatchResult['course'], number>> = {
  first: exitCodes.done,
  same: exitCodes.done,
  grown: exitCodes.done,
  forked: exitCodes.forked,
  'rolled-back': exitCodes.rolledBack,
};

/** Watches a log once. Returns the exit code; throws an `ExitError` where there is nothing to judge. */
export async function watchLog(options: WatchLogOptions): Promise<number> {
  const path = options.folder ?? usualFolder(options);
  const folder = openWatchFolder(path);
  const ends: number[] = [];
  try {
    const { log } = folder;
    const given = options.trust;
    const keptKey =
      log && !isMove(folder, given)
        ? { value: log.ledgerKey, source: `kept in ${path}`, hint }
        : undefined;
    const work = async (session: Session) => {
      const { ledger, trustedBy: source } = session;
      const key = await newestKeyOf(ledger, given);
      const found = await watched(session, { ...folder, key, given }, options.witnesses);
      if (options.json) printAnswer({ ...found, key, trustedBy: source });
      else show(found, { key, source, path });
      const isSeen = found.seen.every(({ seconds }) => seconds !== undefined);
      ends.push(isSeen ? codes[found.course] : exitCodes.failed);
    };
    await withLedger(options, work, keptKey && { keptKey });
  } finally {
    folder.close();
  }
  return ends[0] ?? exitCodes.failed;
}

const hint =
  ' If the operator has published another one, since this one was known to others, give it by --trust.';

/**
 * True where a given key takes the place of the kept one, if the log goes on from the kept checkpoint. A key that another
 * one has followed does not: a thief may have it, and `--trust` may stand in a crontab since the first run.
 */
function isMove({ log, checkpoint }: WatchFolder, given: string | undefined): boolean {
  if (!log || checkpoint === undefined || given === undefined) return false;
  return given !== log.ledgerKey && !log.earlierKeys?.includes(given);
}

/**
 * The newest key of the ledger, which the trusted one leads to. A given key must be one of the same ledger, also where it
 * is not the trusted one. Throws `LedgerUntrusted`.
 */
async function newestKeyOf(ledger: Ledger, given: string | undefined): Promise<string> {
  const system = await ledger.get('/signers/{id}', { path: { id: 'system' } });
  if (given !== undefined) ledgerKeysOf(system, given);
  return ledgerKeysOf(system, ledger.key)[0];
}

function usualFolder(options: ConnectionOptions): string {
  const { server, ledger } = settingsOf(options);
  const name = `${server?.value ?? usualServer} ${ledger?.value ?? ''}`;
  return join(configFolder(), 'logs', name.trim().replaceAll(/[^\w.-]+/g, '_'));
}

/** A log as it is answered now, and how to ask it for proofs. */
interface LogSource {
  readonly origin: string;
  /** The public keys of the log by which a checkpoint may be signed now. */
  readonly keys: readonly string[];
  /** All keys that the log ever had. Ruling 99. */
  readonly allKeys: readonly string[];
  readonly ledger: Ledger;
  readonly ask: AskConsistency;
}

async function watched(
  { ledger }: Session,
  folder: WatchFolder & { readonly key: string; readonly given: string | undefined },
  witnesses: readonly NoteKey[],
): Promise<WatchResult> {
  const log = await sourceOf(ledger, folder.log);
  const text = await ledger.checkpoint();
  const now = signedCheckpoint(text, log.origin, log.keys);
  const before = folder.checkpoint;
  const kept = before === undefined ? undefined : keptCheckpoint(before, log.origin, log.allKeys);
  const { course, proof } = kept
    ? await courseOf(kept, now, log.ask)
    : { course: 'first' as const };
  const isRotated = folder.log !== undefined && folder.log.ledgerKey !== folder.key;
  const found = {
    ...(isRotated && { isRotated }),
    ...{ origin: log.origin, size: now.size, ...(kept && { before: kept.size }) },
    logKeys: log.keys.map((key) =>
      vkeyOf({ name: log.origin, public: Buffer.from(key, 'base64') }),
    ),
  };
  const accuse = (one: string, proven: unknown): WatchResult => {
    const course = proven === undefined && now.size < (kept?.size ?? 0) ? 'rolled-back' : 'forked';
    const evidence = { course, keys: log.keys, before: one, now: text, proof: proven ?? null };
    return { ...found, course, evidence: folder.accuse(evidence), seen: [] };
  };
  if (course === 'forked' || course === 'rolled-back') return accuse(before ?? '', proof);
  const cosigned = witnesses.length > 0 ? await cosignedBeside(now, log) : undefined;
  if (cosigned?.course === 'forked') return accuse(cosigned.text, cosigned.proof);
  // A key that follows from the kept one, or from the given one, takes its place.
  const trust = trustAfter(folder, log.origin);
  if (!isDeepStrictEqual(trust, folder.log)) folder.trust(trust);
  if (course !== 'same') folder.keep(text);
  return { ...found, course, seen: witnesses.map((one) => seenBy(one, cosigned?.read ?? now)) };
}

/** Whom the next run trusts, and the keys that lead there and are not trusted any more. */
function trustAfter(
  { log, key, given }: Parameters<typeof watched>[1],
  origin: string,
): WatchedLog {
  const all = new Set([...(log?.earlierKeys ?? []), log?.ledgerKey ?? key, given ?? key]);
  all.delete(key);
  return { origin, ledgerKey: key, ...(all.size > 0 && { earlierKeys: [...all] }) };
}

async function sourceOf(ledger: Ledger, known: WatchedLog | undefined): Promise<LogSource> {
  const signer = await ledger.get('/signers/{id}', { path: { id: logSigner } });
  const entries = keysOf(signer);
  const [fault] = linkFaults(signer, isProofOf);
  if (fault !== undefined) throw new LedgerUntrusted(`The signer of the log: ${fault}`);
  const origin = known?.origin ?? originOf(String((await ledger.get('/ledger')).luid));
  const ask: AskConsistency = (from, to) => ledger.get('/log/consistency', { query: { from, to } });
  const keys = entries.filter(({ compromised }) => compromised === undefined);
  return { origin, keys: keys.map(publicOf), allKeys: entries.map(publicOf), ledger, ask };
}

const publicOf = ({ public: key }: KeyEntry): string => key;

/** The checkpoint that witnesses have cosigned: of the same log, or somebody was shown another one. */
async function cosignedBeside(now: ReadCheckpoint, { ledger, origin, keys, ask }: LogSource) {
  const text = await ledger.checkpoint({ cosigned: true });
  const read = signedCheckpoint(text, origin, keys);
  const [first, second] = read.size <= now.size ? [read, now] : [now, read];
  return { text, read, ...(await courseOf(first, second, ask)) };
}

function seenBy(witness: NoteKey, { size, note }: ReadCheckpoint): Seen {
  const cosignature = cosignatureBy(note, witness, verifyNote);
  return { witness: witness.name, size, ...(cosignature && { seconds: cosignature.seconds }) };
}

interface WatchTrust {
  readonly key: string;
  readonly source: string;
  readonly path: string;
}

function show(found: WatchResult, { key, source, path }: WatchTrust): void {
  const { green, red } = colours();
  const { course, evidence, seen, logKeys } = found;
  const isGood = evidence === undefined;
  print((isGood ? green : red)(printable(sentences[course](found))));
  if (evidence !== undefined)
    print(`The evidence is in ${evidence}. The checkpoint before stays in ${path}.`);
  for (const one of seen) print(seenText(one));
  if (found.isRotated && isGood)
    print(
      `The ledger signs with the key ${key} now, which follows from the one that ${source.startsWith('kept') ? 'was kept' : 'is given by --trust'}.`,
    );
  if (course !== 'first') return;
  for (const vkey of logKeys) print(`Its key, for witnesses: ${vkey}`);
  print(
    `The key of the ledger is ${key} (${source}). It is kept in ${path}, and trusted from now on.`,
  );
  if (source.startsWith('believed'))
    print(
      'Who answers there could answer with any key: compare it with what the operator has published.',
    );
}

const sentences: Readonly<Record<WatchResult['course'], (found: WatchResult) => string>> = {
  first: ({ origin, size }) => `The first checkpoint of ${origin} is kept: ${size} leaves.`,
  same: ({ size }) => `The log has ${size} leaves, as before, and they are the same.`,
  grown: ({ before, size }) =>
    `The log has grown from ${before} to ${size} leaves, and none before was altered.`,
  forked: ({ origin, size }) =>
    `FORK: the log ${origin} has signed two histories: its checkpoint of ${size} leaves does not go on from the one that was signed before.`,
  'rolled-back': ({ before, size }) =>
    `ROLLED BACK: the log shows ${size} leaves, and has signed ${before} before.`,
};

function seenText({ witness, size, seconds }: Seen): string {
  const { green, red } = colours();
  return seconds === undefined
    ? red(`${printable(witness)} has not cosigned the checkpoint of ${size} leaves.`)
    : green(
        `${printable(witness)} saw ${size} leaves at ${new Date(seconds * 1000).toISOString()}.`,
      );
}
