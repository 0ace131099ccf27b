/**
 * Creation and settlement of an intent: one read and one transaction when all signatures are there. A business failure
 * is no error: the intent is stored as `rejected`. An intent that lacks a right or a quorum waits for further signatures.
 * Rulings 46 to 50 and 93.
 */
import { rememberContext } from '../access/access.ts';
import { allowCreating, withoutHiddenHolder } from '../access/allow.ts';
import { toCreate } from '../access/required-permission.ts';
import { timeOfLuid } from '../crypto/luid.ts';
import { guessedBridges } from '../intent/bridges-ahead.ts';
import {
  claimsOf,
  type IntentContext,
  instructionOf,
  readIntentContext,
  walletsNamed,
} from '../intent/context.ts';
import { isSigned } from '../intent/four-eyes.ts';
import { settlementOf } from '../intent/settlement.ts';
import { begun, commitSigned, timesIn } from '../intent/signed.ts';
import { assertNoCapture } from '../ledger/capture.ts';
import { assertOneDomain, domainOf } from '../ledger/domain.ts';
import { type LedgerRecord, type Version, versionOf } from '../ledger/record.ts';
import { assertTimes, timesOf } from '../ledger/times.ts';
import type { Action, Call } from '../port/action.ts';
import {
  acceptedProofs,
  assertFresh,
  type Draft,
  draftOf,
  expiryMaxMsOf,
  publicsOf,
} from '../record/author.ts';
import { commitForCall, type Decided, duplicated, newToken } from '../record/commit.ts';
import { assertFits } from '../record/fitting.ts';
import { readerFor } from '../record/reader.ts';
import { assertNamed, namedBy } from '../record/relations.ts';
import { momentOf } from '../record/sign.ts';
import { createBody } from '../shape/body.ts';
import type { Proof } from '../shape/proof.ts';
import type { SignedBody } from '../shape/record.ts';
import { assertRules } from './rules.ts';

/**
 * Creates an intent and settles it when its signatures are complete. The status of the answer's record tells the
 * outcome. Errors:
 * - `auth.forbidden`: no permission to create intents
 * - `crypto.signature-invalid`: a proof is undated, too old or from the future
 * - `record.duplicated`: the handle is taken
 * - `record.status-policy-violation`: a policy about it that takes too much work to judge
 * - `record.relation-not-found`, `record.schema-invalid`: its domain or schema
 * - `record.invalid`: two domains, a proof with a capture, a moment that is not possible, access rules that cannot be judged, or no room for future proofs
 * - `api.body-malformed`, `api.request-timeout`: too large to store, or too many conflicts
 */
export const createIntent: Action = {
  requires: toCreate('intent'),
  body: createBody('intent'),
  shape: assertIntentBody,
  signed: 'record',
  run: async (call) => {
    const draft = draftOf(call);
    const decide = async (own: Call) => (await decideIntent(own, draft)).decided;
    const version = await commitForCall(call, decide).catch(async (error) =>
      Promise.reject(await withoutHiddenHolder(call, 'intent', error)),
    );
    return { status: 201, body: version.record };
  },
};

/** Refuses with `record.invalid` a body that names two domains, or a proof that captures. */
export function assertIntentBody(body: unknown): void {
  const { data, meta } = body as SignedBody;
  assertOneDomain('intent', data, meta.proofs);
  for (const { custom } of meta.proofs) assertNoCapture(custom);
}

/** A create as it was decided, with all that was read for it. */
export interface IntentDecision {
  readonly context: IntentContext;
  /** The proofs of its authors, as they are stored. */
  readonly authored: readonly Proof[];
  /** Undefined when a wallet or symbol has ended or was renamed since it was read; the caller then decides anew. */
  readonly decided: Decided<Version> | undefined;
}

/** Decides what a create would commit, and stores nothing but opened balances. Errors are those of `createIntent`. */
export async function decideIntent(call: Call, draft: Draft): Promise<IntentDecision> {
  const { context, signers } = await readAll(call, draft);
  const authored = acceptedProofs(draft.proofs, signers);
  const root = rootOf(call, draft, authored);
  assertTimes(root.data, root.meta.moment, expiryMaxMsOf(context.home));
  const isLater = timesOf(root.data).notBefore !== undefined;
  if (isLater || !(await isSigned(call, context, root)))
    return { context, authored, decided: await waiting(call, context, root) };
  const settlement = await settlementOf(call, context, instructionOf(draft.data), root.meta.moment);
  const member = { record: root, steps: [], signals: [] };
  return { context, authored, decided: await commitSigned(call, context, member, settlement) };
}

/** Reads everything that an intent names in one round trip. */
export function readNamed(call: Call, { data, proofs }: Draft) {
  const domain = domainOf(data, proofs);
  const named = namedBy('intent', data, domain);
  const wallets = walletsNamed(claimsOf(data));
  const bridges = guessedBridges(call.services, call.ledger.handle, wallets);
  const reader = readerFor(call);
  return Promise.all([
    reader.record('intent', String(data.handle)),
    reader.named(named),
    readIntentContext(reader, instructionOf(data), bridges),
    reader.signers(publicsOf(proofs)),
  ]);
}

/** Reads everything that the intent names, and checks permission, handle and references. */
async function readAll(call: Call, draft: Draft) {
  const { services } = call;
  const { data, proofs } = draft;
  const domain = domainOf(data, proofs);
  const named = namedBy('intent', data, domain);
  const [holder, records, context, signers] = await readNamed(call, draft);
  assertFresh(proofs, context.home, services.clock());
  rememberContext(call, context);
  await allowCreating(call, 'intent', { data, domain });
  if (holder) throw duplicated(holder);
  assertNamed(named, records, context.rulebook);
  await assertRules('intent', data, services);
  await assertFits(call, { kind: 'intent', data, named, domain }, records, context.rulebook);
  return { context, signers };
}

/** The intent with the proofs of its authors, before any proof of the ledger. */
export function rootOf(
  { services }: Call,
  { hash, data }: Draft,
  authored: readonly Proof[],
): LedgerRecord {
  const luid = services.luids('int', services.clock());
  const moment = momentOf(timeOfLuid(luid));
  const domain = domainOf(data, authored);
  const owners = publicsOf(authored);
  const meta = {
    ...{ proofs: authored, status: '', moment, owners },
    ...(domain !== undefined && { domain }),
  };
  return { luid, hash, data, meta };
}

/** The first version of an intent that waits, for signatures or for its moment. Rulings 49 and 89. */
async function waiting(
  { ledger }: Call,
  context: IntentContext,
  root: LedgerRecord,
): Promise<Decided<Version>> {
  const member = await begun(
    ledger,
    { record: root, steps: [], signals: [] },
    timesIn(context, root),
  );
  const { record, steps, signals } = member;
  const next = versionOf('intent', record, steps);
  const writes = [{ scope: ledger.handle, next, signals }];
  return { commit: { token: newToken(), writes }, result: next };
}
