/**
 * Goal: the balances of all wallets, their sums and the supply of a symbol over HTTP: exact, as they are and as they were,
 * while payments run, and for those alone who may read all that is summed. Rulings 85 and 86.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  farewell,
  type Json,
  newKey,
  newLedger,
  now,
  open,
  type Reply,
  revision,
  unique,
} from '../fixture/client.ts';
import { pause } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const key = newKey();
const home = await sharedHome();
const dataOf = ({ items }: Reply) => items.map(({ data }) => data);
const rowOf = (wallet: string, symbol: string, amount: number, schema = 'available') => ({
  ...{ wallet, symbol, schema, amount },
});

/** Alice and Bob in the north, Carol in the south at a bridge, and money in two symbols. */
async function bank(access = open): Promise<{ ledger: Client; before: string }> {
  const ledger = await newLedger(home, key, { access });
  for (const handle of ['north', 'south']) await ledger.make('domains', { handle }, key);
  const config = { server: 'https://bridge.example' };
  await ledger.make('bridges', { handle: 'box', config, secure: [] }, key);
  for (const handle of ['alice', 'bob']) {
    const schema = handle === 'alice' ? 'savings' : 'checking';
    await ledger.make('wallets', { handle, schema, domain: 'north' }, key);
  }
  await ledger.make('wallets', { handle: 'carol', bridge: 'box', domain: 'south' }, key);
  for (const handle of ['usd', 'eur']) await ledger.make('symbols', { handle, factor: 100 }, key);
  await ledger.settle(key, 'issue alice 1000 usd', 'issue carol 300 usd', 'issue bob 7 eur');
  await pause(5);
  const before = now();
  await pause(5);
  await ledger.settle(key, 'transfer alice bob 250 usd', 'destroy alice 50 usd');
  const held = { config: { commit: 'manual' } };
  await ledger.submit(key, ['transfer bob alice 40 usd'], held);
  return { ledger, before };
}

let ledger: Client;
let before: string;
beforeAll(async () => {
  ({ ledger, before } = await bank());
});

const supply = (symbol: string, debits: number, credits: number) => ({
  ...{ symbol, of: 'supply', debits, credits, balance: credits - debits, reserved: 0 },
});
const sum = (symbol: string, more: Json, [debits, credits, reserved = 0]: number[]) => ({
  ...{ symbol, of: 'wallets', debits, credits, balance: (credits ?? 0) - (debits ?? 0), reserved },
  ...more,
});

describe('the balances of all wallets', () => {
  const all = [
    rowOf('carol', 'usd', 300),
    rowOf('bob', 'eur', 7),
    rowOf('bob', 'usd', 210),
    rowOf('bob', 'usd', 40, 'reserved'),
    rowOf('alice', 'usd', 700),
  ];

  test.each([
    ['', all],
    ['?symbol=eur', [rowOf('bob', 'eur', 7)]],
    ['?symbol=none', []],
    ['?meta.domain=south', [rowOf('carol', 'usd', 300)]],
    ['?data.schema=savings', [rowOf('alice', 'usd', 700)]],
    ['?data.bridge=box', [rowOf('carol', 'usd', 300)]],
    ['?page.limit=2&page.index=1', all.slice(2, 4)],
    ['?page.limit=2&page.index=3', []],
  ])('are listed by %s', async (query, rows) => {
    expect(dataOf(await ledger.get(`/balances${query}`))).toEqual(rows);
  });

  test('are listed as they were at a moment', async () => {
    const reply = await ledger.get(`/balances?moment=${before}`);
    expect(dataOf(reply)).toEqual([
      rowOf('carol', 'usd', 300),
      rowOf('bob', 'eur', 7),
      rowOf('alice', 'usd', 1000),
    ]);
    expect(reply.items.map(({ meta }) => meta['moment'])).toEqual([before, before, before]);
  });

  test.each([1, 2, 3, 5])('are listed page by page, of %i', async (limit) => {
    const rows: Json[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const reply: Reply = await ledger.get(`/balances?page.limit=${limit}&page.cursor=${cursor}`);
      rows.push(...dataOf(reply));
      cursor = reply.page['next'] as string | undefined;
    }
    expect(rows).toEqual(all);
  });

  /** The rows of the pages of two that follow the cursor. */
  async function rowsAfter(of: Client, cursor: unknown): Promise<string[]> {
    const rows: Json[] = [];
    for (let next = cursor; next !== undefined; ) {
      const reply: Reply = await of.get(`/balances?page.limit=2&page.cursor=${next}`);
      rows.push(...dataOf(reply));
      next = reply.page['next'];
    }
    return rows.map((row) => [row['wallet'], row['symbol'], row['schema']].join(' '));
  }
  const ofAlice = ['alice usd available'];
  const ofBob = ['bob eur available', 'bob usd available', 'bob usd reserved'];

  test('miss no row of another wallet when the one in which a page ended is changed', async () => {
    const { ledger: own } = await bank();
    const first = await own.get('/balances?page.limit=2&page.cursor=');
    expect(await rowsAfter(own, first.page['next'])).toEqual([...ofBob.slice(1), ...ofAlice]);
    const { body: bob } = await own.get('/wallets/bob');
    const changed = await own.put('/wallets/bob', revision(bob, { custom: { note: 1 } }, key));
    expect(changed.status).toBe(200);
    expect(await rowsAfter(own, first.page['next'])).toEqual(ofAlice);
  });

  test('show no row twice when the wallet in which a page ended gets one before it', async () => {
    const { ledger: own } = await bank();
    const first = await own.get('/balances?page.limit=2&page.cursor=');
    await own.submit(key, ['transfer bob alice 1 eur'], { config: { commit: 'manual' } });
    await own.make('symbols', { handle: 'aud', factor: 100 }, key);
    await own.settle(key, 'issue bob 7 aud');
    const rows = await rowsAfter(own, first.page['next']);
    expect(rows).toEqual(['bob eur reserved', ...ofBob.slice(1), ...ofAlice]);
  });
});

describe('the sums', () => {
  const symbols = [
    supply('eur', 7, 0),
    sum('eur', { wallets: 1 }, [0, 7]),
    supply('usd', 1300, 50),
    sum('usd', { wallets: 3 }, [300, 1550, 40]),
  ];
  test.each([
    ['', symbols],
    ['?group=symbol&symbol=usd', symbols.slice(2)],
    [
      '?symbol=usd&group=domain',
      [
        supply('usd', 1300, 50),
        sum('usd', { wallets: 2, domain: 'north' }, [300, 1250, 40]),
        sum('usd', { wallets: 1, domain: 'south' }, [0, 300]),
      ],
    ],
    [
      '?symbol=usd&group=schema',
      [
        supply('usd', 1300, 50),
        sum('usd', { wallets: 1 }, [0, 300]),
        sum('usd', { wallets: 1, schema: 'checking' }, [0, 250, 40]),
        sum('usd', { wallets: 1, schema: 'savings' }, [300, 1000]),
      ],
    ],
    ['?symbol=usd&meta.domain=north', [sum('usd', { wallets: 2 }, [300, 1250, 40])]],
    ['?data.bridge=box', [sum('usd', { wallets: 1 }, [0, 300])]],
    ['?symbol=none', []],
  ])('%s', async (query, rows) => {
    expect(dataOf(await ledger.get(`/balances/totals${query}`))).toEqual(rows);
  });

  test('are those of a moment', async () => {
    const reply = await ledger.get(`/balances/totals?symbol=usd&moment=${before}`);
    expect(dataOf(reply)).toEqual([supply('usd', 1300, 0), sum('usd', { wallets: 2 }, [0, 1300])]);
  });

  test('a wallet that has been dropped is in the sums of the past', async () => {
    const { ledger: own } = await bank();
    const dave = await own.make('wallets', { handle: 'dave', domain: 'north' }, key);
    await own.settle(key, 'issue dave 5 usd');
    await pause(5);
    const then = now();
    await pause(5);
    await own.settle(key, 'destroy dave 5 usd');
    await own.send('DELETE', `/wallets/${dave.luid}`, farewell(dave, key));
    const reply = await own.get(`/balances/totals?symbol=usd&group=domain&moment=${then}`);
    const rows = dataOf(reply);
    expect(rows.find((row) => row['of'] === 'dropped-wallets')).toEqual({
      ...sum('usd', { wallets: 1 }, [0, 5]),
      of: 'dropped-wallets',
    });
    expect(rows.reduce((total, row) => total + Number(row['balance']), 0)).toBe(0);
  });

  test('what an earlier wallet of a handle held at a moment is not summed as that of the present one', async () => {
    const { ledger: own } = await bank();
    const dave = await own.make('wallets', { handle: 'dave', domain: 'north' }, key);
    await own.settle(key, 'issue dave 5 usd');
    await pause(5);
    const then = now();
    await pause(5);
    await own.settle(key, 'destroy dave 5 usd');
    await own.send('DELETE', `/wallets/${dave.luid}`, farewell(dave, key));
    await own.make('wallets', { handle: 'dave', domain: 'south', bridge: 'box' }, key);
    const at = async (query: string) =>
      dataOf(await own.get(`/balances/totals?symbol=usd&moment=${then}&${query}`));
    expect((await at('group=domain')).filter(({ of }) => of !== 'supply')).toEqual([
      sum('usd', { wallets: 2, domain: 'north' }, [300, 1250, 40]),
      sum('usd', { wallets: 1, domain: 'south' }, [0, 300]),
      { ...sum('usd', { wallets: 1 }, [0, 5]), of: 'dropped-wallets' },
    ]);
    expect(await at('data.handle=dave')).toEqual([]);
    const { body } = await own.get(`/symbols/usd/supply?moment=${then}`);
    expect(body.data).toMatchObject({ outstanding: 1255, atBridges: 300 });
  });

  test('come to zero while payments run, now and at a moment', async () => {
    const own = await newLedger(home, key);
    const wallets = Array.from({ length: 8 }, (_, index) => `w${index}`);
    for (const handle of wallets) await own.make('wallets', { handle }, key);
    await own.make('symbols', { handle: 'usd', factor: 100 }, key);
    await own.settle(key, ...wallets.map((wallet) => `issue ${wallet} 1000 usd`));
    let isRunning = true;
    const pay = async (from: number) => {
      for (let count = from; isRunning; count += 3) {
        const [source, target] = [wallets[count % 8], wallets[(count + 3) % 8]];
        await own.settle(key, `transfer ${source} ${target} 1 usd`);
        if (count % 5 === 0) await own.settle(key, `issue ${target} 2 usd`);
      }
    };
    const paying = [pay(0), pay(1)];
    try {
      for (let count = 0; count < 5; count += 1) {
        const moment = count % 2 === 0 ? '' : `&moment=${now()}`;
        const reply = await own.get(`/balances/totals?symbol=usd${moment}`);
        expect([reply.status, reply.reason]).toEqual([200, undefined]);
        const rows = dataOf(reply);
        expect(rows).toHaveLength(2);
        expect(rows.reduce((total, row) => total + Number(row['balance']), 0)).toBe(0);
      }
    } finally {
      isRunning = false;
      await Promise.all(paying);
    }
  });
});

describe('the supply of a symbol', () => {
  const usd = (more: Json) => ({ symbol: 'usd', issued: 1300, ...more });
  test.each([
    ['usd', '', usd({ destroyed: 50, outstanding: 1250, reserved: 40, atBridges: 300 })],
    ['usd', 'then', usd({ destroyed: 0, outstanding: 1300, reserved: 0, atBridges: 300 })],
    [
      'eur',
      '',
      { symbol: 'eur', issued: 7, destroyed: 0, outstanding: 7, reserved: 0, atBridges: 0 },
    ],
  ])('%s %s', async (symbol, when, data) => {
    const query = when === '' ? '' : `?moment=${before}`;
    const { body } = await ledger.get(`/symbols/${symbol}/supply${query}`);
    expect(body.data).toEqual(data);
  });

  test('of a symbol that never moved is nothing', async () => {
    const { data } = await ledger.make('symbols', { handle: unique('new'), factor: 1 }, key);
    const { body } = await ledger.get(`/symbols/${data.handle}/supply`);
    expect(body.data).toMatchObject({ issued: 0, outstanding: 0, reserved: 0, atBridges: 0 });
  });
});

describe('what cannot be meant is refused:', () => {
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  test.each([
    ['/balances?symbol=', 'symbol'],
    ['/balances?symbol=a&symbol=b', 'symbol'],
    [`/balances?moment=${ahead}`, 'moment'],
    ['/balances?moment=1999-01-01T00:00:00Z', 'moment'],
    ['/balances?moment=yesterday', 'moment'],
    ['/balances?page.cursor=abc', 'page.cursor'],
    ['/balances?group=symbol', 'group'],
    ['/balances?data.amount=5', undefined],
    ['/balances/totals?group=bridge', 'group'],
    ['/balances/totals?group=symbol&group=domain', 'group'],
    [`/balances/totals?moment=${ahead}`, 'moment'],
    ['/balances/totals?page.limit=5', 'page.limit'],
    ['/symbols/usd/supply?moment=1999-01-01T00:00:00Z', 'moment'],
    ['/symbols/usd/supply?symbol=usd', 'symbol'],
  ])('%s', async (path, parameter) => {
    const reply = await ledger.get(path);
    expect([reply.status, reply.reason]).toEqual([400, 'api.query-malformed']);
    expect(reply.custom['parameter']).toBe(parameter);
  });

  test('a symbol that is not there', async () => {
    expect((await ledger.get('/symbols/none/supply')).status).toBe(404);
  });
});

describe('a caller', () => {
  const [auditor, clerk, owner, issuer, nobody] = Array.from({ length: 5 }, newKey);
  let governed: Client;
  beforeAll(async () => {
    const may = (action: string, record: string, who = clerk, more: Json = {}) => ({
      ...{ action, record, signer: { public: who?.public } },
      ...more,
    });
    const mine = { action: 'any', record: 'any', signer: { public: key.public } };
    ({ ledger: governed } = await bank([mine]));
    const access = [
      ...['wallet', 'symbol'].map((record) => may('read', record, auditor)),
      may('read', 'wallet', clerk, { filter: { schema: 'savings' } }),
      may('read', 'symbol', clerk),
      ...['read', 'issue'].map((action) => may(action, 'symbol', issuer)),
    ];
    await governed.make('circles', { handle: 'rules', access }, key);
    const own = [{ action: 'read', record: 'wallet', signer: { public: owner?.public } }];
    await governed.make('circles', { handle: 'north', access: own, domain: 'north' }, key);
  });
  const ask = async (path: string, who?: typeof key) => {
    const reply = await governed.get(path, bearing(who));
    return reply.status === 200 ? dataOf(reply).map((row) => row['wallet']) : reply.status;
  };

  test('lists the balances of the wallets that a list of wallets shows them', async () => {
    const all = ['carol', 'bob', 'bob', 'bob', 'alice'];
    expect(await ask('/balances', auditor)).toEqual(all);
    expect(await ask('/balances', clerk)).toEqual(['alice']);
    expect(await ask('/balances?meta.domain=north', owner)).toEqual(['bob', 'bob', 'bob', 'alice']);
    expect(await ask('/balances', nobody)).toBe(403);
    expect(await ask('/balances')).toBe(401);
  });

  test('sums only what they may read all of', async () => {
    for (const [path, who, status] of [
      ['/balances/totals', auditor, 200],
      ['/balances/totals', clerk, 403],
      ['/balances/totals?data.schema=savings', clerk, 403],
      ['/balances/totals', owner, 403],
      ['/balances/totals?meta.domain=north', owner, 200],
      ['/balances/totals?meta.domain=south', owner, 403],
      ['/balances/totals', undefined, 401],
    ] as const) {
      const { status: answered } = await governed.get(path, bearing(who));
      expect([path, answered]).toEqual([path, status]);
    }
  });

  test('reads the supply with the right to read all wallets, or to issue', async () => {
    for (const [who, status] of [
      [auditor, 200],
      [issuer, 200],
      [clerk, 403],
      [owner, 403],
      [undefined, 401],
    ] as const)
      expect((await governed.get('/symbols/usd/supply', bearing(who))).status).toBe(status);
  });
});
