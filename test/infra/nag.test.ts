/**
 * Goal: the rules of AwsSolutions hold, but for those that are accepted where they do not fit. Method: the same
 * checks as in `npm run synth`, once with what is accepted, and once as if nothing were.
 */
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { expect, test } from 'vitest';
import { stackOf } from './template.ts';

const certificate =
  'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d-0000-0000-0000-0a1b2c3d4e5f';
const tableStream =
  'arn:aws:dynamodb:eu-central-1:123456789012:table/Restored/stream/2026-11-21T00:00:00.000';

/** Everything that can be asked for. */
const all = {
  domain: 'ledger.bank.example',
  certificate,
  alarmEmail: 'duty@bank.example',
  outgoingHosts: 'hooks.example',
};

/** What does not hold, as `rule path`. */
function findingsIn(stack: IConstruct, checks = new AwsSolutionsChecks()): string[] {
  const { violations } = checks.validateScope(stack);
  return violations
    .flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    )
    .sort();
}

/** What is accepted, as `rule path` of where it is said. */
function acceptedIn(stack: IConstruct): { readonly rule: string; readonly place: string }[] {
  return stack.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) =>
        Object.entries(data as Readonly<Record<string, string>>).map(([id, reason]) => {
          expect(reason).toMatch(/^[A-Z].{30,}\.$/);
          return { rule: id.replace(/^annotation::/i, ''), place: node.path };
        }),
      ),
  );
}

test.each([
  ['as it is by default', {}],
  ['with everything that can be asked for', all],
  ['with a table that was restored', { table: 'Restored', tableStream }],
  ['open', { access: 'open', owner: undefined }],
])('the stack is in order %s', (_, context) => {
  expect(findingsIn(stackOf(context))).toEqual([]);
});

test('the checks find what is not accepted', () => {
  const strict = Object.assign(new AwsSolutionsChecks(), { isAcknowledged: () => false });
  expect(findingsIn(stackOf(), strict).length).toBeGreaterThan(50);
});

test('whatever is accepted is needed, and is not said for more than one resource', () => {
  const stack = stackOf(all);
  const strict = Object.assign(new AwsSolutionsChecks(), { isAcknowledged: () => false });
  const found = findingsIn(stack, strict);
  for (const { rule, place } of acceptedIn(stack)) {
    const covered = found.filter((one) => one.startsWith(`${rule} ${place}`));
    expect(covered, `${rule} at ${place}`).toHaveLength(1);
  }
});

test('so many times is each of these rules accepted, and no other', () => {
  const counts = new Map<string, number>();
  for (const { rule } of acceptedIn(stackOf(all))) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    'AwsSolutions-APIG2': 1,
    'AwsSolutions-APIG3': 1,
    'AwsSolutions-APIG4': 42,
    'AwsSolutions-COG4': 42,
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]': 1,
    'AwsSolutions-IAM5[Resource::*]': 26,
    'AwsSolutions-SQS3': 4,
  });
});
