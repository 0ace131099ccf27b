/** Reading of one record, by handle, address or luid. */
import { toRead } from '../access/required-permission.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Action, Call } from '../port/action.ts';
import { byLedger, byPath, type Finder } from '../record/find.ts';
import { countersign, momentOf } from '../record/sign.ts';
import { leafQuery, withLeaf } from './leaf.ts';

/**
 * Reads the record in the path. Errors: `auth.unauthorized`, `auth.forbidden`, `record.not-found` (it cannot be read);
 * `api.query-malformed` (another `include` than `leaf`).
 */
export function read(kind: Kind): Action {
  return readOf(kind, byPath(kind));
}

/** The same for the addressed ledger. */
export const readOwnLedger: Action = readOf('ledger', byLedger);

function readOf(kind: Kind, find: Finder): Action {
  const requires = toRead(kind, find);
  return {
    requires,
    query: leafQuery,
    run: async (call) => {
      const { record, change } = await requires.allow(call);
      return { status: 200, body: witnessed(call, await withLeaf(call, kind, record, change)) };
    },
  };
}

/**
 * The record with a proof of the addressed ledger. The record of a ledger may have been made through another one; the
 * addressed ledger then adds its proof, since it signs every answer. Ruling 8.
 */
function witnessed({ services, ledger }: Call, record: LedgerRecord): LedgerRecord {
  const { luid, hash, meta } = record;
  if (meta.proofs.some((proof) => proof.public === ledger.key.public)) return record;
  const proof = countersign(ledger, hash, { luid, moment: momentOf(services.clock()) });
  return { ...record, meta: { ...meta, proofs: [...meta.proofs, proof] } };
}
