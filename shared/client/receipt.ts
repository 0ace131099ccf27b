/**
 * Verifies receipts on every platform, without the network: a receipt and the key of a ledger are all that it takes.
 * Ruling 98.
 */
import { hexToBytes } from '@noble/hashes/utils.js';
import { isSameBytes, toBase64 } from '../log/bytes.ts';
import { checkpointOf, logSigner } from '../log/checkpoint.ts';
import { type IsProofOf, type KeyEntry, keyFor, keysOf, linkFaults } from '../log/key-table.ts';
import { hashOfLeaf, proofsHashOf } from '../log/leaf.ts';
import { rootByInclusion } from '../log/path.ts';
import { proofOfText } from '../log/proof-text.ts';
import { hashOfBytes } from '../log/sha256.ts';
import type { Proof } from '../shape/proof.ts';
import { parseExactly } from './answer.ts';
import { digestOf, hashOf, isSigned } from './digest.ts';
import { envelopeProblems } from './envelope.ts';
import {
  type Checks,
  hasSigned,
  type IsSigned,
  isSignedByNewest,
  isVouchedFor,
  rotationFacts,
  type SignedPart,
  trustFaults,
} from './receipt-keys.ts';
import { factOf, type Sighting, sightingsOn } from './witnesses.ts';

interface ReceiptRecord extends SignedPart {
  readonly meta: SignedPart['meta'] & {
    readonly change: number;
    readonly status: string;
    readonly drop?: {
      readonly hash: string;
      readonly data: { readonly parent: string };
      readonly meta: { readonly proofs: readonly Proof[] };
    };
  };
}

/** The content of a receipt, as the ledger answered it. */
interface Receipt {
  readonly ledger: string;
  readonly record: ReceiptRecord;
  readonly proof: string;
  readonly signers: { readonly system: SignedPart; readonly log: SignedPart };
}

export interface ReceiptOptions {
  /** A public key of the ledger, known from elsewhere: `data.public` of its signer `system`, of today or of earlier. */
  readonly key?: string;
  /**
   * The signer `system` as the ledger answers it today (`GET /signers/system`). It leads from the given key to that of a
   * receipt from before a rotation.
   */
  readonly signer?: unknown;
  /**
   * Tells whether the holder of a public key signed these bytes; key and signature are canonical base64. By default that
   * is portable code; a native one is some twenty times faster.
   */
  readonly isSigned?: IsSigned;
  /** The keys of witnesses, as vkeys: each of them must have cosigned the checkpoint. Ruling 100. */
  readonly witnesses?: readonly string[];
}

/** The result of a verification. */
export interface VerifiedReceipt {
  /** True when the receipt holds together, and its ledger is the one that was expected, if one was. */
  readonly isProven: boolean;
  /** The proven facts, a sentence each. */
  readonly facts: readonly string[];
  /** The faults, a sentence each; none for a receipt that is proven. */
  readonly faults: readonly string[];
  /** The public key of the ledger, on which all of it depends: the given one, or the newest that the receipt shows. */
  readonly trusts: string;
  /** True when that key was given; otherwise the holder has to compare it. */
  readonly isKeyGiven: boolean;
  /** The moment that the ledger states for the change, ISO 8601 UTC; absent when it is not proven. */
  readonly moment?: string;
  /** When each of the witnesses that were asked for saw the checkpoint; absent when none was, or one has not. */
  readonly seen?: readonly Sighting[];
}

/** True for an answer that is a receipt by its members, parsed by `parseExactly`. */
export function isReceipt(answer: unknown): boolean {
  const { data } = Object(answer) as { readonly data?: unknown };
  const { record, proof, signers } = Object(data) as Partial<Receipt>;
  return typeof proof === 'string' && record !== undefined && signers !== undefined;
}

/**
 * Verifies a receipt: its text, or the answer, parsed by `parseExactly`. It throws for no input: one that is no receipt
 * is not proven, and the faults say why.
 */
export function verifyReceipt(receipt: unknown, options: ReceiptOptions = {}): VerifiedReceipt {
  return receiptVerifier(options)(receipt);
}

/** A verifier of many receipts: what is the same in all of them, such as signers and checkpoints, is verified once. */
export function receiptVerifier(
  options: ReceiptOptions = {},
): (receipt: unknown) => VerifiedReceipt {
  const signs = remembering(options.isSigned ?? isSigned);
  const isProofOf: IsProofOf = (hash, { custom, digest, result, public: by }) => {
    const signed = digestOf(hash, custom);
    return digest.toLowerCase() === signed && signs(hexToBytes(signed), result, by);
  };
  return (given) => {
    const receipt = receiptIn(given);
    if (!receipt) return refused('The file is no receipt.');
    try {
      const verdict = judged(receipt, options, { isSigned: signs, isProofOf });
      return options.witnesses ? witnessed(verdict, receipt, options.witnesses, signs) : verdict;
    } catch {
      return refused('The file is no receipt: it lacks a part, or a part is of another form.');
    }
  };
}

/** The verdict, when the checkpoint must have been seen by witnesses. */
function witnessed(
  verdict: VerifiedReceipt,
  { proof }: Receipt,
  vkeys: readonly string[],
  signs: IsSigned,
): VerifiedReceipt {
  const checkpoint = proofOfText(proof)?.checkpoint ?? '';
  const { seen, faults } = sightingsOn(checkpoint, vkeys, (bytes, signature, { public: by }) =>
    signs(bytes, toBase64(signature), toBase64(by)),
  );
  if (faults.length > 0) {
    const { moment: _, ...rest } = verdict;
    return { ...rest, isProven: false, facts: [], faults: [...verdict.faults, ...faults] };
  }
  if (!verdict.isProven) return verdict;
  return { ...verdict, facts: [...verdict.facts, ...seen.map(factOf)], seen };
}

/** The signatures that are remembered. */
const signatureCountMax = 1_000;

function remembering(judge: IsSigned): IsSigned {
  const known = new Map<string, boolean>();
  return (bytes, signature, publicText) => {
    const name = `${publicText} ${signature} ${toBase64(hashOfBytes(bytes))}`;
    const answer = known.get(name) ?? judge(bytes, signature, publicText);
    if (known.size >= signatureCountMax) known.clear();
    known.set(name, answer);
    return answer;
  };
}

function receiptIn(given: unknown): Receipt | undefined {
  try {
    const answer = typeof given === 'string' ? parseExactly(given) : given;
    return (answer as { readonly data?: Receipt }).data ?? undefined;
  } catch {
    return undefined;
  }
}

function refused(fault: string): VerifiedReceipt {
  return { isProven: false, facts: [], faults: [fault], trusts: '', isKeyGiven: false };
}

function judged(
  receipt: Receipt,
  { key, signer }: ReceiptOptions,
  checks: Checks,
): VerifiedReceipt {
  const { system } = receipt.signers;
  const keys = keysOf(system);
  const newest = keys.at(-1)?.public ?? '';
  const isKeyGiven = key !== undefined;
  const faults = [
    ...(isKeyGiven ? trustFaults(system, { key, signer }, checks) : []),
    ...signerFaults(receipt, keys, checks),
    ...recordFaults(receipt, keys, checks),
    ...logFaults(receipt, checks),
  ];
  const isProven = faults.length === 0;
  const trusts = key ?? newest;
  return {
    isProven,
    facts: isProven ? factsOf(receipt, { keys, trusts, isKeyGiven }, checks) : [],
    faults,
    trusts,
    isKeyGiven,
    ...(isProven && { moment: receipt.record.meta.moment }),
  };
}

/** The ledger's newest key has signed its own signer, with its keys; and the ledger has signed that of the log. */
function signerFaults(
  { signers: { system, log } }: Receipt,
  keys: readonly KeyEntry[],
  { isProofOf }: Checks,
): string[] {
  return [
    ...(isSignedByNewest(system, keys, isProofOf)
      ? []
      : ['The signer of the ledger is not signed by its own key.']),
    ...(isVouchedFor(log, keys, isProofOf) && log.data.handle === logSigner
      ? []
      : ['The signer of the log is not signed by the key of the ledger.']),
    ...[system, log].flatMap((signer) => linkFaults(signer, isProofOf)),
  ];
}

/** The hash is that of the data, every signature verifies, one is the ledger's, and luid and status are as it states. */
function recordFaults(
  { record: { luid, hash, data, meta }, proof: text }: Receipt,
  keys: readonly KeyEntry[],
  { isProofOf }: Checks,
): string[] {
  const { proofs, drop } = meta;
  const index = proofOfText(text)?.index;
  const wrong = proofs.filter((proof) => !isProofOf(hash, proof));
  const isCountersigned = proofs.some((proof) => keyFor(keys, proof, index));
  // The leaf has the proofs of a drop behind those of the record, so without any it has nothing of a drop.
  const isDropped = drop?.meta.proofs.every((proof) => isProofOf(drop.hash, proof)) ?? true;
  const isOfDrop =
    drop === undefined ||
    (drop.meta.proofs.length > 0 && hashOf(drop.data) === drop.hash.toLowerCase());
  return [
    ...(hashOf(data) === hash.toLowerCase()
      ? []
      : ['The hash of the record is not that of its data.']),
    ...wrong.map(({ public: by }) => `A signature by ${by} does not verify.`),
    ...(isCountersigned ? [] : ['The ledger has not signed the record.']),
    ...(isDropped && isOfDrop ? [] : ['A signature of the drop does not verify.']),
    ...envelopeProblems({ luid, status: meta.status }, statementsIn(meta, keys, index)),
  ];
}

/** The statements of the ledger in its proofs of a record. */
function statementsIn(
  { proofs }: SignedPart['meta'],
  keys: readonly KeyEntry[],
  index: number | undefined,
) {
  return proofs.filter((proof) => keyFor(keys, proof, index)).map(({ custom = {} }) => custom);
}

/**
 * The fact about the status. Only the ledger states the status of an intent; that of another record is stated when it is
 * made and when it is dropped, and requested by proofs in between, which a policy may let count or not.
 */
function statusFact(
  { luid, meta }: ReceiptRecord,
  keys: readonly KeyEntry[],
  index: number | undefined,
): string {
  const stated = statementsIn(meta, keys, index).map(({ status }) => status);
  if (luid.startsWith('$int.') || meta.change === 1 || meta.drop)
    if (stated.includes(meta.status)) return `The ledger states its status: ${meta.status}.`;
  return `Its status is in no signature of the ledger, and so not proven: the receipt says ${meta.status}.`;
}

/** The log's key has signed the checkpoint, and the path leads from the change to it. */
function logFaults(
  { record, proof: text, signers: { log } }: Receipt,
  { isSigned: signs }: Checks,
): string[] {
  const proof = proofOfText(text);
  const checkpoint = proof && checkpointOf(proof.checkpoint);
  if (!proof || !checkpoint) return ['The proof of the log cannot be read.'];
  const isSignedByLog = keysOf(log).some((key) => hasSigned(key, checkpoint, signs));
  const { index, path } = proof;
  const root = rootByInclusion(leafHashOf(record), { index, size: checkpoint.size }, path);
  return [
    ...(isSignedByLog ? [] : ['The checkpoint is not signed by the log of the ledger.']),
    ...(root && isSameBytes(root, checkpoint.root)
      ? []
      : ['The log under the checkpoint does not have the change as the receipt shows it.']),
  ];
}

function leafHashOf({ luid, hash, meta }: ReceiptRecord): Uint8Array {
  const { change, moment, proofs, drop } = meta;
  const all = drop ? [...proofs, ...drop.meta.proofs] : proofs;
  return hashOfLeaf({ luid, change, hash, moment, proofs: proofsHashOf(all) });
}

interface Trusted {
  readonly keys: readonly KeyEntry[];
  readonly trusts: string;
  readonly isKeyGiven: boolean;
}

function factsOf(
  receipt: Receipt,
  { keys, trusts, isKeyGiven }: Trusted,
  { isSigned: signs }: Checks,
): string[] {
  const { record, signers, proof: text } = receipt;
  const { luid, data, meta } = record;
  const proof = proofOfText(text);
  const checkpoint = checkpointOf(proof?.checkpoint ?? '');
  const authors = meta.proofs.filter(({ public: by }) => !keys.some((key) => key.public === by));
  const names = [
    ...new Set(authors.map(({ signer, public: by }) => (signer ? `${signer} (${by})` : by))),
  ];
  const signed = names.length > 0 ? `was signed by ${names.join(', ')}` : 'has no author';
  return [
    `${luid} (${data.handle ?? 'without a handle'}) had this data and these signatures after its change ${meta.change}, which the ledger made at ${meta.moment}.`,
    statusFact(record, keys, proof?.index),
    `It ${signed}, and by the ledger.`,
    `The log of the ledger has exactly this change (luid, number, hash of the data, moment, signatures), under the checkpoint of ${checkpoint?.size} leaves of ${checkpoint?.origin}; the log signs with ${String(signers.log.data['public'])}.`,
    ...rotationFacts(receipt, keys, signs),
    isKeyGiven
      ? `All of it depends on the key of the ledger, which is the one that was expected: ${trusts}.`
      : `All of it depends on the key of the ledger, ${trusts}: compare it with what the ledger has published elsewhere.`,
  ];
}
