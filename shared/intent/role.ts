/**
 * The role of a proof in an intent: report of a bridge, decision, or signature. The signer and the content of the proof
 * determine it. Rulings 51 and 56, Decision 65.
 */
import { isGrantedByRule, reportGranted } from '../access/access.ts';
import { allowChanging } from '../access/allow.ts';
import { assertNoCapture, type Capture, capturesOf } from '../ledger/capture.ts';
import { LedgerError } from '../ledger/errors.ts';
import { isOwnedBy } from '../ledger/handover.ts';
import { bridgedIn, isPending, isUndecided, notBeforeOf } from '../ledger/intent.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { type BridgeReport, reports } from '../ledger/thread.ts';
import type { Call } from '../port/action.ts';
import { provingOf } from '../port/permission-query.ts';
import { livingRecord } from '../record/living.ts';
import type { Reader } from '../record/reader.ts';
import type { IntentData } from '../shape/intent.ts';
import type { SentProof } from '../shape/proof.ts';
import { extensionBy, isExtension } from './extend.ts';

/** Bridges choose their own reasons below `bridge.`, without control characters, marks of direction and line breaks. */
const bridgeReason = /^bridge\.[^\p{C}\p{Zl}\p{Zp}]{1,249}$/u;
const reasonLengthMax = 256;

/** Report, decision or extension; a signature has no role. */
export type ProofRole =
  | { readonly is: 'report'; readonly entry: string; readonly report: BridgeReport }
  | {
      readonly is: 'decision';
      readonly status: 'committed' | 'aborted';
      /** The claims that it takes in part. Ruling 87. */
      readonly captured: readonly Capture[];
    }
  /** A later expiry, ISO 8601 UTC. Ruling 88. */
  | { readonly is: 'extension'; readonly expiry: string };

/**
 * The role of a proof. Refuses with `auth.forbidden` or `record.not-found` a decision or an extension without the right,
 * with `record.update-rejected` one at the wrong status, and with `record.invalid` a failure without a proper reason, or
 * a capture or an expiry that is not possible.
 */
export async function roleOf(
  call: Call,
  version: Version,
  { public: key, custom = {} }: SentProof,
  reader: Reader,
): Promise<ProofRole | undefined> {
  const { handle: entry, status, reason } = custom;
  if (entry !== undefined) return reportOf(call, version, { key, entry, status, reason }, reader);
  if (isExtension(custom))
    return { is: 'extension', expiry: await extensionBy(call, version, custom['expiry']) };
  const isDecision = status === 'committed' || status === 'aborted';
  if (!isDecision || !isDecidableBy(version.record, status)) return undefined;
  const action = status === 'committed' ? 'commit' : 'abort';
  // A caller who may not read the intent gets the error of any proof.
  const query = { action, kind: 'intent', record: version.record } as const;
  await allowChanging(call, query, provingOf('intent'));
  assertDecidable(version.record, status);
  return { is: 'decision', status, captured: capturedBy(custom, status, version) };
}

/** The claims that a decision takes in part. Only one that commits can. */
function capturedBy(
  custom: NonNullable<SentProof['custom']>,
  status: 'committed' | 'aborted',
  version: Version,
): readonly Capture[] {
  if (status === 'aborted') assertNoCapture(custom);
  const { capture } = custom;
  return capture === undefined ? [] : capturesOf(capture, version);
}

/** The report of a bridge on one of its entries; undefined for a proof by anyone else. */
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
  reader: Reader,
): Promise<ProofRole | undefined> {
  const entry = bridgedIn(version).find((one) => one.handle === handle);
  const report = reports.find((one) => one === status);
  if (!entry || !report) return undefined;
  const owners = version.bridgeOwners?.[entry.bridge] ?? [];
  const isOwner = isOwnedBy(owners, key, (await reader.holders([key])).get(key));
  if (isOwner) reportGranted(call, { action: 'create', kind: 'bridge', about: 'intent-proof' });
  else if (!(await mayReport(call, version, entry.bridge))) return undefined;
  if (report === 'failed') assertReason(reason);
  return { is: 'report', entry: entry.handle, report };
}

/** Refuses a failure whose reason is no text below `bridge.`; other reasons belong to the ledger. Ruling 74. */
function assertReason(reason: unknown): void {
  if (typeof reason === 'string' && bridgeReason.test(reason)) return;
  const detail = `A report of failure has a reason that begins with 'bridge.', of at most ${reasonLengthMax} printable characters.`;
  throw new LedgerError('record.invalid', detail, {
    ...(typeof reason === 'string' && { reason: reason.slice(0, reasonLengthMax) }),
  });
}

/**
 * True when a rule grants the caller `create` on `intent-proof` for the bridge that the intent began with. An open ledger
 * does not grant it. Ruling 56, Decision 63.
 */
async function mayReport(call: Call, { bridgeLuids }: Version, handle: string): Promise<boolean> {
  const named = { handle, luid: bridgeLuids?.[handle] };
  const bridge = await livingRecord(call.services.store, call.ledger.handle, 'bridge', named);
  if (!bridge) return false;
  const { record } = bridge;
  const query = { action: 'create', kind: 'bridge', about: 'intent-proof', record } as const;
  return isGrantedByRule(call, query);
}

/** True when a proof may bring this decision: any on a manual intent, and the end of one that takes effect later. */
function isDecidableBy(record: LedgerRecord, status: 'committed' | 'aborted'): boolean {
  const isLater = notBeforeOf(record) !== undefined;
  return isManual(record) || (status === 'aborted' && isLater);
}

export function isManual({ data }: LedgerRecord): boolean {
  return (data as unknown as IntentData).config?.commit === 'manual';
}

/** Refuses a decision at the wrong status. Rulings 51 and 89. */
function assertDecidable(record: LedgerRecord, status: 'committed' | 'aborted'): void {
  const { data, meta } = record;
  const isAbortable = isManual(record) ? isUndecided(record) : isPending(record);
  const isOpen = status === 'committed' ? meta.status === 'prepared' : isAbortable;
  if (isOpen) return;
  throw new LedgerError(
    'record.update-rejected',
    `Intent ${data.handle} is ${meta.status} and cannot become ${status}.`,
    { status: meta.status },
  );
}
