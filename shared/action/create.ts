/** Creating a record: signers, symbols, wallets and whatever kind has no rules of its own. */
import { timeOfLuid } from '../crypto/luid.ts';
import { freesHandles, type Kind, lineOf } from '../ledger/kind.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { createBody } from '../shape/body.ts';
import type { Proof } from '../shape/proof.ts';
import type { Action, Call, Identity, Services } from './action.ts';
import {
  acceptedProofs,
  assertFresh,
  type Draft,
  draftOf,
  holderWants,
  publicsOf,
  signersOf,
} from './author.ts';
import { commitDecided, newToken } from './commit.ts';
import { scopeOf } from './find.ts';
import type { Commit, Write } from './ports.ts';
import { assertRules, keysOf } from './rules.ts';
import { countersign, momentOf } from './sign.ts';

/** The first version of a record: the authors' proofs, then one of each identity given. Ruling 8. */
export function firstVersion(
  services: Services,
  kind: Kind,
  draft: Pick<Draft, 'hash' | 'data'>,
  authored: readonly Proof[],
  identities: readonly Identity[],
): Version {
  const { hash, data } = draft;
  const luid = services.luids(lineOf(kind).prefix, services.clock());
  const moment = momentOf(timeOfLuid(luid));
  const status = 'created';
  const said = { luid, moment, status };
  const proofs = [...authored, ...identities.map((one) => countersign(one, hash, said))];
  const owners = [...new Set(authored.map((proof) => proof.public))];
  const record: LedgerRecord = { luid, hash, data, meta: { proofs, status, moment, owners } };
  return versionOf(kind, record, [{ action: 'create', status, moment, proofs: proofs.length }]);
}

/** The write that stores a first version, with its signal and what must be remembered of it. */
export function creation(scope: string, version: Version, authored: readonly Proof[]): Write {
  const { kind, change } = version;
  const signals = [{ signal: `${kind}-created`, change }];
  const write = { scope, next: version, signals };
  return freesHandles(kind) && authored.length > 0 ? { ...write, seals: authored } : write;
}

/** Creates a record of the kind. */
export function create(kind: Kind): Action {
  return {
    body: createBody(kind),
    signed: 'record',
    run: async (call) => {
      const draft = draftOf(call);
      assertRules(kind, draft.data, call.services);
      const version = await commitDecided(call.services, () => decide(call, kind, draft));
      return { status: 201, body: version.record };
    },
  };
}

async function decide(
  call: Call,
  kind: Kind,
  draft: Draft,
): Promise<{ commit: Commit; result: Version }> {
  const { services, ledger } = call;
  const scope = scopeOf(kind, ledger.handle);
  const publics = publicsOf(draft.proofs);
  const keys = keysOf(kind, draft.data);
  const [home, ...holders] = await services.store.load([
    { what: 'record', scope: '', kind: 'ledger', handle: ledger.handle },
    ...holderWants(scope, [...publics, ...keys]),
  ]);
  assertFresh(draft.proofs, home?.record, services.clock());
  const signers = signersOf([...publics, ...keys], holders);
  const holds = keys.filter((key) => !signers.has(key));
  const own = new Map([...signers, ...holds.map((key) => [key, draft.data.handle] as const)]);
  const authored = acceptedProofs(draft.proofs, own);
  const version = firstVersion(services, kind, draft, authored, [ledger]);
  const write = { ...creation(scope, version, authored), ...(holds.length > 0 && { holds }) };
  return { commit: { token: newToken(), writes: [write] }, result: version };
}
