/**
 * Receipts: a change with all that proves it, so that whoever has the key of the ledger needs the ledger no more. They
 * are verified by `shared/client/receipt.ts`. Ruling 98.
 */
import { toReadHistory } from '../access/required-permission.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import { logSigner } from '../log/checkpoint.ts';
import { logOf } from '../log/leaf.ts';
import { proofTextOf } from '../log/proof-text.ts';
import type { Action, Call } from '../port/action.ts';
import { byLedger, everByPath, type Finder } from '../record/find.ts';
import { includedIn } from '../record/inclusion.ts';
import { signed, systemSigner, withOwnProofs } from '../record/sign.ts';
import { changeIn } from './history.ts';

/**
 * Answers the last change of the record in the path with its proofs. Errors: `auth.unauthorized`, `auth.forbidden` (no
 * permission to read the record); `record.not-found` (no such record, or no checkpoint includes the change yet).
 */
export function receipt(kind: Kind): Action {
  return receiptOf(kind, everByPath(kind));
}

/** The same for one change of the record, by its number. Errors: as `receipt`, and for a change that there is not. */
export function changeReceipt(kind: Kind): Action {
  return receiptOf(kind, everByPath(kind));
}

/** The same for one change of the addressed ledger. Errors: as `changeReceipt`. */
export const ownLedgerReceipt: Action = receiptOf('ledger', byLedger);

function receiptOf(kind: Kind, find: Finder): Action {
  const requires = toReadHistory(kind, find);
  return {
    requires,
    run: async (call) => {
      const record = await changeIn(call, kind, await requires.allow(call));
      const log = logOf(call.ledger.handle, { kind, record });
      const { luid, meta } = record;
      const { services, ledger } = call;
      const [proof, signers] = await Promise.all([
        includedIn(services.logs, log, { luid, change: meta.change }),
        signersOf(call, log),
      ]);
      const data = { ledger: log, record, proof: proofTextOf(proof), signers };
      return { status: 200, body: signed(ledger, data, services.clock()) };
    },
  };
}

/** The signers of a ledger and of its log, each with a proof by the newest key. */
async function signersOf({ services }: Call, scope: string) {
  const want = (handle: string) => ({ what: 'record', scope, kind: 'signer', handle }) as const;
  const [[system, log], own] = await Promise.all([
    services.store.load([want(systemSigner), want(logSigner)]),
    services.identityOf(scope),
  ]);
  if (!system || !log || !own) throw new LedgerError('record.not-found', 'The ledger has no log.');
  const nowMs = services.clock();
  const shown = ({ record }: Version) => withOwnProofs(own, record, nowMs);
  return { system: shown(system), log: shown(log) };
}
