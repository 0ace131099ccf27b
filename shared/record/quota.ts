/**
 * How many records there may be that are read for requests of others: circles whose rules mean others than their members,
 * the links of a signer, and the policies and schemas about a kind. Those of a domain, with the domains in it, take no
 * places of others: whoever may make some there keeps nobody elsewhere from it, nor makes their requests any larger
 * than so much. Decision 89.
 */
import { LedgerError } from '../ledger/errors.ts';
import { indexedValueOf, type Kind, lineOf } from '../ledger/kind.ts';
import { type LedgerRecord, nameOfVersion, type Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { outermostOf } from './lineage.ts';
import { domainOfRecord } from './place.ts';
import { bytesOf } from './size.ts';

interface Quota {
  /** What is counted, as a refusal says it of the value by which they are found. */
  readonly title: (value: string) => string;
  readonly countMax: number;
  readonly bytesMax: number;
}

const quotas: Readonly<Partial<Record<Kind, Quota>>> = {
  circle: {
    title: () => 'Circles whose rules mean others than their members',
    countMax: 100,
    bytesMax: 256_000,
  },
  // A link is as small as what it says; the circles that it leads to have a size of their own: `size.ts`.
  'circle-signer': {
    title: (signer) => `Circles of which ${signer} is a member`,
    countMax: 100,
    bytesMax: Number.POSITIVE_INFINITY,
  },
  policy: {
    title: (record) => `Policies about ${record}`,
    countMax: 100,
    bytesMax: 1_000_000,
  },
  schema: {
    title: (record) => `Schemas for ${record}`,
    countMax: 250,
    bytesMax: 2_000_000,
  },
};

/** Refuses a version of a record that would be one too many, or make them too large together; one that has its place and does not grow keeps it. */
export async function assertRoom(call: Call, next: Version, previous?: Version): Promise<void> {
  const quota = quotas[next.kind];
  const value = indexedValueOf(next.kind, next.record.data);
  if (!quota || value === undefined) return;
  const bytes = bytesOf(next.record);
  const before = previous && indexedValueOf(previous.kind, previous.record.data) === value;
  if (before && bytes <= bytesOf(previous.record)) return;
  const found = await call.services.store.indexed(call.ledger.handle, next.kind, value);
  // What is sent again must hear that its record is there already.
  const isOther = (one: Version) =>
    one.record.luid !== next.record.luid && nameOfVersion(one) !== nameOfVersion(next);
  const others = found.filter(isOther);
  const isFull = (some: readonly Version[]) =>
    (!before && some.length >= quota.countMax) ||
    some.reduce((sum, { record }) => sum + bytesOf(record), bytes) > quota.bytesMax;
  // Where all of them are not too many, those of one domain are not either.
  if (!isFull(others)) return;
  const own = await outermostOf(call, next.record.meta.domain);
  const beside: Version[] = [];
  for (const other of others) {
    const domain = await domainOfRecord(call, other.kind, other.record);
    if ((await outermostOf(call, domain)) === own) beside.push(other);
  }
  if (isFull(beside)) throw tooMany(next.kind, quota, value, own);
}

function tooMany(
  kind: Kind,
  { title, countMax, bytesMax }: Quota,
  value: string,
  domain: string | undefined,
): LedgerError {
  const where = domain === undefined ? 'in no domain' : `in the domain ${domain}`;
  const size = Number.isFinite(bytesMax) ? `, of ${bytesMax} bytes together` : '';
  return new LedgerError(
    'record.invalid',
    `${title(value)} are at most ${countMax}${size}, ${where}: they are read for requests of others.`,
    {
      kind: lineOf(kind).title,
      countMax,
      ...(Number.isFinite(bytesMax) && { bytesMax }),
      ...(domain !== undefined && { domain }),
    },
  );
}

/** Refuses an effect that would be one too many for its signal; one that has its place keeps it. */
export async function assertHeard(
  call: Call,
  kind: Kind,
  { data, domain }: { readonly data: LedgerRecord['data']; readonly domain: string | undefined },
  previous?: LedgerRecord['data'],
): Promise<void> {
  const { services, ledger } = call;
  const { effectsPerSignal } = services.settings;
  const { signal } = data;
  if (kind !== 'effect' || effectsPerSignal === undefined || signal === previous?.['signal'])
    return;
  const own = await services.store.indexed(ledger.handle, 'effect', String(signal));
  // Fewer than may hear it in all are not too many anywhere.
  if (own.length < effectsPerSignal) return;
  const outermost = await outermostOf(call, domain);
  let count = 0;
  for (const { record } of own) {
    // A create that is sent again must hear that its record is there already.
    if (record.data.handle === data.handle) continue;
    const other = await outermostOf(call, record.meta.domain);
    if (other === undefined || other === outermost) count += 1;
  }
  if (count < effectsPerSignal) return;
  throw new LedgerError(
    'record.invalid',
    `The signal ${String(signal)} is heard by as many effects as may hear it: ${effectsPerSignal}.`,
    { signal, effects: count, effectsMax: effectsPerSignal },
  );
}
