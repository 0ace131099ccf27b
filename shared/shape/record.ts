/**
 * The parts that every record shares: handles, addresses, the envelope of a create, an update and a
 * drop. Unknown members of `data` are refused, since a typo that is signed cannot be taken back;
 * unknown members of `meta` are echoes of what the service once answered and are ignored. Ruling 12,
 * Decision 8.
 */
import * as z from 'zod';
import { Custom, Hex64, SentProof } from './proof.ts';

const handleLengthMax = 256;
/** How many may sign at once: each creating proof is remembered in the commit of its record. */
const proofCountMax = 50;

/** A handle of a ledger or a domain. Ruling 11. */
export const NameHandle = z
  .string()
  .max(handleLengthMax)
  .regex(/^(?!\$[a-z]{3}\.)[a-zA-Z0-9_\-:.=$/+]+$/);

/** Every other handle: `[schema:]handle[@domain]`. Ruling 11. */
export const AddressHandle = z
  .string()
  .max(handleLengthMax)
  .regex(/^([a-zA-Z0-9_\-+.]+:)?[a-zA-Z0-9_\-+.]+(@[a-zA-Z0-9_\-+.]+)?$/);

/** Access rules, kept as they are sent. Their evaluation is not part of this version. */
const Access = z.array(z.looseObject({})).max(100);

/** The members that `data` of every kind may have. Ruling 12. */
export const commonData = {
  schema: z.string().min(1).max(handleLengthMax).exactOptional(),
  access: Access.exactOptional(),
  custom: Custom.exactOptional(),
};

/** The envelope of a body that creates or updates a record. */
function envelopeOf(data: z.ZodObject) {
  return {
    hash: Hex64,
    data,
    meta: z.looseObject({ proofs: z.array(SentProof).max(proofCountMax) }),
  };
}

/** The body that creates a record with this data. */
export function createBodyOf(data: z.ZodObject): z.ZodType<SignedBody> {
  return z.strictObject({ luid: z.string().exactOptional(), ...envelopeOf(data) });
}

/** The body that updates a record with this data: its parent is the hash of the current version. */
export function updateBodyOf(data: z.ZodObject): z.ZodType<SignedBody> {
  return z.strictObject({
    luid: z.string().exactOptional(),
    ...envelopeOf(data.extend({ parent: Hex64 })),
  });
}

/** The body that drops a record. Every proof says `dropped`. Ruling 12. */
export const DropBody = z.strictObject({
  luid: z.string().exactOptional(),
  hash: Hex64,
  data: z.strictObject({ parent: Hex64 }),
  meta: z.looseObject({
    proofs: z
      .array(SentProof.extend({ custom: z.looseObject({ status: z.literal('dropped') }) }))
      .max(proofCountMax),
  }),
});

/** What a signed body has in common, whatever it is for. */
export interface SignedBody {
  readonly luid?: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly proofs: readonly SentProof[] };
}
