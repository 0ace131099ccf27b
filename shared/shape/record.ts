/**
 * The parts that every record shares: common data, and the envelope of a create, an update and a drop. Unknown members
 * of `data` are refused, since a signed typo cannot be taken back. Unknown members of `meta` are ignored: they come
 * from earlier answers of the service. Ruling 12, Decision 8.
 */
import * as z from 'zod/mini';
import { NameHandle } from './handle.ts';
import { handleLengthMax } from './patterns.ts';
import { Custom, Hex64, SentProof } from './proof.ts';
import { AccessRule } from './rule.ts';

export { AddressHandle, NameHandle } from './handle.ts';

/** The most signers of one request: the commit of a record remembers each creating proof, and has limited space. */
const proofCountMax = 50;

/** The access rules that the record's authors lay down. Rulings 30 to 34. */
const Access = z.array(AccessRule).check(z.maxLength(100));

/** A moment, ISO 8601 in UTC. */
export const Moment: z.ZodMiniISODateTime = z.iso.datetime();

/** The members that `data` of every kind may have. Rulings 12 and 37. */
export const commonData = {
  schema: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(handleLengthMax))),
  access: z.exactOptional(Access),
  custom: z.exactOptional(Custom),
  /** The domain of a record, or the parent of a domain. Ruling 37. */
  domain: z.exactOptional(NameHandle),
};

function envelopeOf(data: z.ZodMiniObject, meta: z.core.$ZodShape) {
  return {
    hash: Hex64,
    data,
    meta: z.looseObject({ proofs: z.array(SentProof).check(z.maxLength(proofCountMax)), ...meta }),
  };
}

/** The body that creates a record with these data, with the unsigned `meta` of its kind. */
export function createBodyOf(
  data: z.ZodMiniObject,
  meta: z.core.$ZodShape = {},
): z.ZodMiniType<SignedBody> {
  return z.strictObject({ luid: z.exactOptional(z.string()), ...envelopeOf(data, meta) });
}

/** The body that updates a record. `parent` is the hash of the current version. */
export function updateBodyOf(
  data: z.ZodMiniObject,
  meta: z.core.$ZodShape = {},
): z.ZodMiniType<SignedBody> {
  return z.strictObject({
    luid: z.exactOptional(z.string()),
    ...envelopeOf(z.extend(data, { parent: Hex64 }), meta),
  });
}

/** The body that drops a record. Every proof has the status `dropped`. Ruling 12. */
export const DropBody = z.strictObject({
  luid: z.exactOptional(z.string()),
  hash: Hex64,
  data: z.strictObject({ parent: Hex64 }),
  meta: z.looseObject({
    proofs: z
      .array(z.extend(SentProof, { custom: z.looseObject({ status: z.literal('dropped') }) }))
      .check(z.maxLength(proofCountMax)),
  }),
});

/** The envelope of every signed body. */
export interface SignedBody {
  readonly luid?: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: {
    readonly proofs: readonly SentProof[];
    /** Secrets of a bridge, by name. Ruling 53. */
    readonly secret?: Readonly<Record<string, string>>;
  };
}
