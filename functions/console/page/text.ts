/** Texts of records, as they can be shown: whoever wrote them may be hostile. */
import { stringify } from 'lossless-json';
import { printable } from '../../../shared/ledger/printable.ts';
import { decimalOf } from '../../../shared/ledger/statement.ts';

/** The text of a value on one line. */
export function lineOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return printable(typeof value === 'string' ? value : (stringify(value) ?? ''));
}

/** A value as indented JSON. Integers beyond 2^53 - 1 are exact. */
export function jsonOf(value: unknown): string {
  return (stringify(value, undefined, 2) ?? '').split('\n').map(printable).join('\n');
}

/** The handle that a reference means: a text, or the `handle` of an object. */
export function handleIn(reference: unknown): string {
  const { handle } = (typeof reference === 'object' && reference !== null ? reference : {}) as {
    readonly handle?: unknown;
  };
  return lineOf(handle ?? reference);
}

/** A moment as `2026-11-21 00:21:11`; anything else as its text. */
export function momentOf(moment: unknown): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(String(moment)) ?? [];
  return day === undefined ? lineOf(moment) : `${day} ${time}`;
}

const minuteMs = 60_000;

/** The time since a moment, in its largest unit: `3 hours`; empty for a text that is no moment. */
export function ageOf(moment: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(moment)) / minuteMs);
  if (Number.isNaN(minutes)) return '';
  if (minutes < 1) return 'less than a minute';
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2_880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1_440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** An amount in whole units with separated thousands, `1,234.50`; without the factor in the smallest unit, which is said. */
export function amountOf(amount: unknown, factor: number | undefined): string {
  if (typeof amount !== 'number' && typeof amount !== 'bigint') return lineOf(amount);
  if (factor === undefined) return `${grouped(String(amount))} smallest units`;
  const [whole = '', part] = decimalOf(amount, factor).split('.');
  return part === undefined ? grouped(whole) : `${grouped(whole)}.${part}`;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The first characters of a key or hash. */
export function shortOf(text: string): string {
  return text.length > 12 ? `${text.slice(0, 10)}…` : text;
}
