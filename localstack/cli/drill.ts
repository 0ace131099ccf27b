/**
 * `npm run drill [-- --seconds <n>]`: loses the table of a ledger and restores it. A ledger starts in a folder of its
 * own, money moves, and `kill -9` ends it now and then. At a random moment a backup is taken; later the table is lost.
 * It is restored twice: from the copy of the folder, as point-in-time recovery does, and from an export. Both are
 * audited, compared with what was promised before the backup, and go on. Ends with 0 when all of it is there, with 1
 * when not, and with 2 on an error.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../runtime/database.ts';
import { exitWith } from '../runtime/failing.ts';
import { argumentsOf } from './arguments.ts';
import { compare, type DrillResult } from './drill-compare.ts';
import { command, startLedger } from './drill-ledger.ts';
import { restore } from './drill-restore.ts';
import { flow, furnish, type SentIntents } from './drill-traffic.ts';
import '../runtime/quiet.ts';

const atOnce = 4;
const secondsDefault = 6;
const secondsMax = 600;
/** The number of times that `kill -9` ends the ledger, and the one at which the backup is taken. */
const [killCount, killOfBackup] = [4, 2];
const goOnMs = 300;
const columnWidth = 50;

async function main(): Promise<number> {
  const seconds = secondsOf(process.argv.slice(2));
  const work = mkdtempSync(join(tmpdir(), 'countersign-drill-'));
  const [live, copy, moved] = [join(work, 'live'), join(work, 'copy'), join(work, 'moved')];
  try {
    const port = String(await freePort());
    const { book, backupMs } = await disaster({ live, copy, port, seconds });
    const restored = await restore(copy, moved, work);
    const problems = [...restored.problems];
    let found: DrillResult | undefined;
    for (const folder of problems.length === 0 ? [copy, moved] : []) {
      found = await compared(folder, port, book, backupMs);
      problems.push(...found.broken.map((handle) => `The intent ${handle} is not as promised.`));
      problems.push(...found.wrong);
      if (found.kept === 0) problems.push('Nothing was promised before the backup.');
      const { code, said } = await command('audit', folder, []);
      if (code !== 0) problems.push(`After it went on: ${said}`);
    }
    print('ended by kill -9', `${killCount} times`);
    if (found) printResult(found);
    print('audit of the copy of the table', `${restored.copyMs} ms`);
    print('export, audit, import and audit', `${restored.importMs} ms`);
    for (const problem of problems) print('WRONG', problem);
    const isWhole = problems.length === 0;
    console.log(isWhole ? '\nThe ledger came back whole, twice.' : '\nThe drill FAILED.');
    return isWhole ? 0 : 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface DrillStage {
  readonly live: string;
  readonly copy: string;
  readonly port: string;
  readonly seconds: number;
}

/** Lets money flow until the table is lost; returns what was promised, and the time of the backup. */
async function disaster({ live, copy, port, seconds }: DrillStage) {
  let ledger = await startLedger(live, port);
  const book = await furnish(ledger.url);
  const stop = flow(ledger.url, book, atOnce);
  const pauseMs = (seconds * 1000) / killCount;
  let backupMs = 0;
  for (let kill = 1; kill <= killCount; kill += 1) {
    await pause(pauseMs * (0.5 + Math.random()));
    await ledger.kill();
    if (kill === killOfBackup) {
      // The copy holds all that was answered: no ledger runs now.
      backupMs = Date.now();
      cpSync(live, copy, { recursive: true });
    }
    if (kill < killCount) ledger = await startLedger(live, port);
  }
  await stop();
  rmSync(live, { recursive: true });
  return { book, backupMs };
}

/** Starts what was restored, compares it with what was promised, and lets it go on for a while. */
async function compared(
  folder: string,
  port: string,
  book: SentIntents,
  backupMs: number,
): Promise<DrillResult> {
  const ledger = await startLedger(folder, port);
  try {
    const found = await compare(ledger.url, book, backupMs);
    const own: SentIntents = { key: book.key, intents: new Map(book.intents) };
    const stop = flow(ledger.url, own, 1);
    await pause(goOnMs);
    await stop();
    return found;
  } finally {
    await ledger.stop();
  }
}

function printResult({ kept, broken, lucky, lost }: DrillResult): void {
  print('promised before the backup', `${kept + broken.length} intents`);
  print('of these there, with the hashes that were signed', String(kept));
  print('under way at the backup, and in it', String(lucky));
  print('promised after the backup, lost with the table', String(lost));
}

function secondsOf(args: readonly string[]): number {
  const usage = `Usage: npm run drill [-- --seconds <1 to ${secondsMax}>]`;
  const { values } = argumentsOf(args, { options: { seconds: { type: 'string' } } }, usage);
  const seconds = Number(values.seconds ?? secondsDefault);
  if (!(seconds >= 1 && seconds <= secondsMax)) throw new Error(usage);
  return seconds;
}

function print(what: string, said: string): void {
  console.log(`${what.padEnd(columnWidth)}  ${said}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

main().then((code) => process.exit(code), exitWith(2));
