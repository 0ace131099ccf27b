/**
 * Addition of a proof to a record. It may ask for a status or labels, and is stored as audit data in any case. The data
 * never changes. Ruling 14.
 */
import { isAllowed, rememberContext, reportGranted } from '../access/access.ts';
import { allowChanging, findOrHide, unsigned } from '../access/allow.ts';
import {
  type EffectiveAspects,
  effectiveAspects,
  type RequestedChange,
} from '../access/policies.ts';
import { furtherRights } from '../access/required-permission.ts';
import { allowActivating, vouches } from '../access/vouch.ts';
import { assertDigest, assertSigned, isDigestOf } from '../crypto/proof.ts';
import { advanceIntent } from '../intent/advance.ts';
import { freezing } from '../intent/frozen.ts';
import { hasAnyRight } from '../intent/rights.ts';
import { type ProofRole, roleOf } from '../intent/role.ts';
import { isHandleText, isLuidText } from '../ledger/address.ts';
import { resultOr } from '../ledger/budget.ts';
import { LedgerError } from '../ledger/errors.ts';
import { assertNoHandover } from '../ledger/handover.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { labelsAfter } from '../ledger/labels.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { guardedAdditions } from '../ledger/replay-guard.ts';
import { proofCountMax } from '../ledger/reserve.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import type { Action, Call, RequiredPermission } from '../port/action.ts';
import { type PermissionQuery, provingOf } from '../port/permission-query.ts';
import { acceptedProofs, assertLedgerNamed, holdsProof } from '../record/author.ts';
import { commitForCall, type Decided, laterMoment, newToken } from '../record/commit.ts';
import { byLedger, byPath, type Finder, parameterOf, scopeOf } from '../record/find.ts';
import { signsEarlier, takenWith } from '../record/past-proof.ts';
import { assertRoom } from '../record/quota.ts';
import { type Reader, readerFor } from '../record/reader.ts';
import { assertReportMoves } from '../record/report-work.ts';
import { isOfService } from '../record/service-signer.ts';
import { assertNotStale } from '../record/stale-proof.ts';
import { proofBody } from '../shape/body.ts';
import type { Proof, SentProof } from '../shape/proof.ts';

const statusLengthMax = 64;
/** The first status of every record. Ruling 13. */
const firstStatus = 'created';

/**
 * Adds a proof to the record in the path. The same proof again is answered without a change: with the current record if
 * the token may read it, else for some minutes as it was answered first. Errors:
 * - `crypto.signature-invalid`: not a proof of this record's current data by its key, for another ledger, or older than
 *   the record
 * - `auth.forbidden`, `record.not-found`: no permission to add it, or no such record
 * - `record.status-policy-violation`, `record.labels-policy-violation`: no policy allows the status or the labels
 * - `record.duplicated`: the proof has already made another record
 * - `record.update-rejected`: a signer or key of the service, or a decision or report status that does not follow the
 *   current one
 * - `record.invalid`: labels, the reason of a failure, a capture that is not possible, the number of proofs, or a quota
 * - `api.body-malformed`, `api.request-timeout`: too large to store, or too many conflicts
 */
export function prove(kind: Kind): Action {
  return proveOf(kind, byPath(kind));
}

/** The same for the addressed ledger. */
export const proveOwnLedger: Action = proveOf('ledger', byLedger);

function proveOf(kind: Kind, find: Finder): Action {
  const requires = toProve(kind, find);
  return {
    requires,
    body: proofBody(kind),
    run: async (call) => {
      const proof = call.body as SentProof;
      // Checked before any permission: rules would otherwise be weighed for a signer who did not sign.
      await assertSigned(proof);
      assertLedgerNamed([proof], call.ledger.handle);
      const version = await commitForCall(call, (own, attempt) =>
        decide(own, kind, requires, proof, attempt),
      );
      return { status: 200, body: version.record };
    },
  };
}

async function decide(
  call: Call,
  kind: Kind,
  requires: RequiredPermission<Provable>,
  proof: SentProof,
  attempt: number,
): Promise<Decided<Version> | undefined> {
  const { services, ledger } = call;
  const { current: previous, ...permission } = await requires.allow(call);
  const { mayChange, role, reader } = permission;
  assertDigest(previous.record.hash, proof);
  assertNotStale(previous, [proof], services.clock());
  assertNoHandover(kind, [proof]);
  if (isOfService(kind, previous.record))
    throw new LedgerError(
      'record.update-rejected',
      `The ${lineOf(kind).title.toLowerCase()} ${previous.record.data.handle} belongs to the service.`,
    );
  if (permission.held) {
    await services.store.inForce?.(previous);
    return { commit: { token: newToken(), writes: [] }, result: permission.held };
  }
  const scope = scopeOf(kind, ledger.handle);
  const { rulebook, signers } = await readRulebookAndSigners(reader, kind, proof);
  const [accepted] = acceptedProofs([proof], signers) as [Proof];
  const proofs = [...previous.record.meta.proofs, accepted];
  // Intents also count future proofs: `size.ts`.
  if (kind !== 'intent' && proofs.length > proofCountMax)
    throw new LedgerError('record.invalid', `A record takes at most ${proofCountMax} proofs.`);
  const requested = mayChange ? requestedChangeOf(kind, previous.record, proof) : {};
  const effective = await effectiveAspects(call, previous, accepted, requested, rulebook);
  const next = provenVersion(call, previous, proofs, granted(requested, effective));
  await assertRoom(call, next, previous);
  const signals = [{ signal: `${kind}-proofs-added`, change: next.change }];
  const guards = guardedAdditions(kind, previous.record.data, [accepted]);
  const write = {
    scope,
    next,
    previous,
    signals,
    ...(guards.length > 0 && { replayGuards: guards }),
    ...(await freezing(call, previous, next)),
  };
  if (kind === 'intent')
    return advanceIntent(call, { ...write, isFirst: attempt === 0, rulebook }, role);
  return { commit: { token: newToken(), writes: [write] }, result: next };
}

/** A record, and the permission to add this proof to it. */
interface Provable extends Permission {
  readonly current: Version;
  /** Keeps what was read for the permission. */
  readonly reader: Reader;
}

interface RulebookAndSigners {
  readonly rulebook: Rulebook | undefined;
  readonly signers: ReadonlyMap<string, string>;
}

interface Permission {
  readonly mayChange: boolean;
  /** The role of the proof in an intent, when it is more than a signature. */
  readonly role?: ProofRole | undefined;
  /** The answer when the record has this proof already. */
  readonly held?: Version;
}

/** Permission to add a proof. Ruling 33. */
function toProve(kind: Kind, find: Finder): RequiredPermission<Provable> {
  const { or } = provingOf(kind);
  return {
    ...{ action: 'update', record: kind, find },
    or: [...or, ...(furtherRights[kind] ?? [])],
    allow: async (call) => {
      const reader = readerFor(call);
      const ahead = kind === 'intent' ? await readAhead(call, reader) : undefined;
      // No key counts where nothing is that it could have signed.
      const current = ahead ?? (await findOrHide(unsigned(call), provingOf(kind), find));
      await assertMeant(call, current);
      return { current, reader, ...(await permissionOf(call, current, reader)) };
    },
  };
}

/**
 * Prefetches in one round trip what a proof of an intent usually needs, since bridges report often. Undefined for an
 * intent that is named by luid or does not exist.
 */
async function readAhead(call: Call, reader: Reader): Promise<Version | undefined> {
  const handle = parameterOf(call, 'id');
  if (!isHandleText(handle) || isLuidText(handle)) return undefined;
  const [intent, home, known] = await Promise.all([
    reader.record('intent', handle),
    reader.home(),
    readRulebookAndSigners(reader, 'intent', call.body as SentProof),
  ]);
  rememberContext(call, { home, rulebook: known.rulebook });
  return intent;
}

/** The record of a ledger lies with the server, which has no signers. */
async function readRulebookAndSigners(
  reader: Reader,
  kind: Kind,
  proof: SentProof,
): Promise<RulebookAndSigners> {
  const [rulebook, signers] = await Promise.all([
    reader.rulebook(),
    kind === 'ledger' ? new Map<string, string>() : reader.signers([proof.public]),
  ]);
  return { rulebook, signers };
}

/**
 * Refuses a proof of something else than what the record is or was: nobody signed that for it, so its key is no caller.
 * A token that may read the record is told so. Decision 41.
 */
async function assertMeant(call: Call, version: Version): Promise<void> {
  const { kind, record } = version;
  const proof = call.body as SentProof;
  if (isDigestOf(record.hash, proof) || (await signsEarlier(call, version, proof))) return;
  await allowChanging(unsigned(call), { action: 'read', kind, record }, provingOf(kind));
  assertDigest(record.hash, proof);
}

/** The effect that this proof may have; refuses a caller who may not add any. */
async function permissionOf(call: Call, version: Version, reader: Reader): Promise<Permission> {
  const { kind, record } = version;
  const proof = call.body as SentProof;
  const { status, labels } = proof.custom ?? {};
  const change = {
    ...(status !== undefined && { status }),
    ...(labels !== undefined && { labels: labelsWeighed(record, labels) }),
  };
  const query = { ...provingOf(kind), record, change };
  if (holdsProof(record, proof)) {
    const held = await heldAs(call, version, proof);
    reportGranted(call, query);
    return { mayChange: false, held };
  }
  const role = kind === 'intent' ? await roleOf(call, version, proof, reader) : undefined;
  if (role) {
    assertNoLabels(labels);
    return { mayChange: false, role };
  }
  if (vouches(kind, proof)) {
    await allowActivating(call, record);
    if (labels === undefined) return { mayChange: true };
  }
  return { mayChange: await allowProving(call, query) };
}

/** Refuses labels beside a decision, report or extension, in which they would have no effect. Decision 65. */
function assertNoLabels(labels: unknown): void {
  if (labels === undefined) return;
  const detail =
    'Labels are changed by a proof of their own, and by no decision, report or extension.';
  throw new LedgerError('record.invalid', detail);
}

/**
 * The answer to a proof that the record has. Anyone may send it who has read it: it shows the current record only to a
 * token that may read it, for some minutes what was answered first, and then nothing. Decision 43.
 */
async function heldAs(call: Call, version: Version, proof: SentProof): Promise<Version> {
  const { kind, record } = version;
  const sender = unsigned(call);
  const query = { action: 'read', kind, record } as const;
  if (await isAllowed(sender, query)) return version;
  const taken = await takenWith(call, version, proof);
  if (!taken) await allowChanging(sender, query, provingOf(kind));
  return taken ?? version;
}

/**
 * The labels as they would be, so that no operator hides them from a rule. Those that cannot be are weighed as they were
 * sent: who may not add the proof must not learn from the error that the record is there.
 */
function labelsWeighed({ meta }: LedgerRecord, labels: unknown): unknown {
  return resultOr(
    () => labelsAfter(meta.labels, labels) as unknown,
    () => labels,
  );
}

/**
 * True when the proof may change the record. A signer with a right that the claims of an intent need may sign it and no
 * more. Ruling 33, Decision 38.
 */
async function allowProving(
  call: Call,
  query: PermissionQuery & { readonly record: LedgerRecord },
): Promise<boolean> {
  if (await isAllowed(call, query)) return true;
  if (query.kind === 'intent' && (await hasAnyRight(call, query.record))) return false;
  await allowChanging(call, query);
  return true;
}

/** The requested status and labels. Rulings 14 and 67, Decisions 11 and 28. */
function requestedChangeOf(
  kind: Kind,
  record: LedgerRecord,
  { custom = {} }: SentProof,
): RequestedChange {
  const status = statusWanted(kind, record, custom['status']);
  const labels = labelsAfter(record.meta.labels, custom['labels']);
  return {
    ...(status !== undefined && { status }),
    ...(custom['labels'] !== undefined && labels && { labels }),
  };
}

/** The requested parts that take effect. */
function granted(
  { status, labels }: RequestedChange,
  effective: EffectiveAspects,
): RequestedChange {
  return {
    ...(effective.status && status !== undefined && { status }),
    ...(effective.labels && labels && { labels }),
  };
}

function provenVersion(
  { services }: Call,
  previous: Version,
  proofs: readonly Proof[],
  requested: RequestedChange,
): Version {
  const { kind, record } = previous;
  const { status: wantedStatus = record.meta.status, labels } = requested;
  const status = wantedStatus ?? firstStatus;
  const meta = { ...record.meta, proofs, status, ...(labels && { labels }) };
  const moment = laterMoment(services.clock(), previous);
  const step = { action: 'update', status, moment, proofs: proofs.length } as const;
  return versionOf(kind, { ...record, meta }, [step], previous);
}

/** The requested status; null asks for the first one again. Decision 11. */
function statusWanted(
  kind: Kind,
  record: LedgerRecord,
  status: unknown,
): string | null | undefined {
  if (kind === 'intent' || status === undefined) return undefined;
  if (status === null) {
    if (kind === 'report') assertReportMoves(record, 'null');
    return null;
  }
  if (typeof status !== 'string')
    throw new LedgerError(
      'record.status-policy-violation',
      'A proof cannot bring a status that is neither a text nor null.',
    );
  if (status === 'dropped' || status.length === 0 || status.length > statusLengthMax)
    throw new LedgerError(
      'record.status-policy-violation',
      `A proof cannot bring the status '${status.slice(0, statusLengthMax)}'.`,
      { status: status.slice(0, statusLengthMax) },
    );
  if (kind === 'report') assertReportMoves(record, status);
  return status;
}
