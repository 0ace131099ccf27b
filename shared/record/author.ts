/** Checks of signed bodies (hash, proofs, ledger, age), and the configuration of a ledger that requests depend on. */
import { hashOf } from '../crypto/digest.ts';
import { assertProofs } from '../crypto/proof.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord, RecordData } from '../ledger/record.ts';
import type { Call, Identity } from '../port/action.ts';
import type { Proof, SentProof } from '../shape/proof.ts';
import type { SignedBody } from '../shape/record.ts';

/** A ledger without `proof.maxAgeSeconds` accepts proofs of any age. Ruling 17. */
const noAge = Number.POSITIVE_INFINITY;

const expiryMinutesDefault = 60;
/** 30 days. */
const expiryMaxMinutesDefault = 43_200;

/** The parts of a signed body that creates or updates a record. */
export interface Draft {
  readonly luid?: string;
  readonly hash: string;
  readonly data: RecordData;
  readonly proofs: readonly SentProof[];
}

/** Reads the body of a create or an update. Its shape, hash and proofs were checked before. Decision 9. */
export function draftOf(call: Call): Draft {
  const { luid, hash, data, meta } = call.body as SignedBody;
  return {
    ...(luid !== undefined && { luid }),
    hash: hash.toLowerCase(),
    data: data as RecordData,
    proofs: meta.proofs,
  };
}

/** Refuses with `crypto.hash-invalid` a hash that does not match the data. Ruling 2. */
export function assertHash(body: SignedBody): void {
  if (body.hash.toLowerCase() !== hashOf(body.data))
    throw new LedgerError('crypto.hash-invalid', `Invalid record hash: ${body.hash}`);
}

/**
 * Refuses with `crypto.signature-missing` or `crypto.signature-invalid` a body without proofs, or with a proof of
 * other data or for another ledger. Rulings 3, 4, 17.
 */
export async function assertAuthors(body: SignedBody, ledger: Identity): Promise<void> {
  await assertProofs(body.hash.toLowerCase(), body.meta.proofs);
  assertLedgerNamed(body.meta.proofs, ledger.handle);
}

/** The signing keys, each once. */
export function publicsOf(proofs: readonly { readonly public: string }[]): string[] {
  return [...new Set(proofs.map((proof) => proof.public))];
}

/** Proofs as they are stored: with the signer of each key, and `key-pair` as origin. Ruling 9, Decision 4. */
export function acceptedProofs(
  proofs: readonly SentProof[],
  signers: ReadonlyMap<string, string>,
): Proof[] {
  return proofs.map(({ method, public: publicKey, digest, result, custom }) => {
    const signer = signers.get(publicKey);
    return {
      method,
      public: publicKey,
      digest: digest.toLowerCase(),
      result,
      ...(custom && { custom }),
      ...(signer !== undefined && { signer }),
      origin: 'key-pair',
    };
  });
}

/** True when the record has the proof. It is identified by key and digest, since a signature over the same digest can be written anew. */
export function holdsProof(record: LedgerRecord, proof: SentProof): boolean {
  const digest = proof.digest.toLowerCase();
  return record.meta.proofs.some((held) => held.public === proof.public && held.digest === digest);
}

/** Refuses with `crypto.signature-invalid` a proof that names a ledger other than the addressed one. Ruling 17. */
export function assertLedgerNamed(proofs: readonly SentProof[], ledger: string): void {
  for (const [index, proof] of proofs.entries()) {
    const named = proof.custom?.['ledger'];
    if (named !== undefined && named !== ledger)
      throw new LedgerError(
        'crypto.signature-invalid',
        `Invalid signature for key: ${proof.public}`,
        {
          index,
          fault: 'ledger',
        },
      );
  }
}

/** The moment at which a proof claims to be signed, in milliseconds; NaN where it names none. */
export function signedMsOf({ custom }: Pick<Proof, 'custom'>): number {
  const moment = custom?.['moment'];
  return typeof moment === 'string' ? Date.parse(moment) : Number.NaN;
}

/** Refuses with `crypto.signature-invalid` proofs of a create without a recent moment. Ruling 17. */
export function assertFresh(
  proofs: readonly SentProof[],
  ledger: LedgerRecord | undefined,
  nowMs: number,
): void {
  const maxAgeMs = maxAgeOf(ledger);
  if (maxAgeMs === noAge) return;
  for (const [index, proof] of proofs.entries()) {
    if (!(Math.abs(nowMs - signedMsOf(proof)) <= maxAgeMs))
      throw new LedgerError(
        'crypto.signature-invalid',
        `Invalid signature for key: ${proof.public}`,
        {
          index,
          fault: 'moment',
          maxAgeSeconds: maxAgeMs / 1000,
        },
      );
  }
}

/** True when the ledger requires anchors for each wallet, and a wallet for each anchor. Rulings 24, 44 and 64. */
export function requiresAnchors(ledger: LedgerRecord | undefined): boolean {
  return configOf(ledger)['anchor.walletRequired'] === true;
}

/** The time until an uncommitted intent expires, in milliseconds. Rulings 24 and 50. */
export function expiryMsOf(ledger: LedgerRecord | undefined): number {
  const minutes = configOf(ledger)['intent.expiryThresholdMinutes'];
  return (typeof minutes === 'number' ? minutes : expiryMinutesDefault) * 60_000;
}

/** The longest time that an intent may be given until it expires, in milliseconds. Rulings 24 and 88. */
export function expiryMaxMsOf(ledger: LedgerRecord | undefined): number {
  const minutes = configOf(ledger)['intent.expiryMaxMinutes'];
  const maxMs = (typeof minutes === 'number' ? minutes : expiryMaxMinutesDefault) * 60_000;
  return Math.max(maxMs, expiryMsOf(ledger));
}

/** True when the ledger enforces daily limits, as it does by default. Ruling 24, Decision 58. */
export function limitsDays(ledger: LedgerRecord | undefined): boolean {
  return configOf(ledger)['limits.aggregated.enabled'] !== false;
}

function configOf(ledger: LedgerRecord | undefined): Readonly<Record<string, unknown>> {
  return (ledger?.data['config'] ?? {}) as Readonly<Record<string, unknown>>;
}

function maxAgeOf(ledger: LedgerRecord | undefined): number {
  const seconds = configOf(ledger)['proof.maxAgeSeconds'];
  return typeof seconds === 'number' ? seconds * 1000 : noAge;
}
