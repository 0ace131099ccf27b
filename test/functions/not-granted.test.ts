/**
 * Goal: what is not granted is refused in the same words, whether it is there or not, so that nobody learns what
 * there is; only who may read all of a kind hears that something is not there. Rulings 35 and 71, Decision 37.
 */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  farewell,
  handlesIn,
  hashOf,
  type Item,
  type Json,
  type Key,
  newKey,
  now,
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
  missing,
  outcome,
  owner,
  proving,
  reading,
  signer,
  unauthorized,
  updating,
  wallet,
} from '../fixture/house.ts';
import { ownRuntime } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

// A list of ledgers goes through all that the runtime has.
const { url, key: serverKey } = await ownRuntime();
const home = clientOf(url, serverKey);

const house = (...access: Json[]) => houseOf(home, ...access);
/** Of an answer, all but what differs between any two. */
const without = (text: string) => text.replaceAll(/"(digest|hash|result|moment)":"[^"]*"/g, '');
const claims = [{ action: 'issue', target: 'nobody', symbol: 'none', amount: 1 }];

/** What somebody who may nothing asks of a wallet, by whatever name. */
const wishes = (key: Key, { luid, hash }: { luid: string; hash: string }) =>
  [
    ['PUT', '', revision({ luid, hash, data: { handle: 'w' } } as Item, { custom: {} }, key)],
    ['DELETE', '', farewell({ luid, hash }, key)],
    ['POST', '/drop', farewell({ luid, hash }, key)],
    ['POST', '/proofs', proofOf(hash, key, { moment: now() })],
    ['POST', '/anchors/!lookup', signed({}, key)],
    ['POST', '/access/!check', signed({ action: 'read' }, key)],
    ['POST', '/access/!check', signed({ action: 'any', record: 'any' }, key)],
    ['POST', '/access/!check', signed({ action: 'create', record: 'intent' }, key)],
  ] as const;

describe('a single read', () => {
  test('that nothing grants is refused alike for what is hidden and what is not there', async () => {
    const ledger = await house({ action: 'create', record: 'wallet', ...byKey(ann) });
    const { luid } = await wallet(ledger, { handle: 'w@b' });
    const paths = ['', '/balances', '/limits', '/anchors', '/domains', '/changes', '/changes/1'];
    const ids = ['w@b', luid, 'nobody@b', `${luid.slice(0, -3)}zzz`, '$wlt.x', 'a b'];
    const asked = [ann, newKey(), undefined].flatMap((key) =>
      paths.map((more) => ({ key, more, ids: more === '' ? ids : ['w@b', 'nobody'] })),
    );
    for (const { key, more, ids: named } of asked) {
      const texts = new Set<string>();
      for (const id of named) {
        const reply = await ledger.get(`/wallets/${encodeURIComponent(id)}${more}`, bearing(key));
        const expected = key ? forbidden : unauthorized;
        expect([id, more, ...outcome(reply)]).toEqual([id, more, ...expected]);
        texts.add(without(reply.text));
      }
      expect([...texts]).toHaveLength(1);
    }
    expect((await ledger.get('/wallets/w@b', bearing(ann))).detail).toBe('Cannot read wallet.');
  });

  test('says what is not there to those who may read all of the kind', async () => {
    const ledger = await house(
      { action: 'read', record: 'wallet', ...byToken(ann) },
      { action: 'read', record: 'symbol', filter: { 'custom.is': 'public' } },
    );
    await ledger.make('symbols', { handle: 'usd', factor: 1, custom: { is: 'public' } }, owner);
    expect(await reading(ledger, '/wallets/nobody', ann)).toEqual(missing);
    expect(await reading(ledger, '/wallets/nobody/balances', ann)).toEqual(missing);
    expect(await reading(ledger, '/symbols/usd', ann)).toEqual([200]);
    expect(await reading(ledger, '/symbols/nothing', ann)).toEqual(forbidden);
    expect(await reading(ledger, '/symbols/nothing')).toEqual(unauthorized);
    expect(await reading(ledger, '/wallets/nobody', bob)).toEqual(forbidden);
    expect(await reading(ledger, '/symbols/nothing', owner)).toEqual(missing);
  });

  test('and to those who may read all of it in the domain that the handle names', async () => {
    const ledger = await house();
    await ledger.make('domains', { handle: 'b', access: [readWallets] }, owner);
    await ledger.make('domains', { handle: 'below', domain: 'b' }, owner);
    await wallet(ledger, { handle: 'w@b' });
    await wallet(ledger, { handle: 'v' });
    expect(await reading(ledger, '/wallets/w@b', ann)).toEqual([200]);
    expect(await reading(ledger, '/wallets/x@b', ann)).toEqual(missing);
    expect(await reading(ledger, '/wallets/x@below', ann)).toEqual(missing);
    for (const id of ['v', 'x', 'x@c', 'x@b@b'])
      expect(await reading(ledger, `/wallets/${id}`, ann)).toEqual(forbidden);
    expect(await reading(ledger, '/wallets/x@b', bob)).toEqual(forbidden);
  });

  test('shows owners their own, and tells them of no other', async () => {
    const ledger = await house({ action: 'create', record: 'wallet' });
    const own = await wallet(ledger, { handle: 'own' }, ann);
    await wallet(ledger, { handle: 'other' });
    expect(await reading(ledger, '/wallets/own', ann)).toEqual([200]);
    expect(await reading(ledger, '/wallets/other', ann)).toEqual(forbidden);
    expect(await reading(ledger, '/wallets/nobody', ann)).toEqual(forbidden);
    expect((await ledger.send('DELETE', '/wallets/own', farewell(own, ann))).status).toBe(204);
    expect(await reading(ledger, '/wallets/own', ann)).toEqual(forbidden);
    expect(await reading(ledger, `/wallets/${own.luid}/changes`, ann)).toEqual([200]);
    expect(await reading(ledger, `/wallets/${own.luid}/changes`, bob)).toEqual(forbidden);
  });

  test.each([['active'], ['inactive']])(
    'does not tell of a bridge by a proof that says %s',
    async (status) => {
      const ledger = await house({ action: 'create', record: 'wallet' });
      const config = { server: 'https://bank.example' };
      const bridge = await ledger.make('bridges', { handle: 'bank', config }, owner);
      const proof = proofOf(bridge.hash, ann, { moment: now(), status });
      const [there, none] = [
        await ledger.post('/bridges/bank/proofs', proof),
        await ledger.post('/bridges/nobody/proofs', proof),
      ];
      expect(outcome(there)).toEqual(forbidden);
      expect(without(there.text)).toBe(without(none.text));
    },
  );

  test('of what a ledger does not have stays 404 where everything is open', async () => {
    expect(await reading(home, `/wallets/${unique('nobody')}`, ann)).toEqual(missing);
    expect(await reading(home, `/wallets/${unique('nobody')}`)).toEqual(missing);
  });

  test('of another ledger says nothing of it, in whatever ledger it is asked', async () => {
    const [near, far] = [await house(), await house()];
    for (const key of [ann, owner]) {
      const [hidden, none] = [
        await near.get(`/ledgers/${far.ledger}`, bearing(key)),
        await near.get('/ledgers/nobody', bearing(key)),
      ];
      if (key === ann) {
        expect(outcome(hidden)).toEqual(forbidden);
        expect(without(hidden.text)).toBe(without(none.text));
      }
    }
  });
});

const readWallets = { action: 'read', record: 'wallet', ...byToken(ann) };

describe('whoever may neither do it nor read', () => {
  test('hears the same of a wallet that is hidden and of one that is not there', async () => {
    const ledger = await house({ action: 'create', record: 'intent', ...byKey(ann) });
    const item = await wallet(ledger, { handle: 'w' });
    const nowhere = { luid: `${item.luid.slice(0, -3)}zzz`, hash: hashOf({}) };
    for (const key of [ann, bob, newKey()]) {
      const none = wishes(key, nowhere);
      for (const [index, [method, more, body]] of wishes(key, item).entries()) {
        const hidden = await ledger.send(method, `/wallets/w${more}`, body);
        const lost = await ledger.send(method, `/wallets/nobody${more}`, none[index]?.[2]);
        const isCheck = more === '/access/!check';
        expect([method, more, outcome(hidden)]).toEqual([
          method,
          more,
          isCheck ? [200] : forbidden,
        ]);
        expect(without(hidden.text)).toBe(without(lost.text));
      }
    }
  });

  test('hears the same of an intent, whatever the proof says, and whoever decides it', async () => {
    const ledger = await house();
    const make = (handle: string, config: Json) =>
      ledger.make('intents', { handle, claims, config }, owner);
    await make('auto', {});
    await make('manual', { commit: 'manual' });
    const texts = new Set<string>();
    for (const handle of ['auto', 'manual', 'nobody'])
      for (const status of ['signed', 'committed', 'aborted', 'failed'])
        for (const way of ['proofs', 'sign']) {
          const proof = proofOf(hashOf({}), ann, { moment: now(), status });
          const reply = await ledger.post(`/intents/${handle}/${way}`, proof);
          expect(outcome(reply)).toEqual(forbidden);
          texts.add(without(reply.text));
        }
    expect([...texts]).toHaveLength(1);
  });

  test('hears the same of what hangs on a record', async () => {
    const ledger = await house();
    await ledger.make('circles', { handle: 'c' }, owner);
    await ledger.post('/circles/c/signers', signed({ circle: 'c', signer: 'bob' }, owner));
    const drop = (circle: string, link: string) =>
      ledger.send(
        'DELETE',
        `/circles/${circle}/signers/${link}`,
        farewell({ luid: '$csn.00000000000000000', hash: hashOf({}) }, ann),
      );
    const replies = [await drop('c', 'bob'), await drop('c', 'ann'), await drop('x', 'ann')];
    for (const reply of replies) expect(outcome(reply)).toEqual(forbidden);
    expect(new Set(replies.map(({ text }) => without(text))).size).toBe(1);
  });

  test('hears that it may not, as does who may read it', async () => {
    const ledger = await house({ action: 'read', record: 'any', ...byKey(ann) });
    const item = await wallet(ledger);
    for (const key of [ann, bob]) {
      expect(await updating(ledger, 'wallets', item, { custom: {} }, key)).toEqual(forbidden);
      expect(await proving(ledger, 'wallets', item, key)).toEqual(forbidden);
    }
    const gone = { ...item, luid: `${item.luid.slice(0, -3)}zzz` };
    expect(await updating(ledger, 'wallets', gone, { custom: {} }, ann)).toEqual(missing);
    expect(await updating(ledger, 'wallets', gone, { custom: {} }, bob)).toEqual(forbidden);
  });

  test('and who may update all hears what is not there', async () => {
    const ledger = await house({ action: 'update', record: 'wallet', ...byKey(ann) });
    const item = await wallet(ledger);
    const gone = { ...item, luid: `${item.luid.slice(0, -3)}zzz` };
    expect(await updating(ledger, 'wallets', gone, { custom: {} }, ann)).toEqual(missing);
    // A proof may be of anybody's making where there is nothing that it could be over. Decision 41.
    expect(await proving(ledger, 'wallets', gone, ann)).toEqual(forbidden);
    expect(await updating(ledger, 'wallets', item, { custom: {} }, ann)).toEqual([200]);
  });
});

describe('an access check', () => {
  const check = async (ledger: Client, path: string, key: Key, data: Json) => {
    const { status, items } = await ledger.post(`${path}/access/!check`, signed(data, key));
    return [status, ...items.map((item) => item.data)];
  };

  test('answers of what is not there what it answers of what is hidden', async () => {
    const ledger = await house({ action: 'update', record: 'wallet', ...byKey(ann) });
    await wallet(ledger, { handle: 'w' });
    const granted = { action: 'update', record: 'wallet' };
    for (const path of ['/wallets/w', '/wallets/nobody']) {
      expect(await check(ledger, path, ann, { action: 'update' })).toEqual([200, granted]);
      expect(await check(ledger, path, ann, { action: 'read' })).toEqual([200]);
      expect(await check(ledger, path, bob, { action: 'update' })).toEqual([200]);
    }
    expect(await check(ledger, '/wallets/nobody', owner, { action: 'read' })).toEqual([404]);
  });

  test('of a wallet that may not be read does not say in which domain it lies', async () => {
    const ledger = await house();
    const access = [{ action: 'create', record: 'intent', ...byKey(ann) }];
    await ledger.make('domains', { handle: 'b', access }, owner);
    await wallet(ledger, { handle: 'w', domain: 'b' });
    const asked = { action: 'create', record: 'intent' };
    for (const id of ['w', 'nobody'])
      expect(await check(ledger, `/wallets/${id}`, ann, asked)).toEqual([200]);
    const granted = { action: 'create', record: 'intent' };
    for (const id of ['w@b', 'nobody@b'])
      expect(await check(ledger, `/wallets/${id}`, ann, asked)).toEqual([200, granted]);
  });
});

describe('a list', () => {
  test.each([
    'wallets',
    'intents',
    'symbols',
    'circles',
    'circles/c/signers',
    'signers/ann/factors',
  ])(
    'of %s is refused to whom no rule lets read any, and an owner finds none that way',
    async (group) => {
      const ledger = await house({ action: 'create', record: 'wallet' });
      await ledger.make('circles', { handle: 'c' }, owner);
      await wallet(ledger, { handle: 'own' }, ann);
      expect(await reading(ledger, `/${group}`, ann)).toEqual(forbidden);
      expect(await reading(ledger, `/${group}?data.handle=own`, ann)).toEqual(forbidden);
      expect(await reading(ledger, `/${group}`)).toEqual(unauthorized);
      expect(await reading(ledger, `/${group}`, owner)).toEqual([200]);
    },
  );

  test('says in its refusal what was asked', async () => {
    const ledger = await house();
    expect((await ledger.get('/wallets', bearing(ann))).detail).toBe('Cannot query wallet.');
    expect((await ledger.get('/intents?$plainTextQuery=x', bearing(ann))).detail).toBe(
      'Cannot query intent.',
    );
  });

  test.each<[string, Json[]]>([
    ['some of it by a condition', [{ ...readWallets, filter: { handle: 'w@b' } }]],
    [
      'what is their own',
      [{ action: 'read', record: 'wallet', bearer: { $signer: { $record: 'owner' } } }],
    ],
    ['what it asks for', [{ action: 'query', record: 'wallet', ...byToken(ann) }]],
  ])('is answered where a rule lets them read %s', async (_, access) => {
    const ledger = await house({ action: 'create', record: 'wallet' }, ...access);
    await wallet(ledger, { handle: 'w@b' });
    await wallet(ledger, { handle: 'own' }, ann);
    await wallet(ledger, { handle: 'other' });
    const { items } = await ledger.get('/wallets', bearing(ann));
    expect(handlesIn(items)).toContain('own');
    expect(handlesIn(items)).not.toContain('other');
  });

  test('is answered where the rules of a domain let them read some, named or not', async () => {
    const ledger = await house();
    await ledger.make('domains', { handle: 'a' }, owner);
    await ledger.make('domains', { handle: 'b', access: [readWallets] }, owner);
    await wallet(ledger, { handle: 'w@b' });
    await wallet(ledger, { handle: 'v@a' });
    for (const query of ['', '?meta.domain=b'])
      expect(handlesIn((await ledger.get(`/wallets${query}`, bearing(ann))).items)).toEqual([
        'w@b',
      ]);
    expect(await reading(ledger, '/wallets', bob)).toEqual(forbidden);
    expect(await reading(ledger, '/wallets?meta.domain=b', bob)).toEqual(forbidden);
    expect(await reading(ledger, '/symbols', ann)).toEqual(forbidden);
  });

  test('of what belongs to a record is answered where its rules let them', async () => {
    const ledger = await house();
    const access = [{ action: 'read', record: 'signer-factor', ...byToken(ann) }];
    const carl = newKey();
    await signer(ledger, 'carl', carl, { access });
    const factor = { handle: 'k', signer: 'carl', public: newKey().public, format: 'ed25519-raw' };
    await ledger.make('signers/carl/factors', { ...factor, schema: 'key-pair' }, owner);
    expect(handlesIn((await ledger.get('/signers/carl/factors', bearing(ann))).items)).toEqual([
      'k',
    ]);
    const [hidden, none] = [
      await ledger.get('/signers/carl/factors', bearing(bob)),
      await ledger.get('/signers/nobody/factors', bearing(bob)),
    ];
    expect(outcome(hidden)).toEqual(forbidden);
    expect(without(hidden.text)).toBe(without(none.text));
  });

  test.each([
    ['/signers/@/factors', 'signer-factor'],
    ['/circles/@/signers', 'circle-signer'],
  ])('of %s tells nobody what there is in another domain', async (path, record) => {
    const ledger = await house();
    const access = [{ action: 'read', record, ...byToken(ann) }];
    await ledger.make('domains', { handle: 'b', access }, owner);
    for (const group of ['signers', 'circles']) await ledger.make(group, { handle: 'c' }, owner);
    const texts = new Set<string>();
    for (const name of ['c', 'nobody']) {
      const reply = await ledger.get(path.replace('@', name), bearing(ann));
      expect(outcome(reply)).toEqual(forbidden);
      texts.add(without(reply.text));
    }
    expect([...texts]).toHaveLength(1);
  });

  test('of ledgers shows each those that it may read', async () => {
    const [ledger, own] = [await house(), await houseOf(home)];
    const { status, items } = await ledger.get('/ledgers?page.limit=100', bearing(ann));
    expect(status).toBe(200);
    expect(handlesIn(items)).not.toContain(ledger.ledger);
    expect(await reading(own, '/ledgers', owner)).toEqual([200]);
  });
});

describe('a path that names another record than the body', () => {
  test('does not tell whether that one is there, nor what it is called', async () => {
    const ledger = await house({
      ...{ action: 'create', record: 'signer-factor', filter: { signer: 'ann' } },
      ...byKey(ann),
    });
    const { luid } = (await ledger.get('/signers/bob', bearing(owner))).body;
    const data = { handle: 'k', signer: 'ann', schema: 'key-pair', format: 'ed25519-raw' };
    const posted = (id: string) =>
      ledger.post(`/signers/${id}/factors`, signed({ ...data, public: newKey().public }, ann));
    const [there, none] = [await posted('bob'), await posted('nobody')];
    expect(outcome(there)).toEqual([422, 'record.invalid']);
    expect(without(there.text)).toBe(without(none.text).replaceAll('nobody', 'bob'));
    const [byLuid, noLuid] = [await posted(luid), await posted(`${luid.slice(0, -3)}zzz`)];
    expect(without(byLuid.text)).toBe(without(noLuid.text));
    expect(byLuid.text).not.toContain('bob');
    expect((await posted('ann')).status).toBe(201);
  });
});
