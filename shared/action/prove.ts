/**
 * Adding a proof to a record: it may ask for another status or other labels, and is kept as audit data
 * in any case. The data never changes. Ruling 14.
 */
import { assertProofs } from '../crypto/proof.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import { labelsAfter } from '../ledger/labels.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { SentProof } from '../shape/proof.ts';
import type { Action, Call } from './action.ts';
import { acceptedProofs, assertLedgerNamed, holderWants, publicsOf, signersOf } from './author.ts';
import { commitDecided, laterMoment, newToken } from './commit.ts';
import { findRecord, parameterOf, scopeOf } from './find.ts';
import type { Commit } from './ports.ts';
import { isOfService } from './rules.ts';

/** How many proofs one version of a record holds at most. */
const proofCountMax = 500;
const statusLengthMax = 64;

/** Adds a proof to the record that the path names. */
export function prove(kind: Kind): Action {
  return proveOf(kind, (call) => parameterOf(call, 'id'));
}

/** Adds a proof to the record of the ledger that was addressed. */
export const proveOwnLedger: Action = proveOf('ledger', (call) => call.ledger.handle);

function proveOf(kind: Kind, idOf: (call: Call) => string): Action {
  return {
    body: SentProof,
    run: async (call) => {
      const proof = call.body as SentProof;
      assertLedgerNamed([proof], call.ledger.handle);
      const version = await commitDecided(call.services, () =>
        decide(call, kind, idOf(call), proof),
      );
      return { status: 200, body: version.record };
    },
  };
}

async function decide(
  call: Call,
  kind: Kind,
  id: string,
  proof: SentProof,
): Promise<{ commit: Commit; result: Version }> {
  const { services, ledger } = call;
  const previous = await findRecord(call, kind, id);
  assertProofs(previous.record.hash, [proof]);
  if (isOfService(kind, previous.record.data))
    throw new LedgerError(
      'record.update-rejected',
      `The signer ${previous.record.data.handle} belongs to the service.`,
    );
  if (holdsProof(previous.record, proof))
    return { commit: { token: newToken(), writes: [] }, result: previous };
  const publics = publicsOf([proof]);
  const holders = await services.store.load(holderWants(ledger.handle, publics));
  const [accepted] = acceptedProofs([proof], signersOf(publics, holders));
  const proofs = [...previous.record.meta.proofs, ...(accepted ? [accepted] : [])];
  if (proofs.length > proofCountMax)
    throw new LedgerError('record.invalid', `A record takes at most ${proofCountMax} proofs.`);
  const next = provenVersion(call, previous, proofs, proof);
  const signals = [{ signal: `${kind}-proofs-added`, change: next.change }];
  const write = { scope: scopeOf(kind, ledger.handle), next, previous, signals };
  return { commit: { token: newToken(), writes: [write] }, result: next };
}

/** The same proof twice is stored once: by key and digest, since a signature can be written anew. */
function holdsProof(record: LedgerRecord, proof: SentProof): boolean {
  const digest = proof.digest.toLowerCase();
  return record.meta.proofs.some((held) => held.public === proof.public && held.digest === digest);
}

function provenVersion(
  { services }: Call,
  previous: Version,
  proofs: LedgerRecord['meta']['proofs'],
  proof: SentProof,
): Version {
  const { kind, record } = previous;
  const status = statusAfter(kind, record, proof);
  const labels = labelsAfter(record.meta.labels, proof.custom?.['labels']);
  const meta = { ...record.meta, proofs, status, ...(labels && { labels }) };
  const moment = laterMoment(services.clock(), previous);
  const step = { action: 'update', status, moment, proofs: proofs.length } as const;
  return versionOf(kind, { ...record, meta }, [step], previous);
}

/** The status that a proof asks for. Ruling 14, Decision 11. */
function statusAfter(kind: Kind, { meta }: LedgerRecord, proof: SentProof): string {
  const status = proof.custom?.['status'];
  if (kind === 'intent' || typeof status !== 'string') return meta.status;
  if (status === 'dropped' || status.length === 0 || status.length > statusLengthMax)
    throw new LedgerError(
      'record.status-policy-violation',
      `A proof cannot bring the status '${status.slice(0, statusLengthMax)}'.`,
      { status: status.slice(0, statusLengthMax) },
    );
  return status;
}
