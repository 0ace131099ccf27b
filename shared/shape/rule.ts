/** What an access rule may look like. What it means is in `shared/ledger/access.ts`. Rulings 32 to 34. */
import * as z from 'zod';
import { AddressHandle } from './handle.ts';
import { Fact, SignerMatcher } from './matcher.ts';
import { subjects } from './subject.ts';

/** What is done to a record, and what a rule grants. Ruling 33. */
export const accessActions = [
  'any',
  'access',
  'create',
  'read',
  'query',
  'update',
  'drop',
  'lookup',
  'assign-signer',
  'remove-signer',
  'issue',
  'destroy',
  'spend',
  'limit',
  'commit',
  'abort',
  'activate',
  'retry-event',
  'manage',
] as const;

/** What rules are about: every kind, and the proofs that are added to each. Ruling 33. */
export const accessRecords = [
  'any',
  ...subjects,
  ...subjects.map((kind) => `${kind}-proof` as const),
] as const;

/** The named checks. Ruling 33. */
const invokes = [
  'wallet.canSpendAllChangedRouteTargets',
  'intent.canReadAnyClaimWallet',
  'intent.canReadAnyClaimWalletInThread',
  'intent.canSpendEveryClaimWallet',
  'intent.canSpendAnyClaimWallet',
  'intent.canSpendAnyClaimWalletInThread',
] as const;

export const BearerMatcher = z.strictObject({
  iss: Fact.exactOptional(),
  sub: Fact.exactOptional(),
  aud: Fact.exactOptional(),
  hsh: z.boolean().exactOptional(),
  $signer: SignerMatcher.exactOptional(),
  get $in() {
    return z.array(BearerMatcher).min(1).max(16).exactOptional();
  },
});

const Conditions = z.record(z.string(), z.unknown());

const GrantingRule = z.strictObject({
  action: z.literal(accessActions),
  record: z.literal(accessRecords).exactOptional(),
  signer: SignerMatcher.exactOptional(),
  bearer: BearerMatcher.exactOptional(),
  invoke: z.literal(invokes).exactOptional(),
  filter: Conditions.exactOptional(),
  change: Conditions.exactOptional(),
});

/** The rules of a policy stand where it is named. Ruling 30. */
const NamingRule = z.strictObject({ policy: AddressHandle });

export const AccessRule = z.union([GrantingRule, NamingRule]);
export type AccessRule = z.infer<typeof AccessRule>;
