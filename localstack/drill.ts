/**
 * `npm run drill [-- --seconds <n>]`: whether a ledger comes back after its table is lost. A ledger is started in a
 * folder of its own, money moves, and it is ended by `kill -9` now and then; at a moment that nobody knows before a
 * backup is taken, and some time after the table is lost. It is restored twice, from the copy of the folder, which is
 * what point-in-time recovery gives, and from an export; both are audited and compared with what was promised before
 * the backup. Ends with 0 when all of it is there, with 1 when not, and with 2 when that cannot be told.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from './database.ts';
import { command, type Running, startLedger } from './drill-ledger.ts';
import { type Book, compare, type Found, flow, furnish } from './drill-traffic.ts';
import './quiet.ts';

const atOnce = 4;
const secondsDefault = 6;
/** How many times the ledger is ended by `kill -9` before the backup, and how often after it. */
const [killsBefore, killsAfter] = [2, 1];
const columnWidth = 44;

async function main(): Promise<number> {
  const seconds = secondsOf(process.argv.slice(2));
  const work = mkdtempSync(join(tmpdir(), 'countersign-drill-'));
  const [live, copy, moved] = ['live', 'copy', 'moved'].map((one) => join(work, one)) as [
    string,
    string,
    string,
  ];
  try {
    const port = String(await freePort());
    const { book, backupMs, killCount } = await disaster({ live, copy, port, seconds });
    const restored = await restore(copy, moved, work);
    const found = await compared(copy, port, book, backupMs);
    const foundMoved = await compared(moved, port, book, backupMs);
    const after = [await audited(copy), await audited(moved)];
    const isGood = [...restored.isGood, ...after, isWhole(found), isWhole(foundMoved)].every(
      Boolean,
    );
    tell('ended by kill -9', `${killCount} times`);
    tell('promised before the backup', `${found.kept + found.broken.length} intents`);
    tell('of these in the restored ledger, as signed', `${found.kept}`);
    tell('under way at the backup, and in it', `${found.lucky}`);
    tell('promised after the backup, lost with the table', `${found.lost}`);
    tell('audit clean within', `${restored.auditedMs} ms, of the copy of the table`);
    tell('exported, imported and audited within', `${restored.movedMs} ms`);
    for (const [name, one] of [
      ['copy', found],
      ['import', foundMoved],
    ] as const)
      for (const fault of [...one.broken, ...one.wrong]) tell(`WRONG in the ${name}`, fault);
    for (const fault of restored.faults) tell('WRONG', fault);
    console.log(isGood ? '\nThe drill held: the ledger came back whole.' : '\nThe drill FAILED.');
    return isGood ? 0 : 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Stage {
  readonly live: string;
  readonly copy: string;
  readonly port: string;
  readonly seconds: number;
}

/** Lets money flow until the table is lost; answers what was promised, and when the backup was taken. */
async function disaster({ live, copy, port, seconds }: Stage) {
  let ledger = await startLedger(live, port);
  const book = await furnish(ledger.url);
  const stop = flow(ledger.url, book, atOnce);
  const kills = killsBefore + killsAfter;
  const pauseMs = (seconds * 1000) / (kills + 2);
  let backupMs = 0;
  for (let round = 0; round <= kills; round += 1) {
    await pause(pauseMs * (0.5 + Math.random()));
    await ledger.kill();
    if (round === killsBefore) {
      // What was answered was stored, and nothing is answered while nothing runs.
      backupMs = Date.now();
      cpSync(live, copy, { recursive: true });
    }
    ledger = await startLedger(live, port);
  }
  await pause(pauseMs);
  await ledger.kill();
  await stop();
  rmSync(live, { recursive: true });
  return { book, backupMs, killCount: kills + 2 };
}

/** Restores from both backups, and audits what comes of it. */
async function restore(copy: string, moved: string, work: string) {
  const file = join(work, 'ledger.ndjson');
  const startMs = Date.now();
  const faults: string[] = [];
  const did = async (name: Parameters<typeof command>[0], folder: string, ...words: string[]) => {
    const { code, said } = await command(name, folder, ...words);
    if (code !== 0) faults.push(`${name}: ${said.trim()}`);
    return code === 0;
  };
  const isCopyGood = await did('audit', copy);
  const auditedMs = Date.now() - startMs;
  const passphrase = join(work, 'passphrase');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(passphrase, `drill ${Math.random()}`, { mode: 0o600 });
  const isGood = [
    isCopyGood,
    await did('export', copy, '--out', file, '--with-key', passphrase),
    await did('audit', copy, file),
    await did('import', moved, file, '--passphrase', passphrase),
    await did('audit', moved),
  ];
  const movedMs = Date.now() - startMs - auditedMs;
  const again = join(work, 'again.ndjson');
  isGood.push(await did('export', moved, '--out', again));
  const isSame = isGood.every(Boolean) && contentOf(file) === contentOf(again);
  if (!isSame)
    faults.push('The ledger that was imported reads otherwise than the one that was exported.');
  return { isGood: [...isGood, isSame], auditedMs, movedMs, faults };
}

/** What an archive says, but for when it was made and how its key is encrypted. */
function contentOf(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => !/^\{"what":"(archive|key|end)"/.test(line)).join('\n');
}

/** Starts what was restored, compares it with what was promised, and sees that it goes on. */
async function compared(
  folder: string,
  port: string,
  book: Book,
  backupMs: number,
): Promise<Found> {
  const ledger: Running = await startLedger(folder, port);
  try {
    const found = await compare(ledger.url, book, backupMs);
    const own: Book = { key: book.key, promised: new Map(book.promised), open: new Map() };
    const stop = flow(ledger.url, own, 1);
    await pause(300);
    await stop();
    return found;
  } finally {
    await ledger.stop();
  }
}

async function audited(folder: string): Promise<boolean> {
  const { code, said } = await command('audit', folder);
  if (code !== 0) tell('WRONG after it went on', said.trim());
  return code === 0;
}

function isWhole({ kept, broken, wrong }: Found): boolean {
  return kept > 0 && broken.length === 0 && wrong.length === 0;
}

function secondsOf(words: readonly string[]): number {
  const usage = 'Usage: npm run drill [-- --seconds <1 to 600>]';
  try {
    const { values } = parseArgs({ args: [...words], options: { seconds: { type: 'string' } } });
    const seconds = Number(values.seconds ?? secondsDefault);
    if (seconds >= 1 && seconds <= 600) return seconds;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
  throw new Error(usage);
}

function tell(what: string, said: string): void {
  console.log(`${what.padEnd(columnWidth)}  ${said}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
