/** The shape of an access rule. Its meaning is in `shared/ledger/access.ts`. Rulings 32 to 34. */
import * as z from 'zod/mini';
import { AddressHandle } from './handle.ts';
import { Fact, SignerMatcher } from './matcher.ts';
import { subjects } from './subject.ts';

/** The actions that a rule can grant. Ruling 33. */
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

/** The records that a rule can cover: every kind, and the proofs that are added to each. Ruling 33. */
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
  iss: z.exactOptional(Fact),
  sub: z.exactOptional(Fact),
  aud: z.exactOptional(Fact),
  hsh: z.exactOptional(z.boolean()),
  $signer: z.exactOptional(SignerMatcher),
  get $in(): z.ZodMiniExactOptional<z.ZodMiniArray<typeof BearerMatcher>> {
    return z.exactOptional(z.array(BearerMatcher).check(z.minLength(1), z.maxLength(16)));
  },
});

/** The most names in a list: at least as many as there are. */
const namesMax = 32;

const Conditions = z.record(z.string(), z.unknown());

/** The deepest nesting of matchers by `$in`. */
const depthMax = 3;

type Path = readonly PropertyKey[];

/** The paths of matchers that are nested too deeply to have an `$in` of their own. */
function tooDeepIn(matcher: unknown, path: Path, depth = 0): Path[] {
  const { $in, $signer } = Object(matcher) as Readonly<Record<string, unknown>>;
  const within = $signer === undefined ? [] : tooDeepIn($signer, [...path, '$signer'], depth);
  if (!Array.isArray($in)) return within;
  if (depth === depthMax) return [path, ...within];
  const forms = $in.flatMap((form, index) => tooDeepIn(form, [...path, '$in', index], depth + 1));
  return [...forms, ...within];
}

/** Reports a violation even if there are others. */
const always = { when: () => true };

/** Reports `$in` at the deepest level as an unknown member, as a JSON Schema would. */
function reportTooDeep(rule: unknown, report: (issue: object) => void): void {
  const { signer, bearer } = Object(rule) as Readonly<Record<string, unknown>>;
  for (const path of [...tooDeepIn(signer, ['signer']), ...tooDeepIn(bearer, ['bearer'])])
    report({ code: 'unrecognized_keys', keys: ['$in'], path: [...path] });
}

/** Rejects one form of a union, so that only violations of the other form are reported. */
const otherForm = { code: 'invalid_type', expected: 'object' } as const;

/** Rejects a single name where a list was sent, so that only violations of the list are reported. */
const noName = { code: 'invalid_type', expected: 'string' } as const;

/** One of these names, or a list of them under `$in`. Ruling 73. */
function oneOf<const Name extends string>(names: readonly Name[]) {
  const one = z.literal(names).check(
    z.superRefine((said, { addIssue }) => {
      if (Object.hasOwn(Object(said), '$in')) addIssue(noName);
    }, always),
  );
  const some = z.strictObject({
    $in: z.array(z.literal(names)).check(z.minLength(1), z.maxLength(namesMax)),
  });
  const several = some.check(
    z.superRefine((said, { addIssue }) => {
      if (!Object.hasOwn(Object(said), '$in')) addIssue(otherForm);
    }, always),
  );
  return z.union([one, several]);
}

/** A rule that grants an action by itself. */
export const GrantingRule = z
  .strictObject({
    action: oneOf(accessActions),
    record: z.exactOptional(oneOf(accessRecords)),
    signer: z.exactOptional(SignerMatcher),
    bearer: z.exactOptional(BearerMatcher),
    invoke: z.exactOptional(z.literal(invokes)),
    filter: z.exactOptional(Conditions),
    change: z.exactOptional(Conditions),
  })
  .check(z.superRefine((rule, { addIssue }) => reportTooDeep(rule, addIssue as never), always));

/** Stands for the rules of policies. Ruling 30. */
const NamingRule = z.strictObject({
  policy: z.union([
    AddressHandle,
    z.strictObject({ $in: z.array(AddressHandle).check(z.minLength(1), z.maxLength(16)) }),
  ]),
});

/** A rule with the member `policy` is a naming rule, every other one a granting rule. */
export const AccessRule = z.union([
  GrantingRule.check(
    z.superRefine((_, { issues, addIssue }) => {
      const unknown = issues.flatMap((issue) =>
        issue.code === 'unrecognized_keys' && !issue.path?.length ? issue.keys : [],
      );
      if (unknown.includes('policy')) addIssue(otherForm);
    }, always),
  ),
  NamingRule.check(
    z.superRefine((rule, { addIssue }) => {
      if (!Object.hasOwn(Object(rule), 'policy')) addIssue(otherForm);
    }, always),
  ),
]);
export type AccessRule = z.infer<typeof AccessRule>;
