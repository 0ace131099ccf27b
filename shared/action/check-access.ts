/**
 * Access checks: which rules grant the caller what it asks about, for a record and as everyone may know.
 * No right to read is needed. Ruling 35.
 */
import { hashOf } from '../crypto/digest.ts';
import type { Grant } from '../ledger/access.ts';
import type { Kind } from '../ledger/kind.ts';
import { coverageOf } from '../ledger/standing.ts';
import { CheckBody } from '../shape/access.ts';
import type { SignedBody } from '../shape/record.ts';
import { grantsFor } from './access.ts';
import type { Action, Call } from './action.ts';
import { byLedger, byPath, currentOf, type Finder } from './find.ts';
import { countersign, momentOf, signed } from './sign.ts';

/** Checks access to the record that the path names. */
export function checkAccess(kind: Kind): Action {
  return checkOf(kind, byPath(kind));
}

/** Checks access to the ledger that was addressed. */
export const checkOwnLedger: Action = checkOf('ledger', byLedger);

function checkOf(kind: Kind, find: Finder): Action {
  return {
    body: CheckBody,
    signed: 'record',
    run: async (call) => {
      const { record } = currentOf(await find(call), kind);
      const { action, record: about = kind } = (call.body as SignedBody).data as {
        action: string;
        record?: string;
      };
      const grants = await grantsFor(call, { action, kind, record, about });
      const items = grants.map((grant) => permissionOf(call, kind, grant));
      return { status: 200, body: signed(call.ledger, items, call.services.clock()) };
    },
  };
}

/** A rule as it is shown to whom it grants something: what it says, but not about whom. */
function permissionOf({ services, ledger }: Call, kind: Kind, { rule, standing }: Grant) {
  const { signer: _signer, bearer: _bearer, about: _about, ...rest } = rule;
  const covered = coverageOf(rule, standing);
  const data = { ...rest, record: standing.place === 'server' && !rule.record ? kind : covered };
  const hash = hashOf(data);
  const custom = { moment: momentOf(services.clock()) };
  return { hash, data, meta: { proofs: [countersign(ledger, hash, custom)] } };
}
