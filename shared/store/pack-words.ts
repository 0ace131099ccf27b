/**
 * What proofs say, without what they share with their record and with each other: its luid and its moment, other
 * moments as far as they are from that one, handles that an earlier proof has named already, and usual statuses.
 */
import type { LedgerRecord } from '../ledger/record.ts';
import type { Proof } from '../shape/proof.ts';

export type Custom = NonNullable<Proof['custom']>;

/** Words as they are stored, null for none, and flags that tell what is not as it was said. */
export type PackedWords = readonly [custom: Custom | null, flags: number];

const hasRecordMoment = 1;
const hasRecordLuid = 2;
/** `moment` is told as milliseconds after the record's. */
const hasLaterMoment = 4;
/** `handle` is told as the index of the first proof that says it. */
const hasKnownHandle = 8;
/** `status` is told as its place among the usual ones. */
const hasUsualStatus = 16;
/** A status keeps its place for ever: more may follow. */
const usualStatuses: readonly unknown[] = [
  ...['created', 'pending', 'resolved', 'processing', 'prepared', 'committed', 'completed'],
  ...['failed', 'aborted', 'rejected'],
];

/** The words of all proofs of a record. */
export function packWords({ luid, meta }: LedgerRecord): PackedWords[] {
  const places = new Map<unknown, number>();
  return meta.proofs.map(({ custom }, index) => {
    if (custom === undefined) return [null, 0];
    const { handle } = custom;
    const place = places.get(handle);
    if (place === undefined && typeof handle === 'string') places.set(handle, index);
    return packed(custom, { luid, moment: meta.moment, place });
  });
}

/** What the proofs of a record say, as they said it; undefined for those that say nothing. */
export function unpackWords(
  all: readonly PackedWords[],
  { luid, moment }: { readonly luid: string; readonly moment: string },
): (Custom | undefined)[] {
  const said: (Custom | undefined)[] = [];
  for (const [custom, flags] of all) {
    if (custom === null) {
      said.push(undefined);
      continue;
    }
    const has = (flag: number) => (flags & flag) > 0;
    said.push({
      ...(has(hasRecordLuid) && { luid }),
      ...(has(hasRecordMoment) && { moment }),
      ...custom,
      ...(has(hasLaterMoment) && { moment: unpackMoment(custom['moment'] as number, moment) }),
      ...(has(hasKnownHandle) && { handle: said[custom['handle'] as number]?.['handle'] }),
      ...(has(hasUsualStatus) && { status: usualStatuses[custom['status'] as number] }),
    });
  }
  return said;
}

/** A moment as milliseconds after that of its record, when it can be told from them. */
export function packMoment(moment: string, recordMoment: string): number | string {
  const [ms, recordMs] = [Date.parse(moment), Date.parse(recordMoment)];
  const isExact = isMoment(moment, ms) && isMoment(recordMoment, recordMs);
  return isExact ? ms - recordMs : moment;
}

/** A moment from what was stored of it. */
export function unpackMoment(stored: number | string, recordMoment: string): string {
  return typeof stored === 'string'
    ? stored
    : new Date(Date.parse(recordMoment) + stored).toISOString();
}

function packed(
  custom: Custom,
  { luid, moment, place }: { luid: string; moment: string; place: number | undefined },
): PackedWords {
  const { moment: said, luid: named, ...others } = custom;
  const later = typeof said === 'string' ? packMoment(said, moment) : said;
  const status = usualStatuses.indexOf(custom['status']);
  const flags = {
    [hasRecordMoment]: said === moment,
    [hasRecordLuid]: named === luid,
    [hasLaterMoment]: said !== moment && later !== said,
    [hasKnownHandle]: place !== undefined,
    [hasUsualStatus]: status >= 0,
  };
  const rest = {
    ...(said !== undefined && said !== moment && { moment: later }),
    ...(named !== undefined && named !== luid && { luid: named }),
    ...others,
    ...(place !== undefined && { handle: place }),
    ...(status >= 0 && { status }),
  };
  const isSet = Object.entries(flags).filter(([, is]) => is);
  return [rest, isSet.reduce((sum, [flag]) => sum + Number(flag), 0)];
}

function isMoment(text: string, ms: number): boolean {
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text;
}
