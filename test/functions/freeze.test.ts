/**
 * Goal: an inactive wallet neither pays nor receives, nothing moves in an inactive symbol, and what was reserved before
 * ends as it would have. Ruling 94, Decision 109.
 */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  newOwnLedger,
  outcomeOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { forbidden, outcome, owners } from '../fixture/house.ts';
import { intentBody, sendBatch } from '../fixture/payment.ts';
import { sharedHome } from '../fixture/served.ts';

const [owner, ann, bob] = [newKey(), newKey(), newKey()];
const home = await sharedHome();

/** A ledger with wallets alice and bob of 10 usd each. */
async function newHouse(): Promise<Client> {
  const ledger = await newLedger(home, owner);
  for (const handle of ['alice', 'bob']) await ledger.make('wallets', { handle }, owner);
  for (const handle of ['usd', 'eur']) await ledger.make('symbols', { handle, factor: 100 }, owner);
  await ledger.settle(owner, 'issue alice 10 usd', 'issue bob 10 usd');
  return ledger;
}

async function say(
  ledger: Client,
  handle: string,
  status: unknown,
  group = 'wallets',
  key = owner,
) {
  const { body } = await ledger.get(`/${group}/${handle}`);
  const reply = await ledger.prove(group, body, key, { status });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body;
}
const freeze = (ledger: Client, handle: string, group?: string) =>
  say(ledger, handle, 'inactive', group);
const pay = async (ledger: Client, ...claims: string[]) =>
  outcomeOf(await ledger.settle(owner, ...claims));
const detailOf = ({ meta }: Item) =>
  meta.proofs.find((proof) => proof.custom?.['reason'] !== undefined)?.custom?.['detail'];

describe('an inactive wallet', () => {
  test.each([
    ['transfer alice bob 5 usd', 'core.source-inactive'],
    ['transfer bob alice 5 usd', 'core.target-inactive'],
    ['issue alice 5 usd', 'core.target-inactive'],
    ['issue alice 5 eur', 'core.target-inactive'],
    ['destroy alice 5 usd', 'core.source-inactive'],
  ])('%s: %s', async (claim, reason) => {
    const ledger = await newHouse();
    await freeze(ledger, 'alice');
    const item = await ledger.settle(owner, claim);
    expect([item.meta.status, outcomeOf(item)]).toEqual(['rejected', reason]);
    expect(detailOf(item)).toBe('Wallet alice is inactive: it neither pays nor receives.');
    expect(await ledger.balances('alice')).toEqual({ usd: '10' });
  });

  test.each(['active', null, 'noted'])(
    'that becomes %j pays and receives again',
    async (status) => {
      const ledger = await newHouse();
      await freeze(ledger, 'alice');
      await say(ledger, 'alice', status);
      expect(await pay(ledger, 'transfer alice bob 5 usd')).toBe('completed');
      expect(await pay(ledger, 'transfer bob alice 2 usd')).toBe('completed');
      expect(await pay(ledger, 'issue alice 1 eur')).toBe('completed');
      expect(await ledger.balances('alice')).toEqual({ eur: '1', usd: '7' });
    },
  );

  test('lets an intent fail as a whole', async () => {
    const ledger = await newHouse();
    await freeze(ledger, 'alice');
    expect(await pay(ledger, 'issue bob 5 usd', 'issue alice 5 usd')).toBe('core.target-inactive');
    expect(await ledger.balances('bob')).toEqual({ usd: '10' });
  });

  test('is refused at the last signature, not before', async () => {
    const access = [
      ...owners,
      { action: { $in: ['create', 'read'] }, record: { $in: ['intent', 'intent-proof'] } },
    ];
    const ledger = await newOwnLedger(home, owner, { access });
    for (const handle of ['alice', 'bob']) await ledger.make('wallets', { handle }, owner);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
    const bearing = await ledger.settle(owner, 'issue alice 10 usd');
    expect(bearing.meta.status).toBe('completed');
    const item = await ledger.submit(ann, ['transfer alice bob 5 usd']);
    expect(item.meta.status).toBe('pending');
    const [wallet] = await Promise.all([ledger.make('wallets', { handle: 'carol' }, owner)]);
    await ledger.prove('wallets', wallet, owner, { status: 'inactive' });
    const carol = await ledger.submit(ann, ['transfer alice carol 5 usd']);
    expect(carol.meta.status).toBe('pending');
    expect(outcomeOf((await ledger.prove('intents', carol, owner)).body)).toBe(
      'core.target-inactive',
    );
    expect(outcomeOf((await ledger.prove('intents', item, owner)).body)).toBe('completed');
  });

  test('is met wherever a route leads, and where the claim names it', async () => {
    const ledger = await newHouse();
    const make = (handle: string, ...routes: Json[]) =>
      ledger.make('wallets', { handle, routes }, owner);
    await make('to-bob', { action: 'credit', target: 'bob' });
    await make('by-bob', { action: 'debit', target: 'bob' });
    await make('onward', { action: 'forward', target: 'bob' });
    await freeze(ledger, 'bob');
    const hidden = 'A wallet behind what the claims name is inactive.';
    for (const [claim, reason] of [
      ['transfer alice to-bob 5 usd', 'core.target-inactive'],
      ['transfer by-bob alice 5 usd', 'core.source-inactive'],
      ['transfer alice onward 5 usd', 'core.target-inactive'],
    ] as const) {
      const item = await ledger.settle(owner, claim);
      expect([outcomeOf(item), detailOf(item)]).toEqual([reason, hidden]);
    }
    await say(ledger, 'bob', 'active');
    await freeze(ledger, 'to-bob');
    expect(await pay(ledger, 'transfer alice to-bob 5 usd')).toBe('core.target-inactive');
    expect(await ledger.balances('alice')).toEqual({ usd: '10' });
  });

  test('is read, limited and dropped as ever', async () => {
    const ledger = await newHouse();
    await ledger.make('wallets', { handle: 'empty' }, owner);
    for (const handle of ['alice', 'empty']) await freeze(ledger, handle);
    expect((await ledger.get('/wallets/alice')).body.meta.status).toBe('inactive');
    expect(await ledger.balances('alice')).toEqual({ usd: '10' });
    expect(await pay(ledger, 'limit alice maxBalance 50 usd')).toBe('completed');
    const { body } = await ledger.get('/wallets/empty');
    const dropped = await ledger.send('DELETE', `/wallets/${body.luid}`, farewell(body, owner));
    expect(dropped.status).toBe(204);
  });

  test('lets an atomic batch fail, and pays in one again later', async () => {
    const ledger = await newHouse();
    const claims = ['transfer bob alice 1 usd', 'transfer alice bob 2 usd'];
    const bodies = () => claims.map((claim) => intentBody([claim], owner));
    const send = () => sendBatch(ledger, 'atomic', bodies());
    await freeze(ledger, 'alice');
    const refused = await send();
    expect([refused.status, refused.reason]).toEqual([422, 'record.invalid']);
    const errors = refused.custom['errors'] as Json[];
    expect(errors.map(({ reason }) => reason)).toEqual([
      'core.target-inactive',
      'core.source-inactive',
    ]);
    await say(ledger, 'alice', 'active');
    expect((await send()).status).toBe(200);
    expect(await ledger.balances('alice')).toEqual({ usd: '9' });
  });

  test('takes part in what was reserved before, and in nothing after', async () => {
    const ledger = await newHouse();
    const hold = (claim: string) => ledger.submit(owner, [claim], { config: { commit: 'manual' } });
    const [paid, given, kept] = [
      await hold('transfer alice bob 1 usd'),
      await hold('transfer bob alice 2 usd'),
      await hold('transfer alice bob 4 usd'),
    ];
    await freeze(ledger, 'alice');
    const decide = async (item: Item, status: string) =>
      (await ledger.prove('intents', item, owner, { status })).body.meta.status;
    expect(await decide(paid, 'committed')).toBe('completed');
    expect(await decide(given, 'committed')).toBe('completed');
    expect(await decide(kept, 'aborted')).toBe('rejected');
    expect(outcomeOf(await hold('transfer alice bob 1 usd'))).toBe('core.source-inactive');
    const { items } = await ledger.get('/wallets/alice/balances');
    expect(items.map(({ data }) => [data['schema'], data['amount']])).toEqual([
      ['available', 11],
      ['reserved', 0],
    ]);
  });

  test('counts daily limits as before once it is active again', async () => {
    const ledger = await newHouse();
    await ledger.settle(owner, 'limit alice dailyCount 2 usd');
    expect(await pay(ledger, 'transfer alice bob 1 usd')).toBe('completed');
    await freeze(ledger, 'alice');
    await say(ledger, 'alice', 'active');
    expect(await pay(ledger, 'transfer alice bob 1 usd')).toBe('completed');
    expect(await pay(ledger, 'transfer alice bob 1 usd')).toBe('core.limit-exceeded');
  });
});

describe('an inactive symbol', () => {
  test('does not move, and other symbols do', async () => {
    const ledger = await newHouse();
    await freeze(ledger, 'usd', 'symbols');
    for (const claim of ['transfer alice bob 5 usd', 'issue alice 5 usd', 'destroy alice 5 usd']) {
      const item = await ledger.settle(owner, 'issue alice 1 eur', claim);
      expect(outcomeOf(item)).toBe('core.symbol-inactive');
      expect(detailOf(item)).toBe('Symbol usd of claim 1 is inactive.');
    }
    expect(await pay(ledger, 'issue alice 1 eur')).toBe('completed');
    expect(await pay(ledger, 'limit alice maxBalance 50 usd')).toBe('completed');
    await say(ledger, 'usd', null, 'symbols');
    expect(await pay(ledger, 'transfer alice bob 5 usd')).toBe('completed');
  });
});

describe('a freeze', () => {
  test('needs the right to change the wallet', async () => {
    const ledger = await newOwnLedger(home, owner, {
      access: [
        ...owners,
        {
          action: { $in: ['create', 'read'] },
          record: { $in: ['wallet', 'wallet-proof'] },
          signer: { public: ann.public },
        },
        { action: 'read', record: 'wallet' },
      ],
    });
    const item = await ledger.make('wallets', { handle: 'alice' }, owner);
    const reply = await ledger.prove('wallets', item, bob, { status: 'inactive' });
    expect(outcome(reply)).toEqual(forbidden);
    const own = await ledger.make('wallets', { handle: 'own' }, ann);
    expect((await ledger.prove('wallets', own, ann, { status: 'inactive' })).body.meta.status).toBe(
      'inactive',
    );
  });

  test('is given to whom a policy names', async () => {
    const ledger = await newHouse();
    for (const [handle, { public: key }] of [['ann', ann] as const, ['bob', bob] as const])
      await ledger.make('signers', { handle, public: key, format: 'ed25519-raw' }, owner);
    const values = [{ status: 'inactive', quorum: [{ handle: 'ann' }, { handle: 'bob' }] }];
    const data = { handle: unique('freeze'), schema: 'status', record: 'wallet', values };
    expect((await ledger.post('/policies', signed(data, owner))).status).toBe(201);
    expect((await say(ledger, 'alice', 'inactive', 'wallets', ann)).meta.status).toBe('created');
    expect(await pay(ledger, 'transfer alice bob 1 usd')).toBe('completed');
    expect((await say(ledger, 'alice', 'inactive', 'wallets', bob)).meta.status).toBe('inactive');
    expect(await pay(ledger, 'transfer alice bob 1 usd')).toBe('core.source-inactive');
  });

  test('holds from its answer on, under many payments at once', async () => {
    const ledger = await newHouse();
    const payments = Array.from({ length: 30 }, (_, index) =>
      pay(ledger, index % 2 === 0 ? 'transfer alice bob 1 usd' : 'issue alice 1 eur'),
    );
    await payments[0];
    await freeze(ledger, 'alice');
    const frozen = await ledger.balances('alice');
    const outcomes = new Set(await Promise.all(payments));
    expect(await ledger.balances('alice')).toEqual(frozen);
    for (const one of outcomes)
      expect([
        'completed',
        'core.source-inactive',
        'core.target-inactive',
        'core.insufficient-balance',
      ]).toContain(one);
  });
});
