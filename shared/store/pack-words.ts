/**
 * The statements of proofs, packed: without the luid and moment of the record, with other moments as differences from
 * that one, and with indexes in place of repeated handles and usual statuses.
 */
import type { Proof } from '../shape/proof.ts';

export type Custom = NonNullable<Proof['custom']>;

/** A statement as it is stored, null for none, and flags for the members that are packed. */
export type PackedStatement = readonly [custom: Custom | null, flags: number];

const hasRecordMoment = 1;
const hasRecordLuid = 2;
/** `moment` is stored as milliseconds after that of the record. */
const hasLaterMoment = 4;
/** `handle` is stored as the index of the first proof with it. */
const hasKnownHandle = 8;
/** `status` is stored as its index among the usual ones. */
const hasUsualStatus = 16;
/** Stored items refer to these indexes: append only. */
const usualStatuses: readonly unknown[] = [
  ...['created', 'pending', 'resolved', 'processing', 'prepared', 'committed', 'completed'],
  ...['failed', 'aborted', 'rejected'],
];

/** The packed statements of all proofs of a record. */
export function packStatements(
  proofs: readonly Proof[],
  { luid, moment }: { readonly luid: string; readonly moment: string },
): PackedStatement[] {
  const places = new Map<unknown, number>();
  return proofs.map(({ custom }, index) => {
    if (custom === undefined) return [null, 0];
    const { handle } = custom;
    const place = places.get(handle);
    if (place === undefined && typeof handle === 'string') places.set(handle, index);
    return packed(custom, { luid, moment, place });
  });
}

/** The statements of the proofs of a record, unpacked; undefined for a proof without one. */
export function unpackStatements(
  all: readonly PackedStatement[],
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

/** A moment as milliseconds after that of its record, if that restores the same text. */
export function packMoment(moment: string, recordMoment: string): number | string {
  const [ms, recordMs] = [Date.parse(moment), Date.parse(recordMoment)];
  const isExact = isMoment(moment, ms) && isMoment(recordMoment, recordMs);
  return isExact ? ms - recordMs : moment;
}

export function unpackMoment(stored: number | string, recordMoment: string): string {
  return typeof stored === 'string'
    ? stored
    : new Date(Date.parse(recordMoment) + stored).toISOString();
}

function packed(
  custom: Custom,
  { luid, moment, place }: { luid: string; moment: string; place: number | undefined },
): PackedStatement {
  const { moment: said, luid: named, ...others } = custom;
  const isLater = typeof said === 'string' && said !== moment;
  const later = isLater ? packMoment(said, moment) : said;
  const status = usualStatuses.indexOf(custom['status']);
  const flags = {
    [hasRecordMoment]: said === moment,
    [hasRecordLuid]: named === luid,
    [hasLaterMoment]: later !== said,
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
