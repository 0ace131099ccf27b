/**
 * Goal: no limit is ever exceeded, whoever races whom, and every refusal says which limit it was. Rulings 41, 45, 47 and 49,
 * Decisions 58 to 60.
 */
import { afterAll, describe, expect, test } from 'vitest';
import {
  active,
  claimOf,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  open,
  outcomeOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { entriesOf, rowsOf, settledSurely } from '../fixture/payment.ts';
import { nowhere, startReceiver } from '../fixture/receiver.ts';
import { loose, sdkOf } from '../fixture/sdk.ts';
import { sharedHome } from '../fixture/served.ts';

const owner = newKey();
const manual = { config: { commit: 'manual' } };

const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());

const failed = { status: 'failed', reason: 'bridge.no' };

/** A ledger with two wallets of its own, one of which holds 100, and two at banks. */
async function house(config: Json = {}, access: readonly Json[] = open) {
  const ledger = await newLedger(home, owner, { config, access });
  const bank = newKey();
  const server = nowhere;
  await ledger.make(
    'bridges',
    { handle: 'bank', config: { server } },
    bank,
    access === open ? active() : undefined,
  );
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  for (const handle of ['a', 'b']) await ledger.make('wallets', { handle }, owner);
  for (const handle of ['x', 'y']) await ledger.make('wallets', { handle, bridge: 'bank' }, bank);
  expect(outcomeOf(await ledger.settle(owner, 'issue a 100 usd'))).toBe('completed');
  const post = (claims: readonly string[], more: Json = {}, by: Key = owner) =>
    ledger.submit(by, claims, more);
  /** As `post`, where many are posted at once. */
  const postSurely = (claims: readonly string[]) =>
    settledSurely(ledger, signed({ handle: unique('pay'), claims: claims.map(claimOf) }, owner));
  /** How each of several intents ends, one after the other. */
  const ends = async (...intents: readonly string[]) => {
    const outcomes: unknown[] = [];
    for (const claims of intents) outcomes.push(outcomeOf(await post(claims.split(' + '))));
    return outcomes;
  };
  const say = async (intent: Item, by: Key, custom: Json) => {
    const reply = await ledger.prove('intents', intent, by, custom);
    expect([reply.status, reply.reason]).toEqual([200, undefined]);
    return reply.body;
  };
  const limits = async (wallet: string) => {
    const { items } = await ledger.get(`/wallets/${wallet}/limits`);
    return items.map(({ data: { symbol, metric, amount } }) =>
      [symbol, metric, amount].map(String).join(' '),
    );
  };
  const rows = (wallet: string) => rowsOf(ledger, wallet);
  return { ledger, bank, post, postSurely, ends, say, limits, rows };
}

const done = 'completed';
const exceeded = 'core.limit-exceeded';
const short = 'core.insufficient-balance';

/** What the refusal of an intent says. */
function detailOf({ meta }: Item): unknown {
  return meta.proofs.find(({ custom }) => custom?.['reason'] !== undefined)?.custom?.['detail'];
}

describe('a limit', () => {
  test('is set by an intent that moves nothing, and holds from then on', async () => {
    const { ledger, post, ends } = await house();
    const intent = await post(['limit b maxBalance 10 usd']);
    expect(intent.meta.status).toBe(done);
    expect(intent.meta.proofs.slice(1).map(({ custom }) => custom?.['status'])).toEqual([
      ...['pending', 'prepared', 'committed', 'completed'],
    ]);
    expect(await ledger.balances('b')).toEqual({});
    expect(await ends('transfer a b 10 usd', 'transfer a b 1 usd')).toEqual([done, exceeded]);
    expect(await ledger.balances('b')).toEqual({ usd: '10' });
  });

  test('is listed by symbol and metric, each a signed record of its own', async () => {
    const { ledger, post, limits } = await house();
    expect(await limits('a')).toEqual([]);
    await ledger.make('symbols', { handle: 'eur', factor: 100 }, owner);
    const first = await post(['limit a minBalance -5 usd', 'limit a dailyCount 3 usd']);
    await post(['limit a maxBalance 7 eur', 'limit a dailyAmount 9 usd']);
    expect(await limits('a')).toEqual([
      ...['eur maxBalance 7', 'usd dailyAmount 9', 'usd dailyCount 3', 'usd minBalance -5'],
    ]);
    const { body, items, page } = await ledger.get('/wallets/a/limits?page.limit=1&page.index=2');
    expect(page).toEqual({ index: 2, limit: 1 });
    expect(items).toMatchObject([
      {
        luid: expect.stringMatching(/^\$lmt\.[-\w]{17}$/),
        data: { wallet: 'a', symbol: 'usd', metric: 'dailyCount', amount: 3 },
        meta: { status: 'created', moment: first.meta.moment },
      },
    ]);
    expect(body.hash).toHaveLength(64);
    expect(items[0]?.meta.proofs).toMatchObject([{ public: ledger.key, signer: 'system' }]);
    const again = await post(['limit a dailyCount 4 usd']);
    const { items: later } = await ledger.get('/wallets/a/limits?page.limit=1&page.index=2');
    expect(later).toMatchObject([
      { luid: items[0]?.luid, data: { amount: 4 }, meta: { moment: again.meta.moment } },
    ]);
  });

  test('says which one it is when it refuses, and what would come of it', async () => {
    const { post } = await house();
    await post([
      ...['limit a minBalance 20 usd', 'limit b maxBalance 30 usd'],
      ...['limit a dailyCount 1 usd', 'limit b dailyAmount 25 usd'],
    ]);
    const details = [
      ['transfer a b 81 usd', 'The minBalance of wallet a in usd is 20, and it would come to 19.'],
      ['issue b 31 usd', 'The maxBalance of wallet b in usd does not allow it.'],
      [
        'transfer a b 1 usd + transfer a b 1 usd',
        'The dailyCount of wallet a in usd is 1, and it would come to 2.',
      ],
      ['transfer a b 26 usd', 'The dailyAmount of wallet b in usd does not allow it.'],
      [
        'limit a minBalance 101 usd',
        'The new minBalance of wallet a in usd is 101, and it would come to 100.',
      ],
      [
        'limit a maxBalance 99 usd',
        'The new maxBalance of wallet a in usd is 99, and it would come to 100.',
      ],
      ['limit nobody maxBalance 9 usd', 'Wallet nobody of claim 0 does not exist.'],
      ['limit a maxBalance 9 gold', 'Symbol gold of claim 0 does not exist.'],
    ] as const;
    for (const [claims, detail] of details)
      expect(detailOf(await post(claims.split(' + ')))).toBe(detail);
  });

  test('is found by the address of its wallet, and ends with it', async () => {
    const { ledger, ends, limits } = await house();
    const wallet = await ledger.make('wallets', { handle: 'club' }, owner);
    expect(await ends('limit member:7@club dailyCount 0 usd')).toEqual([done]);
    expect(await limits('club')).toEqual(['usd dailyCount 0']);
    expect(await ends('transfer a club 1 usd')).toEqual([exceeded]);
    const reply = await ledger.send('DELETE', '/wallets/club', farewell(wallet, owner));
    expect(reply.status).toBe(204);
    await ledger.make('wallets', { handle: 'club' }, owner);
    expect(await limits('club')).toEqual([]);
    expect(await ends('transfer a club 1 usd')).toEqual([done]);
  });

  test('waits for who may set it', async () => {
    const chief = newKey();
    const access = [
      ...['wallet', 'symbol', 'bridge', 'intent'].flatMap((record) =>
        ['create', 'read', 'query'].map((action) => ({ action, record })),
      ),
      { action: 'issue', record: 'symbol' },
      { action: 'limit', record: 'wallet', signer: { public: chief.public } },
    ];
    const { post, say, limits } = await house({}, access);
    const intent = await post(['limit a minBalance 50 usd'], {}, newKey());
    expect([intent.meta.status, await limits('a')]).toEqual(['pending', []]);
    expect((await say(intent, chief, {})).meta.status).toBe(done);
    expect(await limits('a')).toEqual(['usd minBalance 50']);
  });

  test('is told once it is set', async () => {
    const { ledger, post } = await house();
    const path = `/${unique('limited')}`;
    const action = { schema: 'webhook', endpoint: receiver.at(path) };
    await ledger.make('effects', { handle: 'e', signal: 'wallet-limited', action }, owner);
    await post(['limit a minBalance -5 usd', 'issue a 1 usd', 'limit b dailyCount 3 usd']);
    const events = await receiver.until(path, 2);
    const told = events.map((event) => event.data as Readonly<Record<string, Item & number>>);
    expect(told.map(({ metric, amount }) => `${metric} ${amount}`).sort()).toEqual([
      ...['dailyCount 3', 'minBalance -5'],
    ]);
    expect(told.map(({ wallet }) => wallet?.data.handle).sort()).toEqual(['a', 'b']);
    expect(told[0]?.['intent']).toMatchObject({ meta: { status: done } });
  });
});

describe('the least balance', () => {
  test('is in place of 0, below or above it', async () => {
    const { ledger, ends } = await house();
    expect(
      await ends(
        ...['transfer a b 101 usd', 'limit a minBalance -50 usd', 'transfer a b 151 usd'],
        ...['destroy a 150 usd', 'destroy a 1 usd', 'issue a 60 usd', 'limit a minBalance 10 usd'],
        ...['transfer a b 1 usd', 'limit a minBalance 9 usd', 'transfer a b 1 usd'],
      ),
    ).toEqual([short, done, exceeded, done, exceeded, done, done, exceeded, done, done]);
    expect(await ledger.balances('a')).toEqual({ usd: '9' });
  });

  test('of a wallet at a bank is none until one is set', async () => {
    const { post, say, bank } = await house();
    const paid = await post(['transfer x a 5 usd']);
    expect(paid.meta.status).toBe('processing');
    expect(detailOf(await post(['limit x minBalance -4 usd']))).toBe(
      'The new minBalance of wallet x in usd is -4, and it would come to -5.',
    );
    expect((await post(['limit x minBalance -8 usd'])).meta.status).toBe(done);
    expect(outcomeOf(await post(['transfer x a 4 usd']))).toBe(exceeded);
    const last = await post(['transfer x a 3 usd']);
    expect(last.meta.status).toBe('processing');
    // What a bank gives back is there again.
    await say(last, bank, { handle: entriesOf(last)['debit x'], ...failed });
    expect((await post(['transfer x a 3 usd'])).meta.status).toBe('processing');
  });
});

describe('the largest balance', () => {
  test('counts what is reserved, and a debit of the same intent makes no room', async () => {
    const { ends, post } = await house();
    await post(['limit a maxBalance 110 usd']);
    await post(['transfer a x 60 usd']);
    expect(
      await ends('issue a 11 usd', 'issue a 10 usd', 'transfer a b 9 usd + issue a 9 usd'),
    ).toEqual([exceeded, done, exceeded]);
  });

  test('is asked again when all is prepared, and who prepared has to undo it', async () => {
    const { rows, ends, post, say, bank } = await house();
    await post(['limit b maxBalance 10 usd']);
    const paid = await post(['transfer x b 6 usd']);
    expect(await ends('transfer a b 5 usd')).toEqual([done]);
    const refused = await say(paid, bank, {
      handle: entriesOf(paid)['debit x'],
      status: 'prepared',
    });
    expect([refused.meta.status, outcomeOf(refused)]).toEqual(['aborted', exceeded]);
    expect(await rows('x')).toEqual(['available 0', 'reserved 0']);
    const undone = await say(paid, bank, {
      handle: entriesOf(paid)['debit x'],
      status: 'aborted',
    });
    expect(undone.meta.status).toBe('rejected');
    expect(await rows('b')).toEqual(['available 5']);
  });

  test('that is set after something was reserved is asked when that is prepared', async () => {
    const { rows, ends, post, say, bank } = await house();
    const paid = await post(['transfer x b 6 usd']);
    expect(await ends('limit b maxBalance 5 usd')).toEqual([done]);
    const refused = await say(paid, bank, {
      handle: entriesOf(paid)['debit x'],
      status: 'prepared',
    });
    expect([refused.meta.status, outcomeOf(refused)]).toEqual(['aborted', exceeded]);
    expect([await rows('x'), await rows('b')]).toEqual([['available 0', 'reserved 0'], []]);
  });

  test('is asked again when somebody decides', async () => {
    const { rows, ends, post, say } = await house();
    await post(['limit b maxBalance 10 usd']);
    const [one, two] = [
      await post(['transfer a b 6 usd'], manual),
      await post(['transfer a b 6 usd'], manual),
    ];
    expect((await say(one, owner, { status: 'committed' })).meta.status).toBe(done);
    const refused = await say(two, owner, { status: 'committed' });
    expect([refused.meta.status, outcomeOf(refused)]).toEqual(['rejected', exceeded]);
    expect(await ends('transfer a b 4 usd')).toEqual([done]);
    expect([await rows('a'), await rows('b')]).toEqual([
      ['available 90', 'reserved 0'],
      ['available 10'],
    ]);
  });
});

describe('the limits of a day', () => {
  test('count transfers in both directions, and nothing else', async () => {
    const { ends } = await house();
    expect(
      await ends(
        ...['transfer a b 9 usd', 'limit b dailyCount 3 usd', 'issue b 1 usd', 'destroy b 1 usd'],
        ...['transfer a b 1 usd', 'transfer b a 1 usd', 'transfer a b 1 usd + transfer a b 1 usd'],
        ...['transfer a b 1 usd', 'transfer b a 1 usd', 'issue b 1 usd'],
      ),
    ).toEqual([done, done, done, done, done, done, exceeded, done, exceeded, done]);
  });

  test('sum what goes and what comes', async () => {
    const { ends } = await house();
    expect(
      await ends(
        ...['limit a dailyAmount 50 usd', 'transfer a b 30 usd', 'transfer b a 15 usd'],
        ...['transfer a b 6 usd', 'transfer a b 5 usd', 'transfer b a 1 usd'],
        ...['limit a dailyAmount 51 usd', 'transfer b a 1 usd', 'transfer b a 1 usd'],
      ),
    ).toEqual([done, done, done, exceeded, done, exceeded, done, done, exceeded]);
  });

  test('count what is on its way, and no more what fails', async () => {
    const { ends, post, say, bank } = await house();
    await post(['limit a dailyCount 2 usd']);
    const held = await post(['transfer a b 1 usd'], manual);
    const paid = await post(['transfer a x 1 usd']);
    expect(await ends('transfer a b 1 usd')).toEqual([exceeded]);
    await say(held, owner, { status: 'aborted' });
    expect(await ends('transfer a b 1 usd', 'transfer a b 1 usd')).toEqual([done, exceeded]);
    await say(paid, bank, { handle: entriesOf(paid)['credit x'], ...failed });
    expect(await ends('transfer a b 1 usd', 'transfer a b 1 usd')).toEqual([done, exceeded]);
  });

  test('are kept and not asked where the ledger turns them off', async () => {
    const { ends, limits } = await house({ 'limits.aggregated.enabled': false });
    expect(
      await ends(
        ...['limit a dailyCount 0 usd', 'limit a maxBalance 100 usd'],
        ...['transfer a b 1 usd', 'issue a 2 usd'],
      ),
    ).toEqual([done, done, done, exceeded]);
    expect(await limits('a')).toEqual(['usd dailyCount 0', 'usd maxBalance 100']);
  });
});

describe('claims that stand beside a limit', () => {
  test('are judged by the limits before, and leave what the new ones allow', async () => {
    const { ledger, ends, limits } = await house();
    expect(
      await ends(
        ...[
          'limit a maxBalance 100 usd + issue a 1 usd',
          'limit b maxBalance 4 usd + issue b 5 usd',
        ],
        ...['limit b dailyCount 0 usd + transfer a b 5 usd', 'transfer a b 1 usd'],
        ...['limit a minBalance 90 usd + limit a minBalance 95 usd', 'issue a 5 usd'],
        ...['limit a maxBalance 100 usd + transfer a b 1 usd', 'limit a maxBalance 100 usd'],
        ...['limit a maxBalance 200 usd + issue a 1 usd', 'issue a 1 usd'],
      ),
    ).toEqual([exceeded, exceeded, done, exceeded, done, done, exceeded, done, exceeded, exceeded]);
    expect(await ledger.balances('a')).toEqual({ usd: '100' });
    expect(await limits('a')).toEqual(['usd maxBalance 100', 'usd minBalance 95']);
  });

  test('wait with it until it is decided, and it is judged then', async () => {
    const { ledger, rows, ends, limits, post, say } = await house();
    const [one, two] = [
      await post(['limit a minBalance 80 usd', 'transfer a b 10 usd'], manual),
      await post(['limit b maxBalance 15 usd'], manual),
    ];
    expect([await limits('a'), await limits('b')]).toEqual([[], []]);
    expect(await ledger.balances('b')).toEqual({});
    expect(await ends('transfer a b 11 usd')).toEqual([done]);
    expect(outcomeOf(await say(one, owner, { status: 'committed' }))).toBe(exceeded);
    expect(outcomeOf(await say(two, owner, { status: 'committed' }))).toBe(done);
    expect([await limits('a'), await limits('b')]).toEqual([[], ['usd maxBalance 15']]);
    expect(await rows('a')).toEqual(['available 89', 'reserved 0']);
    const wallet = await ledger.get('/wallets/b');
    const left = await post(['transfer b a 11 usd', 'limit b maxBalance 0 usd'], manual);
    expect((await say(left, owner, { status: 'committed' })).meta.status).toBe(done);
    const gone = await ledger.send('DELETE', '/wallets/b', farewell(wallet.body, owner));
    expect(gone.status).toBe(204);
  });

  test('keep the wallet that is to be limited in place', async () => {
    const { ledger, limits, post, say } = await house();
    const wallet = await ledger.get('/wallets/b');
    const intent = await post(['limit b maxBalance 15 usd'], manual);
    const drop = () => ledger.send('DELETE', '/wallets/b', farewell(wallet.body, owner));
    const { reason, detail } = await drop();
    expect([reason, detail]).toEqual([
      'record.drop-rejected',
      'Wallet b is needed by undecided intents for usd.',
    ]);
    await say(intent, owner, { status: 'aborted' });
    expect(await limits('b')).toEqual([]);
    expect((await drop()).status).toBe(204);
  });
});

describe('many at once', () => {
  test('of a hundred transfers exactly as many succeed as a day may have', async () => {
    const { ledger, post, postSurely } = await house();
    await post(['limit b dailyCount 10 usd']);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, async () => outcomeOf(await postSurely(['transfer a b 1 usd']))),
    );
    expect(outcomes.filter((one) => one === done)).toHaveLength(10);
    expect(outcomes.filter((one) => one === exceeded)).toHaveLength(90);
    expect(await ledger.balances('b')).toEqual({ usd: '10' });
  });

  test('sixty transfers within a generous day all succeed', async () => {
    const { ledger, post, postSurely } = await house();
    await post(['limit b dailyCount 60 usd', 'limit b dailyAmount 60 usd']);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async () => outcomeOf(await postSurely(['transfer a b 1 usd']))),
    );
    expect(new Set(outcomes)).toEqual(new Set([done]));
    expect(await ledger.balances('b')).toEqual({ usd: '60' });
  });

  test('nothing goes below the least or above the largest balance', async () => {
    const { ledger, post, postSurely } = await house();
    await post(['limit a minBalance 80 usd', 'limit b maxBalance 30 usd', 'issue b 20 usd']);
    const turns = Array.from({ length: 60 }, (_, index) => {
      const [from, to] = index % 3 === 0 ? 'ba' : 'ab';
      return postSurely([`transfer ${from} ${to} ${1 + (index % 7)} usd`]);
    });
    const outcomes = new Set((await Promise.all(turns)).map(outcomeOf));
    expect([...outcomes].every((one) => [done, exceeded, short].includes(String(one)))).toBe(true);
    const [a, b] = [await ledger.balances('a'), await ledger.balances('b')];
    expect(Number(a['usd']) + Number(b['usd'])).toBe(120);
    expect(Number(a['usd'])).toBeGreaterThanOrEqual(80);
    expect(Number(b['usd'])).toBeLessThanOrEqual(30);
  });

  test('a limit and what it forbids never both succeed in the wrong order', async () => {
    const { ledger, post, postSurely } = await house();
    const race = async (index: number) => {
      const handle = `r${index}`;
      await ledger.make('wallets', { handle }, owner);
      await post([`issue ${handle} 10 usd`]);
      const [limit, transfer] = await Promise.all([
        postSurely([`limit ${handle} minBalance 5 usd`]),
        postSurely([`transfer ${handle} b 6 usd`]),
      ]);
      const { usd } = await ledger.balances(handle);
      expect([
        [done, exceeded, '10'],
        [exceeded, done, '4'],
      ]).toContainEqual([outcomeOf(limit), outcomeOf(transfer), usd]);
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => race(index)));
  });
});

test('the public client sets a limit and hears that it is exceeded', async () => {
  const { ledger } = await house();
  const sdk = sdkOf(home.url, ledger.key, ledger.ledger);
  const { createKeyPair } = await import('@minka/ledger-sdk/crypto/src/index.js');
  const keyPair = await createKeyPair();
  const settled = async (...claims: readonly string[]) => {
    const value = { handle: unique('pay'), claims: claims.map(claimOf) };
    const builder = sdk.intent.init().data(loose(value)).hash();
    const { response } = await builder.sign([{ keyPair }]).send();
    return response.data as unknown as Item;
  };
  expect(outcomeOf(await settled('limit a dailyAmount 5 usd'))).toBe(done);
  expect(outcomeOf(await settled('transfer a b 5 usd'))).toBe(done);
  expect(outcomeOf(await settled('transfer a b 1 usd'))).toBe(exceeded);
});

test('what a limit forbids is not laid to a bridge that nobody vouches for', async () => {
  const { bank, post, ends } = await house({}, [...open]);
  expect(await ends('limit x minBalance 0 usd')).toEqual([done]);
  expect(detailOf(await post(['transfer x a 5 usd'], {}, bank))).toBe(
    'The minBalance of wallet x in usd is 0, and it would come to -5.',
  );
});
