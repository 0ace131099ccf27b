/** Goal: creating, addressing, updating and renaming records, kind by kind. Rulings 9 to 13 and 17. */
import { describe, expect, test } from 'vitest';
import {
  hashOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  open,
  proofOf,
  revision,
  signed,
  titled,
  unique,
} from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();
const ledger = await newLedger(home, key);

const dataOf: Readonly<Record<string, () => Json>> = {
  signers: () => ({ handle: unique('signer'), format: 'ed25519-raw', public: newKey().public }),
  symbols: () => ({ handle: unique('symbol'), factor: 100 }),
  wallets: () => ({ handle: unique('wallet') }),
  ledgers: () => ({ handle: unique('ledger'), access: open }),
};
const groups = Object.keys(dataOf);
const prefixOf: Json = { signers: 'snr', symbols: 'sym', wallets: 'wlt', ledgers: 'ldg' };

/** Who signs a refusal: the server, when a ledger was to be made. Ruling 8. */
const refusedBy = (group: string) => ({ signer: group === 'ledgers' ? home.key : ledger.key });

async function made(group: string, custom: Json = {}): Promise<Item> {
  return ledger.make(group, { ...dataOf[group]?.(), custom }, key);
}

describe.each(groups)('%s', (group) => {
  test('a new record is what was signed, and the ledger says when and how', async () => {
    const sentAt = now();
    const body = signed({ ...dataOf[group]?.(), custom: { note: 'new' } }, key);
    const { body: record } = await ledger.post(`/${group}`, body);
    expect(record.luid).toMatch(new RegExp(`^\\$${prefixOf[group]}\\.[-0-9A-Z_a-z]{17}$`));
    expect([record.hash, record.data]).toEqual([body.hash, body.data]);
    expect(record.meta).toMatchObject({ status: 'created', owners: [key.public] });
    const [authored, countersigned] = record.meta.proofs;
    expect(authored).toEqual({ ...body.meta.proofs[0], origin: 'key-pair' });
    const { luid, meta } = record;
    expect(countersigned).toMatchObject({ signer: 'system' });
    expect(countersigned?.custom).toEqual({ luid, moment: meta.moment, status: 'created' });
    const order = [sentAt, meta.moment, now()];
    expect(order).toEqual(order.toSorted());
  });

  test('a record is found by handle and by luid', async () => {
    const { luid, data, hash } = await made(group);
    for (const id of [luid, data.handle, encodeURIComponent(luid)])
      expect((await ledger.get(`/${group}/${id}`)).body.hash).toBe(hash);
  });

  test('an update replaces the data and keeps the rest', async () => {
    const first = await made(group, { note: 1, gone: true });
    const labelled = proofOf(first.hash, key, { moment: now(), status: 'active', labels: ['vip'] });
    const path = `/${group}/${first.luid}`;
    if (group !== 'ledgers') await ledger.post(`${path}/proofs`, labelled);
    const other = newKey();
    const body = revision(first, { custom: { note: 2 } }, other);
    const { status, body: second } = await ledger.put(path, body);
    expect(status).toBe(200);
    expect([second.luid, second.hash, second.data]).toEqual([first.luid, body.hash, body.data]);
    expect(second.meta.owners).toEqual([key.public]);
    if (group !== 'ledgers')
      expect(second.meta).toMatchObject({ status: 'active', labels: ['vip'] });
    expect(second.meta.proofs.map((proof) => proof.public)).toContain(other.public);
    const countersigned = second.meta.proofs.find((proof) => proof.public === ledger.key);
    expect(countersigned?.custom).toEqual({ luid: first.luid, moment: second.meta.moment });
    expect((await ledger.get(path)).body).toEqual(second);
  });

  test('an update without a luid is taken, and by handle as well', async () => {
    const first = await made(group);
    const { luid: _, ...body } = revision(first, { custom: { by: 'handle' } }, key);
    expect((await ledger.put(`/${group}/${first.data.handle}`, body)).status).toBe(200);
  });

  test('of twenty updates of one version, one is stored', async () => {
    const first = await made(group);
    const bodies = Array.from({ length: 20 }, (_, n) => revision(first, { custom: { n } }, key));
    const replies = await Promise.all(
      bodies.map((body) => ledger.put(`/${group}/${first.luid}`, body)),
    );
    const won = replies.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = replies.filter(({ status }) => status !== 200);
    expect(new Set(lost.map(({ reason }) => reason))).toEqual(
      new Set(['crypto.parent-hash-invalid']),
    );
    expect((await ledger.get(`/${group}/${first.luid}`)).body.hash).toBe(won[0]?.body.hash);
  });

  test('an update needs a parent, and a create has none', async () => {
    const first = await made(group);
    const orphan = signed(first.data, key);
    expect((await ledger.put(`/${group}/${first.luid}`, orphan)).reason).toBe(
      'record.schema-invalid',
    );
    const begun = signed({ ...dataOf[group]?.(), parent: first.hash }, key);
    expect((await ledger.post(`/${group}`, begun, refusedBy(group))).reason).toBe(
      'record.schema-invalid',
    );
  });

  test('a taken handle tells the luid and the current hash of its holder', async () => {
    const first = await made(group);
    const { body: second } = await ledger.put(`/${group}/${first.luid}`, revision(first, {}, key));
    const body = signed({ ...dataOf[group]?.(), handle: first.data.handle }, key);
    const reply = await ledger.post(`/${group}`, body, refusedBy(group));
    expect([reply.status, reply.reason]).toEqual([409, 'record.duplicated']);
    expect(reply.custom).toMatchObject({ luid: first.luid, hash: second.hash });
  });

  test.each(titled(['', 'a b', 'a/b?', 'ä', 'x'.repeat(257), 'a@b@c', '$wlt.00000000000000000']))(
    'the handle %j is none',
    async (_, handle) => {
      const body = signed({ ...dataOf[group]?.(), handle }, key);
      expect((await ledger.post(`/${group}`, body, refusedBy(group))).reason).toBe(
        'record.schema-invalid',
      );
    },
  );

  test('what a client echoes is ignored', async () => {
    const body = signed(dataOf[group]?.() ?? {}, key);
    const [proof] = body.meta.proofs;
    const meta = {
      proofs: [{ ...proof, signer: 'somebody', origin: 'else' }],
      status: 'golden',
      moment: '2000-01-01T00:00:00.000Z',
      owners: ['me'],
      labels: ['vip'],
      domain: 'mine',
    };
    const { status, body: record } = await ledger.post(`/${group}`, { ...body, meta });
    expect(status).toBe(201);
    expect(record.meta).toMatchObject({ status: 'created', owners: [key.public] });
    expect(record.meta).not.toHaveProperty('labels');
    expect(record.meta).not.toHaveProperty('domain');
    expect(record.meta.proofs[0]).toEqual({ ...proof, origin: 'key-pair' });
  });
});

describe('addresses', () => {
  test.each(['svgs:1001@bank.io', 'svgs:1001', '1001@bank.io', 'a+b-c.d_e:f@g', '-', '...'])(
    'a wallet is addressed as %s',
    async (text) => {
      const handle = text.replace('1001', unique('w'));
      const { luid } = await ledger.make('wallets', { handle }, key);
      const escaped = encodeURIComponent(handle);
      // Whoever builds URLs resolves dots, so those are reached by luid.
      if (!/^\.+$/.test(handle)) {
        expect((await ledger.get(`/wallets/${escaped}`)).body.luid).toBe(luid);
        expect((await ledger.get(`/wallets/${handle}`)).body.luid).toBe(luid);
        expect((await ledger.get(`/wallets/${escaped}/changes/1`)).body.luid).toBe(luid);
      }
      expect((await ledger.get(`/wallets/${luid}/balances`)).status).toBe(200);
    },
  );

  test('a ledger may be called like a path', async () => {
    const handle = `a/b=${unique('c')}:d.e+f$`;
    const { luid } = await home.make('ledgers', { handle, access: open }, key);
    expect((await home.get(`/ledgers/${encodeURIComponent(handle)}`)).body.luid).toBe(luid);
  });

  test('handles that differ in case are two', async () => {
    const handle = unique('Wallet');
    await ledger.make('wallets', { handle }, key);
    expect((await ledger.get(`/wallets/${handle.toLowerCase()}`)).status).toBe(404);
    await ledger.make('wallets', { handle: handle.toLowerCase() }, key);
  });
});

describe('new names', () => {
  test.each(['signers', 'symbols', 'wallets'])('%s may take a free handle', async (group) => {
    const first = await made(group);
    const handle = unique('renamed');
    const reply = await ledger.put(`/${group}/${first.luid}`, revision(first, { handle }, key));
    expect([reply.status, reply.body.data.handle]).toEqual([200, handle]);
    expect((await ledger.get(`/${group}/${first.data.handle}`)).status).toBe(404);
    expect((await ledger.get(`/${group}/${handle}`)).body.luid).toBe(first.luid);
    expect((await ledger.get(`/${group}/${first.luid}`)).body.data.handle).toBe(handle);
    const heir = await ledger.make(group, { ...dataOf[group]?.(), handle: first.data.handle }, key);
    expect((await ledger.get(`/${group}/${first.data.handle}`)).body.luid).toBe(heir.luid);
    const { items } = await ledger.get(`/${group}/${handle}/changes`);
    expect(items.map((one) => one.data.handle)).toEqual([handle, first.data.handle]);
  });

  test.each(['signers', 'symbols', 'wallets'])('%s may not take a taken handle', async (group) => {
    const [first, second] = [await made(group), await made(group)];
    const { handle } = second.data;
    const reply = await ledger.put(`/${group}/${first.luid}`, revision(first, { handle }, key));
    expect([reply.status, reply.reason]).toEqual([409, 'record.duplicated']);
    expect(reply.custom).toMatchObject({ luid: second.luid, hash: second.hash });
    expect((await ledger.get(`/${group}/${first.luid}`)).body).toEqual(first);
  });

  test('wallets and symbols with a balance, and ledgers, keep their handle', async () => {
    const [wallet, symbol] = [await made('wallets'), await made('symbols')];
    const money = `5 ${symbol.data.handle}`;
    await ledger.settle(key, `issue ${wallet.data.handle} ${money}`);
    await ledger.settle(key, `destroy ${wallet.data.handle} ${money}`);
    const handle = unique('renamed');
    for (const [group, item] of [
      ['wallets', wallet],
      ['symbols', symbol],
      ['ledgers', await made('ledgers')],
    ] as const) {
      const reply = await ledger.put(`/${group}/${item.luid}`, revision(item, { handle }, key));
      expect([group, reply.status, reply.reason]).toEqual([group, 422, 'record.update-rejected']);
      const kept = await ledger.put(
        `/${group}/${item.luid}`,
        revision(item, { custom: { a: 1 } }, key),
      );
      expect(kept.status).toBe(200);
    }
  });
});

test('the refusal of a new handle says that a wallet or a symbol may have balances', async () => {
  const [wallet, symbol] = [await made('wallets'), await made('symbols')];
  await ledger.settle(key, `issue ${wallet.data.handle} 5 ${symbol.data.handle}`);
  for (const [group, title, item] of [
    ['wallets', 'Wallet', wallet],
    ['symbols', 'Symbol', symbol],
  ] as const) {
    const renamed = revision(item, { handle: unique('renamed') }, key);
    const { status, reason, detail } = await ledger.put(`/${group}/${item.luid}`, renamed);
    const why = 'cannot change its handle: it has balances, or other records refer to it.';
    expect([status, reason, detail]).toEqual([
      422,
      'record.update-rejected',
      `${title} with handle ${item.data.handle} ${why}`,
    ]);
  }
});

describe('the factor of a symbol', () => {
  const settled = async (symbol: Item, ...claims: readonly string[]) => {
    const wallet = await made('wallets');
    const said = claims.map((claim) => `${claim} ${wallet.data.handle} 5 ${symbol.data.handle}`);
    return ledger.settle(key, ...said);
  };
  const change = (symbol: Item, factor: number) =>
    ledger.put(`/symbols/${symbol.luid}`, revision(symbol, { factor }, key));

  test('changes until there is a balance of it, and stays the same ever after', async () => {
    const first = await made('symbols');
    const { body: symbol } = await change(first, 1000);
    expect(symbol.data['factor']).toBe(1000);
    await settled(symbol, 'issue');
    await settled(symbol, 'issue', 'destroy');
    for (const factor of [1, 10_000]) {
      const { status, reason, detail } = await change(symbol, factor);
      expect([status, reason, detail]).toEqual([
        422,
        'record.update-rejected',
        `Symbol with handle ${symbol.data.handle} cannot change its factor: it has balances.`,
      ]);
    }
    const noted = revision(symbol, { custom: { a: 1 } }, key);
    expect((await ledger.put(`/symbols/${symbol.luid}`, noted)).status).toBe(200);
  });

  test('is one for all that is issued while somebody changes it', async () => {
    for (let round = 0; round < 8; round += 1) {
      const symbol = await made('symbols');
      const [, changed] = await Promise.all([settled(symbol, 'issue'), change(symbol, 1)]);
      expect([200, 422]).toContain(changed.status);
      const { body } = await ledger.get(`/symbols/${symbol.luid}`);
      expect(body.data['factor']).toBe(changed.status === 200 ? 1 : symbol.data['factor']);
      expect((await change(body, 1_000_000)).status).toBe(422);
    }
  });
});

test('a hash may be sent in either case and is kept in lower case', async () => {
  const body = signed({ handle: unique('wallet') }, key);
  const reply = await ledger.post('/wallets', { ...body, hash: body.hash.toUpperCase() });
  expect([reply.status, reply.body.hash]).toEqual([201, hashOf(body.data)]);
});
