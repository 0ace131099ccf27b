/** The body of a request that is to be explained, as far as anything was said of it. */

import { LedgerError } from '../../shared/ledger/errors.ts';
import { lineOf } from '../../shared/ledger/kind.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Action, Asks, Call } from '../../shared/port/action.ts';
import { findWithin } from '../../shared/record/find.ts';
import { proofsOf } from './explain-caller.ts';
import type { Wish } from './explain-wish.ts';

type Json = Readonly<Record<string, unknown>>;

/** A body as rules look at it, before it is a request. */
export interface Sketch {
  readonly body: unknown;
  /** Whether nothing was said of what is to be made, or to be altered. */
  readonly isUnsaid: boolean;
}

/** The body with its proofs. What is to be made has no data when nothing is said of it, and an update alters nothing. */
export async function sketchOf(
  call: Call,
  { asks, body: shape, signed }: Action & { readonly asks: Asks },
  wish: Wish,
  record: LedgerRecord | undefined,
): Promise<Sketch> {
  if (wish.method === 'GET') return { body: undefined, isUnsaid: false };
  const { body = {} } = wish;
  const proofs = await proofsOf(call.services, call.ledger.handle, wish);
  if (shape && signed === undefined) {
    if (proofs.length > 1) throw new Error('A proof is signed by one: name one signer.');
    return { body: { ...body, ...proofs[0] }, isUnsaid: false };
  }
  const said = dataIn(body);
  const isUnsaid = said === undefined && ['create', 'update'].includes(asks.action);
  const data = said ?? record?.data ?? (await blankOf(call, asks));
  return { body: { data, meta: { proofs } }, isUnsaid };
}

/** The data of a body; what has neither data nor proofs is taken for the data themselves. */
function dataIn(body: Json): Json | undefined {
  const isData = !('data' in body) && !('meta' in body) && Object.keys(body).length > 0;
  return isData ? body : (body['data'] as Json | undefined);
}

/** The data of a record of which it is only known what it belongs to. */
async function blankOf(call: Call, { record: kind }: Asks): Promise<Json> {
  const { within } = lineOf(kind);
  if (!within) return {};
  try {
    return { [within]: await findWithin(call, kind) };
  } catch (error) {
    if (error instanceof LedgerError) return {};
    throw error;
  }
}
