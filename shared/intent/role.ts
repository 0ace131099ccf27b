/** What a proof is to an intent, by who signs it and what it says: a report, a decision, or neither. Rulings 51 and 56, Decision 65. */

import { isGrantedByRule, sayGranted } from '../access/access.ts';
import { allowChanging } from '../access/allow.ts';
import { LedgerError } from '../ledger/errors.ts';
import { bridgedIn, isUndecided } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { type Report, reports } from '../ledger/thread.ts';
import type { Call } from '../port/action.ts';
import { provingOf } from '../port/asked.ts';
import { readerFor } from '../record/reader.ts';
import type { IntentData } from '../shape/intent.ts';
import type { SentProof } from '../shape/proof.ts';

/** Reasons of bridges, which they make up themselves. */
const bridgeReason = /^bridge\.[\w.-]{1,249}$/;
const reasonLengthMax = 256;

/** What a proof is to an intent, beside a signature: the report of a bridge, or a decision. */
export type Role =
  | { readonly is: 'report'; readonly entry: string; readonly report: Report }
  | { readonly is: 'decision'; readonly status: 'committed' | 'aborted' };

/** The part that a proof has in an intent; refuses a decision by who may not decide, or that comes too early or late. */
export async function roleOf(
  call: Call,
  version: Version,
  { public: key, custom = {} }: SentProof,
): Promise<Role | undefined> {
  const { handle: entry, status, reason } = custom;
  if (entry !== undefined) return reportOf(call, version, { key, entry, status, reason });
  const isDecision = status === 'committed' || status === 'aborted';
  if (!isDecision || !isManual(version.record)) return undefined;
  const action = status === 'committed' ? 'commit' : 'abort';
  // Who may not read it hears what they would of any proof of any intent.
  const asked = { action, kind: 'intent', record: version.record } as const;
  await allowChanging(call, asked, provingOf('intent'));
  assertDecidable(version.record, status);
  return { is: 'decision', status };
}

/** The report of a bridge on an entry of its own; undefined for whatever else somebody says of entries. */
async function reportOf(
  call: Call,
  version: Version,
  {
    key,
    entry: handle,
    status,
    reason,
  }: {
    readonly key: string;
    readonly entry: unknown;
    readonly status: unknown;
    readonly reason: unknown;
  },
): Promise<Role | undefined> {
  const entry = bridgedIn(version).find((one) => one.handle === handle);
  const report = reports.find((one) => one === status);
  if (!entry || !report) return undefined;
  const isOwner = version.voices?.[entry.bridge]?.includes(key) ?? false;
  if (isOwner) sayGranted(call, { action: 'create', kind: 'bridge', about: 'intent-proof' });
  else if (!(await mayReport(call, entry.bridge))) return undefined;
  if (report === 'failed') assertReason(reason);
  return { is: 'report', entry: entry.handle, report };
}

/** Refuses a failure without a reason of a bridge: the other ones are the ledger's to say. Ruling 74. */
function assertReason(reason: unknown): void {
  if (typeof reason === 'string' && bridgeReason.test(reason)) return;
  const detail = "A report of failure has a reason that begins with 'bridge.'.";
  throw new LedgerError('record.invalid', detail, {
    ...(typeof reason === 'string' && { reason: reason.slice(0, reasonLengthMax) }),
  });
}

/**
 * Whether somebody else than its owners may speak for a bridge: whom a rule grants `create` on `intent-proof` where the
 * bridge stands. That a ledger is open grants it to nobody. Ruling 56, Decision 63.
 */
async function mayReport(call: Call, handle: string): Promise<boolean> {
  const bridge = await readerFor(call).record('bridge', handle);
  if (!bridge) return false;
  const { record } = bridge;
  const asked = { action: 'create', kind: 'bridge', about: 'intent-proof', record } as const;
  return isGrantedByRule(call, asked);
}

function isManual({ data }: LedgerRecord): boolean {
  return (data as unknown as IntentData).config?.commit === 'manual';
}

/** Refuses a decision that comes too early or too late. Ruling 51. */
function assertDecidable(record: LedgerRecord, status: 'committed' | 'aborted'): void {
  const { data, meta } = record;
  const isOpen = status === 'committed' ? meta.status === 'prepared' : isUndecided(record);
  if (isOpen) return;
  throw new LedgerError(
    'record.update-rejected',
    `Intent ${data.handle} is ${meta.status} and cannot become ${status}.`,
    { status: meta.status },
  );
}
