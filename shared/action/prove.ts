/**
 * Adding a proof to a record: it may ask for another status or other labels, and is kept as audit data
 * in any case. The data never changes. Ruling 14.
 */
import { assertProofs, assertSigned } from '../crypto/proof.ts';
import { LedgerError } from '../ledger/errors.ts';
import { isPending } from '../ledger/intent.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { labelsAfter } from '../ledger/labels.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { proofBody } from '../shape/body.ts';
import type { Proof, SentProof } from '../shape/proof.ts';
import { isAllowed } from './access.ts';
import type { Action, Asks, Call } from './action.ts';
import { allowChanging, findAlike } from './allow.ts';
import type { Asked } from './asked.ts';
import { acceptedProofs, assertLedgerNamed, holderWants, signersOf } from './author.ts';
import { commitDecided, type Decided, laterMoment, newToken } from './commit.ts';
import { byLedger, byPath, type Finder, scopeOf } from './find.ts';
import { goOn } from './go-on.ts';
import { isOfService } from './of-service.ts';
import { type Heeded, heeded, type Wishes } from './policies.ts';
import { assertReportMoves } from './report-work.ts';
import { hasAnyRight } from './rights.ts';
import { assertOfThisLife } from './this-life.ts';

/** How many proofs one version of a record holds at most. */
const proofCountMax = 500;
const statusLengthMax = 64;
/** With which every record begins. Ruling 13. */
const firstStatus = 'created';

/** Adds a proof to the record that the path names. */
export function prove(kind: Kind): Action {
  return proveOf(kind, byPath(kind));
}

/** Adds a proof to the record of the ledger that was addressed. */
export const proveOwnLedger: Action = proveOf('ledger', byLedger);

function proveOf(kind: Kind, find: Finder): Action {
  const asks = toProve(kind, find);
  return {
    asks,
    body: proofBody(kind),
    run: async (call) => {
      const proof = call.body as SentProof;
      // Whoever it says has signed has: else rules would be asked about somebody who is not there.
      assertSigned(proof);
      assertLedgerNamed([proof], call.ledger.handle);
      const version = await commitDecided(call.services, () => decide(call, kind, asks, proof));
      return { status: 200, body: version.record };
    },
  };
}

async function decide(
  call: Call,
  kind: Kind,
  asks: Asks<Provable>,
  proof: SentProof,
): Promise<Decided<Version> | undefined> {
  const { services, ledger } = call;
  const { current: previous, mayChange } = await asks.allow(call);
  assertProofs(previous.record.hash, [proof]);
  assertOfThisLife(previous, [proof]);
  if (isOfService(kind, previous.record))
    throw new LedgerError(
      'record.update-rejected',
      `The ${lineOf(kind).title.toLowerCase()} ${previous.record.data.handle} belongs to the service.`,
    );
  if (holdsProof(previous.record, proof))
    return { commit: { token: newToken(), writes: [] }, result: previous };
  const scope = scopeOf(kind, ledger.handle);
  const [rulebook, ...holders] = await services.store.load([
    { what: 'rulebook', scope: ledger.handle },
    ...holderWants(scope, [proof.public]),
  ]);
  const [accepted] = acceptedProofs([proof], signersOf([proof.public], holders)) as [Proof];
  const proofs = [...previous.record.meta.proofs, accepted];
  if (proofs.length > proofCountMax)
    throw new LedgerError('record.invalid', `A record takes at most ${proofCountMax} proofs.`);
  const wishes = mayChange ? wishesOf(kind, previous.record, proof) : {};
  const heeds = await heeded(call, previous, accepted, wishes, rulebook);
  const next = provenVersion(call, previous, proofs, granted(wishes, heeds));
  const signals = [{ signal: `${kind}-proofs-added`, change: next.change }];
  const write = { scope, next, previous, signals };
  if (kind === 'intent' && isPending(previous.record)) return goOn(call, write);
  return { commit: { token: newToken(), writes: [write] }, result: next };
}

/** What a proof is to be added to, and whether it may change anything there. */
interface Provable {
  readonly current: Version;
  readonly mayChange: boolean;
}

/** What the rights on the claims of an intent are about, any of which is enough to sign it. Decision 38. */
const claimRights = [
  ['issue', 'symbol'],
  ['spend', 'wallet'],
  ['destroy', 'symbol'],
] as const;

/** Adding a proof. Ruling 33. */
function toProve(kind: Kind, find: Finder): Asks<Provable> {
  const or = [['create', `${kind}-proof`]] as const;
  return {
    ...{ action: 'update', record: kind, find },
    or: kind === 'intent' ? [...or, ...claimRights] : or,
    allow: async (call) => {
      const current = await findAlike(call, kind, find);
      const { status, labels } = (call.body as SentProof).custom ?? {};
      const change = {
        ...(status !== undefined && { status }),
        ...(labels !== undefined && { labels }),
      };
      const asked = { action: 'update', kind, record: current.record, change, or };
      return { current, mayChange: await allowProving(call, asked) };
    },
  };
}

/**
 * Refuses a proof by somebody who may not add one; whether it may change anything. Whoever has a right that the
 * claims of an intent need may sign it, and no more than that. Ruling 33, Decision 38.
 */
async function allowProving(
  call: Call,
  asked: Asked & { readonly record: LedgerRecord },
): Promise<boolean> {
  if (await isAllowed(call, asked)) return true;
  if (asked.kind === 'intent' && (await hasAnyRight(call, asked.record))) return false;
  await allowChanging(call, asked);
  return true;
}

/** The same proof twice is stored once: by key and digest, since a signature can be written anew. */
function holdsProof(record: LedgerRecord, proof: SentProof): boolean {
  const digest = proof.digest.toLowerCase();
  return record.meta.proofs.some((held) => held.public === proof.public && held.digest === digest);
}

/** What a proof asks for. Rulings 14 and 67, Decisions 11 and 28. */
function wishesOf(kind: Kind, record: LedgerRecord, { custom = {} }: SentProof): Wishes {
  const status = statusAsked(kind, record, custom['status']);
  const labels = labelsAfter(record.meta.labels, custom['labels']);
  return {
    ...(status !== undefined && { status }),
    ...(custom['labels'] !== undefined && labels && { labels }),
  };
}

/** The wishes that take effect. */
function granted({ status, labels }: Wishes, heeds: Heeded): Wishes {
  return {
    ...(heeds.status && status !== undefined && { status }),
    ...(heeds.labels && labels && { labels }),
  };
}

function provenVersion(
  { services }: Call,
  previous: Version,
  proofs: readonly Proof[],
  wishes: Wishes,
): Version {
  const { kind, record } = previous;
  const { status: wished = record.meta.status, labels } = wishes;
  const status = wished ?? firstStatus;
  const meta = { ...record.meta, proofs, status, ...(labels && { labels }) };
  const moment = laterMoment(services.clock(), previous);
  const step = { action: 'update', status, moment, proofs: proofs.length } as const;
  return versionOf(kind, { ...record, meta }, [step], previous);
}

/** The status that a proof asks for; null is the first one again. */
function statusAsked(kind: Kind, record: LedgerRecord, status: unknown): string | null | undefined {
  if (kind === 'intent') return undefined;
  if (status === null && kind !== 'report') return null;
  if (typeof status !== 'string') return undefined;
  if (status === 'dropped' || status.length === 0 || status.length > statusLengthMax)
    throw new LedgerError(
      'record.status-policy-violation',
      `A proof cannot bring the status '${status.slice(0, statusLengthMax)}'.`,
      { status: status.slice(0, statusLengthMax) },
    );
  if (kind === 'report') assertReportMoves(record, status);
  return status;
}
