/** One intent of a batch: the checks of a create's own request, and its record where it is stored already. */
import { isAllowed } from '../access/access.ts';
import { unsigned } from '../access/allow.ts';
import type { Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { assertAuthors, assertHash, draftOf, holdsProof } from '../record/author.ts';
import { takenWith } from '../record/past-proof.ts';
import { readerFor } from '../record/reader.ts';
import { assertShape } from '../record/shape-violation.ts';
import { createBody } from '../shape/body.ts';
import type { SignedBody } from '../shape/record.ts';
import { assertIntentBody } from './create-intent.ts';

const elementShape = createBody('intent');

/**
 * The call of one intent. Refuses with `record.schema-invalid`, `record.invalid`, `crypto.hash-invalid`,
 * `crypto.signature-missing` or `crypto.signature-invalid`, in the order of a request.
 */
export async function checkedCall(call: Call, body: unknown): Promise<Call> {
  assertShape(elementShape, body);
  assertIntentBody(body);
  assertHash(body as SignedBody);
  await assertAuthors(body as SignedBody, call.ledger);
  return { ...call, body };
}

/**
 * The intent that the very same body has made before, if the caller may read it: as it is by now for the token, and for
 * some minutes as it was made for whoever sends the body again. Decisions 43 and 102.
 */
export async function storedAs(call: Call): Promise<Version | undefined> {
  const { hash, data, proofs } = draftOf(call);
  const version = await readerFor(call).record('intent', data.handle);
  if (version?.record.hash !== hash) return undefined;
  const { record } = version;
  const [proof] = proofs;
  if (!proof || !proofs.every((one) => holdsProof(record, one))) return undefined;
  const query = { action: 'read', kind: 'intent', record } as const;
  if (await isAllowed(unsigned(call), query)) return version;
  return (await isAllowed(call, query)) ? takenWith(call, version, proof) : undefined;
}
