/** `countersign/cdk`: the ledger as a stack of somebody's app. */
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { Countersign, type CountersignProps } from '../../infra/cdk.ts';
import { owner, stackOf } from './template.ts';

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
