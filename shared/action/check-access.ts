/**
 * Access checks: which rules grant the caller what it asks about, for a record and as everyone may know.
 * No right to read is needed. Ruling 35.
 */

import { grantsFor, isAllowed } from '../access/access.ts';
import { findAlike } from '../access/allow.ts';
import { open } from '../access/asks.ts';
import { hearing } from '../access/heard.ts';
import { hashOf } from '../crypto/digest.ts';
import type { Grant } from '../ledger/access.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { any, coverageOf, isReached } from '../ledger/standing.ts';
import type { Action, Answer, Call } from '../port/action.ts';
import type { Asked } from '../port/asked.ts';
import { byLedger, byPath, type Finder, placeIn } from '../record/find.ts';
import { countersign, momentOf, signed } from '../record/sign.ts';
import { CheckBody } from '../shape/access.ts';
import type { SignedBody } from '../shape/record.ts';

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
      const grants = await grantsFor(call, await askedIn(call, kind, find));
      const items = grants.map((grant) => permissionOf(call, kind, grant));
      return { status: 200, body: signed(call.ledger, items, call.services.clock()) };
    }, grantsNothing),
  };
}

/**
 * What is asked about the record that the path names. Of one that is not there it is asked as of one that may not be
 * read: what holds for all of the kind that the path could mean. And about other kinds, one that may not be read does
 * not tell in which domain it lies. Ruling 71.
 */
async function askedIn(call: Call, kind: Kind, find: Finder): Promise<Asked> {
  const { action, record: about = kind } = (call.body as SignedBody).data as {
    action: string;
    record?: string;
  };
  const beside = otherThan(kind, about);
  const asked = { action, kind, about, ...(beside && { beside }) };
  const record = await recordOrNothing(call, kind, find);
  // What would lie in one that is not there, or belong to it, lies nowhere: else it could lie anywhere.
  const isOwn = !beside || isReached(kind, beside);
  if (!record) return { ...asked, ...placeIn(call), ...(isOwn && { extent: 'all' }) };
  // Where the ledger lies that is asked is no secret: in no domain.
  const isAddressed = kind === 'ledger' && record.data.handle === call.ledger.handle;
  const isKnown = isOwn || isAddressed || (await mayRead(call, kind, record));
  return isKnown ? { ...asked, record } : { ...asked, ...placeIn(call) };
}

/** The record, or nothing where it is not there; that is told to those who may read all that there is. */
async function recordOrNothing(
  call: Call,
  kind: Kind,
  find: Finder,
): Promise<LedgerRecord | undefined> {
  try {
    return (await findAlike(call, { action: 'read', kind }, find)).record;
  } catch (error) {
    if (error instanceof LedgerError && error.reason === 'auth.forbidden') return undefined;
    throw error;
  }
}

function mayRead(call: Call, kind: Kind, record: LedgerRecord): Promise<boolean> {
  return isAllowed(call, { action: 'read', kind, record });
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
