/**
 * Goal: what lies with a record is as hidden as the record: the assets of a report, sent or produced, and
 * what else of it could be asked for. Rulings 22, 31 and 67, Decision 37.
 */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  farewell,
  type Item,
  type Json,
  type Key,
  now,
  outcomeOf,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import {
  ann,
  bob,
  byKey,
  byToken,
  forbidden,
  houseOf,
  outcome,
  owner,
  unauthorized,
} from '../fixture/house.ts';
import { nowhere, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

/** What nobody but its readers may see. */
const word = 'confidential';

const home = await sharedHome();

/** Ledgers in which ann may read the public reports, and nobody but the owner any other. */
const house = () =>
  houseOf(home, {
    ...{ action: 'read', record: 'report', filter: { 'custom.is': 'public' } },
    ...byToken(ann),
  });

/** An asset as it is served: its text, whoever signed it. */
async function asset(ledger: Client, path: string, key?: Key) {
  const headers = { 'x-ledger': String(ledger.ledger), ...bearing(key).headers };
  const response = await fetch(`${ledger.url}/reports/${path}`, { headers });
  return { status: response.status, text: await response.text() };
}

/** Of a refusal, all but what differs between any two: who signed, when and in which request. */
const without = (text: string) => text.replaceAll(/"(digest|result|moment)":"[^"]*"/g, '');

/** A report that its owner completed, with an asset. */
async function sent(ledger: Client, is: string): Promise<Item> {
  const data = { handle: `report-${is}`, schema: 'monthly', custom: { is } };
  const report = await ledger.make('reports', data, owner);
  const prove = (custom: Json) => ledger.prove('reports', report, owner, custom);
  await prove({ status: 'pending' });
  await prove({ status: 'completed', assets: [{ handle: 'a.txt', output: word }] });
  return report;
}

/** A report that the ledger produced, of one intent. */
async function produced(ledger: Client, is: string): Promise<Item> {
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, owner);
  await ledger.make('wallets', { handle: word }, owner);
  const start_timestamp = now();
  await ledger.settle(owner, `issue ${word} 5 usd`);
  const custom = { is, start_timestamp, end_timestamp: now() };
  const data = { handle: `report-${is}`, schema: 'trans_details_rep', custom };
  const report = await ledger.make('reports', data, owner);
  await until('the report is completed', async () => {
    const { body } = await ledger.get(`/reports/${report.luid}`, bearing(owner));
    return body.meta.status === 'completed';
  });
  return report;
}

/** What is served of an asset to those who may read its report, and hidden from all others. */
async function assertServed(ledger: Client, path: string, readers: readonly Key[]): Promise<void> {
  for (const key of [owner, ann, bob, undefined]) {
    const isReader = key !== undefined && readers.includes(key);
    const { status, text } = await asset(ledger, path, key);
    expect([path, isReader, text.includes(word)]).toEqual([path, isReader, isReader]);
    if (isReader) expect(status).toBe(200);
    else await assertHidden(ledger, path, key);
  }
}

/** Refused in the very words for a report that is not there. */
async function assertHidden(ledger: Client, path: string, key: Key | undefined): Promise<void> {
  const hidden = await ledger.get(`/reports/${path}`, bearing(key));
  const none = await ledger.get(`/reports/nobody/${path.replace(/^[^/]*\//, '')}`, bearing(key));
  expect(outcome(hidden)).toEqual(key ? forbidden : unauthorized);
  expect(without(hidden.text)).toBe(without(none.text));
}

describe('the asset of a report', () => {
  test.each([
    ['that was sent', sent, 'a.txt'],
    ['that the ledger produced', produced, 'trans_details.csv'],
  ])('%s is served to who may read the report, and hidden with it', async (_, make, name) => {
    for (const [is, readers] of [
      ['public', [owner, ann]],
      ['secret', [owner]],
    ] as const) {
      const ledger = await house();
      const { luid } = await make(ledger, is);
      for (const id of [luid, `report-${is}`])
        await assertServed(ledger, `${id}/assets/${name}`, readers);
    }
  });

  test('is in no list, history or search of who may not read the report', async () => {
    const ledger = await house();
    const { luid } = await sent(ledger, 'secret');
    for (const key of [ann, bob])
      for (const path of [
        '/reports?page.limit=100',
        '/reports?data.custom.is=secret',
        '/reports?meta.status=completed',
        `/reports/${luid}/changes`,
        `/reports/${luid}/changes/3`,
      ]) {
        const reply = await ledger.get(path, bearing(key));
        expect([path, reply.text.includes(word)]).toEqual([path, false]);
        expect([path, reply.text.includes(luid)]).toEqual([path, false]);
      }
    const check = signed({ action: 'read' }, bob);
    const { items } = await ledger.post(`/reports/${luid}/access/!check`, check);
    expect(items).toEqual([]);
  });
});

test('an intent that may not be read is in no list, search or refusal', async () => {
  const ledger = await houseOf(home, { action: 'create', record: 'intent' });
  const custom = { note: word };
  const claims = [{ action: 'issue', target: 'nobody', symbol: 'none', amount: 1 }];
  const body = signed({ handle: 'secret-one', claims, custom }, owner);
  const { luid } = (await ledger.post('/intents', body)).body;
  for (const key of [ann, bob])
    for (const path of ['', `?$plainTextQuery=${word}`, '?data.handle=secret-one']) {
      const reply = await ledger.get(`/intents${path}`, bearing(key));
      expect([path, ...outcome(reply)]).toEqual([path, ...forbidden]);
    }
  for (const way of ['proofs', 'sign']) {
    const proof = proofOf(body.hash, ann, { moment: now() });
    expect(outcome(await ledger.post(`/intents/${luid}/${way}`, proof))).toEqual(forbidden);
  }
});

test.each(['', 'InThread'])(
  'an intent of an earlier wallet is none of a later one of its handle: intent.canReadAnyClaimWallet%s',
  async (more) => {
    const ledger = await houseOf(
      home,
      { action: 'create', record: 'wallet', ...byKey(ann) },
      { action: 'read', record: 'intent', invoke: `intent.canReadAnyClaimWallet${more}` },
    );
    await ledger.make('symbols', { handle: 'usd', factor: 1 }, owner);
    const earlier = await ledger.make('wallets', { handle: 'w' }, owner);
    await ledger.make('wallets', { handle: 'other' }, owner);
    const old = [
      await ledger.settle(owner, 'issue w 5 usd'),
      await ledger.settle(owner, 'transfer w other 5 usd'),
    ];
    expect(old.map(outcomeOf)).toEqual(['completed', 'completed']);
    await ledger.send('DELETE', `/wallets/${earlier.luid}`, farewell(earlier, owner));
    const later = await ledger.make('wallets', { handle: 'w' }, ann);
    const own = await ledger.settle(owner, 'issue w 3 usd');
    const read = async () => {
      for (const { luid } of old)
        expect(outcome(await ledger.get(`/intents/${luid}`, bearing(ann)))).toEqual(forbidden);
      expect(outcome(await ledger.get(`/intents/${own.luid}`, bearing(ann)))).toEqual([200]);
      const { items } = await ledger.get('/intents?data.claims.target=w', bearing(ann));
      expect(items.map(({ luid }) => luid)).toEqual([own.luid]);
    };
    await read();
    await ledger.put(`/wallets/${later.luid}`, revision(later, { custom: {} }, ann));
    await read();
  },
);

test('an intent that a wallet was made for while it waited is read by whoever owns that wallet', async () => {
  const ledger = await houseOf(
    home,
    { action: 'create', record: 'wallet', ...byKey(ann) },
    { action: 'create', record: 'intent', ...byKey(bob) },
    { action: 'read', record: 'intent', invoke: 'intent.canReadAnyClaimWallet' },
  );
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, owner);
  await ledger.make('wallets', { handle: 'other' }, owner);
  await ledger.settle(owner, 'issue other 5 usd');
  const waiting = await ledger.settle(bob, 'transfer other w 5 usd');
  expect(outcomeOf(waiting)).toBe('pending');
  await ledger.make('wallets', { handle: 'w' }, ann);
  await ledger.prove('intents', waiting, owner, {});
  const { status, body } = await ledger.get(`/intents/${waiting.luid}`, bearing(ann));
  expect([status, outcomeOf(body)]).toEqual([200, 'completed']);
});

describe('whoever may not read what an intent leads to', () => {
  const config = { server: nowhere };
  const hidden = (ledger: Client, more: Json = {}) =>
    ledger.make('wallets', { handle: word, ...more }, owner);
  const inactive = async (ledger: Client) => {
    const bank = await ledger.make('bridges', { handle: `bank-${word}`, config }, owner);
    expect((await ledger.prove('bridges', bank, owner, { status: 'inactive' })).status).toBe(200);
    return bank.data.handle;
  };
  const leading = [{ action: 'credit', target: word }];
  type Way = readonly [string, string, Json, (ledger: Client) => Promise<unknown>];
  const ways: readonly Way[] = [
    [
      'lies at a bridge that is inactive and takes no new entries',
      'core.bridge-unreachable',
      { routes: leading },
      async (ledger) => hidden(ledger, { bridge: await inactive(ledger) }),
    ],
    [
      'has a limit that does not allow it',
      'core.limit-exceeded',
      { routes: leading },
      async (ledger) => {
        await hidden(ledger);
        await ledger.settle(owner, `issue ${word} 770 usd`, `limit ${word} maxBalance 777 usd`);
      },
    ],
    [
      'has no route that leads on',
      'core.routing-failed',
      { routes: leading },
      (ledger) => hidden(ledger, { routes: [{ action: 'credit', target: `${word}-gone` }] }),
    ],
    [
      'The route of wallet shop leads to what does not exist.',
      'core.routing-failed',
      { routes: leading },
      async () => undefined,
    ],
    [
      'The maxBalance of wallet shop in usd does not allow it.',
      'core.limit-exceeded',
      {},
      async (ledger) => {
        await ledger.settle(owner, 'issue shop 770 usd', 'limit shop maxBalance 777 usd');
      },
    ],
    [
      'Wallet shop lies at a bridge that is inactive and takes no new entries.',
      'core.bridge-unreachable',
      { access: [] },
      async (ledger) => {
        const shop = (await ledger.get('/wallets/shop', bearing(owner))).body;
        const moved = revision(shop, { bridge: await inactive(ledger) }, owner);
        expect((await ledger.put('/wallets/shop', moved)).status).toBe(200);
      },
    ],
  ];

  test.each(ways)(
    'is told "%s" and not of which wallet, bridge or balance',
    async (said, reason, shop, prepare) => {
      const ledger = await houseOf(home, { action: 'create', record: 'intent', ...byKey(ann) });
      await ledger.make('symbols', { handle: 'usd', factor: 1 }, owner);
      const access = [{ action: 'any', ...byKey(ann) }];
      await ledger.make('wallets', { handle: 'purse', access }, owner);
      await ledger.settle(owner, 'issue purse 100 usd');
      await ledger.make('wallets', { handle: 'shop', ...shop }, owner);
      await prepare(ledger);
      const claims = [claimOf('transfer purse shop 20 usd')];
      const reply = await ledger.post('/intents', signed({ handle: unique('pay'), claims }, ann));
      expect(reply.status, reply.text).toBe(201);
      expect([outcomeOf(reply.body), reply.body.meta.status]).toEqual([reason, 'rejected']);
      const details = reply.body.meta.proofs.flatMap(({ custom }) => custom?.['detail'] ?? []);
      expect(details).toEqual([expect.stringContaining(said)]);
      const read = await ledger.get(`/intents/${reply.body.luid}`, bearing(ann));
      const history = await ledger.get(`/intents/${reply.body.luid}/changes`, bearing(ann));
      for (const { text } of [reply, read, history]) {
        const about = text.replaceAll(/"(digest|result|hash|public|luid)":"[^"]*"/g, '');
        expect(about).not.toContain(word);
        // As a number of its own: a moment may end with .770Z by chance.
        expect(about).not.toMatch(/(?<![\w.-])(?:777|770|790)(?!\w)/);
      }
    },
  );
});

test('who holds the handle of an intent or of a ledger is told to those who may read it', async () => {
  const claims = [{ action: 'issue', target: 'nobody', symbol: 'none', amount: 1 }];
  const ledger = await houseOf(home, { action: 'create', record: 'intent' });
  const handle = unique('taken');
  const posted = async (of: Client, group: string, data: Json, key: Key) => {
    const reply = await of.post(`/${group}`, signed({ handle, ...data }, key));
    return [reply.status, Object.keys(reply.custom).sort()];
  };
  for (const [of, group, data, told] of [
    [ledger, 'intents', { claims }, ['hash', 'luid', 'status']],
    [home, 'ledgers', {}, ['hash', 'luid']],
  ] as const) {
    expect(await posted(of, group, data, ann)).toEqual([201, []]);
    expect([group, await posted(of, group, data, ann)]).toEqual([group, [409, told]]);
    expect([group, await posted(of, group, data, bob)]).toEqual([group, [409, []]]);
  }
});
