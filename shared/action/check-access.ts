/**
 * Access checks: which rules grant the caller what it asks about, for a record and as everyone may know.
 * No right to read is needed. Ruling 35.
 */
import { hashOf } from '../crypto/digest.ts';
import type { Grant } from '../ledger/access.ts';
import type { Kind } from '../ledger/kind.ts';
import { any, coverageOf } from '../ledger/standing.ts';
import { CheckBody } from '../shape/access.ts';
import type { SignedBody } from '../shape/record.ts';
import { grantsFor } from './access.ts';
import type { Action, Answer, Call } from './action.ts';
import { open } from './asks.ts';
import { byLedger, byPath, currentOf, type Finder } from './find.ts';
import { hearing } from './heard.ts';
import { countersign, momentOf, signed } from './sign.ts';

/** Checks access to the record that the path names. */
export function checkAccess(kind: Kind): Action {
  return checkOf(kind, byPath(kind));
}

/** Checks access to the ledger that was addressed. */
export const checkOwnLedger: Action = checkOf('ledger', byLedger);

function checkOf(kind: Kind, find: Finder): Action {
  return {
    asks: open(
      'It tells what the rules grant to whoever asks, and needs no right itself. Ruling 35.',
    ),
    body: CheckBody,
    signed: 'record',
    run: hearing(async (call) => {
      const { record } = currentOf(await find(call), kind);
      const { action, record: about = kind } = (call.body as SignedBody).data as {
        action: string;
        record?: string;
      };
      const beside = otherThan(kind, about);
      const asked = { action, kind, record, about, ...(beside && { beside }) };
      const grants = await grantsFor(call, asked);
      const items = grants.map((grant) => permissionOf(call, kind, grant));
      return { status: 200, body: signed(call.ledger, items, call.services.clock()) };
    }, grantsNothing),
  };
}

/** The kind that is asked about, when it is another one than that of the record. Decision 48. */
function otherThan(kind: Kind, about: string): Kind | undefined {
  const named = about.replace(/-proof$/, '');
  return named === kind || named === any ? undefined : (named as Kind);
}

function grantsNothing({ body }: Answer): boolean {
  const { data } = body as { readonly data: readonly unknown[] };
  return data.length === 0;
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
