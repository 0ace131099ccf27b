/**
 * Quotas for records that the ledger reads in requests of others: circles with rules for non-members, the links of
 * a signer, policies and schemas about a kind, and the effects of a signal. A domain with all below it has a quota
 * of its own. Its authors can therefore neither exhaust the quota of others nor slow their requests beyond it.
 * Decisions 86 and 89.
 */
import { LedgerError } from '../ledger/errors.ts';
import { indexedValueOf, type Kind, lineOf } from '../ledger/kind.ts';
import { type LedgerRecord, nameOfVersion, type Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { outermostOf } from './lineage.ts';
import { domainOfRecord } from './place.ts';
import { bytesOf } from './size.ts';

interface Quota {
  /** Names the counted records in an error. */
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
  // A link itself is small; the size of its circle is bounded in `size.ts`.
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

/**
 * Refuses with `record.invalid` a version that would exceed the quota in number or bytes. A record that is counted
 * already and does not grow is always accepted.
 */
export async function assertRoom(call: Call, next: Version, previous?: Version): Promise<void> {
  const quota = quotas[next.kind];
  const value = indexedValueOf(next.kind, next.record.data);
  if (!quota || value === undefined) return;
  const bytes = bytesOf(next.record);
  const before = previous && indexedValueOf(previous.kind, previous.record.data) === value;
  if (before && bytes <= bytesOf(previous.record)) return;
  const found = await call.services.store.indexed(call.ledger.handle, next.kind, value);
  // A create that is sent again must get `record.duplicated` instead.
  const isOther = (one: Version) =>
    one.record.luid !== next.record.luid && nameOfVersion(one) !== nameOfVersion(next);
  const others = found.filter(isOther);
  const isFull = (some: readonly Version[]) =>
    (!before && some.length >= quota.countMax) ||
    some.reduce((sum, { record }) => sum + bytesOf(record), bytes) > quota.bytesMax;
  // When the whole ledger is within the quota, each domain is.
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

/**
 * Refuses with `record.invalid` an effect beyond the quota of its signal: each event goes to all of them. An effect
 * that is counted already is accepted. Decision 86.
 */
export async function assertSubscriberQuota(
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
  // When the whole ledger is within the quota, each domain is.
  if (own.length < effectsPerSignal) return;
  const outermost = await outermostOf(call, domain);
  let count = 0;
  for (const { record } of own) {
    // A create that is sent again must get `record.duplicated` instead.
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
