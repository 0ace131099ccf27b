/**
 * Goal: a report over HTTP: how it moves, what it brings, and the one that the ledger produces itself,
 * line for line. Ruling 67, Decisions 24 and 25.
 */
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import {
  claimOf,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  now,
  signed,
  unique,
} from '../fixture/client.ts';
import { pause, startReceiver, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());
const ledger = await newLedger(home, key);

const newReport = (more: Json = {}, of = ledger) =>
  of.make('reports', { handle: unique('report'), schema: 'monthly', ...more }, key);
const detailsOf = (start_timestamp: unknown, end_timestamp: unknown) => ({
  handle: unique('details'),
  schema: 'trans_details_rep',
  custom: { start_timestamp, end_timestamp },
});

const prove = (report: Item, custom: Json, of = ledger, by: Key = key) =>
  of.prove('reports', report, by, custom);

/** An asset as it is served; what is refused is signed like all refusals. */
async function asset(report: Item, handle: string, query = '', of = ledger) {
  const headers = of.ledger === undefined ? {} : { 'x-ledger': of.ledger };
  const path = `/reports/${report.luid}/assets/${handle}${query}`;
  const response = await fetch(`${of.url}${path}`, { headers });
  const header = (name: string) => response.headers.get(name);
  return {
    status: response.status,
    type: header('content-type'),
    disposition: header('content-disposition'),
    sniffing: header('x-content-type-options'),
    text: await response.text(),
  };
}

async function ended(report: Item, of = ledger): Promise<Item> {
  let current = report;
  await until(
    () => `report ${report.data['handle']} is ${current.meta.status}`,
    async () => {
      current = (await of.get(`/reports/${report.luid}`)).body;
      return ['completed', 'rejected'].includes(current.meta.status);
    },
  );
  return current;
}

describe('the status of a report', () => {
  const all = ['created', 'pending', 'completed', 'settled', 'rejected', 'archived'];
  const moves: Readonly<Record<string, readonly string[]>> = {
    created: ['pending', 'rejected'],
    pending: ['completed', 'rejected'],
    completed: ['settled'],
    settled: [],
    rejected: ['pending', 'completed'],
  };
  const ways: Readonly<Record<string, readonly string[]>> = {
    created: [],
    pending: ['pending'],
    completed: ['pending', 'completed'],
    settled: ['pending', 'completed', 'settled'],
    rejected: ['rejected'],
  };
  const cases = Object.keys(moves).flatMap((from) => all.map((to) => [from, to] as const));

  test.each(cases)('from %s to %s', async (from, to) => {
    const report = await newReport();
    for (const status of ways[from] ?? [])
      expect((await prove(report, { status })).body.meta.status).toBe(status);
    const reply = await prove(report, { status: to });
    const current = await ledger.get(`/reports/${report.luid}`);
    if (moves[from]?.includes(to)) {
      expect(reply.status, reply.text).toBe(200);
      expect(current.body.meta.status).toBe(to);
    } else {
      expect([reply.status, reply.reason]).toEqual([422, 'record.update-rejected']);
      expect(current.body.meta.status).toBe(from);
    }
  });

  test('is not asked for by every proof: one without status is kept', async () => {
    const report = await newReport();
    const reply = await prove(report, { labels: ['checked'], note: 'fine' });
    expect([reply.status, reply.body.meta.status]).toEqual([200, 'created']);
    expect(reply.body.meta['labels']).toEqual(['checked']);
  });

  test('cannot be taken back to the first one by null', async () => {
    const report = await newReport();
    const reply = await prove(report, { status: null });
    expect([reply.status, reply.reason]).toEqual([422, 'record.update-rejected']);
    expect((await ledger.get(`/reports/${report.luid}`)).body).toEqual(report);
  });

  test('may be anything but dropped and the like, as for every kind', async () => {
    const report = await newReport();
    for (const status of ['dropped', '', 'x'.repeat(65)])
      expect((await prove(report, { status })).reason).toBe('record.status-policy-violation');
  });
});

describe('the assets of a report', () => {
  const csv = 'a,b\r\n1,"ü"\r\n';
  const assets = [
    { handle: 'lines.csv', output: csv },
    { handle: 'sums.json', output: { total: [1, 2], deep: { ok: true } } },
    { handle: 'list', output: [1, 'two'] },
    { handle: 'note.html', output: '<script>alert(1)</script>' },
    { handle: 'empty', output: '' },
    // A member of every object.
    { handle: 'x.constructor', output: 'made' },
  ];

  test('come with the proof that completes it, and are served as they are', async () => {
    const report = await newReport();
    await prove(report, { status: 'pending' });
    expect((await asset(report, 'lines.csv')).status).toBe(404);
    expect((await prove(report, { status: 'completed', assets })).status).toBe(200);
    const served = await Promise.all(assets.map(({ handle }) => asset(report, handle)));
    expect(served.map(({ status, type, text }) => [status, type, text])).toEqual([
      [200, 'text/csv; charset=utf-8', csv],
      [200, 'application/json', '{"deep":{"ok":true},"total":[1,2]}'],
      [200, 'application/json', '[1,"two"]'],
      [200, 'text/plain; charset=utf-8', '<script>alert(1)</script>'],
      [200, 'text/plain; charset=utf-8', ''],
      [200, 'text/plain; charset=utf-8', 'made'],
    ]);
    for (const [index, { disposition, sniffing }] of served.entries()) {
      expect(disposition).toBe(`attachment; filename="${assets[index]?.handle}"`);
      expect(sniffing).toBe('nosniff');
    }
    expect((await prove(report, { status: 'settled' })).status).toBe(200);
    expect((await asset(report, 'lines.csv')).text).toBe(csv);
  });

  test('that are not there are not found, nor are those of no report', async () => {
    const report = await newReport();
    await prove(report, { status: 'pending', assets });
    for (const path of [`${report.luid}/assets/lines.csv`, 'nobody/assets/lines.csv']) {
      const reply = await ledger.get(`/reports/${path}`);
      expect([reply.status, reply.reason]).toEqual([404, 'record.not-found']);
    }
    await prove(report, { status: 'completed' });
    const none = await ledger.get(`/reports/${report.luid}/assets/lines.csv`);
    expect([none.status, none.detail]).toEqual([404, 'Asset not found']);
  });

  test('are those of the proof that completed it, not of another', async () => {
    const report = await newReport();
    await prove(report, { status: 'rejected', assets: [{ handle: 'a', output: 'early' }] });
    await prove(report, { status: 'completed', assets: [{ handle: 'a', output: 'right' }] });
    await prove(report, { assets: [{ handle: 'a', output: 'late' }] });
    const again = { status: 'completed', assets: [{ handle: 'a', output: 'again' }] };
    expect((await prove(report, again)).reason).toBe('record.update-rejected');
    expect((await asset(report, 'a')).text).toBe('right');
  });

  test.each([
    ['no list', { a: 1 }, '/custom/assets type'],
    ['no output', [{ handle: 'a' }], '/custom/assets/0 required'],
    ['a number', [{ handle: 'a', output: 5 }], '/custom/assets/0/output type'],
    ['a path for a handle', [{ handle: '../a', output: '' }], '/custom/assets/0/handle pattern'],
    [
      'a member too much',
      [{ handle: 'a', output: '', x: 1 }],
      '/custom/assets/0 additionalProperties',
    ],
    [
      'a handle twice',
      [
        { handle: 'a', output: '' },
        { handle: 'a', output: 'b' },
      ],
      '/custom/assets format',
    ],
    [
      'too many',
      Array.from({ length: 21 }, (_, index) => ({ handle: `a${index}`, output: '' })),
      '/custom/assets maxItems',
    ],
  ])('are refused when they are %s', async (_, wrong, error) => {
    const report = await newReport();
    await prove(report, { status: 'pending' });
    const reply = await prove(report, { status: 'completed', assets: wrong });
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
    const [first] = reply.custom['errors'] as { instancePath: string; keyword: string }[];
    expect(`${first?.instancePath} ${first?.keyword}`).toBe(error);
  });

  test('that are too large are refused', async () => {
    const report = await newReport();
    await prove(report, { status: 'pending' });
    const large = [{ handle: 'a', output: 'x'.repeat(400_000) }];
    expect((await prove(report, { status: 'completed', assets: large })).status).toBe(413);
  });
});

describe('a report that the ledger produces', () => {
  const noon = '2026-01-01T12:00:00Z';

  test.each([
    ['no custom', undefined, ['/data required']],
    ['no interval', {}, ['/data/custom required', '/data/custom required']],
    ['no end', { start_timestamp: noon }, ['/data/custom required']],
    [
      'no moments',
      { start_timestamp: 'yesterday', end_timestamp: 5 },
      ['/data/custom/end_timestamp format', '/data/custom/start_timestamp format'],
    ],
    [
      'a local time',
      { start_timestamp: noon, end_timestamp: '2026-01-02T12:00:00+01:00' },
      ['/data/custom/end_timestamp format'],
    ],
    [
      'a day that does not exist',
      { start_timestamp: '2026-02-30T00:00:00Z', end_timestamp: '2026-03-30T00:00:00Z' },
      ['/data/custom/start_timestamp format'],
    ],
    [
      'an end at its start',
      { start_timestamp: noon, end_timestamp: noon },
      ['/data/custom/end_timestamp format'],
    ],
    [
      'an end before its start',
      { start_timestamp: noon, end_timestamp: '2026-01-01T11:59:59.999Z' },
      ['/data/custom/end_timestamp format'],
    ],
    [
      'more than a leap year',
      { start_timestamp: noon, end_timestamp: '2027-01-02T12:00:00.001Z' },
      ['/data/custom/end_timestamp format'],
    ],
  ])('with %s is refused', async (_, custom, expected) => {
    const handle = unique('details');
    const body = { handle, schema: 'trans_details_rep', ...(custom && { custom }) };
    const reply = await ledger.post('/reports', signed(body, key));
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
    const errors = reply.custom['errors'] as { instancePath: string; keyword: string }[];
    expect(errors.map((one) => `${one.instancePath} ${one.keyword}`).sort()).toEqual(expected);
  });

  test('is refused to those who would complete it themselves', async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const { body: report } = await ledger.post('/reports', signed(detailsOf(noon, ahead), key));
    for (const status of ['pending', 'rejected', 'completed', 'settled'])
      expect((await prove(report, { status })).reason).toBe('record.update-rejected');
    expect((await prove(report, { note: 'waiting' })).body.meta.status).toBe('created');
  });

  test('has a line for each claim that was completed in its interval, and no other', async () => {
    const bank = await newLedger(home, key);
    await bank.make('wallets', { handle: 'alice' }, key);
    await bank.make('wallets', { handle: '-bob' }, key);
    await bank.make('symbols', { handle: 'usd', factor: 100 }, key);
    await bank.make('symbols', { handle: 'jpy', factor: 1 }, key);
    await bank.settle(key, 'issue alice 1 usd');
    await pause(10);
    const startMs = Date.now();
    await pause(10);
    const first = await bank.settle(key, 'issue alice 123456 usd', 'issue alice 7 jpy');
    await bank.settle(key, 'transfer alice -bob 999999999 usd');
    const custom = { reference: 'a "quoted", note' };
    const second = await bank.make(
      'intents',
      {
        handle: unique('intent'),
        schema: '=HYPERLINK("x"),1',
        claims: [
          claimOf('transfer alice -bob 5 usd'),
          { ...claimOf('destroy alice 100 usd'), symbol: { handle: 'usd' } },
        ],
        custom,
      },
      key,
    );
    const third = await bank.settle(key, 'transfer -bob alice 5 usd');
    await prove(third, {}, bank).catch(() => undefined);
    await bank.prove('intents', third, key);
    await pause(10);
    const endMs = Date.now();
    await pause(10);
    await bank.settle(key, 'issue alice 1 usd');
    const interval = [new Date(startMs).toISOString(), new Date(endMs).toISOString()] as const;
    const made = await bank.post('/reports', signed(detailsOf(...interval), key));
    expect([made.status, made.body.meta.status]).toEqual([201, 'created']);
    const report = await ended(made.body, bank);
    expect(report.meta.status).toBe('completed');

    const momentOf = ({ meta }: Item) =>
      meta.proofs.find(({ custom: said }) => said?.['status'] === 'completed')?.custom?.['moment'];
    const row = (of: Item, ...cells: readonly (string | number)[]) =>
      [momentOf(of), of.data['handle'], of.luid, of.hash, 'completed', ...cells].join(',');
    const unsafe = `"'=HYPERLINK(""x""),1"`;
    const rows = [
      'completed,intent,luid,hash,status,schema,claim,action,source,target,symbol,amount,decimal_amount',
      row(first, '', 0, 'issue', '', 'alice', 'usd', 123456, '1234.56'),
      row(first, '', 1, 'issue', '', 'alice', 'jpy', 7, '7'),
      row(second, unsafe, 0, 'transfer', 'alice', "'-bob", 'usd', 5, '0.05'),
      row(second, unsafe, 1, 'destroy', 'alice', '', 'usd', 100, '1.00'),
      row(third, '', 0, 'transfer', "'-bob", 'alice', 'usd', 5, '0.05'),
    ];
    const csv = await asset(report, 'trans_details.csv', '', bank);
    expect(csv.type).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.text).toBe(rows.map((line) => `${line}\r\n`).join(''));
    const json = await asset(report, 'trans_details.json', '', bank);
    const objects = JSON.parse(json.text) as Json[];
    expect(objects.map((one) => one['luid'])).toEqual([first.luid, second.luid, third.luid]);
    expect(objects[1]).toEqual({
      completed: momentOf(second),
      intent: second.data['handle'],
      luid: second.luid,
      hash: second.hash,
      status: 'completed',
      schema: '=HYPERLINK("x"),1',
      custom,
      claims: [
        {
          claim: 0,
          action: 'transfer',
          source: 'alice',
          target: '-bob',
          symbol: 'usd',
          amount: 5,
          decimalAmount: '0.05',
        },
        {
          claim: 1,
          action: 'destroy',
          source: 'alice',
          symbol: 'usd',
          amount: 100,
          decimalAmount: '1.00',
        },
      ],
    });
    const balances = await asset(report, 'trans_details_balances.csv', '', bank);
    expect(balances.text.split('\r\n')).toEqual([
      'of,wallet,symbol,opening,debits,credits,closing,decimal_opening,decimal_closing',
      'supply,,jpy,0,7,0,-7,0,-7',
      'wallet,alice,jpy,0,0,7,7,0,7',
      'supply,,usd,-1,123456,100,-123357,-0.01,-1233.57',
      "wallet,'-bob,usd,0,5,5,0,0.00,0.00",
      'wallet,alice,usd,1,105,123461,123357,0.01,1233.57',
      '',
    ]);
    const names = ['trans_details.csv', 'trans_details.json', 'trans_details_balances.csv'];
    const word = report.meta.proofs.at(-1);
    expect(word?.public).toBe(bank.key);
    expect(word?.custom).toMatchObject({
      status: 'completed',
      intents: 3,
      assets: [csv, json, balances].map(({ text }, index) => ({
        handle: names[index],
        output: `/reports/${report.luid}/assets/${names[index]}`,
        bytes: Buffer.byteLength(text),
        hash: createHash('sha256').update(text).digest('hex'),
        chunks: 1,
      })),
    });
    const { items } = await bank.get(`/reports/${report.luid}/changes`);
    expect(items.map(({ meta }) => meta.status)).toEqual(['completed', 'pending', 'created']);
    expect((await prove(report, { status: 'completed' }, bank)).reason).toBe(
      'record.update-rejected',
    );
    expect((await prove(report, { status: 'settled' }, bank)).body.meta.status).toBe('settled');
    expect((await asset(report, 'trans_details.csv', '', bank)).text).toBe(csv.text);
    for (const [handle, query, status] of [
      ['trans_details.csv', '?page.index=0', 200],
      ['trans_details.csv', '?page.index=1', 404],
      ['trans_details.csv', '?page.index=x', 400],
      ['csv', '', 404],
      ['toString', '', 404],
    ] as const)
      expect((await asset(report, handle, query, bank)).status).toBe(status);
  });

  test('of an interval in which nothing was completed has a header and an empty list', async () => {
    const { body } = await ledger.post(
      '/reports',
      signed(detailsOf('2020-01-01T00:00:00Z', '2020-12-31T00:00:00.000Z'), key),
    );
    const report = await ended(body);
    expect((await asset(report, 'trans_details.csv')).text).toMatch(/^completed,[^\n]*\r\n$/);
    expect(JSON.parse((await asset(report, 'trans_details.json')).text)).toEqual([]);
  });

  test('waits until its interval is over, and tells each status', async () => {
    const path = `/${unique('events')}`;
    await ledger.make(
      'effects',
      {
        handle: unique('effect'),
        signal: 'report-proofs-added',
        filter: { 'report.data.schema': 'trans_details_rep' },
        action: { schema: 'webhook', endpoint: receiver.at(path) },
      },
      key,
    );
    const endMs = Date.now() + 1_500;
    const interval = [new Date(endMs - 3_600_000), new Date(endMs)].map((at) => at.toISOString());
    const { body } = await ledger.post(
      '/reports',
      signed(detailsOf(interval[0], interval[1]), key),
    );
    const report = await ended(body);
    const pending = report.meta.proofs.find((proof) => proof.custom?.['status'] === 'pending');
    expect(Date.parse(String(pending?.custom?.['moment']))).toBeGreaterThanOrEqual(endMs);
    const told = () => receiver.arrivals(path).filter(({ text }) => text.includes(report.luid));
    await until('both events arrived', () => told().length === 2);
    expect(told().map((event) => (event.data['report'] as Item).meta.status)).toEqual([
      'pending',
      'completed',
    ]);
  });

  test('is of its own ledger alone', async () => {
    const { body } = await ledger.post(
      '/reports',
      signed(detailsOf(noon, '2026-01-02T00:00:00Z'), key),
    );
    const report = await ended(body);
    expect((await asset(report, 'trans_details.csv', '', home)).status).toBe(404);
  });

  test('takes what was produced with it when it ends', async () => {
    const bank = await newLedger(home, key);
    await bank.make('wallets', { handle: 'alice' }, key);
    await bank.make('symbols', { handle: 'usd', factor: 100 }, key);
    const from = new Date(Date.now() - 1_000).toISOString();
    await bank.settle(key, 'issue alice 5 usd');
    await pause(5);
    const details = detailsOf(from, now());
    const report = await ended((await bank.post('/reports', signed(details, key))).body, bank);
    expect((await asset(report, 'trans_details.csv', '', bank)).text).toContain('issue');
    const reply = await bank.send('DELETE', `/reports/${report.luid}`, farewell(report, key));
    expect(reply.status).toBe(204);
    expect((await asset(report, 'trans_details.csv', '', bank)).status).toBe(404);
  });
});

describe('the statement of a wallet', () => {
  const statementOf = (custom: Json) => ({
    handle: unique('statement'),
    schema: 'wallet_statement_rep',
    custom: {
      start_timestamp: '2026-01-01T12:00:00Z',
      end_timestamp: '2026-01-02T00:00:00Z',
      ...custom,
    },
  });

  test('is produced as CSV, JSON and PDF', async () => {
    const bank = await newLedger(home, key);
    for (const handle of ['alice', 'bob']) await bank.make('wallets', { handle }, key);
    await bank.make('symbols', { handle: 'usd', factor: 100 }, key);
    await bank.settle(key, 'issue alice 10000 usd');
    await pause(5);
    const start_timestamp = now();
    await pause(5);
    await bank.settle(key, 'transfer alice bob 2550 usd');
    await pause(5);
    const custom = { wallet: 'alice', symbol: 'usd', start_timestamp, end_timestamp: now() };
    await pause(5);
    const made = await bank.post('/reports', signed(statementOf(custom), key));
    const report = await ended(made.body, bank);
    expect(report.meta.proofs.at(-1)?.custom).toMatchObject({ status: 'completed', entries: 1 });
    const { text } = await asset(report, 'wallet_statement.json', '', bank);
    expect(JSON.parse(text)).toMatchObject({
      opening: 10000,
      entries: [{ type: 'debit', amount: -2550, counterparty: 'bob', balance: 7450 }],
      closing: 7450,
    });
    expect((await asset(report, 'wallet_statement.csv', '', bank)).text).toContain(
      ',-2550,-25.50,',
    );
    const headers = { 'x-ledger': bank.ledger ?? '' };
    const path = `/reports/${report.luid}/assets/wallet_statement.pdf`;
    const response = await fetch(`${bank.url}${path}`, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const assets = report.meta.proofs.at(-1)?.custom?.['assets'] as Json[];
    expect(assets[2]).toMatchObject({
      handle: 'wallet_statement.pdf',
      bytes: bytes.length,
      hash: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  test.each([
    ['no wallet', { symbol: 'usd' }, ['/data/custom required']],
    ['no symbol', { wallet: 'alice' }, ['/data/custom required']],
    ['a wallet that is none', { wallet: 5, symbol: 'usd' }, ['/data/custom/wallet type']],
    [
      'a long letterhead',
      { wallet: 'alice', symbol: 'usd', letterhead: ['x'.repeat(81)] },
      ['/data/custom/letterhead type'],
    ],
  ])('with %s is refused', async (_, custom, expected) => {
    const reply = await ledger.post('/reports', signed(statementOf(custom as Json), key));
    expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
    const errors = reply.custom['errors'] as { instancePath: string; keyword: string }[];
    expect(errors.map((one) => `${one.instancePath} ${one.keyword}`)).toEqual(expected);
  });

  test('is refused alike for a wallet that is not there, and for one that its author may not read', async () => {
    const teller = newKey();
    const mine = { action: 'any', record: 'any', signer: { public: key.public } };
    const bank = await newLedger(home, key, { access: [mine] });
    await bank.make('wallets', { handle: 'alice' }, key);
    await bank.make('symbols', { handle: 'usd', factor: 100 }, key);
    const access = [
      { action: 'any', record: 'report', signer: { public: teller.public } },
      { action: 'read', record: 'symbol', signer: { public: teller.public } },
    ];
    await bank.make('circles', { handle: 'rules', access }, key);
    for (const wallet of ['alice', 'nobody']) {
      const body = signed(statementOf({ wallet, symbol: 'usd' }), teller);
      const reply = await bank.post('/reports', body);
      expect([reply.reason, reply.detail]).toEqual([
        'record.relation-not-found',
        `Wallet ${wallet} not found`,
      ]);
    }
    const body = signed(statementOf({ wallet: 'alice', symbol: 'usd' }), key);
    expect((await bank.post('/reports', body)).status).toBe(201);
  });
});
