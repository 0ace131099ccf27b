/** Updating a record: the whole new data, in place of the version that its parent names. Ruling 12. */
import { assert } from '../ledger/assert.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { updateBody } from '../shape/body.ts';
import type { Proof } from '../shape/proof.ts';
import type { Action, Call, Identity } from './action.ts';
import {
  acceptedProofs,
  type Draft,
  draftOf,
  holderWants,
  publicsOf,
  signersOf,
} from './author.ts';
import { commitDecided, laterMoment, newToken } from './commit.ts';
import { findRecord, parameterOf, scopeOf } from './find.ts';
import type { Commit } from './ports.ts';
import { assertRules, isOfService, keysOf } from './rules.ts';
import { countersign } from './sign.ts';

/** Updates the record that the path names. */
export function update(kind: Kind): Action {
  return updateOf(kind, (call) => parameterOf(call, 'id'));
}

/** Updates the record of the ledger that was addressed. */
export const updateOwnLedger: Action = updateOf('ledger', (call) => call.ledger.handle);

function updateOf(kind: Kind, idOf: (call: Call) => string): Action {
  return {
    body: updateBody(kind),
    signed: 'record',
    run: async (call) => {
      const draft = draftOf(call);
      const version = await commitDecided(call.services, () =>
        decide(call, kind, idOf(call), draft),
      );
      return { status: 200, body: version.record };
    },
  };
}

async function decide(
  call: Call,
  kind: Kind,
  id: string,
  draft: Draft,
): Promise<{ commit: Commit; result: Version }> {
  const scope = scopeOf(kind, call.ledger.handle);
  const previous = await findRecord(call, kind, id);
  assertSameLuid(draft.luid, previous.record);
  assertRules(kind, draft.data, call.services);
  assertChangeable(kind, previous.record, draft);
  assertParent(draft.data.parent, previous.record);
  const claim = await claimOf(call, kind, previous.record, draft);
  const identities = await identitiesOf(call, kind, previous.record);
  const next = nextVersion(
    call,
    previous,
    acceptedProofs(draft.proofs, claim.signers),
    draft,
    identities,
  );
  const signals = [{ signal: `${kind}-updated`, change: next.change }];
  const { holds, releases } = claim;
  const write = { scope, next, previous, signals, holds, releases };
  return { commit: { token: newToken(), writes: [write] }, result: next };
}

/** Which keys prove as whom after the update, and which begin or cease to belong to this record. */
interface KeyClaim {
  readonly signers: ReadonlyMap<string, string>;
  readonly holds: readonly string[];
  readonly releases: readonly string[];
}

async function claimOf(
  { services, ledger }: Call,
  kind: Kind,
  { data: before }: LedgerRecord,
  { data: after, proofs }: Draft,
): Promise<KeyClaim> {
  const keys = keysOf(kind, after);
  const oldKeys = keysOf(kind, before);
  const publics = [...new Set([...publicsOf(proofs), ...keys, ...oldKeys])];
  const holders = await services.store.load(holderWants(ledger.handle, publics));
  const signers = new Map(signersOf(publics, holders));
  const isFreeOrOwn = (key: string) => [undefined, before.handle].includes(signers.get(key));
  const holds = keys.filter(isFreeOrOwn);
  const releases = oldKeys.filter((key) => !keys.includes(key) && isFreeOrOwn(key));
  for (const key of releases) signers.delete(key);
  for (const key of holds) signers.set(key, after.handle);
  return { signers, holds, releases };
}

/** Who signs an updated record: a ledger signs its own, beside the one through which it was sent. */
async function identitiesOf(
  { services, ledger }: Call,
  kind: Kind,
  record: LedgerRecord,
): Promise<readonly Identity[]> {
  if (kind !== 'ledger' || record.data.handle === ledger.handle) return [ledger];
  const own = await services.identityOf(record.data.handle);
  assert(own, 'a ledger that has a record has an identity');
  return [own, ledger];
}

/** The version that takes the place of the previous one; status, labels, owners and domain stay. */
function nextVersion(
  { services }: Call,
  previous: Version,
  authored: readonly Proof[],
  { hash, data }: Draft,
  identities: readonly Identity[],
): Version {
  const { luid, meta } = previous.record;
  const moment = laterMoment(services.clock(), previous);
  const proofs = [
    ...authored,
    ...identities.map((identity) => countersign(identity, hash, { luid, moment })),
  ];
  const record = { luid, hash, data, meta: { ...meta, proofs, moment } };
  const step = { action: 'update', status: meta.status, moment, proofs: proofs.length } as const;
  return versionOf(previous.kind, record, [step], previous);
}

/** Refuses a body that names another record than the path. */
export function assertSameLuid(luid: string | undefined, record: LedgerRecord): void {
  if (luid !== undefined && luid !== record.luid)
    throw new LedgerError('record.invalid', `The body names ${luid}, and the path ${record.luid}.`);
}

/** Refuses a parent that is not the current hash. Interface, update rules. */
export function assertParent(parent: string | undefined, record: LedgerRecord): void {
  if (parent?.toLowerCase() !== record.hash)
    throw new LedgerError('crypto.parent-hash-invalid', parent ?? '', { hash: record.hash });
}

/** Refuses changes that no author may make. Rulings 12 and 24, Decision 10. */
function assertChangeable(kind: Kind, { data }: LedgerRecord, draft: Draft): void {
  if (isOfService(kind, data))
    throw new LedgerError(
      'record.update-rejected',
      `The signer ${data.handle} belongs to the service.`,
    );
  if (!lineOf(kind).renames && data.handle !== draft.data.handle)
    throw new LedgerError(
      'record.update-rejected',
      `${lineOf(kind).title} ${data.handle} cannot change its handle: other records refer to it.`,
    );
}
