/** The audit of a table or of an exported file, from the command line. */
import { existsSync } from 'node:fs';
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
import { printable } from '../../shared/ledger/printable.ts';
import { messageOf } from '../../shared/ledger/thrown.ts';
import type { Scope, Store } from '../../shared/port/ports.ts';
import { identities } from '../../shared/record/identity.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoAudits, dynamoStore } from '../../shared/store/store.ts';
import { codeOf, exitCodes, misused } from '../runtime/failing.ts';
import { namedTemporary } from '../runtime/folder.ts';
import { optionalVariable, variable } from '../runtime/variables.ts';
import { isReadable } from './given-file.ts';
import { isWithoutKey, keyringOf } from './keyrings.ts';
import { noteAudits } from './note-audit.ts';
import { colours, print, printJson, secondsText } from './output.ts';
import { explained, placeOf, whereOf } from './place.ts';
import { tableOf } from './table.ts';
import { newWorkFolder } from './work-folder.ts';

/** The pause between two lines of progress, in milliseconds: on a terminal, which rewrites the line, and elsewhere. */
const rewriteMs = 100;
const lineMs = 5_000;

const columns = ['items', 'records', 'versions', 'proofs', 'intents', 'balances'] as const;

export interface AuditRequest {
  /** A ledger, or an exported file; without it the whole table is checked. */
  readonly what?: string | undefined;
  /** Goes on after the first violation. */
  readonly isAll: boolean;
  readonly isJson: boolean;
}

/**
 * `countersign audit`: checks the invariants of a ledger. It reads the table of a data folder, whether its ledger runs or
 * not, that of `DYNAMODB_ENDPOINT`, or an exported file, and writes nothing but its note at each ledger. Returns 0 when
 * all of them hold, and 1 when not; throws when it cannot tell.
 */
export async function runAudit({ what, isAll, isJson }: AuditRequest): Promise<number> {
  const report = newReport();
  const startMs = Date.now();
  const violations: string[] = [];
  try {
    for await (const line of violationsOf(what, report, progressFrom(startMs))) {
      violations.push(line);
      clearLine();
      if (!isJson) print(printable(line));
      if (!isAll) break;
    }
  } catch (error) {
    throw namedFile(error, what);
  } finally {
    clearLine();
  }
  const ms = Date.now() - startMs;
  if (isJson) printJson(documentOf(report, violations, ms));
  else showEnd(report, { violationCount: violations.length, isAll, ms });
  return violations.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** An error where nothing was found, which names the missing file; a ledger may have the name of one. */
function namedFile(error: unknown, what = ''): unknown {
  const isNamed = what.includes('/') || what.endsWith('.ndjson');
  if (!isNamed || codeOf(error) !== exitCodes.misconfigured || existsSync(what)) return error;
  return misused(`There is no file ${what}. ${messageOf(error)}`, { cause: error });
}

function documentOf({ ledgers, awaited }: AuditReport, violations: readonly string[], ms: number) {
  const counts = [...ledgers].map(([scope, one]) => [scope || serverName, one]);
  const checked = Object.fromEntries(counts);
  return { isInOrder: violations.length === 0, violations, checked, awaited, seconds: ms / 1000 };
}

interface AuditEnd {
  readonly violationCount: number;
  readonly isAll: boolean;
  readonly ms: number;
}

function showEnd(report: AuditReport, { violationCount, isAll, ms }: AuditEnd): void {
  if (violationCount === 0 || isAll) {
    showTable(report, ms);
    showAwaited(report);
  }
  const { green, red } = colours();
  print(
    violationCount > 0
      ? red(`\n${violationCount} found: the ledger is NOT in order.`)
      : green('The ledger is in order: money, balances, histories, signals and intents.'),
  );
}

type Shown = (report: AuditReport) => void;

/** The violations, a line each. */
async function* violationsOf(
  what: string | undefined,
  report: AuditReport,
  onProgress: Shown,
): AsyncGenerator<string> {
  if (what !== undefined && isReadable(what)) return yield* violationsIn(what, report, onProgress);
  const [tableName, folder] = [variable('TABLE_NAME'), variable('LEDGER_DATA')];
  const place = await placeOf(folder);
  const client = tableClient({ endpoint: place.endpoint });
  const { isLive } = place;
  const ledger = what === undefined ? {} : { ledger: what };
  const options = { isLive, nowMs: Date.now, onProgress, ...ledger };
  const source = tableSource(client, tableName);
  const findings = new Map<Scope, number>();
  const ended = { report, findings, startMs: Date.now(), ledger: what };
  let isPartial = true;
  let isBroken = false;
  try {
    await assertKey(folder, dynamoStore({ client, tableName }));
    for await (const violation of audit(source, options, report)) {
      findings.set(violation.scope, (findings.get(violation.scope) ?? 0) + 1);
      yield lineOfViolation(violation);
    }
    if (findings.size === 0) assertLedger(report, `'${tableName}' ${whereOf(place.endpoint)}`);
    isPartial = false;
  } catch (error) {
    isBroken = true;
    throw explained(error, tableName, place.endpoint);
  } finally {
    // Also after the first violation, at which the reader of this generator may stop.
    if (!isBroken)
      await noteAudits(dynamoAudits({ client, tableName }), source, { ...ended, isPartial }).then(
        sayOvertaken,
        complain,
      );
    client.destroy();
    await place.close();
  }
}

/** Throws where no ledger was read: nothing is wrong with an empty table, and nothing is proven by it. */
function assertLedger({ ledgers }: AuditReport, where: string): void {
  if ([...ledgers.values()].some(({ records }) => records > 0)) return;
  throw misused(`There is no ledger in the table ${where}: there is nothing to audit.`);
}

/** Throws where the master key of a folder opens no key of its table: its ledgers could not sign any more. */
async function assertKey(folder: string, store: Store): Promise<void> {
  if (optionalVariable('DYNAMODB_ENDPOINT') || isWithoutKey(folder)) return;
  await identities(store, keyringOf(folder))(variable('LEDGER_HANDLE'));
}

/** Says why the audit could not be noted; what it found holds all the same. */
function complain(error: unknown): void {
  const why = messageOf(error);
  process.stderr.write(
    `The audit is not noted in the table, and health will not show it: ${printable(why)}\n`,
  );
}

/** Names the ledgers of which health goes on to show another audit, as after one by a machine whose clock is ahead. */
function sayOvertaken(ledgers: readonly Scope[]): void {
  if (ledgers.length === 0) return;
  const where = printable(ledgers.join(', '));
  process.stderr.write(
    `The audit is not noted at ${where}: one that began later is noted there, and health shows that one.\n`,
  );
}

async function* violationsIn(
  path: string,
  report: AuditReport,
  onProgress: Shown,
): AsyncGenerator<string> {
  report.doing = 'reading the file';
  const onRead = () => onProgress(report);
  const folder = newWorkFolder('audit');
  try {
    yield* auditArchive(path, { folder, nowMs: Date.now, onProgress, onRead }, report);
  } catch (error) {
    throw namedTemporary(error);
  }
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
    const pace = `${rateOf(proofs, nowMs - startMs)}/s`;
    const line = `${report.doing}: ${items} items, ${records} records, ${proofs} proofs (${pace}), ${secondsText(nowMs - startMs)}`;
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
  print(tableOf(['ledger', ...columns], fields, 1));
  const { proofs } = totalOf(report);
  print(
    `\nInvariants 1 to 5 were checked in ${secondsText(ms)} (${rateOf(proofs, ms)} proofs verified a second).`,
  );
}

/** Prints how many intents wait for a bridge. */
function showAwaited({ awaited }: AuditReport): void {
  const { intents, longer } = awaited;
  print(`Intents that wait for bridges: ${intents}, for longer than an hour: ${longer}.`);
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
