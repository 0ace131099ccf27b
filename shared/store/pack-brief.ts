/**
 * Proofs as the ledger makes them for almost every intent, in a few characters: plain statements, those on entries that follow
 * from the claims, and the changes that they begin. So a transfer with all of its proofs is an item of a kilobyte, which
 * is what a write unit pays for. Whatever is not exactly so stays as it is. Decision 128.
 */
import type { Custom } from './pack-words.ts';

/** A proof: its packed statement, null for none, with the flags of the packing. */
export type PackedProof = readonly [
  author: number,
  custom?: Custom | null,
  flags?: number,
  /** Present when it differs from the text of `digestOf`: a client may write it in upper case. */
  digest?: string,
];

/** The index of the action, the status, the number of proofs, and the moment if it is not the record's. */
export type PackedStep = readonly [
  action: number,
  status: string,
  proofs: number,
  moment?: number | string,
];

/**
 * A plain statement is a number, with its later moment where it has one. One on an entry of the second author is the
 * handle of the entry: its other members are those of the first claim, or of those at the indexes beside it.
 */
export type BriefProof =
  | PackedProof
  | number
  | readonly [plain: number, laterMs: number]
  | string
  | readonly [handle: string, inputs: readonly number[]];

/** A number for a change that has the status of its last proof, with its moment if it is not the record's. */
export type BriefStep = PackedStep | number | readonly [step: number, moment: number | string];

// Stored items refer to these numbers. The flags are those of `pack-words.ts`.
const plainFlags = 1 + 16;
const laterFlags = 4 + 16;
const luidFlag = 2;
const authorCount = 2;
const entryAuthor = 1;
const resolved = 2;
const actionCount = 4;

type Data = Readonly<Record<string, unknown>>;

/** The proofs in brief. `data` is that of the record. */
export function briefProofs(proofs: readonly PackedProof[], data: Data): BriefProof[] {
  return proofs.map((proof) => plainOf(proof) ?? entryOf(proof, data) ?? proof);
}

/** The proofs as they were. */
export function wholeProofs(proofs: readonly BriefProof[], data: Data): PackedProof[] {
  return proofs.map((brief) => {
    if (typeof brief === 'number') return plainProof(brief);
    if (typeof brief === 'string') return entryProof(brief, [0], data);
    const [first, second] = brief;
    if (typeof first === 'string') return entryProof(first, second as readonly number[], data);
    return typeof second === 'number' ? plainProof(first, second) : (brief as PackedProof);
  });
}

/** The changes in brief. `statuses` are those that the proofs state. */
export function briefSteps(
  steps: readonly PackedStep[],
  statuses: readonly unknown[],
): BriefStep[] {
  return steps.map((step) => {
    const [action, status, proofs, moment] = step;
    if (status !== statuses[proofs - 1]) return step;
    const brief = proofs * actionCount + action;
    return moment === undefined ? brief : [brief, moment];
  });
}

/** The changes as they were. */
export function wholeSteps(
  steps: readonly BriefStep[],
  statuses: readonly unknown[],
): PackedStep[] {
  return steps.map((step) => {
    if (typeof step === 'number') return wholeStep(step, statuses);
    const [brief, moment] = step;
    return step.length === 2 ? [...wholeStep(brief, statuses), moment] : step;
  });
}

function wholeStep(brief: number, statuses: readonly unknown[]): [number, string, number] {
  const proofs = Math.floor(brief / actionCount);
  return [brief % actionCount, statuses[proofs - 1] as string, proofs];
}

function plainOf(proof: PackedProof): BriefProof | undefined {
  const [author, custom, flags = 0] = proof;
  const { status, moment, ...others } = custom ?? {};
  const isLater = typeof moment === 'number';
  const isPlain = (flags & ~luidFlag) === (isLater ? laterFlags : plainFlags);
  const isShort = author < authorCount && proof.length === 3 && Object.keys(others).length === 0;
  if (!(isPlain && isShort && (isLater || moment === undefined))) return undefined;
  const plain = Number(status) * 4 + (flags & luidFlag) + author;
  return isLater ? [plain, moment] : plain;
}

function plainProof(plain: number, moment?: number): PackedProof {
  const status = Math.floor(plain / 4);
  const isLater = moment !== undefined;
  const custom = isLater ? { moment, status } : { status };
  return [plain % authorCount, custom, (isLater ? laterFlags : plainFlags) + (plain & luidFlag)];
}

function entryOf(proof: PackedProof, data: Data): BriefProof | undefined {
  const [author, custom, flags] = proof;
  const { handle, inputs } = custom ?? {};
  if (author !== entryAuthor || flags !== plainFlags || proof.length !== 3) return undefined;
  if (!custom || typeof handle !== 'string' || !Array.isArray(inputs)) return undefined;
  const [, whole = {}] = entryProof(handle, inputs, data);
  const names = Object.keys(whole as Custom);
  const isSame = names.every((name) => custom[name] === whole?.[name]);
  if (!isSame || Object.keys(custom).length !== names.length) return undefined;
  return inputs.length === 1 && inputs[0] === 0 ? handle : [handle, inputs];
}

/** The ledger's statement on an entry that comes from the claims at these indexes. */
function entryProof(handle: string, inputs: readonly number[], data: Data): PackedProof {
  const claims = claimsAt(inputs, data);
  const [{ symbol, ...first } = {}] = claims as readonly Data[];
  const schema = handle.startsWith('deb') ? 'debit' : 'credit';
  const wallet = first[schema === 'debit' ? 'source' : 'target'];
  const amount = claims.reduce((sum, one) => sum + Number(one['amount']), 0);
  const custom = { handle, schema, wallet, symbol, amount, inputs, status: resolved };
  return [entryAuthor, custom, plainFlags];
}

function claimsAt(inputs: readonly number[], { claims }: Data): readonly Data[] {
  const all: readonly unknown[] = Array.isArray(claims) ? claims : [];
  return inputs.flatMap((index) => {
    const claim = all[index];
    return typeof claim === 'object' && claim !== null ? [claim as Data] : [];
  });
}
