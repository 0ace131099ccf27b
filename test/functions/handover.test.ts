/**
 * Goal: a key that is replaced hands over what it owns, when it signs so for this ledger, and owns nothing itself from
 * then on, wherever ownership is judged. Nobody else hands over for it. Rulings 13 and 104, Decision 157.
 */
import { describe, expect, test } from 'vitest';
import { predecessorCountMax } from '../../shared/ledger/handover.ts';
import {
  active,
  type Body,
  type Client,
  farewell,
  handlesIn,
  type Item,
  type Json,
  type Key,
  newKey,
  newOwnLedger,
  now,
  outcomeOf,
  proofOf,
  type Reply,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { forbidden, outcome, owners } from '../fixture/house.ts';
import { entriesOf, intentBody } from '../fixture/payment.ts';
import { nowhere } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const owner = newKey();
const home = await sharedHome();

/** Everybody may make these records, change signers and list what they may read. What is made is for its owners. */
const making: Json[] = [
  ...['signer', 'signer-factor', 'wallet', 'bridge', 'intent'].map((record) => ({
    action: 'create',
    record,
  })),
  { action: 'query', record: 'wallet' },
];
const changing: Json[] = ['signer', 'signer-factor'].flatMap((record) =>
  ['update', 'drop'].map((action) => ({ action, record })),
);

const keyData = (key: Key) => ({ public: key.public, format: 'ed25519-raw' });

interface House {
  readonly ledger: Client;
  readonly old: Key;
}

/** A ledger with ann, who has registered herself, and her wallet with 100 usd. */
async function house(access: readonly Json[] = [...owners, ...making]): Promise<House> {
  const ledger = await newOwnLedger(home, owner, { access });
  const old = newKey();
  await ledger.make('signers', { handle: 'ann', ...keyData(old) }, old);
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  await ledger.make('wallets', { handle: 'hers' }, old);
  await ledger.make('wallets', { handle: 'shop' }, owner);
  expect(outcomeOf(await ledger.settle(owner, 'issue hers 100 usd'))).toBe('completed');
  return { ledger, old };
}

const pay = async (ledger: Client, key: Key) => {
  const reply = await ledger.post('/intents', intentBody(['transfer hers shop 5 usd'], key));
  return reply.status === 201 ? outcomeOf(reply.body) : reply.reason;
};

async function read(ledger: Client, path: string): Promise<Item> {
  return (await ledger.get(path, bearing(owner))).body;
}

interface Taking {
  readonly path?: string;
  readonly by?: readonly Key[];
  readonly custom?: Json;
}

/** The body by which a record takes another key; the key that it has hands over. */
function takingBody(
  ledger: Client,
  { luid, hash, data }: Item,
  to: Key,
  { by = [], custom = {} }: Pick<Taking, 'by' | 'custom'>,
): Body {
  const next = { ...data, ...keyData(to), parent: hash };
  const said = { moment: now(), ledger: ledger.ledger, successor: to.public, ...custom };
  return { luid, ...signed(next, by, said) };
}

/** Gives a record another key, to which these keys hand over. */
async function take(
  ledger: Client,
  to: Key,
  { path = '/signers/ann', ...more }: Taking,
): Promise<Reply> {
  return ledger.put(path, takingBody(ledger, await read(ledger, path), to, more));
}

async function handOver(ledger: Client, to: Key, from: Key, path?: string): Promise<Item> {
  const reply = await take(ledger, to, { ...(path !== undefined && { path }), by: [from] });
  expect(outcome(reply)).toEqual([200]);
  return reply.body;
}

const predecessorsOf = ({ meta }: Item) => (meta as Json)['predecessors'];

const addFactor = (ledger: Client, signer: string, handle: string, key: Key, by: Key) =>
  ledger.post(
    `/signers/${signer}/factors`,
    signed({ signer, handle, schema: 'key-pair', ...keyData(key) }, by),
  );

const renaming = async (ledger: Client, key: Key, path = '/wallets/hers') => {
  const item = await read(ledger, path);
  return outcome(await ledger.put(path, revision(item, { custom: { n: unique('n') } }, key)));
};

describe('a key that hands over', () => {
  test('leaves what it owns to the new key, over and over, and owns nothing itself', async () => {
    const { ledger, old } = await house();
    const [fresh, third] = [newKey(), newKey()];
    expect(await pay(ledger, old)).toBe('completed');
    const ann = await handOver(ledger, fresh, old);
    expect(predecessorsOf(ann)).toEqual([old.public]);
    expect(await pay(ledger, old)).toBe('pending');
    expect(await renaming(ledger, old)).toEqual(forbidden);
    expect(await pay(ledger, fresh)).toBe('completed');
    expect(await renaming(ledger, fresh)).toEqual([200]);
    await ledger.make('wallets', { handle: 'more' }, fresh);
    // Its own record as well.
    const again = await handOver(ledger, third, fresh);
    expect(predecessorsOf(again)).toEqual([fresh.public, old.public]);
    expect(await pay(ledger, fresh)).toBe('pending');
    expect(await pay(ledger, third)).toBe('completed');
    expect(await renaming(ledger, third, '/wallets/more')).toEqual([200]);
    // Other changes of the record leave all of that as it is.
    const named = revision(await read(ledger, '/signers/ann'), { handle: 'anna' }, third);
    expect(outcome(await ledger.put('/signers/ann', named))).toEqual([200]);
    expect(await pay(ledger, third)).toBe('completed');
    for (const key of [old, fresh]) expect(await pay(ledger, key)).toBe('pending');
  });

  test('leaves the ledger that it owns', async () => {
    const { ledger } = await house();
    await ledger.make('signers', { handle: 'root', ...keyData(owner) }, owner);
    const fresh = newKey();
    const root = await read(ledger, '/signers/root');
    const body = takingBody(ledger, root, fresh, { by: [owner] });
    expect(outcome(await ledger.put('/signers/root', body))).toEqual([200]);
    const makes = (key: Key) =>
      ledger.post('/symbols', signed({ handle: unique('s'), factor: 1 }, key));
    expect(outcome(await makes(fresh))).toEqual([201]);
    expect(outcome(await makes(owner))).toEqual(forbidden);
  });

  test('leaves what tokens read, what lists show, and what an access check says', async () => {
    const { ledger, old } = await house();
    const fresh = newKey();
    await ledger.make('wallets', { handle: 'more' }, old);
    await handOver(ledger, fresh, old);
    expect(outcome(await ledger.get('/wallets/hers', bearing(fresh)))).toEqual([200]);
    expect(outcome(await ledger.get('/wallets/hers', bearing(old)))).toEqual(forbidden);
    const shown = async (key: Key) => handlesIn((await ledger.get('/wallets', bearing(key))).items);
    expect((await shown(fresh)).sort()).toEqual(['hers', 'more']);
    expect(await shown(old)).toEqual([]);
    const check = async (key: Key) => {
      const body = signed({ action: 'update' }, key, { moment: now() });
      const { body: list } = await ledger.post('/wallets/hers/access/!check', body);
      return (list as unknown as { data: Json[] }).data.length;
    };
    expect([await check(fresh), await check(old)]).toEqual([1, 0]);
  });

  test('leaves the reports for its bridges, of intents under way too', async () => {
    const { ledger, old } = await house();
    await ledger.make('bridges', { handle: 'bank', config: { server: nowhere } }, old);
    await ledger.prove('bridges', await read(ledger, '/bridges/bank'), owner, active());
    await ledger.make('wallets', { handle: 'far', bridge: 'bank' }, old);
    const intent = await ledger.submit(old, ['transfer hers far 5 usd']);
    expect(intent.meta.status).toBe('processing');
    const entry = entriesOf(intent)['credit far'];
    const fresh = newKey();
    await handOver(ledger, fresh, old);
    const report = (key: Key, status: string) =>
      ledger.prove('intents', intent, key, { handle: entry, status });
    expect(outcome(await report(old, 'prepared'))).toEqual(forbidden);
    expect((await report(fresh, 'prepared')).body.meta.status).toBe('committed');
    expect((await report(fresh, 'committed')).body.meta.status).toBe('completed');
  });

  test('leaves its part in a quorum of owners', async () => {
    const { ledger, old } = await house();
    const policy = {
      handle: 'both',
      schema: 'status',
      record: 'intent',
      values: [{ status: 'committed', quorum: [{ $record: 'owner' }, { public: owner.public }] }],
    };
    await ledger.make('policies', policy, owner);
    const intent = await ledger.submit(old, ['transfer hers shop 5 usd']);
    const fresh = newKey();
    await handOver(ledger, fresh, old);
    await ledger.prove('intents', intent, owner, { n: 1 });
    expect(outcomeOf(await read(ledger, `/intents/${intent.luid}`))).toBe('pending');
    expect(outcomeOf((await ledger.prove('intents', intent, fresh, { n: 2 })).body)).toBe(
      'completed',
    );
  });

  test('is no second pair of eyes beside its successor', async () => {
    const { ledger } = await house();
    const [maker, fresh] = [newKey(), newKey()];
    await ledger.make('wallets', { handle: 'own' }, maker);
    expect(outcomeOf(await ledger.settle(owner, 'issue own 100 usd'))).toBe('completed');
    const policy = {
      handle: 'eyes',
      schema: 'status',
      record: 'intent',
      values: [{ status: 'committed', quorum: [{ handle: 'beth' }] }],
    };
    await ledger.make('policies', policy, owner);
    // The key was nobody's when it made the intent.
    const intent = await ledger.submit(maker, ['transfer own shop 5 usd']);
    await ledger.make('signers', { handle: 'beth', ...keyData(maker) }, maker);
    await handOver(ledger, fresh, maker, '/signers/beth');
    const seen = await ledger.prove('intents', intent, fresh, { n: 1 });
    expect(outcomeOf(seen.body)).toBe('pending');
  });

  test('is refused as any change that comes again, where its answer was lost', async () => {
    const { ledger, old } = await house();
    const body = takingBody(ledger, await read(ledger, '/signers/ann'), newKey(), { by: [old] });
    expect(outcome(await ledger.put('/signers/ann', body))).toEqual([200]);
    const again = await ledger.put('/signers/ann', body);
    expect(outcome(again)).toEqual([422, 'crypto.parent-hash-invalid']);
    expect(again.custom?.['hash']).toBe(body.hash);
  });

  test('learns nothing of what it has owned from changes that it sends again', async () => {
    const { ledger, old } = await house();
    const body = revision(await read(ledger, '/wallets/hers'), { custom: { n: 1 } }, old);
    expect(outcome(await ledger.put('/wallets/hers', body))).toEqual([200]);
    await handOver(ledger, newKey(), old);
    expect(outcome(await ledger.put('/wallets/hers', body))).toEqual(forbidden);
  });
});

describe('a successor', () => {
  const refused = [422, 'record.invalid'];

  test.each<[string, (keys: Record<'old' | 'fresh' | 'eve', Key>) => Taking]>([
    ['that another key names', ({ eve }) => ({ by: [eve] })],
    ['that another key names as well', ({ old, eve }) => ({ by: [old, eve] })],
    [
      'that is not the new key',
      ({ old, eve }) => ({ by: [old], custom: { successor: eve.public } }),
    ],
    ['that is no key', ({ old }) => ({ by: [old], custom: { successor: null } })],
    ['of any ledger', ({ old }) => ({ by: [old], custom: { ledger: undefined } })],
  ])('%s is refused, and nothing is stored', async (_, takingOf) => {
    const { ledger, old } = await house([...owners, ...making, ...changing]);
    const [fresh, eve] = [newKey(), newKey()];
    const before = await read(ledger, '/signers/ann');
    const reply = await take(ledger, fresh, takingOf({ old, fresh, eve }));
    expect(outcome(reply)).toEqual(refused);
    expect(await read(ledger, '/signers/ann')).toEqual(before);
    expect(await pay(ledger, old)).toBe('completed');
    for (const key of [fresh, eve]) expect(await pay(ledger, key)).toBe('pending');
  });

  test('of another ledger is refused by its signature', async () => {
    const { ledger, old } = await house();
    const reply = await take(ledger, newKey(), { by: [old], custom: { ledger: 'another' } });
    expect(outcome(reply)).toEqual([422, 'crypto.signature-invalid']);
  });

  test('in a change that replaces no key is refused', async () => {
    const { ledger, old } = await house();
    const fresh = newKey();
    const custom = { moment: now(), ledger: ledger.ledger, successor: fresh.public };
    const ann = await read(ledger, '/signers/ann');
    const data = { handle: 'new', ...keyData(newKey()) };
    expect(outcome(await ledger.post('/signers', signed(data, old, custom)))).toEqual(refused);
    expect(outcome(await ledger.prove('signers', ann, old, custom))).toEqual(refused);
    const kept = signed({ ...ann.data, custom: { n: 1 }, parent: ann.hash }, old, custom);
    expect(outcome(await ledger.put('/signers/ann', kept))).toEqual(refused);
    expect((await addFactor(ledger, 'ann', 'phone', newKey(), old)).status).toBe(201);
    const path = '/signers/ann/factors/phone';
    const { luid, hash } = await read(ledger, path);
    const wish = {
      luid,
      ...signed({ parent: hash }, old, { ...custom, moment: now(), status: 'dropped' }),
    };
    expect(outcome(await ledger.send('DELETE', path, wish))).toEqual(refused);
    // Elsewhere it is a word of the client's own.
    expect(outcome(await ledger.post('/wallets', signed({ handle: 'w' }, old, custom)))).toEqual([
      201,
    ]);
  });

  test('that another signer has, or that has handed over itself, is refused', async () => {
    const { ledger, old } = await house();
    const [eve, fresh] = [newKey(), newKey()];
    await ledger.make('signers', { handle: 'eve', ...keyData(eve) }, eve);
    expect(outcome(await take(ledger, eve, { by: [old] }))).toEqual(refused);
    await handOver(ledger, fresh, old);
    expect(outcome(await take(ledger, old, { by: [fresh] }))).toEqual(refused);
    expect(await pay(ledger, fresh)).toBe('completed');
    for (const key of [eve, old]) expect(await pay(ledger, key)).toBe('pending');
  });

  test('of a key that another signer has is refused', async () => {
    const { ledger, old } = await house();
    await ledger.make('signers', { handle: 'shown', ...keyData(old) }, old);
    const path = '/signers/shown';
    expect(outcome(await take(ledger, newKey(), { path, by: [old] }))).toEqual(refused);
    expect(await pay(ledger, old)).toBe('completed');
  });

  test('that another record of its signer shows keeps what it took over', async () => {
    const { ledger, old } = await house([...owners, ...making, ...changing]);
    const [fresh, eve] = [newKey(), newKey()];
    // The factor shows the key while it belongs to another signer, which gives it up.
    await ledger.make('signers', { handle: 'eve', ...keyData(fresh) }, eve);
    expect((await addFactor(ledger, 'ann', 'phone', fresh, old)).status).toBe(201);
    const away = revision(await read(ledger, '/signers/eve'), keyData(eve), eve);
    expect(outcome(await ledger.put('/signers/eve', away))).toEqual([200]);
    await handOver(ledger, fresh, old);
    const path = '/signers/ann/factors/phone';
    const noted = revision(await read(ledger, path), { custom: { n: 1 } }, fresh);
    expect(outcome(await ledger.put(path, noted))).toEqual([200]);
    expect(await pay(ledger, fresh)).toBe('completed');
    const other = takingBody(ledger, await read(ledger, path), newKey(), { by: [fresh] });
    expect(outcome(await ledger.put(path, other))).toEqual(refused);
    const wish = farewell(await read(ledger, path), fresh);
    expect(outcome(await ledger.send('DELETE', path, wish))).toEqual([204]);
    expect(await pay(ledger, fresh)).toBe('completed');
  });

  test('has at most as many predecessors as are read with it', async () => {
    const { ledger, old } = await house();
    let [from, item] = [old, await read(ledger, '/signers/ann')];
    for (let count = 0; count < predecessorCountMax; count += 1) {
      const to = newKey();
      const body = takingBody(ledger, item, to, { by: [from] });
      const reply = await ledger.put('/signers/ann', body);
      expect(outcome(reply)).toEqual([200]);
      [from, item] = [to, reply.body];
    }
    expect(await pay(ledger, from)).toBe('completed');
    expect(outcome(await take(ledger, newKey(), { by: [from] }))).toEqual(refused);
    expect(await pay(ledger, from)).toBe('completed');
  });
});

describe('a key that has handed over', () => {
  test('belongs to no signer any more that names it', async () => {
    const { ledger, old } = await house([...owners, ...making, ...changing]);
    const [fresh, eve] = [newKey(), newKey()];
    await handOver(ledger, fresh, old);
    await ledger.make('signers', { handle: 'eve', ...keyData(eve) }, eve);
    await ledger.make('signers', { handle: 'thief', ...keyData(old) }, old);
    expect((await addFactor(ledger, 'eve', 'hers', old, eve)).status).toBe(201);
    const taking = revision(await read(ledger, '/signers/eve'), keyData(old), eve);
    expect(outcome(await ledger.put('/signers/eve', taking))).toEqual([200]);
    const back = revision(await read(ledger, '/signers/ann'), keyData(old), fresh);
    expect(outcome(await ledger.put('/signers/ann', back))).toEqual([200]);
    expect(await pay(ledger, old)).toBe('pending');
    const item = await ledger.make('wallets', { handle: 'new' }, old);
    expect(item.meta.proofs[0]).not.toHaveProperty('signer');
    expect(await renaming(ledger, old, '/wallets/new')).toEqual(forbidden);
  });
});

describe('a key that does not hand over', () => {
  test('owns what it has made, and the new one does not', async () => {
    const { ledger, old } = await house();
    const fresh = newKey();
    const body = revision(await read(ledger, '/signers/ann'), keyData(fresh), old);
    const reply = await ledger.put('/signers/ann', body);
    expect(outcome(reply)).toEqual([200]);
    expect(reply.body.meta).not.toHaveProperty('predecessors');
    expect(await pay(ledger, fresh)).toBe('pending');
    expect(await pay(ledger, old)).toBe('completed');
  });

  test('and that its signer only shows is replaced, also once nobody has it', async () => {
    const { ledger, old } = await house();
    const eve = newKey();
    // It belongs to ann first, and then to nobody.
    await ledger.make('signers', { handle: 'eve', ...keyData(old) }, eve);
    const away = revision(await read(ledger, '/signers/ann'), keyData(newKey()), old);
    expect(outcome(await ledger.put('/signers/ann', away))).toEqual([200]);
    const next = revision(await read(ledger, '/signers/eve'), keyData(newKey()), eve);
    expect(outcome(await ledger.put('/signers/eve', next))).toEqual([200]);
  });

  test('takes along nothing of what others have handed over to it', async () => {
    const { ledger, old } = await house();
    const [fresh, third] = [newKey(), newKey()];
    await handOver(ledger, fresh, old);
    const body = revision(await read(ledger, '/signers/ann'), keyData(third), fresh);
    expect((await ledger.put('/signers/ann', body)).body.meta).not.toHaveProperty('predecessors');
    for (const key of [old, fresh, third]) expect(await pay(ledger, key)).toBe('pending');
    expect(await renaming(ledger, owner)).toEqual([200]);
  });
});

describe('the key of a factor', () => {
  test('hands over to the one that replaces it', async () => {
    const { ledger, old } = await house();
    const [phone, other] = [newKey(), newKey()];
    const path = '/signers/ann/factors/phone';
    expect((await addFactor(ledger, 'ann', 'phone', phone, old)).status).toBe(201);
    await ledger.make('wallets', { handle: 'mobile' }, phone);
    const reply = await take(ledger, other, { path, by: [phone] });
    // A factor is changed by the owner of its record; its own key signs beside it.
    expect(outcome(reply)).toEqual(forbidden);
    const item = await read(ledger, path);
    const body = takingBody(ledger, item, other, { by: [phone] });
    const proofs = [...body.meta.proofs, proofOf(body.hash, old, { moment: now() })];
    expect(outcome(await ledger.put(path, { ...body, meta: { proofs } }))).toEqual([200]);
    expect(await renaming(ledger, other, '/wallets/mobile')).toEqual([200]);
    expect(await renaming(ledger, phone, '/wallets/mobile')).toEqual(forbidden);
    expect(await pay(ledger, other)).toBe('pending');
    // Once the factor is dropped, its key owns what it made itself, and nobody what it took over.
    const dropped = await ledger.send('DELETE', path, farewell(await read(ledger, path), old));
    expect(outcome(dropped)).toEqual([204]);
    expect(await renaming(ledger, other, '/wallets/mobile')).toEqual(forbidden);
  });
});
