import { describe, expect, test } from 'vitest';
import { type Kind, kinds } from '../../shared/ledger/kind.ts';
import { RequestBody, RetryBody } from '../../shared/shape/effect.ts';
import { signalNames } from '../../shared/shape/signal-name.ts';
import { bodyOf, brokenBy, brokenData, handlePattern } from './broken.ts';

const webhook = { schema: 'webhook', endpoint: 'https://example.com/events' };
const effect = { handle: 'told', signal: 'balance-received', action: webhook };

const withEffect = (members: object) => brokenData('effect', { ...effect, ...members });
const withAction = (action: unknown) =>
  withEffect({ action }).map(([path, ...rest]) => [path.replace('/data/action', ''), ...rest]);
const missing = (name: string) => ['', 'required', { missingProperty: name }];
const unknown = (name: string) => ['', 'additionalProperties', { additionalProperty: name }];

test('an effect needs a signal and an action', () => {
  expect(brokenData('effect', { handle: 'told' })).toEqual([
    ['/data', 'required', { missingProperty: 'signal' }],
    ['/data', 'required', { missingProperty: 'action' }],
  ]);
});

describe('its signal', () => {
  test('is one of those that there are', () => {
    expect(new Set(signalNames).size).toBe(signalNames.length);
    for (const signal of signalNames) expect(withEffect({ signal })).toEqual([]);
  });

  test('is any that a record of a kind may give, and no other. Ruling 58', () => {
    for (const kind of Object.keys(kinds) as Kind[]) {
      const { updates, drops } = kinds[kind];
      expect([kind, signalNames.includes(`${kind}-created`)]).toEqual([kind, true]);
      // Of an intent, the ledger updates the status; a link has no endpoint for proofs.
      for (const [change, comes] of [
        ['updated', updates || kind === 'intent'],
        ['proofs-added', kind !== 'circle-signer'],
        ['dropped', drops],
      ] as const)
        expect([kind, change, signalNames.includes(`${kind}-${change}`)]).toEqual([
          ...[kind, change],
          comes,
        ]);
    }
    // What nothing gives yet cannot be asked for. Decision 8.
    for (const signal of ['limit-created', 'wallet-unlimited'])
      expect(signalNames).not.toContain(signal);
    for (const signal of ['balance-received', 'wallet-limited'])
      expect(signalNames).toContain(signal);
  });

  test.each([
    'intent',
    'intent-deleted',
    'intent-completd',
    'intent-dropped',
    'Intent-created',
    'created',
    '',
    '*',
    5,
    null,
  ])('is never %o', (signal) =>
    expect(withEffect({ signal })).toEqual([
      ['/data/signal', 'enum', { allowedValues: signalNames }],
    ]),
  );
});

test('its filter is an object of conditions', () => {
  const filter = { 'intent.data.schema': 'rent', amount: { $gt: 5 }, labels: { $in: ['a'] } };
  expect(withEffect({ filter })).toEqual([]);
  expect(withEffect({ filter: {} })).toEqual([]);
  for (const other of [[], 'x', null])
    expect(withEffect({ filter: other })).toEqual([['/data/filter', 'type', { type: 'object' }]]);
});

describe('its action', () => {
  test('posts to an endpoint, of at most 2048 characters', () => {
    const endpoint = 'https://example.com/'.padEnd(2048, 'x');
    expect(withAction({ ...webhook, endpoint })).toEqual([]);
    expect(withAction({ ...webhook, endpoint: `${endpoint}x` })).toEqual([
      ['/endpoint', 'maxLength', { limit: 2048 }],
    ]);
    expect(withAction({ ...webhook, endpoint: '' })).toEqual([
      ['/endpoint', 'minLength', { limit: 1 }],
    ]);
    expect(withAction({ schema: 'webhook' })).toEqual([missing('endpoint')]);
    expect(withAction({ ...webhook, bridge: 'bank' })).toEqual([unknown('bridge')]);
    expect(withAction({ ...webhook, secret: 'x' })).toEqual([unknown('secret')]);
  });

  test('or tells a bridge', () => {
    expect(withAction({ schema: 'bridge', bridge: 'bank' })).toEqual([]);
    expect(withAction({ schema: 'bridge', bridge: 'two words' })).toEqual([
      ['/bridge', 'pattern', handlePattern],
    ]);
    expect(withAction({ schema: 'bridge' })).toEqual([missing('bridge')]);
    expect(withAction({ ...webhook, schema: 'bridge', bridge: 'bank' })).toEqual([
      unknown('endpoint'),
    ]);
  });

  test('and nothing else', () => {
    const allowedValues = ['webhook', 'bridge'];
    for (const schema of ['email', '', 5, null])
      expect(withAction({ ...webhook, schema })).toEqual([['/schema', 'enum', { allowedValues }]]);
    expect(withAction({ endpoint: webhook.endpoint })).toEqual([missing('schema')]);
    for (const action of ['webhook', [], null])
      expect(withAction(action)).toEqual([['', 'type', { type: 'object' }]]);
  });
});

test('a request says what it likes, in a signed body', () => {
  expect(brokenBy(RequestBody, bodyOf({}))).toEqual([]);
  expect(brokenBy(RequestBody, bodyOf({ handle: 'told', moment: 'now' }))).toEqual([]);
  expect(brokenBy(RequestBody, { data: {} }).map(([, keyword]) => keyword)).toEqual([
    'required',
    'required',
  ]);
});

// Ruling 60: minutes, at most two days, 0 for all.
test('what to send again is one event, or those of some minutes', () => {
  const again = (data: object) => brokenBy(RetryBody, bodyOf(data));
  for (const data of [{}, { handle: 'evt_x' }, { maxAge: 0 }, { maxAge: 2880 }])
    expect(again(data)).toEqual([]);
  expect(again({ maxAge: -1 })).toEqual([
    ['/data/maxAge', 'minimum', { comparison: '>=', limit: 0 }],
  ]);
  expect(again({ maxAge: 2881 })).toEqual([
    ['/data/maxAge', 'maximum', { comparison: '<=', limit: 2880 }],
  ]);
  expect(again({ maxAge: 1.5 })).toEqual([['/data/maxAge', 'type', { type: 'integer' }]]);
  expect(again({ handle: '' })).toEqual([['/data/handle', 'minLength', { limit: 1 }]]);
  expect(again({ handle: 'x'.repeat(65) })).toEqual([['/data/handle', 'maxLength', { limit: 64 }]]);
  expect(again({ all: true })).toEqual([
    ['/data', 'additionalProperties', { additionalProperty: 'all' }],
  ]);
  expect(again({ handle: 'evt_x', maxAge: 5 })).toEqual([['/data', 'format', {}]]);
});
