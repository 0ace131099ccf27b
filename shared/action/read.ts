/** Reading of one record, by handle, address or luid. */
import { toRead } from '../access/required-permission.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Action, Call } from '../port/action.ts';
import { byLedger, byPath, type Finder } from '../record/find.ts';
import { countersign, momentOf } from '../record/sign.ts';

/**
 * Reads the record in the path. Errors: `auth.unauthorized`, `auth.forbidden`, `record.not-found` (it cannot be read).
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
    run: async (call) => {
      const { record } = await requires.allow(call);
      return { status: 200, body: witnessed(call, record) };
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
