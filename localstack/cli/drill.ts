/** A drill: the table of a ledger is lost and restored. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../runtime/database.ts';
import { exitCodes } from '../runtime/failing.ts';
import { namedTemporary } from '../runtime/folder.ts';
import { compare, type DrillResult } from './drill-compare.ts';
import { command, startLedger } from './drill-ledger.ts';
import { type Restored, restore } from './drill-restore.ts';
import { flow, furnish, type SentIntents } from './drill-traffic.ts';
import { print, printJson } from './output.ts';
import { type Bar, newBar } from './progress.ts';
import { newWorkFolder } from './work-folder.ts';

const atOnce = 4;
/** The number of times that `kill -9` ends the ledger, and the one at which the backup is taken. */
const [killCount, killOfBackup] = [4, 2];
const goOnMs = 300;
const columnWidth = 50;
/** The restores, and each of the two that is compared. */
const stepCount = 3;

interface DrillReport {
  readonly found: DrillResult | undefined;
  readonly restored: Restored;
  readonly problems: readonly string[];
}

/**
 * `countersign drill`: loses the table of a ledger and restores it. A ledger starts in a folder of its own, money moves
 * for so many seconds, and `kill -9` ends it now and then. At a random moment a backup is taken; later the table is
 * lost. It is restored twice: from the copy of the folder, as point-in-time recovery does, and from an export. Both are
 * audited, compared with what was promised before the backup, and go on. Returns 0 when all of it is there, and 1 when
 * not; throws when it cannot tell.
 */
export async function runDrill(seconds: number, isJson: boolean): Promise<number> {
  const work = newWorkFolder('drill');
  const bar = newBar();
  try {
    const report = await drilled(work, seconds, bar);
    bar.end();
    if (isJson) printJson(documentOf(report));
    else showReport(report);
    return report.problems.length === 0 ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    throw namedTemporary(error);
  } finally {
    bar.end();
    rmSync(work, { recursive: true, force: true });
  }
}

async function drilled(work: string, seconds: number, bar: Bar): Promise<DrillReport> {
  const [live, copy, moved] = [join(work, 'live'), join(work, 'copy'), join(work, 'moved')];
  const port = String(await freePort());
  const { book, backupMs } = await disaster({ live, copy, port, seconds, bar });
  bar.show('restoring', 0, stepCount);
  const restored = await restore(copy, moved, work);
  const problems = [...restored.problems];
  let found: DrillResult | undefined;
  for (const [index, folder] of problems.length === 0 ? [copy, moved].entries() : []) {
    bar.show('restoring', index + 1, stepCount);
    found = await compared(folder, port, book, backupMs);
    problems.push(...found.broken.map((handle) => `The intent ${handle} is not as promised.`));
    problems.push(...found.wrong);
    if (found.kept === 0) problems.push('Nothing was promised before the backup.');
    const { code, said } = await command('audit', folder, []);
    if (code !== 0) problems.push(`After it went on: ${said}`);
  }
  return { found, restored, problems };
}

function documentOf({ found, restored, problems }: DrillReport) {
  const { copyMs, importMs } = restored;
  const { kept = 0, broken = [], lucky = 0, lost = 0 } = found ?? {};
  const promised = kept + broken.length;
  const isWhole = problems.length === 0;
  return { isWhole, killCount, promised, kept, lucky, lost, copyMs, importMs, problems };
}

function showReport({ found, restored, problems }: DrillReport): void {
  show('ended by kill -9', `${killCount} times`);
  if (found) showResult(found);
  show('audit of the copy of the table', `${restored.copyMs} ms`);
  show('export, audit, import and audit', `${restored.importMs} ms`);
  for (const problem of problems) show('WRONG', problem);
  const isWhole = problems.length === 0;
  print(isWhole ? '\nThe ledger came back whole, twice.' : '\nThe drill FAILED.');
}

interface DrillStage {
  readonly live: string;
  readonly copy: string;
  readonly port: string;
  readonly seconds: number;
  readonly bar: Bar;
}

/** Lets money flow until the table is lost; returns what was promised, and the time of the backup. */
async function disaster({ live, copy, port, seconds, bar }: DrillStage) {
  let ledger = await startLedger(live, port);
  const book = await furnish(ledger.url);
  const stop = flow(ledger.url, book, atOnce);
  const pauseMs = (seconds * 1000) / killCount;
  let backupMs = 0;
  for (let kill = 1; kill <= killCount; kill += 1) {
    bar.show('money moves', kill - 1, killCount);
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

function showResult({ kept, broken, lucky, lost }: DrillResult): void {
  show('promised before the backup', `${kept + broken.length} intents`);
  show('of these there, with the hashes that were signed', String(kept));
  show('under way at the backup, and in it', String(lucky));
  show('promised after the backup, lost with the table', String(lost));
}

function show(what: string, said: string): void {
  print(`${what.padEnd(columnWidth)}  ${said}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
