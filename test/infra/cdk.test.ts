/** `countersign/cdk`: the ledger as a stack of somebody's app. */
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { Countersign, type CountersignProps } from '../../infra/cdk.ts';
import { functionsOf, onlyOf, owner, resourcesOf, stackOf } from './template.ts';

/** An app of somebody else, whose functions are not bundled. */
const newApp = (context = {}) =>
  new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } });

test('the construct makes the stack that the app of the repository makes', () => {
  const given = {
    owner,
    ledger: 'bank',
    requestsPerSecond: 100,
    logDays: 30,
    outgoingHosts: ['a.example'],
  };
  const ours = stackOf(given);
  const flags = Object.fromEntries(
    Object.entries(ours.node.getAllContext() as object).filter(([name]) => !(name in given)),
  );
  const theirs = new Countersign(newApp(flags), 'Countersign', given);
  expect(Template.fromStack(theirs).toJSON()).toEqual(Template.fromStack(ours).toJSON());
});

test('properties of a stack reach the stack', () => {
  const env = { region: 'eu-central-1', account: '123456789012' };
  const stack = new Countersign(newApp(), 'Ledger', { access: 'open', env, stackName: 'bank' });
  expect([stack.region, stack.account, stack.stackName]).toEqual([env.region, env.account, 'bank']);
});

test.each<[string, object, string]>([
  [
    'unknown',
    { access: 'open', outgoingHost: ['a.example'] },
    'There is no parameter outgoingHost.',
  ],
  ['missing', {}, 'The parameter owner must be an ed25519 public key'],
  ['invalid', { owner, logDays: 4 }, 'The parameter logDays must be one of'],
])('an %s property is refused', (_, props, message) => {
  expect(() => new Countersign(newApp(), 'Ledger', props as CountersignProps)).toThrow(message);
});

/** The names of a ledger that others in the account could have too. */
function namesOf(stack: Countersign) {
  const template = Template.fromStack(stack);
  const alarms = JSON.stringify([...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()]);
  const written = [...functionsOf(template).values()].map(
    ({ Properties }) =>
      (Properties['Environment'] as { Variables: Record<string, unknown> }).Variables[
        'METRIC_NAMESPACE'
      ],
  );
  return {
    watched: new Set(
      [...alarms.matchAll(/"Namespace":"((?!AWS\/)[^"]+)"/g)].map(([, name]) => name),
    ),
    written: new Set(written),
    dashboard: onlyOf(template, 'AWS::CloudWatch::Dashboard').Properties['DashboardName'],
    api: onlyOf(template, 'AWS::ApiGateway::RestApi').Properties['Name'],
  };
}

test('ledgers beside each other share no metric and no dashboard', () => {
  const app = newApp();
  const inRegion = (id: string, region: string) =>
    new Countersign(app, id, { owner, env: { account: '123456789012', region } });
  const stacks = [inRegion('Bank', 'eu-central-1'), inRegion('Trial', 'eu-central-1')];
  const [bank, trial] = stacks.map(namesOf);
  expect(bank).toEqual({
    watched: new Set(['Bank']),
    written: new Set(['Bank']),
    dashboard: 'Bank-eu-central-1',
    api: 'Bank',
  });
  expect(trial).toMatchObject({ watched: new Set(['Trial']), dashboard: 'Trial-eu-central-1' });
  // Dashboards are of the account, and not of a region.
  const there = new Countersign(newApp(), 'Bank', { owner, env: { region: 'eu-west-1' } });
  expect(namesOf(there).dashboard).toBe('Bank-eu-west-1');
});
