/**
 * Goal: a signer owns what its keys have made, with each key that it has, and a key that was taken away from it owns
 * nothing, wherever ownership is judged. Nobody owns anything by naming a key that is not theirs. Rulings 13 and 104,
 * Decision 157.
 */
import { describe, expect, test } from 'vitest';
import {
  active,
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
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { forbidden, missing, outcome, owners } from '../fixture/house.ts';
import { entriesOf, intentBody } from '../fixture/payment.ts';
import { nowhere } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const owner = newKey();
const home = await sharedHome();

/** Everybody may make records, and what is made is for its owners. */
const making: Json[] = ['signer', 'wallet', 'bridge', 'intent'].map((record) => ({
  action: 'create',
  record,
}));

/** Everybody may list what they may read, and ann and eve may have factors. */
const further: Json[] = [
  { action: 'query', record: 'wallet' },
  { action: 'any', record: 'signer-factor', signer: { handle: { $in: ['ann', 'eve'] } } },
];

const keyData = (key: Key) => ({ public: key.public, format: 'ed25519-raw' });

interface House {
  readonly ledger: Client;
  readonly ann: Item;
  readonly old: Key;
}

/** A ledger with ann, who has registered herself, and her wallet with 100 usd. */
async function house(access: readonly Json[] = [...owners, ...making, ...further]): Promise<House> {
  const ledger = await newOwnLedger(home, owner, { access });
  const old = newKey();
  const ann = await ledger.make('signers', { handle: 'ann', ...keyData(old) }, old);
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  await ledger.make('wallets', { handle: 'hers' }, old);
  await ledger.make('wallets', { handle: 'shop' }, owner);
  expect(outcomeOf(await ledger.settle(owner, 'issue hers 100 usd'))).toBe('completed');
  return { ledger, ann, old };
}

const pay = async (ledger: Client, key: Key) => {
  const reply = await ledger.post('/intents', intentBody(['transfer hers shop 5 usd'], key));
  return reply.status === 201 ? outcomeOf(reply.body) : reply.reason;
};

async function read(ledger: Client, path: string): Promise<Item> {
  return (await ledger.get(path, bearing(owner))).body;
}

/** Gives ann another key. */
async function rotated(ledger: Client, to: Key, by: Key): Promise<Item> {
  const ann = await read(ledger, '/signers/ann');
  const reply = await ledger.put('/signers/ann', revision(ann, keyData(to), by));
  expect(outcome(reply)).toEqual([200]);
  return reply.body;
}

async function addFactor(ledger: Client, signer: string, handle: string, key: Key, by: Key) {
  const data = { signer, handle, schema: 'key-pair', ...keyData(key) };
  return ledger.post(`/signers/${signer}/factors`, signed(data, by));
}

async function dropAt(ledger: Client, path: string, by: Key): Promise<void> {
  const reply = await ledger.send('DELETE', path, farewell(await read(ledger, path), by));
  expect(outcome(reply)).toEqual([204]);
}

const renaming = async (ledger: Client, key: Key, path = '/wallets/hers') => {
  const item = await read(ledger, path);
  return outcome(await ledger.put(path, revision(item, { custom: { n: unique('n') } }, key)));
};

describe('a signer that takes another key', () => {
  test('owns with the new key what the old one has made, and the old one owns nothing from then on', async () => {
    const { ledger, old } = await house();
    const fresh = newKey();
    expect(await pay(ledger, old)).toBe('completed');
    await rotated(ledger, fresh, old);
    expect(await pay(ledger, old)).not.toBe('completed');
    expect(await renaming(ledger, old)).toEqual(forbidden);
    expect(await pay(ledger, fresh)).toBe('completed');
    expect(await renaming(ledger, fresh)).toEqual([200]);
    // Its own record as well, over and over.
    const third = newKey();
    await rotated(ledger, third, fresh);
    expect(await pay(ledger, fresh)).not.toBe('completed');
    expect(await pay(ledger, third)).toBe('completed');
  });

  test('is known by its luid when it was renamed', async () => {
    const { ledger, ann, old } = await house();
    const fresh = newKey();
    const change = { handle: 'anna', ...keyData(fresh) };
    expect(outcome(await ledger.put('/signers/ann', revision(ann, change, old)))).toEqual([200]);
    expect(await pay(ledger, fresh)).toBe('completed');
    // Another signer of the old name is somebody else.
    const eve = newKey();
    await ledger.make('signers', { handle: 'ann', ...keyData(eve) }, eve);
    expect(await pay(ledger, eve)).not.toBe('completed');
    expect(await pay(ledger, old)).not.toBe('completed');
  });

  test('reads with a token of the new key, and in lists, and explains why', async () => {
    const { ledger, old } = await house();
    const fresh = newKey();
    for (let n = 0; n < 5; n += 1) await ledger.make('wallets', { handle: `more-${n}` }, old);
    await rotated(ledger, fresh, old);
    expect(outcome(await ledger.get('/wallets/hers', bearing(fresh)))).toEqual([200]);
    expect(outcome(await ledger.get('/wallets/hers', bearing(old)))).toEqual(forbidden);
    const shown = async (key: Key) => {
      const reply = await ledger.get('/wallets', bearing(key));
      return reply.status === 200 ? handlesIn(reply.items).sort() : outcome(reply);
    };
    const hers = ['hers', ...[0, 1, 2, 3, 4].map((n) => `more-${n}`)];
    expect(await shown(fresh)).toEqual(hers);
    expect(await shown(old)).not.toContain('hers');
    const check = async (key: Key) => {
      const body = signed({ action: 'update', explain: true }, key, { moment: now() });
      const { body: list } = await ledger.post('/wallets/hers/access/!check', body);
      return (list as unknown as { data: { data: Json }[] }).data.filter(
        ({ data }) => !('missing' in data),
      ).length;
    };
    expect(await check(fresh)).toBeGreaterThan(0);
    expect(await check(old)).toBe(0);
  });

  test('can be given its former key back, and no other signer takes it', async () => {
    const { ledger, old } = await house();
    const fresh = newKey();
    await rotated(ledger, fresh, old);
    const eve = newKey();
    await ledger.make('signers', { handle: 'eve', ...keyData(eve) }, eve);
    await ledger.make('signers', { handle: 'thief', ...keyData(old) }, old);
    expect((await addFactor(ledger, 'eve', 'hers', old, eve)).status).toBe(201);
    for (const key of [eve, old]) expect(await pay(ledger, key)).not.toBe('completed');
    const item = await ledger.make('wallets', { handle: 'new' }, old);
    expect(item.meta.proofs[0]).not.toHaveProperty('signer');
    expect(await renaming(ledger, old, '/wallets/new')).toEqual(forbidden);
    expect((await addFactor(ledger, 'ann', 'again', old, fresh)).status).toBe(201);
    for (const key of [old, fresh]) expect(await pay(ledger, key)).toBe('completed');
    await dropAt(ledger, '/signers/ann/factors/again', fresh);
    expect(await pay(ledger, old)).not.toBe('completed');
    expect(await pay(ledger, fresh)).toBe('completed');
  });
});

describe('factors', () => {
  test('own what the signer owns while they are there', async () => {
    const { ledger, old } = await house();
    const phone = newKey();
    expect((await addFactor(ledger, 'ann', 'phone', phone, old)).status).toBe(201);
    expect(await pay(ledger, phone)).toBe('completed');
    await dropAt(ledger, '/signers/ann/factors/phone', old);
    expect(await pay(ledger, phone)).not.toBe('completed');
  });

  test('that have signed for themselves leave to the signer what they made', async () => {
    const { ledger, old } = await house();
    const phone = newKey();
    const data = { signer: 'ann', handle: 'phone', schema: 'key-pair', ...keyData(phone) };
    const custom = { moment: now(), ledger: ledger.ledger };
    const body = signed(data, [old, phone], custom);
    expect((await ledger.post('/signers/ann/factors', body)).status).toBe(201);
    await ledger.make('wallets', { handle: 'mobile' }, phone);
    expect(await renaming(ledger, old, '/wallets/mobile')).toEqual([200]);
    await dropAt(ledger, '/signers/ann/factors/phone', old);
    expect(await renaming(ledger, phone, '/wallets/mobile')).toEqual(forbidden);
    expect(await renaming(ledger, old, '/wallets/mobile')).toEqual([200]);
  });
});

describe('nobody owns by naming a key', () => {
  test('whoever registers the key of somebody else owns nothing by it, and takes nothing away', async () => {
    const { ledger } = await house();
    const [victim, eve] = [newKey(), newKey()];
    await ledger.make('wallets', { handle: 'self-made' }, victim);
    await ledger.make('signers', { handle: 'eve', ...keyData(eve) }, eve);
    expect((await addFactor(ledger, 'eve', 'stolen', victim, eve)).status).toBe(201);
    expect(await renaming(ledger, eve, '/wallets/self-made')).toEqual(forbidden);
    expect(await renaming(ledger, victim, '/wallets/self-made')).toEqual([200]);
    await dropAt(ledger, '/signers/eve/factors/stolen', eve);
    expect(await renaming(ledger, eve, '/wallets/self-made')).toEqual(forbidden);
    expect(await renaming(ledger, victim, '/wallets/self-made')).toEqual([200]);
    // What the victim signed for another ledger is no consent to this one.
    const elsewhere = signed({ handle: 'victim', ...keyData(victim) }, victim);
    const { hash } = elsewhere;
    const added = proofOf(hash, eve, { moment: now() });
    const proofs = [...elsewhere.meta.proofs, added];
    const made = await ledger.post('/signers', { ...elsewhere, meta: { proofs } });
    expect(made.status).toBe(201);
    expect(await renaming(ledger, eve, '/wallets/self-made')).toEqual(forbidden);
    const moved = revision(made.body, keyData(newKey()), eve);
    expect(outcome(await ledger.put('/signers/victim', moved))).toEqual([200]);
    expect(await renaming(ledger, eve, '/wallets/self-made')).toEqual(forbidden);
    expect(await renaming(ledger, victim, '/wallets/self-made')).toEqual([200]);
  });

  test('whoever takes the key of those who registered it owns nothing by it', async () => {
    const ofEve = (record: string) => ({ action: 'any', record, signer: { handle: 'eve' } });
    const { ledger } = await house([...owners, ...making, ofEve('signer'), ofEve('signer-factor')]);
    const [eve, phone] = [newKey(), newKey()];
    const item = await ledger.make('signers', { handle: 'eve', ...keyData(eve) }, owner);
    expect((await addFactor(ledger, 'eve', 'phone', phone, eve)).status).toBe(201);
    // The owner has signed the version before, for the key that was in it.
    const taken = await ledger.put('/signers/eve', revision(item, keyData(owner), phone));
    expect(outcome(taken)).toEqual([200]);
    expect(await renaming(ledger, phone, '/wallets/shop')).toEqual(forbidden);
    const left = await ledger.put('/signers/eve', revision(taken.body, keyData(newKey()), phone));
    expect(outcome(left)).toEqual([200]);
    expect(await renaming(ledger, phone, '/wallets/shop')).toEqual(forbidden);
    expect(await renaming(ledger, owner, '/wallets/shop')).toEqual([200]);
  });

  test('a factor of another ledger is no consent to one here, whose signer has the same name', async () => {
    const token = {
      action: 'any',
      record: 'signer-factor',
      bearer: { $signer: { handle: 'eve' } },
    };
    const { ledger } = await house([...owners, ...making, ...further, token]);
    const elsewhere = await newOwnLedger(home, owner, {
      access: [{ action: 'any', record: 'any' }],
    });
    const [victim, eve] = [newKey(), newKey()];
    await ledger.make('wallets', { handle: 'self-made' }, victim);
    await elsewhere.make('signers', { handle: 'eve', ...keyData(newKey()) }, victim);
    const data = { signer: 'eve', handle: 'phone', schema: 'key-pair', ...keyData(victim) };
    const body = signed(data, victim);
    expect((await elsewhere.post('/signers/eve/factors', body)).status).toBe(201);
    await ledger.make('signers', { handle: 'eve', ...keyData(eve) }, eve);
    expect((await ledger.post('/signers/eve/factors', body, bearing(eve))).status).toBe(201);
    expect(await renaming(ledger, eve, '/wallets/self-made')).toEqual(forbidden);
    await dropAt(ledger, '/signers/eve/factors/phone', eve);
    expect(await renaming(ledger, eve, '/wallets/self-made')).toEqual(forbidden);
    expect(await renaming(ledger, victim, '/wallets/self-made')).toEqual([200]);
  });

  test('an update of another ledger is no consent to one here, of a signer that somebody else has made', async () => {
    const self = {
      action: 'update',
      record: 'signer',
      signer: { handle: { $in: ['self', 'given'] } },
    };
    const { ledger } = await house([...owners, ...making, self]);
    const elsewhere = await newOwnLedger(home, owner, {
      access: [{ action: 'any', record: 'any' }],
    });
    const [victim, eve, next] = [newKey(), newKey(), newKey()];
    await ledger.make('wallets', { handle: 'self-made' }, victim);
    const data = { handle: 'self', ...keyData(victim) };
    const there = await elsewhere.make('signers', data, victim);
    const { luid: _, ...body } = revision(there, { custom: { n: 1 } }, victim);
    expect(outcome(await elsewhere.put('/signers/self', body))).toEqual([200]);
    await ledger.make('signers', data, eve);
    const replayed = await ledger.put('/signers/self', body);
    expect(outcome(replayed)).toEqual([200]);
    const taken = await ledger.put('/signers/self', revision(replayed.body, keyData(eve), eve));
    expect(outcome(taken)).toEqual([200]);
    expect(await renaming(ledger, eve, '/wallets/self-made')).toEqual(forbidden);
    expect(await renaming(ledger, victim, '/wallets/self-made')).toEqual([200]);
    // One that names this ledger is.
    const clerk = newKey();
    await ledger.make('wallets', { handle: 'till' }, clerk);
    const given = await ledger.make('signers', { handle: 'given', ...keyData(clerk) }, eve);
    const change = { ...given.data, ...keyData(next), parent: given.hash };
    const consent = signed(change, clerk, { moment: now(), ledger: ledger.ledger });
    expect(outcome(await ledger.put('/signers/given', consent))).toEqual([200]);
    expect(await renaming(ledger, clerk, '/wallets/till')).toEqual(forbidden);
    expect(await renaming(ledger, next, '/wallets/till')).toEqual([200]);
  });

  test.each(['its own key', 'the owner of the ledger'])(
    'what a key signs elsewhere in a signer that it was given is no consent to one here, which %s has made',
    async (who) => {
      const self = { action: 'any', record: 'signer', signer: { handle: 'eve' } };
      const { ledger } = await house([...owners, ...making, self, ...further]);
      const elsewhere = await newOwnLedger(home, owner, {
        access: [{ action: 'any', record: 'any' }],
      });
      const [victim, eve, phone] = [newKey(), newKey(), newKey()];
      await ledger.make('wallets', { handle: 'self-made' }, victim);
      const data = { handle: 'eve', ...keyData(eve) };
      await ledger.make('signers', data, who === 'its own key' ? eve : owner);
      expect((await addFactor(ledger, 'eve', 'phone', phone, eve)).status).toBe(201);
      let there = await elsewhere.make('signers', data, eve);
      for (const [change, by] of [
        [keyData(victim), eve],
        [{ custom: { n: 1 } }, victim],
      ] as const) {
        const { luid: _, ...body } = revision(there, change, by);
        there = (await elsewhere.put('/signers/eve', body)).body;
        expect(outcome(await ledger.put('/signers/eve', body))).toEqual([200]);
      }
      expect(await renaming(ledger, phone, '/wallets/self-made')).toEqual(forbidden);
      expect(await renaming(ledger, victim, '/wallets/self-made')).toEqual([200]);
    },
  );

  test('an owner of the ledger who changes something else of a signer makes no key certain that was there', async () => {
    const self = { action: 'any', record: 'signer', signer: { handle: 'eve' } };
    const { ledger } = await house([...owners, ...making, self, ...further]);
    const [victim, eve, phone] = [newKey(), newKey(), newKey()];
    await ledger.make('wallets', { handle: 'self-made' }, victim);
    const item = await ledger.make('signers', { handle: 'eve', ...keyData(eve) }, owner);
    expect((await addFactor(ledger, 'eve', 'phone', phone, eve)).status).toBe(201);
    const taken = await ledger.put('/signers/eve', revision(item, keyData(victim), eve));
    const edit = revision(taken.body, { custom: { department: 'b' } }, owner);
    expect(outcome(await ledger.put('/signers/eve', edit))).toEqual([200]);
    expect(await renaming(ledger, phone, '/wallets/self-made')).toEqual(forbidden);
    const left = await ledger.put(
      '/signers/eve',
      revision(await read(ledger, '/signers/eve'), keyData(newKey()), owner),
    );
    expect(outcome(left)).toEqual([200]);
    expect(await renaming(ledger, phone, '/wallets/self-made')).toEqual(forbidden);
    expect(await renaming(ledger, victim, '/wallets/self-made')).toEqual([200]);
  });

  test.each(['the owner of the ledger', 'the key itself'])(
    'when %s takes the key away again that a stranger has named, that is no consent',
    async (who) => {
      const { ledger } = await house();
      const [victim, eve] = [newKey(), newKey()];
      await ledger.make('wallets', { handle: 'self-made' }, victim);
      await ledger.make('signers', { handle: 'eve', ...keyData(eve) }, eve);
      expect((await addFactor(ledger, 'eve', 'stolen', victim, eve)).status).toBe(201);
      const by = who === 'the key itself' ? victim : owner;
      await dropAt(ledger, '/signers/eve/factors/stolen', by);
      expect(await renaming(ledger, eve, '/wallets/self-made')).toEqual(forbidden);
      expect(await renaming(ledger, victim, '/wallets/self-made')).toEqual([200]);
      // Nor when the owner replaces it.
      const named = await ledger.make('signers', { handle: 'named', ...keyData(victim) }, eve);
      const reply = await ledger.put('/signers/named', revision(named, keyData(newKey()), owner));
      expect(outcome(reply)).toEqual([200]);
      expect(await renaming(ledger, eve, '/wallets/self-made')).toEqual(forbidden);
      expect(await renaming(ledger, victim, '/wallets/self-made')).toEqual([200]);
    },
  );

  test('an owner of the ledger registers and takes away keys for certain, as it may do everything', async () => {
    const { ledger } = await house();
    const [clerk, fresh] = [newKey(), newKey()];
    await ledger.make('signers', { handle: 'clerk', ...keyData(clerk) }, owner);
    await ledger.make('wallets', { handle: 'till' }, clerk);
    const item = await read(ledger, '/signers/clerk');
    const body = revision(item, keyData(fresh), owner);
    expect(outcome(await ledger.put('/signers/clerk', body))).toEqual([200]);
    expect(await renaming(ledger, clerk, '/wallets/till')).toEqual(forbidden);
    expect(await renaming(ledger, fresh, '/wallets/till')).toEqual([200]);
    // A key that others have registered is certain to be the signer's once an owner names it anew.
    const [lost, next, eve] = [newKey(), newKey(), newKey()];
    await ledger.make('signers', { handle: 'porter', ...keyData(lost) }, eve);
    await ledger.make('wallets', { handle: 'lodge' }, lost);
    for (const key of [next, lost, next]) {
      const change = keyData(key);
      const porter = await read(ledger, '/signers/porter');
      const reply = await ledger.put('/signers/porter', revision(porter, change, owner));
      expect(outcome(reply)).toEqual([200]);
    }
    expect(await renaming(ledger, lost, '/wallets/lodge')).toEqual(forbidden);
    expect(await renaming(ledger, next, '/wallets/lodge')).toEqual([200]);
  });

  test('a key that never was a signer’s goes on to own what it made', async () => {
    const { ledger } = await house();
    const self = newKey();
    await ledger.make('wallets', { handle: 'self-made' }, self);
    expect(await renaming(ledger, self, '/wallets/self-made')).toEqual([200]);
    await ledger.make('signers', { handle: 'late', ...keyData(self) }, self);
    expect(await renaming(ledger, self, '/wallets/self-made')).toEqual([200]);
    const fresh = newKey();
    const late = await read(ledger, '/signers/late');
    expect(
      outcome(await ledger.put('/signers/late', revision(late, keyData(fresh), self))),
    ).toEqual([200]);
    expect(await renaming(ledger, fresh, '/wallets/self-made')).toEqual([200]);
    expect(await renaming(ledger, self, '/wallets/self-made')).toEqual(forbidden);
  });
});

describe('bridges', () => {
  test('in flight are reported for by the new key of their signer, and no more by the old one', async () => {
    const { ledger, old } = await house();
    await ledger.make('bridges', { handle: 'bank', config: { server: nowhere } }, old);
    const bridge = await read(ledger, '/bridges/bank');
    await ledger.prove('bridges', bridge, owner, active());
    await ledger.make('wallets', { handle: 'far', bridge: 'bank' }, old);
    const intent = await ledger.submit(old, ['transfer hers far 5 usd']);
    expect(intent.meta.status).toBe('processing');
    const entry = entriesOf(intent)['credit far'];
    const fresh = newKey();
    await rotated(ledger, fresh, old);
    const report = (key: Key, status: string) =>
      ledger.prove('intents', intent, key, { handle: entry, status });
    const refused = await report(old, 'prepared');
    expect(outcome(refused)).toEqual(forbidden);
    expect((await report(fresh, 'prepared')).body.meta.status).toBe('committed');
    expect((await report(fresh, 'committed')).body.meta.status).toBe('completed');
  });
});

describe('the ledger itself', () => {
  test('belongs to the new key of its owner', async () => {
    const [root, fresh] = [newKey(), newKey()];
    const ledger = await newOwnLedger(home, root, {});
    await ledger.make('signers', { handle: 'root', ...keyData(root) }, root);
    const signer = (await ledger.get('/signers/root', bearing(root))).body;
    expect(
      outcome(await ledger.put('/signers/root', revision(signer, keyData(fresh), root))),
    ).toEqual([200]);
    const make = async (key: Key) =>
      outcome(await ledger.post('/wallets', signed({ handle: unique('w') }, key)));
    expect(await make(root)).toEqual(forbidden);
    expect(await make(fresh)).toEqual([201]);
    expect(outcome(await ledger.get('/wallets', bearing(fresh)))).toEqual([200]);
    expect(outcome(await ledger.get('/wallets', bearing(root)))).toEqual(forbidden);
    const { body: record } = await ledger.get('/ledger', bearing(fresh));
    const change = (key: Key) => ledger.put('/ledger', revision(record, { custom: { n: 1 } }, key));
    expect(outcome(await change(root))).toEqual(forbidden);
    expect(outcome(await change(fresh))).toEqual([200]);
    // Through another ledger, the rules of this one decide as well.
    const path = `/ledgers/${ledger.ledger}`;
    expect(outcome(await home.get(path, bearing(fresh)))).toEqual([200]);
    const update = async (key: Key) => {
      const { body } = await ledger.get('/ledger', bearing(fresh));
      return outcome(await home.put(path, revision(body, { custom: { n: 2 } }, key)));
    };
    expect(await update(root)).toEqual(missing);
    expect(await update(fresh)).toEqual([200]);
  });
});

describe('quorums', () => {
  const policy = (matcher: Json) => ({
    handle: unique('policy'),
    schema: 'status',
    record: 'intent',
    values: [{ status: 'committed', quorum: [matcher, { public: owner.public }] }],
  });

  test('of the owner of an intent, or of the ledger, are met by the new key', async () => {
    for (const matcher of [{ $record: 'owner' }, { handle: 'ann', $record: 'owner' }]) {
      const { ledger, old } = await house();
      await ledger.make('policies', policy(matcher), owner);
      const intent = await ledger.submit(old, ['transfer hers shop 5 usd']);
      expect(intent.meta.status).toBe('pending');
      const fresh = newKey();
      await rotated(ledger, fresh, old);
      await ledger.prove('intents', intent, owner, { n: 1 });
      expect(outcomeOf(await read(ledger, `/intents/${intent.luid}`))).toBe('pending');
      const reply = await ledger.prove('intents', intent, fresh, { n: 2 });
      expect(outcomeOf(reply.body)).toBe('completed');
    }
  });

  test('see the maker in the new key, so it is no second pair of eyes', async () => {
    const { ledger, ann, old } = await house();
    const any = {
      handle: unique('policy'),
      schema: 'status',
      record: 'intent',
      values: [{ status: 'committed', quorum: [{ handle: 'anna' }] }],
    };
    await ledger.make('policies', any, owner);
    const intent = await ledger.submit(old, ['transfer hers shop 5 usd']);
    const fresh = newKey();
    const change = { handle: 'anna', ...keyData(fresh) };
    expect(outcome(await ledger.put('/signers/ann', revision(ann, change, old)))).toEqual([200]);
    const reply = await ledger.prove('intents', intent, fresh);
    expect(outcomeOf(reply.body)).toBe('pending');
  });
});
