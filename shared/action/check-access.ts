/** Access checks: the rules that grant the caller an action on a record, and why others do not. Ruling 35. */
import { isAllowed, weighedFor } from '../access/access.ts';
import { findOrHide } from '../access/allow.ts';
import { requiringFreshProofs } from '../access/fresh-proofs.ts';
import { open } from '../access/required-permission.ts';
import { hashOf } from '../crypto/digest.ts';
import type { EvaluatedRule } from '../ledger/access.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { any, coverageOf, isReached, type RuleSource } from '../ledger/rule-source.ts';
import type { Action, Answer, Call } from '../port/action.ts';
import type { PermissionQuery } from '../port/permission-query.ts';
import { byLedger, byPath, type Finder, placeIn } from '../record/find.ts';
import { type Reader, readerFor } from '../record/reader.ts';
import { countersign, momentOf, signed } from '../record/sign.ts';
import { CheckBody } from '../shape/access.ts';
import type { SignedBody } from '../shape/record.ts';

/** The most rules that are explained; each place of theirs is a question about who may read it. */
const explainedCountMax = 100;

/**
 * Answers the rules that grant the caller an action on the record in the path; an empty list when none does. With
 * `explain` it goes on with the rules that do not, each with what is missing. Errors:
 * `record.not-found` (told only to a caller who may read all of the kind); `crypto.signature-invalid` (no rule grants
 * it, and a proof did not count, since it is too old or its data could be a record).
 */
export function checkAccess(kind: Kind): Action {
  return checkOf(kind, byPath(kind));
}

/** The same for the addressed ledger. */
export const checkOwnLedger: Action = checkOf('ledger', byLedger);

function checkOf(kind: Kind, find: Finder): Action {
  return {
    requires: open(
      'It tells what the rules grant to whoever asks, and needs no right itself. Ruling 35.',
    ),
    body: CheckBody,
    signed: 'record',
    run: requiringFreshProofs(async (call) => {
      const query = await permissionQueryIn(call, kind, find);
      const weighed = await weighedFor(call, query);
      const grants = weighed.filter(({ missing }) => missing === undefined);
      const others = isExplained(call) ? await explainableIn(call, query, weighed) : [];
      const items = [
        ...grants.map((grant) => permissionOf(call, kind, grant)),
        ...others.map((one) => explanationOf(call, query.about ?? kind, one)),
      ];
      return { status: 200, body: signed(call.ledger, items, call.services.clock()) };
    }, grantsNothing),
  };
}

/**
 * The permission query of the body. A missing record is treated like one that the caller may not read: the query is
 * about all records that the path could mean. A query about another kind does not reveal the domain of a record that
 * the caller may not read. Ruling 71.
 */
async function permissionQueryIn(call: Call, kind: Kind, find: Finder): Promise<PermissionQuery> {
  const { action, record: about = kind } = (call.body as SignedBody).data as {
    action: string;
    record?: string;
  };
  const placedKind = otherKind(kind, about);
  const query = { action, kind, about, ...(placedKind && { placedKind }) };
  const record = await recordOrNothing(call, kind, find);
  // A record that would belong to a missing one has no place at all; it must not count as one that could be anywhere.
  const isOwn = !placedKind || isReached(kind, placedKind);
  if (!record) return { ...query, ...placeIn(call), ...(isOwn && { extent: 'all' }) };
  // The addressed ledger is in no domain, which is no secret.
  const isAddressed = kind === 'ledger' && record.data.handle === call.ledger.handle;
  const isKnown = isOwn || isAddressed || (await mayRead(call, kind, record));
  return isKnown ? { ...query, record } : { ...query, ...placeIn(call) };
}

/** Undefined for a missing record. Only a caller who may read all of the kind gets `record.not-found`. */
async function recordOrNothing(
  call: Call,
  kind: Kind,
  find: Finder,
): Promise<LedgerRecord | undefined> {
  try {
    return (await findOrHide(call, { action: 'read', kind }, find)).record;
  } catch (error) {
    if (error instanceof LedgerError && error.reason === 'auth.forbidden') return undefined;
    throw error;
  }
}

function mayRead(call: Call, kind: Kind, record: LedgerRecord): Promise<boolean> {
  return isAllowed(call, { action: 'read', kind, record });
}

/** The kind in question, when it differs from that of the record. Decision 48. */
function otherKind(kind: Kind, about: string): Kind | undefined {
  const named = about.replace(/-proof$/, '');
  return named === kind || named === any ? undefined : (named as Kind);
}

function isExplained({ body }: Call): boolean {
  return (body as SignedBody).data['explain'] === true;
}

/**
 * The rules about the action and the kind that do not grant it, as far as the caller may read both the record and the
 * place of the rule. So the answer about a hidden record is that about a missing one. Ruling 71.
 */
async function explainableIn(
  call: Call,
  { kind, record }: PermissionQuery,
  weighed: readonly EvaluatedRule[],
): Promise<EvaluatedRule[]> {
  if (!record || !(await mayRead(call, kind, record))) return [];
  const near = weighed.filter(
    ({ missing }) => missing !== undefined && missing !== 'action' && missing !== 'record',
  );
  const first = near.slice(0, explainedCountMax);
  const reader = readerFor(call);
  const sources = [...new Set(first.map(({ source }) => source))];
  const isReadable = await Promise.all(sources.map((one) => mayReadSource(call, one, reader)));
  return first.filter(({ source }) => isReadable[sources.indexOf(source)]);
}

/**
 * True when the caller may read the record on which the rules stand; those of the server are known to all. False for a
 * policy that extends others, since its rules are also theirs.
 */
async function mayReadSource(call: Call, source: RuleSource, reader: Reader): Promise<boolean> {
  const { place, name = '' } = source;
  if (place === 'server') return true;
  const kind = place === 'record' ? (source.covers as Kind) : place;
  const record =
    kind === 'ledger' ? await reader.home() : (await reader.record(kind, name))?.record;
  if (!record || (kind === 'policy' && record.data['extend'] !== undefined)) return false;
  return mayRead(call, kind, record);
}

function grantsNothing({ body }: Answer): boolean {
  const { data } = body as { readonly data: readonly { readonly data: object }[] };
  return data.every((item) => 'missing' in item.data);
}

/** A rule as it is shown to the caller: without its matchers, which name others. */
function permissionOf(call: Call, kind: Kind, { rule, source }: EvaluatedRule) {
  const { signer: _signer, bearer: _bearer, about: _about, ...rest } = rule;
  return itemOf(call, { ...rest, record: shownCoverage(kind, { rule, source }) });
}

/** A rule that does not grant: whole, since the caller may read its place, and with what is missing of it. */
function explanationOf(call: Call, about: string, { rule, source, missing }: EvaluatedRule) {
  const { about: _about, ...rest } = rule;
  const { place, name } = source;
  return itemOf(call, {
    ...rest,
    record: shownCoverage(about, { rule, source }),
    missing,
    source: { place, ...(place !== 'server' && { handle: name ?? '' }) },
  });
}

/** Names the kinds that a rule covers; one for all owners covers what was asked about. */
function shownCoverage(about: string, { rule, source }: Pick<EvaluatedRule, 'rule' | 'source'>) {
  return source.place === 'server' && !rule.record ? about : coverageOf(rule, source);
}

function itemOf({ services, ledger }: Call, data: object) {
  const hash = hashOf(data);
  const custom = { moment: momentOf(services.clock()) };
  return { hash, data, meta: { proofs: [countersign(ledger, hash, custom)] } };
}
