/** Arbitrary rules, callers and questions over few names, so that they meet. */
import fc, { type Arbitrary } from 'fast-check';
import type { AccessSubject, Caller, Question } from '../../shared/ledger/access.ts';
import type { Principal, SignerMatcher } from '../../shared/ledger/matcher.ts';
import type { BearerMatcher, Rule, VerifiedBearer } from '../../shared/ledger/rule.ts';
import { type RuleSource, ruleSourceOf, withPolicies } from '../../shared/ledger/rule-source.ts';

const names = fc.constantFrom('ann', 'bob', 'eve');
export const circleNames = ['admins', 'auditors'] as const;
const circles = fc.constantFrom(...circleNames);
const actions = fc.constantFrom('read', 'update');
const records = fc.constantFrom('wallet', 'intent', 'intent-proof');
const orAny = (texts: Arbitrary<string>) =>
  fc.oneof(
    texts,
    fc.constant('any'),
    fc.array(texts, { minLength: 1, maxLength: 2 }).map(($in) => ({ $in })),
  );
const invokes = fc.constantFrom(
  'intent.canReadAnyClaimWallet',
  'wallet.canSpendAllChangedRouteTargets',
);

/** One of the members or two: more are hardly ever met together. */
function someOf<Model extends object>(model: { [Key in keyof Model]: Arbitrary<Model[Key]> }) {
  const all = Object.entries<Arbitrary<unknown>>(model);
  return fc
    .shuffledSubarray(all, { maxLength: 2 })
    .chain((some) => fc.record(Object.fromEntries(some))) as Arbitrary<Partial<Model>>;
}

const facts: Arbitrary<unknown> = fc.oneof(
  names,
  names.map((name) => ({ $ne: name })),
  fc
    .array(names, { maxLength: 2 })
    .chain((some) => fc.constantFrom<unknown>({ $in: some }, { $nin: some })),
  fc.boolean().map((isThere) => ({ $exists: isThere })),
  names.map((name) => ({ $gte: name })),
  names.map((name) => ({ $lt: name })),
  fc.constantFrom({ $regex: '^a' }, { $regex: 'b|v' }),
);

/** Conditions on data: by paths, with operators. */
const conditions = fc.dictionary(
  fc.constantFrom('schema', 'custom.limit', 'tags'),
  fc.oneof(
    facts,
    fc.integer({ min: 0, max: 2 }).map((limit) => ({ $lte: limit })),
  ),
  { maxKeys: 2, noNullPrototype: true },
);

const { signer: signerMatchers } = fc.letrec<{ signer: SignerMatcher }>((tie) => ({
  signer: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    someOf({
      handle: facts,
      public: facts,
      schema: facts,
      custom: conditions,
      $circle: fc.oneof(
        circles,
        fc.array(circles, { minLength: 1 }).map(($in) => ({ $in })),
      ),
      $record: fc.constant('owner' as const),
      $ledger: fc.constant('owner' as const),
    }),
    fc.array(tie('signer'), { minLength: 1, maxLength: 2 }).map(($in) => ({ $in })),
  ) as Arbitrary<SignerMatcher>,
}));

const { bearer: bearerMatchers } = fc.letrec<{ bearer: BearerMatcher }>((tie) => ({
  bearer: fc.oneof(
    { maxDepth: 1, withCrossShrink: true },
    someOf({ iss: facts, sub: facts, aud: facts, hsh: fc.boolean(), $signer: signerMatchers }),
    fc.array(tie('bearer'), { minLength: 1, maxLength: 2 }).map(($in) => ({ $in })),
  ) as Arbitrary<BearerMatcher>,
}));

const grantingRules: Arbitrary<Rule> = fc
  .tuple(
    orAny(actions),
    someOf({
      record: orAny(records),
      signer: signerMatchers,
      bearer: bearerMatchers,
      invoke: invokes,
      filter: conditions,
      change: conditions,
    }),
  )
  .map(([action, more]) => ({ action, ...more }));

/** Rules as they are stored. */
export const rules: Arbitrary<Rule> = fc.oneof(
  { weight: 9, arbitrary: grantingRules },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('readers', 'nobody', { $in: ['nobody', 'readers'] })
      .map((policy) => ({ policy })),
  },
);

const standing: Arbitrary<RuleSource> = fc
  .tuple(
    fc.array(rules, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('ledger', 'circle', 'domain', 'wallet'),
    circles,
  )
  .map(([access, kind, handle]) => ruleSourceOf(kind as 'circle', { handle, access }));

/** Standings before the policies that they name are known. */
const standingLists = fc.array(standing, { minLength: 1, maxLength: 4 });

/** The policies that rules may name. */
const policies = fc
  .array(grantingRules, { maxLength: 2 })
  .map((access) => new Map([['readers', { rules: access }]]));

/** Everything that stands: what was named is there too. */
export const allStandings = fc
  .tuple(standingLists, policies)
  .map(([sources, known]) => withPolicies(sources, known));

const parties: Arbitrary<Principal> = fc.record({
  handle: fc.option(names, { nil: undefined }),
  public: fc.option(names, { nil: undefined }),
  format: fc.constant('ed25519-raw'),
  schema: fc.option(names, { nil: undefined }),
  custom: fc.constantFrom(undefined, { schema: 'ann' }, { custom: { limit: 1 }, tags: ['bob'] }),
  circles: fc.subarray([...circleNames]).map((some) => new Set<string>(some)),
  owns: fc.subarray(['record', 'ledger'] as const).map((some) => new Set(some)),
});

const bearers: Arbitrary<VerifiedBearer> = fc.record({
  iss: names,
  sub: fc.option(names, { nil: undefined }),
  aud: names,
  hsh: fc.boolean(),
  isSubject: fc.boolean(),
  principal: parties,
});

const callers: Arbitrary<Caller> = fc.record({
  authors: fc.option(fc.array(parties, { maxLength: 2 }), { nil: undefined }),
  bearer: fc.option(bearers, { nil: undefined }),
});

const data = fc.constantFrom<AccessSubject['data']>(
  { handle: 'x' },
  { handle: 'x', schema: 'ann' },
  { handle: 'x', schema: 'bob', custom: { limit: 1 }, tags: ['ann', 'eve'] },
);
const subjects: Arbitrary<AccessSubject> = fc.oneof(
  data.map((one) => ({ data: one })),
  fc.tuple(data, data).map(([one, change]) => ({ data: one, change })),
);

/** Questions about a record, by whoever. */
export const questions: Arbitrary<Question & { readonly subject: AccessSubject }> = fc
  .tuple(actions, records, subjects, callers, fc.subarray(['intent', 'wallet']))
  .map(([action, record, subject, caller, passing]) => ({
    action,
    record,
    subject,
    caller,
    passes: (invoke) => passing.some((kind) => invoke.startsWith(kind)),
  }));
