/**
 * The parts that every record shares: handles, addresses, the envelope of a create, an update and a
 * drop. Unknown members of `data` are refused, since a typo that is signed cannot be taken back;
 * unknown members of `meta` are echoes of what the service once answered and are ignored. Ruling 12,
 * Decision 8.
 */
import * as z from 'zod/mini';
import { handleLengthMax, NameHandle } from './handle.ts';
import { Custom, Hex64, SentProof } from './proof.ts';
import { AccessRule } from './rule.ts';

export { AddressHandle, NameHandle } from './handle.ts';

/** How many may sign at once: each creating proof is remembered in the commit of its record. */
const proofCountMax = 50;

/** Who may do what, as the record's authors grant it. Rulings 30 to 34. */
const Access = z.array(AccessRule).check(z.maxLength(100));

/** The members that `data` of every kind may have. Rulings 12 and 37. */
export const commonData = {
  schema: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(handleLengthMax))),
  access: z.exactOptional(Access),
  custom: z.exactOptional(Custom),
  /** The domain that a record belongs to; a domain's parent. Ruling 37. */
  domain: z.exactOptional(NameHandle),
};

/** The envelope of a body that creates or updates a record. */
function envelopeOf(data: z.ZodMiniObject, meta: z.core.$ZodShape) {
  return {
    hash: Hex64,
    data,
    meta: z.looseObject({ proofs: z.array(SentProof).check(z.maxLength(proofCountMax)), ...meta }),
  };
}

/** The body that creates a record with this data, and with what its kind takes beside it. */
export function createBodyOf(
  data: z.ZodMiniObject,
  meta: z.core.$ZodShape = {},
): z.ZodMiniType<SignedBody> {
  return z.strictObject({ luid: z.exactOptional(z.string()), ...envelopeOf(data, meta) });
}

/** The body that updates a record with this data: its parent is the hash of the current version. */
export function updateBodyOf(
  data: z.ZodMiniObject,
  meta: z.core.$ZodShape = {},
): z.ZodMiniType<SignedBody> {
  return z.strictObject({
    luid: z.exactOptional(z.string()),
    ...envelopeOf(z.extend(data, { parent: Hex64 }), meta),
  });
}

/** The body that drops a record. Every proof says `dropped`. Ruling 12. */
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

/** What a signed body has in common, whatever it is for. */
export interface SignedBody {
  readonly luid?: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: {
    readonly proofs: readonly SentProof[];
    /** Secrets by name, of a bridge. Ruling 53. */
    readonly secret?: Readonly<Record<string, string>>;
  };
}
