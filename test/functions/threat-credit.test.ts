/**
 * Goal: nobody makes credit from nothing. Below zero goes only a wallet at a bridge for which somebody else answers
 * than whoever made it, or that has a limit which others have set. Rulings 41 and 69, Decisions 61 and 79.
 */
import { describe, expect, test } from 'vitest';
import {
  active,
  type Client,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  newOwnLedger,
  now,
  outcomeOf,
  proofOf,
  type Reply,
  revision,
  signed,
} from '../fixture/client.ts';
import { forbidden, outcome } from '../fixture/house.ts';
import { nowhere } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const [boss, eve, bank] = [newKey(), newKey(), newKey()];
// The tests speak for the bridges.
const config = { server: nowhere };
const billion = 1_000_000_000;
const poor = 'core.insufficient-balance';

const home = await sharedHome();

/** Everybody may make and read bridges, wallets and intents; all else, and what vouches for a bridge, is the boss's. */
const rules: readonly Json[] = [
  ...['read', 'query'].map((action) => ({ action, record: 'any' })),
  ...['bridge', 'wallet', 'intent'].map((record) => ({ action: 'create', record })),
  { action: 'any', record: 'any', signer: { public: boss.public } },
];

async function house(...more: readonly Json[]) {
  const ledger = await newLedger(home, boss, { access: [...rules, ...more] });
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, boss);
  await ledger.make('wallets', { handle: 'shop' }, newKey());
  return { ledger, ...deedsIn(ledger) };
}

/** What the tests do in a ledger. */
function deedsIn(ledger: Client) {
  const say = async (handle: string, status: string, by: Key) => {
    const { body } = await ledger.get(`/bridges/${handle}`);
    return ledger.prove('bridges', body, by, { status });
  };
  const statusOf = async (handle: string) =>
    (await ledger.get(`/bridges/${handle}`)).body.meta.status;
  const report = async (intent: Item, by: Key, status: string) => {
    const { body } = await ledger.get(`/intents/${intent.luid}`);
    let latest = body;
    for (const { custom = {} } of body.meta.proofs) {
      if (custom['status'] !== 'resolved' || custom['bridge'] === undefined) continue;
      const said = { handle: custom['handle'], status };
      latest = (await ledger.prove('intents', intent, by, said)).body;
    }
    return latest;
  };
  const available = async (wallet: string) => {
    const { items } = await ledger.get(`/wallets/${wallet}/balances`);
    return items.find(({ data }) => data['schema'] === 'available')?.data['amount'];
  };
  return { say, statusOf, pay: ledger.settle, report, available };
}

describe('who may make a bridge, a wallet and intents, and no money,', () => {
  /** Ways to make one's own bridge vouch for oneself, and what the ledger answers. */
  const ways: [string, (deeds: Awaited<ReturnType<typeof house>>) => Promise<unknown>][] = [
    ['nothing at all', async () => []],
    ['a proof', async ({ say }) => outcome(await say('own', 'active', eve))],
    [
      'a proof that says more',
      async ({ ledger }) => {
        const { hash } = (await ledger.get('/bridges/own')).body;
        const custom = { ...active(), labels: ['good'] };
        return outcome(await ledger.post('/bridges/own/proofs', proofOf(hash, eve, custom)));
      },
    ],
    [
      'the wish to activate it',
      async ({ ledger }) => outcome(await ledger.post('/bridges/own/activate', signed({}, eve))),
    ],
    [
      'that wish, once it is inactive',
      async ({ ledger, say }) => {
        expect(outcome(await say('own', 'inactive', eve))).toEqual([200]);
        const reply = await ledger.post('/bridges/own/activate', signed({}, eve));
        expect(outcome(await say('own', 'created', eve))).toEqual([200]);
        return outcome(reply);
      },
    ],
    [
      'a rule on it',
      async ({ ledger, say }) => {
        const access = [{ action: 'any' }, { action: 'activate', record: 'any' }];
        const bridge = (await ledger.get('/bridges/own')).body;
        expect(
          outcome(await ledger.put('/bridges/own', revision(bridge, { access }, eve))),
        ).toEqual([200]);
        return outcome(await say('own', 'active', eve));
      },
    ],
  ];

  test.each(ways)('pays with nothing by %s', async (_way, vouch) => {
    const deeds = await house();
    const { ledger, pay, statusOf } = deeds;
    await ledger.make('bridges', { handle: 'own', config }, eve);
    await ledger.make('wallets', { handle: 'purse', bridge: 'own' }, eve);
    expect([[], forbidden]).toContainEqual(await vouch(deeds));
    expect(await statusOf('own')).toBe('created');
    const intent = await pay(eve, `transfer purse shop ${billion} usd`);
    expect([outcomeOf(intent), intent.meta.status]).toEqual([poor, 'rejected']);
    expect([await ledger.balances('purse'), await ledger.balances('shop')]).toEqual([{}, {}]);
  });

  test('makes no bridge that is active from the first', async () => {
    const { ledger } = await house();
    const reply = await ledger.post('/bridges', signed({ handle: 'own', config }, eve, active()));
    expect(outcome(reply)).toEqual(forbidden);
    expect((await ledger.get('/bridges/own')).status).toBe(404);
  });

  test('nor by the right of who signs the bridge with them, and does not say so', async () => {
    const { ledger } = await house();
    const data = { handle: 'own', config };
    const both = (hers: Json, his: Json) => {
      const { hash } = signed(data, eve);
      return { hash, data, meta: { proofs: [proofOf(hash, eve, hers), proofOf(hash, boss, his)] } };
    };
    const created = { moment: now(), status: 'created' };
    expect(outcome(await ledger.post('/bridges', both(active(), created)))).toEqual(forbidden);
    expect((await ledger.get('/bridges/own')).status).toBe(404);
    const reply = await ledger.post('/bridges', both(created, active()));
    expect([reply.status, reply.body.meta.status]).toEqual([201, 'active']);
  });

  test('lays no wallet at a bridge that others answer for', async () => {
    const { ledger, pay } = await house();
    const data = { handle: 'bank', config };
    expect(outcome(await ledger.post('/bridges', signed(data, boss, active())))).toEqual([201]);
    const wallet = { handle: 'purse', bridge: 'bank' };
    expect(outcome(await ledger.post('/wallets', signed(wallet, eve)))).toEqual(forbidden);
    const plain = await ledger.make('wallets', { handle: 'purse' }, eve);
    const moved = revision(plain, { bridge: 'bank' }, eve);
    expect(outcome(await ledger.put('/wallets/purse', moved))).toEqual(forbidden);
    expect(outcomeOf(await pay(eve, `transfer purse shop ${billion} usd`))).toBe(poor);
  });

  test('allows no wallet of theirs to be below zero', async () => {
    const { ledger, pay } = await house();
    await ledger.make('wallets', { handle: 'purse' }, eve);
    const limits = ['limit purse maxBalance 5 usd', 'limit purse minBalance 0 usd'];
    expect(outcomeOf(await pay(eve, ...limits))).toBe('completed');
    const intent = await pay(eve, `limit purse minBalance -${billion} usd`);
    expect(intent.meta.status).toBe('pending');
    const done = await ledger.prove('intents', intent, boss);
    expect(done.body.meta.status).toBe('completed');
    expect(outcomeOf(await pay(eve, 'transfer purse shop 7 usd'))).toBe('completed');
    expect(await ledger.balances('purse')).toEqual({ usd: '-7' });
  });
});

describe('a bridge counts', () => {
  const vouching: [string, (deeds: Awaited<ReturnType<typeof house>>) => Promise<Reply>][] = [
    ['a proof of somebody with the right', ({ say }) => say('bank', 'active', boss)],
    [
      'a proof of who may do nothing else',
      async ({ ledger, say }) => {
        const may = { action: 'activate', record: 'bridge', signer: { public: eve.public } };
        const record = (await ledger.get('/ledger')).body;
        const access = [...(record.data['access'] as Json[]), may];
        expect(outcome(await ledger.put('/ledger', revision(record, { access }, boss)))).toEqual([
          200,
        ]);
        return say('bank', 'active', eve);
      },
    ],
    [
      'the wish of somebody with the right',
      ({ ledger }) => ledger.post('/bridges/bank/activate', signed({}, boss)),
    ],
  ];

  test.each(vouching)('from %s on', async (_way, vouch) => {
    const deeds = await house();
    const { ledger, pay, report, statusOf, available } = deeds;
    await ledger.make('bridges', { handle: 'bank', config }, bank);
    await ledger.make('wallets', { handle: 'till', bridge: 'bank' }, bank);
    const early = await pay(bank, 'transfer till shop 5 usd');
    expect(outcomeOf(early)).toBe(poor);
    const [failed] = early.meta.proofs.flatMap(({ custom }) => custom?.['detail'] ?? []);
    expect(failed).toBe(
      'Wallet till holds too little usd to give 5. Its bridge is not active: it has no credit.',
    );
    expect([200, 202]).toContain((await vouch(deeds)).status);
    expect(await statusOf('bank')).toBe('active');
    const intent = await pay(bank, 'transfer till shop 5 usd');
    expect(intent.meta.status).toBe('processing');
    await report(intent, bank, 'prepared');
    expect((await report(intent, bank, 'committed')).meta.status).toBe('completed');
    expect([await available('till'), await available('shop')]).toEqual([-5, 5]);
  });

  test('from its first moment, where the creator may say so', async () => {
    const { ledger, pay, statusOf } = await house();
    const data = { handle: 'bank', config };
    const { body } = await ledger.post('/bridges', signed(data, boss, active()));
    expect([body.meta.status, await statusOf('bank')]).toEqual(['active', 'active']);
    await ledger.make('wallets', { handle: 'till', bridge: 'bank' }, boss);
    const intent = await pay(boss, 'transfer till shop 5 usd');
    expect(intent.meta.status).toBe('processing');
  });

  test('is asked for what its wallets have, before that', async () => {
    const { ledger, pay, report } = await house();
    await ledger.make('bridges', { handle: 'bank', config }, bank);
    await ledger.make('wallets', { handle: 'till', bridge: 'bank' }, bank);
    expect(outcomeOf(await pay(boss, 'issue till 10 usd'))).toBe('completed');
    expect(outcomeOf(await pay(bank, 'transfer till shop 11 usd'))).toBe(poor);
    const intent = await pay(bank, 'transfer till shop 6 usd');
    expect(intent.meta.status).toBe('processing');
    expect(outcomeOf(await pay(bank, 'transfer till shop 5 usd'))).toBe(poor);
    await report(intent, bank, 'prepared');
    expect((await report(intent, bank, 'committed')).meta.status).toBe('completed');
  });

  test('no more once it is inactive: nothing begins, and what is under way ends', async () => {
    const { ledger, pay, report, say } = await house();
    await ledger.post('/bridges', signed({ handle: 'bank', config }, boss, active()));
    await ledger.make('wallets', { handle: 'till', bridge: 'bank' }, boss);
    const intent = await pay(boss, 'transfer till shop 5 usd');
    expect(outcome(await say('bank', 'inactive', boss))).toEqual([200]);
    for (const claim of ['transfer till shop 5 usd', 'transfer shop till 5 usd']) {
      const late = await pay(boss, claim);
      expect(late.meta.status).toBe('rejected');
      expect(late.meta.proofs.map(({ custom }) => custom?.['detail'])).toContain(
        'Wallet till lies at a bridge that is inactive and takes no new entries.',
      );
      expect(outcomeOf(late)).toBe('core.bridge-unreachable');
    }
    await report(intent, boss, 'prepared');
    expect((await report(intent, boss, 'committed')).meta.status).toBe('completed');
  });
});

describe('a wallet names a bridge', () => {
  const may = { action: 'update', record: 'bridge', signer: { public: eve.public } };

  test('of its author', async () => {
    const { ledger } = await house();
    await ledger.make('bridges', { handle: 'own', config }, eve);
    await ledger.make('wallets', { handle: 'made', bridge: 'own' }, eve);
    const plain = await ledger.make('wallets', { handle: 'moved' }, eve);
    const reply = await ledger.put('/wallets/moved', revision(plain, { bridge: 'own' }, eve));
    expect(outcome(reply)).toEqual([200]);
  });

  test('that its author may update', async () => {
    const { ledger } = await house(may);
    await ledger.make('bridges', { handle: 'bank', config }, bank);
    await ledger.make('wallets', { handle: 'made', bridge: 'bank' }, eve);
    const plain = await ledger.make('wallets', { handle: 'moved' }, eve);
    const reply = await ledger.put('/wallets/moved', revision(plain, { bridge: 'bank' }, eve));
    expect(outcome(reply)).toEqual([200]);
  });

  test('which needs nothing again when it stays', async () => {
    const { ledger } = await house();
    const both = signed({ handle: 'bank', config }, [bank, eve]);
    expect(outcome(await ledger.post('/bridges', both))).toEqual([201]);
    const keys = [bank, eve];
    await ledger.post('/wallets', signed({ handle: 'w', bridge: 'bank', custom: { n: 1 } }, keys));
    const { body } = await ledger.get('/wallets/w');
    const reply = await ledger.put('/wallets/w', revision(body, { custom: { n: 2 } }, eve));
    expect(outcome(reply)).toEqual([200]);
    const missing = signed({ handle: 'x', bridge: 'nobody' }, eve);
    expect(outcome(await ledger.post('/wallets', missing))).toEqual([
      422,
      'record.relation-not-found',
    ]);
  });
});

describe('an open ledger', () => {
  test('takes a bridge as it was made; once it is governed, somebody has to vouch for it', async () => {
    const ledger = await newOwnLedger(home, boss, { access: [] });
    const { pay, report, say, available } = deedsIn(ledger);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, boss);
    await ledger.make('wallets', { handle: 'shop' }, boss);
    await ledger.make('bridges', { handle: 'bank', config }, bank);
    await ledger.make('wallets', { handle: 'till', bridge: 'bank' }, eve);
    const first = await pay(eve, 'transfer till shop 5 usd');
    await report(first, bank, 'prepared');
    expect((await report(first, bank, 'committed')).meta.status).toBe('completed');
    const second = await pay(eve, 'transfer till shop 7 usd');
    expect(second.meta.status).toBe('processing');
    const record = (await ledger.get('/ledger')).body;
    const closed = revision(record, { access: [...rules] }, boss);
    expect(outcome(await ledger.put('/ledger', closed))).toEqual([200]);
    expect(outcomeOf(await pay(eve, 'transfer till shop 5 usd'))).toBe(poor);
    await report(second, bank, 'prepared');
    expect((await report(second, bank, 'committed')).meta.status).toBe('completed');
    expect(await available('till')).toBe(-12);
    expect(outcome(await say('bank', 'active', boss))).toEqual([200]);
    expect((await pay(eve, 'transfer till shop 5 usd')).meta.status).toBe('processing');
  });

  test('lets money through a wallet that owed before it was governed, and takes none out of it', async () => {
    const ledger = await newOwnLedger(home, boss, { access: [] });
    const { pay, report, available } = deedsIn(ledger);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, boss);
    for (const handle of ['shop', 'purse']) await ledger.make('wallets', { handle }, boss);
    await ledger.make('bridges', { handle: 'bank', config }, bank);
    const till = await ledger.make('wallets', { handle: 'till', bridge: 'bank' }, bank);
    expect(outcomeOf(await pay(boss, 'issue purse 9 usd'))).toBe('completed');
    const owing = await pay(bank, 'transfer till shop 5 usd');
    for (const status of ['prepared', 'committed']) await report(owing, bank, status);
    const routes = [{ action: 'forward', target: 'shop', filter: { amount: { $lt: 8 } } }];
    const forwards = revision(till, { routes: [...routes, { action: 'accept' }] }, bank);
    expect(outcome(await ledger.put('/wallets/till', forwards))).toEqual([200]);
    const record = (await ledger.get('/ledger')).body;
    const closed = revision(record, { access: [...rules] }, boss);
    expect(outcome(await ledger.put('/ledger', closed))).toEqual([200]);
    const through = await pay(boss, 'transfer purse till 3 usd');
    expect(through.meta.status).toBe('processing');
    const { items } = await ledger.get('/intents');
    const onward = items.find(({ meta }) => meta.owners.length === 0) as Item;
    for (const status of ['prepared', 'committed'])
      for (const intent of [onward, through]) await report(intent, bank, status);
    const after = await Promise.all(['purse', 'till', 'shop'].map(available));
    expect(after).toEqual([6, -5, 8]);
    // What is taken beside it lowers what it has.
    expect(
      outcomeOf(await pay(boss, 'transfer purse till 3 usd', 'transfer till shop 1 usd')),
    ).toBe(poor);
  });
});
