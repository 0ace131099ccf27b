/**
 * `npm run audit [-- <ledger> or <file>] [-- --all]`: checks the invariants of a ledger and changes nothing. It reads
 * the table of a data folder, whether its ledger runs or not, that of `DYNAMODB_ENDPOINT`, or a file of `npm run export`.
 * Ends with 0 when all of them hold, with 1 and the first violation (all with `--all`) when not, and with 2 on an error.
 */
import { statSync } from 'node:fs';
import { auditArchive } from '../../shared/archive/audit.ts';
import { audit } from '../../shared/audit/audit.ts';
import {
  type AuditCounts,
  type AuditReport,
  newCounts,
  newReport,
} from '../../shared/audit/run.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { lineOfViolation, serverName } from '../../shared/audit/violation.ts';
import { tableClient } from '../../shared/store/client.ts';
import { exitWith } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import { explained, placeOf } from './place.ts';
import { tableOf } from './table.ts';
import { newWorkFolder } from './work-folder.ts';
import '../runtime/quiet.ts';

/** The pause between two lines of progress, in milliseconds: on a terminal, which rewrites the line, and elsewhere. */
const rewriteMs = 100;
const lineMs = 5_000;

const columns = ['items', 'records', 'versions', 'proofs', 'intents', 'balances'] as const;

interface AuditRequest {
  readonly ledger?: string;
  /** An archive. */
  readonly path?: string;
  readonly isAll: boolean;
}

async function main(): Promise<number> {
  const { isAll, ...request } = requestOf(process.argv.slice(2));
  const report = newReport();
  const startMs = Date.now();
  let violationCount = 0;
  try {
    for await (const line of violationsOf(request, report, progressFrom(startMs))) {
      violationCount += 1;
      clearLine();
      console.log(line);
      if (!isAll) break;
    }
  } finally {
    clearLine();
  }
  if (violationCount === 0 || isAll) {
    showTable(report, Date.now() - startMs);
    showAwaited(report);
  }
  console.log(
    violationCount > 0
      ? `\n${violationCount} found: the ledger is NOT in order.`
      : 'The ledger is in order: money, balances, histories, signals and intents.',
  );
  return violationCount > 0 ? 1 : 0;
}

type Shown = (report: AuditReport) => void;

/** The violations, a line each. */
async function* violationsOf(
  { ledger, path }: Pick<AuditRequest, 'ledger' | 'path'>,
  report: AuditReport,
  onProgress: Shown,
): AsyncGenerator<string> {
  if (path !== undefined) return yield* violationsIn(path, report, onProgress);
  const tableName = variable('TABLE_NAME');
  const place = await placeOf(variable('LEDGER_DATA'));
  const client = tableClient({ endpoint: place.endpoint });
  const isLive = place.isLive;
  const options = { isLive, nowMs: Date.now, onProgress, ...(ledger !== undefined && { ledger }) };
  try {
    for await (const violation of audit(tableSource(client, tableName), options, report))
      yield lineOfViolation(violation);
  } catch (error) {
    throw explained(error, tableName, place.endpoint);
  } finally {
    client.destroy();
    await place.close();
  }
}

function violationsIn(
  path: string,
  report: AuditReport,
  onProgress: Shown,
): AsyncGenerator<string> {
  report.doing = 'reading the file';
  const onRead = () => onProgress(report);
  const folder = newWorkFolder('audit');
  return auditArchive(path, { folder, nowMs: Date.now, onProgress, onRead }, report);
}

/** Reads the words of the command: the name of a file means an archive, another name a ledger. */
function requestOf(args: readonly string[]): AuditRequest {
  const names = args.filter((word) => word !== '--all');
  const [name, ...more] = names;
  if (more.length > 0 || name?.startsWith('--'))
    throw new Error('Usage: npm run audit [-- <ledger> or <file>] [--all]');
  const isAll = names.length < args.length;
  if (name === undefined) return { isAll };
  const isFile = statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile ? { isAll, path: name } : { isAll, ledger: name };
}

/** Shows progress, at the pace of a reader. */
function progressFrom(startMs: number): (report: AuditReport) => void {
  const pauseMs = process.stderr.isTTY ? rewriteMs : lineMs;
  let shownMs = startMs;
  return (report) => {
    const nowMs = Date.now();
    if (nowMs - shownMs < pauseMs) return;
    shownMs = nowMs;
    const { items, records, proofs } = totalOf(report);
    const seconds = (nowMs - startMs) / 1000;
    const line = `${report.doing}: ${items} items, ${records} records, ${proofs} proofs (${rateOf(proofs, nowMs - startMs)}/s), ${seconds.toFixed(1)} s`;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
}

function clearLine(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

/** Prints the counts of what was checked, a line for each ledger. */
function showTable(report: AuditReport, ms: number): void {
  const rows = [...report.ledgers].sort(([one], [other]) => (one < other ? -1 : 1));
  const numbers = (counts: AuditCounts) => columns.map((column) => String(counts[column]));
  const fields = [
    ...rows.map(([scope, counts]) => [scope || serverName, ...numbers(counts)]),
    ...(rows.length > 1 ? [['total', ...numbers(totalOf(report))]] : []),
  ];
  console.log(tableOf(['ledger', ...columns], fields, 1));
  const { proofs } = totalOf(report);
  console.log(
    `\nInvariants 1 to 5 were checked in ${(ms / 1000).toFixed(1)} s (${rateOf(proofs, ms)} proofs verified a second).`,
  );
}

/** Prints how many intents wait for a bridge. */
function showAwaited({ awaited }: AuditReport): void {
  const { intents, longer } = awaited;
  console.log(`Intents that wait for bridges: ${intents}, for longer than an hour: ${longer}.`);
}

function totalOf({ ledgers }: AuditReport): AuditCounts {
  const total = newCounts();
  for (const counts of ledgers.values())
    for (const column of columns) total[column] += counts[column];
  return total;
}

function rateOf(many: number, ms: number): number {
  return Math.round((many * 1000) / Math.max(1, ms));
}

main().then((code) => process.exit(code), exitWith(2));
