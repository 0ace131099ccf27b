/**
 * Creating an intent, which settles it when all who have to have signed it: one read, one transaction, and the
 * answer says how it ended. A failure of business is no refusal: the intent is stored as `rejected`. One that
 * lacks a right waits for whoever has it. Rulings 46 to 50.
 */
import { timeOfLuid } from '../crypto/luid.ts';
import { domainOf } from '../ledger/domain.ts';
import { type Advance, advancesOf, pendingOf, stepsOf } from '../ledger/intent.ts';
import { type Version, versionOf } from '../ledger/record.ts';
import { createBody } from '../shape/body.ts';
import type { Proof } from '../shape/proof.ts';
import { groundedOn } from './access.ts';
import type { Action, Call } from './action.ts';
import { allowCreating, sparing } from './allow.ts';
import { toCreate } from './asks.ts';
import {
  acceptedProofs,
  assertFresh,
  type Draft,
  draftOf,
  expiryMsOf,
  holderWants,
  publicsOf,
  signersOf,
} from './author.ts';
import { commitDecided, type Decided, duplicated, newToken } from './commit.ts';
import { assertFits } from './fitting.ts';
import type { Holder, Want } from './ports.ts';
import { namedBy, namedWants } from './relations.ts';
import { haveRights } from './rights.ts';
import { claimsOf, movesOf, type Scene, sceneIn, sceneWants } from './scene.ts';
import {
  advanceSignals,
  entryHandles,
  receiptSignals,
  type Settlement,
  settlementOf,
  spokenOf,
} from './settlement.ts';
import { momentOf } from './sign.ts';

/** The last moment that is written with four digits for its year: texts of moments sort as they do. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** Creates an intent and, when nobody is missing, settles it. */
export const createIntent: Action = {
  asks: toCreate('intent'),
  body: createBody('intent'),
  signed: 'record',
  run: async (call) => {
    const draft = draftOf(call);
    const version = await commitDecided(call.services, () => decide(call, draft)).catch(
      async (error) => Promise.reject(await sparing(call, 'intent', error)),
    );
    return { status: 201, body: version.record };
  },
};

/** Undefined when a wallet or a symbol has ended, or was renamed, since it was read. */
async function decide(call: Call, draft: Draft): Promise<Decided<Version> | undefined> {
  const claims = claimsOf(draft.data);
  const { scene, signers } = await readAll(call, draft);
  const authored = acceptedProofs(draft.proofs, signers);
  if (!(await haveRights(call, scene, claims, authored)))
    return created(call, scene, draft, authored);
  const settlement = await settlementOf(call, scene, claims);
  return settlement && created(call, scene, draft, authored, settlement);
}

/** Reads everything that the intent names, in one round trip; refuses what may not be or does not fit. */
async function readAll(call: Call, draft: Draft) {
  const { services, ledger } = call;
  const scope = ledger.handle;
  const { data, proofs } = draft;
  const claims = claimsOf(data);
  const publics = publicsOf(proofs);
  const domain = domainOf(data, proofs);
  const named = namedBy('intent', data, domain);
  const wants = [namedWants(scope, named), sceneWants(scope, claims)] as const;
  const found = await services.store.load([
    { what: 'record', scope, kind: 'intent', handle: data.handle },
    ...wants.flat(),
    ...holderWants(scope, publics),
  ] as readonly Want[]);
  const rest: unknown[] = [...found];
  const [holder, ...records] = rest.splice(0, 1 + wants[0].length) as (Version | undefined)[];
  const scene = sceneIn(claims, rest.splice(0, wants[1].length));
  assertFresh(proofs, scene.home, services.clock());
  groundedOn(call, scene);
  await allowCreating(call, 'intent', { data, domain });
  if (holder) throw duplicated(holder);
  await assertFits(call, { kind: 'intent', data, named }, records, scene.rulebook);
  return { scene, signers: signersOf(publics, rest as (Holder | undefined)[]) };
}

/** The only version of an intent that ends inside its own commit, or the first of one that has to wait. */
function created(
  { services, ledger }: Call,
  scene: Scene,
  { hash, data }: Draft,
  authored: readonly Proof[],
  settlement?: Settlement,
): Decided<Version> {
  const luid = services.luids('int', services.clock());
  const moment = momentOf(timeOfLuid(luid));
  const advances: readonly Advance[] = settlement
    ? advancesOf(settlement.outcome, luid, moment, entryHandles(services))
    : [pendingOf(luid, moment, momentOf(endMsOf(luid, scene)))];
  const domain = domainOf(data, authored);
  const owners = publicsOf(authored);
  const meta = {
    ...{ proofs: authored, status: '', moment, owners },
    ...(domain !== undefined && { domain }),
  };
  const record = spokenOf(ledger, { luid, hash, data, meta }, advances);
  const next = versionOf('intent', record, stepsOf(advances, authored.length, moment));
  const received = settlement ? receiptSignals(next, settlement.outcome) : [];
  const signals = [...advanceSignals(next), ...received];
  const moves = movesOf(ledger.handle, scene, settlement?.moves ?? []);
  const writes = [{ scope: ledger.handle, next, signals }];
  return { commit: { token: newToken(), writes, moves }, result: next };
}

/** When an intent that has to wait has waited for too long. Ruling 50, Decision 39. */
function endMsOf(luid: string, { home }: Scene): number {
  return Math.min(Math.round(timeOfLuid(luid) + expiryMsOf(home)), lastMs);
}
