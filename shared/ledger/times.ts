/**
 * The times that an author gives to an intent: the moment from which it takes effect, and its expiry, within the bounds
 * of the ledger. Rulings 88 and 89, Decisions 98 and 99.
 */
import type { IntentData } from '../shape/intent.ts';
import { LedgerError } from './errors.ts';
import type { RecordData } from './record.ts';

/** Moments as the ledger writes them, which sort as texts. */
export interface IntentTimes {
  readonly expiry?: string;
  readonly notBefore?: string;
}

/** The longest time until an intent takes effect: 400 days, in milliseconds. */
export const notBeforeMaxMs = 400 * 24 * 3_600_000;

/** The form of a moment in UTC; a day that no month has fits too. */
export const utc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(\.\d+)?Z$/;
const minuteMs = 60_000;

/** The times in the data of an intent, whose shape was checked on arrival. */
export function timesOf(data: RecordData): IntentTimes {
  const { expiry, notBefore } = (data as unknown as IntentData).config ?? {};
  return {
    ...(expiry !== undefined && { expiry: writtenAs(expiry) }),
    ...(notBefore !== undefined && { notBefore: writtenAs(notBefore) }),
  };
}

/**
 * Refuses with `record.invalid` times of a new intent that have passed, contradict each other, or are too far ahead.
 * `moment` is that of its creation, `expiryMaxMs` the longest time until its expiry.
 */
export function assertTimes(data: RecordData, moment: string, expiryMaxMs: number): void {
  const { expiry, notBefore } = timesOf(data);
  if (notBefore !== undefined) {
    if (notBefore <= moment) throw invalid('notBefore', `${notBefore} has passed`, { moment });
    if (Date.parse(notBefore) - Date.parse(moment) > notBeforeMaxMs)
      throw invalid('notBefore', `${notBefore} is more than 400 days ahead`, { moment });
  }
  if (expiry === undefined) return;
  if (expiry <= moment) throw invalid('expiry', `${expiry} has passed`, { moment });
  if (notBefore !== undefined && expiry <= notBefore)
    throw invalid('expiry', `${expiry} is not after its notBefore`, { notBefore });
  assertNotLater(expiry, notBefore ?? moment, expiryMaxMs);
}

/**
 * The expiry to which a proof extends an intent. Refuses with `record.invalid` one that is no moment (undefined), not later
 * than the current one, or too far from `since`, the moment from which the time of the intent counts.
 */
export function extensionOf(
  expiry: string | undefined,
  {
    current,
    since,
    maxMs,
  }: { readonly current: string; readonly since: string; readonly maxMs: number },
): string {
  if (expiry === undefined)
    throw new LedgerError(
      'record.invalid',
      'A proof that extends an intent has an expiry, a moment in ISO 8601 and UTC.',
    );
  const next = writtenAs(expiry);
  if (next <= current)
    throw invalid('expiry', `${next} is not later than it was`, { expiry: current });
  assertNotLater(next, since, maxMs);
  return next;
}

/** Refuses with `record.invalid` an expiry in the custom of a proof that extends nothing. */
export function assertNoExpiry(custom: Readonly<Record<string, unknown>> = {}): void {
  if (custom['expiry'] === undefined) return;
  const detail = "An expiry belongs to a proof with the status 'extended', and to no other proof.";
  throw new LedgerError('record.invalid', detail);
}

function assertNotLater(expiry: string, since: string, maxMs: number): void {
  if (Date.parse(expiry) - Date.parse(since) <= maxMs) return;
  const maxMinutes = maxMs / minuteMs;
  const fault = `${expiry} is more than ${maxMinutes} minutes after ${since}`;
  throw invalid('expiry', fault, { since, maxMinutes });
}

function invalid(
  member: keyof IntentTimes,
  fault: string,
  custom: Readonly<Record<string, unknown>>,
): LedgerError {
  return new LedgerError('record.invalid', `The ${member} ${fault}.`, { member, ...custom });
}

/** A moment as the ledger writes it, to the millisecond. */
function writtenAs(text: string): string {
  return text.replace(utc, (_all, minute: string, second = ':00', fraction = '.') => {
    return `${minute}${second}${fraction.slice(0, 4).padEnd(4, '0')}Z`;
  });
}
