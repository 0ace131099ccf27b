/** Reports that the ledger produces: checks, and the marker that schedules the work. Ruling 67. */
import { isHandleText } from '../ledger/address.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import { intervalOf, isProduced, mayBecome, producedSchemaOf } from '../ledger/report.ts';
import { missing, momentRule, type ShapeViolation } from '../ledger/violation.ts';
import type { Call } from '../port/action.ts';
import type { Write } from '../port/ports.ts';
import { letterheadCountMax, letterheadLengthMax } from '../shape/report.ts';
import type { Attached } from './attachment.ts';
import { assertNone, violation } from './invalid.ts';

const place = '/data/custom';
const names = ['start_timestamp', 'end_timestamp'] as const;
const dayMs = 24 * 3_600_000;
const dayCountMax = 366;
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
const settled = 'settled';

/** Refuses with `record.schema-invalid` a report for the ledger to produce without a valid interval. */
export function checkReport(data: RecordData): void {
  if (!isProduced(data)) return;
  const { custom } = data;
  const wrong = custom
    ? [
        ...names.flatMap((name) => wrongWith(name, custom[name])),
        ...(producedSchemaOf(data) === 'wallet_statement_rep' ? wrongWithSubject(custom) : []),
      ]
    : [missing('/data', 'custom')];
  assertNone(wrong.length > 0 ? wrong : wrongWithInterval(data));
}

/** The violations in the members that only the statement of a wallet has. */
function wrongWithSubject(custom: NonNullable<RecordData['custom']>): ShapeViolation[] {
  const { letterhead = [] } = custom;
  const wrong = ['wallet', 'symbol'].flatMap((name) => {
    if (custom[name] === undefined) return [missing(place, name)];
    const value = custom[name];
    if (typeof value === 'string' && isHandleText(value)) return [];
    return [violation(`${place}/${name}`, 'type', { type: 'string' }, 'must be a handle')];
  });
  const isLetterhead =
    Array.isArray(letterhead) &&
    letterhead.length <= letterheadCountMax &&
    letterhead.every((line) => typeof line === 'string' && line.length <= letterheadLengthMax);
  if (isLetterhead) return wrong;
  const params = { maxItems: letterheadCountMax, maxLength: letterheadLengthMax };
  const must = `must be at most ${letterheadCountMax} lines of at most ${letterheadLengthMax} characters`;
  return [...wrong, violation(`${place}/letterhead`, 'type', params, must)];
}

/** Schedules the work for the end of the interval. */
export async function attachWork(_call: Call, next: Version): Promise<Attached> {
  const { data } = next.record;
  const write = isProduced(data) ? { workMs: intervalOf(data).endMs } : {};
  return { version: next, write };
}

/** Schedules the removal of the produced assets when their report ends. */
export function endingWork({ kind, record }: Version, nowMs: number): Pick<Write, 'workMs'> {
  return kind === 'report' && isProduced(record.data) ? { workMs: nowMs } : {};
}

/** Refuses with `record.update-rejected` a status out of order or for the ledger only. Decisions 24, 25. */
export function assertReportMoves({ data, meta }: LedgerRecord, status: string): void {
  const detail = `Report ${data.handle} is ${meta.status} and cannot become ${status.slice(0, 64)}`;
  if (!mayBecome(meta.status, status))
    throw new LedgerError('record.update-rejected', `${detail}.`);
  if (isProduced(data) && status !== settled)
    throw new LedgerError('record.update-rejected', `${detail} by others: the ledger produces it.`);
}

function wrongWith(name: string, value: unknown): ShapeViolation[] {
  if (value === undefined) return [missing(place, name)];
  const isMoment = typeof value === 'string' && utc.test(value) && isTime(value);
  return isMoment ? [] : [violation(`${place}/${name}`, ...momentRule)];
}

/** `Date.parse` takes `02-30` for the second of March, so the text is compared with its round trip. */
function isTime(text: string): boolean {
  const ms = Date.parse(text);
  return (
    Number.isFinite(ms) && ms >= 0 && new Date(ms).toISOString().slice(0, 19) === text.slice(0, 19)
  );
}

function wrongWithInterval(data: RecordData): ShapeViolation[] {
  const { startMs, endMs } = intervalOf(data);
  const at = `${place}/end_timestamp`;
  if (endMs <= startMs)
    return [violation(at, 'format', { after: 'start_timestamp' }, 'must be after start_timestamp')];
  if (endMs - startMs <= dayCountMax * dayMs) return [];
  const message = `must be at most ${dayCountMax} days after start_timestamp`;
  return [violation(at, 'format', { days: dayCountMax }, message)];
}
