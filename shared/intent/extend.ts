/**
 * Extension of an undecided intent: a proof gives it a later expiry. The ledger states it, and the marker of the sweeper
 * moves with it. Ruling 88, Decision 98.
 */
import { allowChanging } from '../access/allow.ts';
import { timeOfLuid } from '../crypto/luid.ts';
import { LedgerError } from '../ledger/errors.ts';
import { expiryOf, extendedOf, isUndecided, notBeforeOf } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { extensionOf, utc } from '../ledger/times.ts';
import type { Call, Identity } from '../port/action.ts';
import { provingOf } from '../port/permission-query.ts';
import type { Write } from '../port/ports.ts';
import { expiryMaxMsOf } from '../record/author.ts';
import { type Decided, newToken } from '../record/commit.ts';
import { readerFor } from '../record/reader.ts';
import { momentOf } from '../record/sign.ts';
import { statedIn } from './thread.ts';

/** True for a proof that extends an intent. */
export function isExtension({ status }: Readonly<Record<string, unknown>>): boolean {
  return status === 'extended';
}

/**
 * The later expiry that a proof gives to an intent. Refuses with `auth.forbidden` or `record.not-found` a signer without
 * the right to commit it, with `record.update-rejected` an intent that is decided or ends with another one, and with
 * `record.invalid` an expiry that is not possible.
 */
export async function extensionBy(
  call: Call,
  { record }: Version,
  expiry: unknown,
): Promise<string> {
  // A caller who may not read the intent gets the error of any proof.
  const query = { action: 'commit', kind: 'intent', record } as const;
  await allowChanging(call, query, provingOf('intent'));
  const current = assertExtensible(record);
  const home = await readerFor(call).home();
  const since = notBeforeOf(record) ?? momentOf(timeOfLuid(record.luid));
  return extensionOf(momentIn(expiry), { current, since, maxMs: expiryMaxMsOf(home) });
}

/** The commit of the proof with the ledger's statement. */
export async function extendedBy(
  ledger: Identity,
  { scope, previous, next, signals }: Write & { readonly previous: Version },
  expiry: string,
): Promise<Decided<Version>> {
  const moment = next.steps.at(-1)?.moment ?? next.record.meta.moment;
  const advance = extendedOf(previous.record.meta.status, expiry, moment);
  const version = await statedIn(ledger, { previous, next }, advance);
  const published = [...signals, { signal: 'intent-updated', change: version.change }];
  const write = { scope, previous, next: version, signals: published };
  return { commit: { token: newToken(), writes: [write] }, result: version };
}

/** A text that is a moment. `Date.parse` takes `02-30` for the second of March, so the day is compared. */
function momentIn(text: unknown): string | undefined {
  const ms = typeof text === 'string' && utc.test(text) ? Date.parse(text) : Number.NaN;
  const isMoment = !Number.isNaN(ms) && momentOf(ms).startsWith(String(text).slice(0, 10));
  return isMoment ? String(text) : undefined;
}

/** The current expiry of an intent that may be extended. */
function assertExtensible(record: LedgerRecord): string {
  const { data, meta } = record;
  const rejected = (why: string) =>
    new LedgerError('record.update-rejected', `Intent ${data.handle} ${why}.`, {
      status: meta.status,
    });
  if (!isUndecided(record)) throw rejected(`is ${meta.status} and cannot be extended`);
  const expiry = expiryOf(record);
  if (expiry === undefined) throw rejected(`expires with intent ${meta.thread ?? ''}, its first`);
  return expiry;
}
