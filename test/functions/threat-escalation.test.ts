import { describe, expect, test } from 'vitest';
import {
  type Client,
  farewell,
  type Item,
  type Json,
  newKey,
  now,
  type Proof,
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
  creating,
  forbidden,
  houseOf,
  missing,
  outcome,
  owner,
  proving,
  reading,
  signer,
  updating,
  wallet,
} from '../fixture/house.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const home = await sharedHome();

const house = (...access: Json[]) => houseOf(home, ...access);
const any = { action: 'any', record: 'any' };

describe('what a caller says is no right:', () => {
  const admins = { signer: { custom: { role: 'admin' } } };
  const said = {
    role: 'admin',
    owner: true,
    labels: ['admin'],
    signer: 'boss',
    circles: ['staff'],
  };

  test('in a proof, in data, and in what is echoed', async () => {
    const ledger = await house({ ...any, ...admins }, { ...any, signer: { handle: 'boss' } });
    await signer(ledger, 'boss', newKey(), { custom: { role: 'admin' } });
    const body = signed({ handle: unique('w'), custom: said }, ann, { moment: now(), ...said });
    const [proof] = body.meta.proofs as [Proof];
    const echoed = {
      owners: [ann.public, owner.public],
      labels: ['admin'],
      status: 'active',
      domain: 'bank',
    };
    for (const meta of [
      body.meta,
      { ...body.meta, ...echoed },
      { proofs: [{ ...proof, signer: 'boss', origin: 'system' }] },
    ])
      expect(outcome(await ledger.post('/wallets', { ...body, meta }))).toEqual(forbidden);
    const { body: item } = await ledger.get(`/wallets/${(await wallet(ledger)).luid}`, {
      ...bearing(owner),
    });
    expect(await updating(ledger, 'wallets', item, { custom: said }, ann)).toEqual(forbidden);
    expect(await proving(ledger, 'wallets', item, ann, said)).toEqual(forbidden);
  });

  test('in a token', async () => {
    const ledger = await house({ ...any, bearer: { $signer: { custom: { role: 'admin' } } } });
    const { luid } = await wallet(ledger);
    for (const claims of [said, { ...said, sub: 'owner', $signer: said, custom: said }])
      expect(outcome(await ledger.get(`/wallets/${luid}`, bearing(ann, claims)))).toEqual(
        forbidden,
      );
  });

  test('as labels, or in the own record where somebody else keeps it', async () => {
    const ledger = await house({ ...any, ...admins });
    const { body: own } = await ledger.get('/signers/ann', bearing(owner));
    const custom = { role: 'admin' };
    expect(await proving(ledger, 'signers', own, owner, { labels: ['admin'], ...custom })).toEqual([
      200,
    ]);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual(forbidden);
    expect(await updating(ledger, 'signers', own, { custom }, ann)).toEqual(forbidden);
    expect(await updating(ledger, 'signers', own, { custom }, owner)).toEqual([200]);
    expect(await creating(ledger, 'wallets', {}, ann)).toEqual([201]);
  });
});

/** What gives rights in a ledger: bob is a member of the staff, who may do anything with wallets. */
async function governed() {
  const wallets = { action: 'any', record: 'wallet' };
  const reads = ['circle', 'circle-signer', 'policy', 'domain', 'ledger', 'signer'];
  const ledger = await house(
    ...reads.map((record) => ({ action: 'read', record })),
    { ...wallets, ...byKey(ann) },
    { policy: 'p' },
  );
  const makes = async (group: string, data: Json) => ledger.make(group, data, owner);
  const policy = { schema: 'access', record: 'wallet', values: [{ action: 'read' }] };
  const records: Record<string, Item> = {
    circles: await makes('circles', { handle: 'staff', access: [wallets] }),
    policies: await makes('policies', { handle: 'p', ...policy }),
    domains: await makes('domains', { handle: 'd' }),
  };
  const link = signed({ circle: 'staff', signer: 'bob' }, owner);
  const { body: joined } = await ledger.post('/circles/staff/signers', link);
  return { ledger, records, joined, policy };
}

const gift = (key: typeof ann) => [
  { ...any, ...byKey(key) },
  { ...any, ...byToken(key) },
];

describe.each([
  ['who may do anything with wallets', ann],
  ['a member of a circle', bob],
] as const)('%s', (_, key) => {
  test('changes no circle, policy, domain or rule, and makes none', async () => {
    const { ledger, records, policy } = await governed();
    expect(await creating(ledger, 'wallets', {}, key)).toEqual([201]);
    const access = gift(key);
    for (const [group, item] of Object.entries(records)) {
      const change = group === 'policies' ? { values: access } : { access };
      expect([group, await updating(ledger, group, item, change, key)]).toEqual([group, forbidden]);
      for (const custom of [{ status: 'inactive' }, { labels: ['x'] }, {}])
        expect([group, await proving(ledger, group, item, key, custom)]).toEqual([
          group,
          forbidden,
        ]);
    }
    for (const [group, data] of [
      ['circles', { access }],
      ['domains', { access }],
      ['policies', { ...policy, values: access }],
      ['signers', { public: newKey().public, format: 'ed25519-raw' }],
    ] as const)
      expect([group, await creating(ledger, group, data, key)]).toEqual([group, forbidden]);
    const { body: home } = await ledger.get('/ledger');
    const governing = await ledger.put('/ledger', revision(home, { access }, key));
    expect(outcome(governing)).toEqual(forbidden);
    const proof = proofOf(home.hash, key, { moment: now(), status: 'active' });
    expect(outcome(await ledger.post('/ledger/proofs', proof))).toEqual(forbidden);
    const policyOf = records['policies'] as Item;
    const gone = await ledger.post(`/policies/p/drop`, farewell(policyOf, key));
    expect(outcome(gone)).toEqual(forbidden);
  });

  test('adds and removes no member, and takes no other name or key', async () => {
    const { ledger, joined } = await governed();
    const path = '/circles/staff/signers';
    const adding = await ledger.post(path, signed({ circle: 'staff', signer: 'ann' }, key));
    expect(outcome(adding)).toEqual(forbidden);
    const removing = await ledger.post(`${path}/bob/drop`, farewell(joined, key));
    expect(outcome(removing)).toEqual(forbidden);
    for (const name of ['ann', 'bob', 'system']) {
      const { body } = await ledger.get(`/signers/${name}`);
      const change = { public: key.public, format: 'ed25519-raw', custom: { n: 1 } };
      expect([name, await updating(ledger, 'signers', body, change, key)]).toEqual([
        name,
        forbidden,
      ]);
      const pair = { schema: 'key-pair', public: newKey().public, format: 'ed25519-raw' };
      const factor = { handle: unique('f'), signer: name, ...pair };
      const posted = await ledger.post(`/signers/${name}/factors`, signed(factor, key));
      expect([name, ...outcome(posted)]).toEqual([name, ...forbidden]);
    }
    expect(await reading(ledger, '/intents', key)).toEqual(forbidden);
  });

  test('gives itself no more by the rules of a record of its own', async () => {
    const { ledger } = await governed();
    const access = gift(key);
    const { luid } = await wallet(ledger, { access, domain: 'd' }, key);
    expect(await creating(ledger, 'symbols', { factor: 1 }, key)).toEqual(forbidden);
    expect(await creating(ledger, 'domains', { domain: 'd' }, key)).toEqual(forbidden);
    expect(await reading(ledger, `/wallets/${luid}`, key)).toEqual([200]);
  });
});

/** The groups whose records may have equal data: a handle, and rules. */
const alike = ['wallets', 'circles', 'domains', 'signers', 'reports'] as const;
const taken = [409, 'record.duplicated'];

/** A ledger in which ann may do anything, and everyone may look at what is there. */
const open = () => house({ ...any, ...byKey(ann) }, { action: 'read', record: 'any' });

const counts = (ledger: Client) =>
  Promise.all(alike.map(async (group) => (await ledger.get(`/${group}`)).page.total));

describe('a member who may create signers', () => {
  const mayRegister = [
    { action: 'create', record: 'signer' },
    { action: 'create', record: 'signer-factor' },
    { action: 'any', record: 'signer', signer: { $record: 'owner' } },
  ];
  const own = { public: owner.public, format: 'ed25519-raw' };

  test('ends no tokens of an owner of the ledger by registering the key and its end', async () => {
    const ledger = await house(...mayRegister);
    const refused = await ledger.post('/signers', signed({ handle: 'trap', ...own }, bob));
    expect(outcome(refused)).toEqual([422, 'record.invalid']);
    expect(refused.detail).toContain(`The key ${owner.public} owns the ledger`);
    const trap = await ledger.make('signers', { handle: 'trap' }, bob);
    expect(await updating(ledger, 'signers', trap, own, bob)).toEqual([422, 'record.invalid']);
    const factor = { handle: 'spare', signer: 'trap', schema: 'key-pair', ...own };
    const posted = await ledger.post('/signers/trap/factors', signed(factor, bob));
    expect(outcome(posted)).toEqual([422, 'record.invalid']);
    expect(await proving(ledger, 'signers', trap, bob, { status: 'inactive' })).toEqual([200]);
    expect(await reading(ledger, '/wallets', owner)).toEqual([200]);
  });

  test('gets no key of an owner that another signer gives up', async () => {
    const ledger = await house(...mayRegister);
    const root = await ledger.make('signers', { handle: 'root', ...own }, owner);
    // Nothing counts as the signer's by a key that it merely shows. Decision 5.
    const trap = await ledger.make('signers', { handle: 'trap', ...own }, bob);
    const other = { public: newKey().public };
    expect(await updating(ledger, 'signers', root, other, owner)).toEqual([200]);
    expect(await updating(ledger, 'signers', trap, { custom: { n: 1 } }, bob)).toEqual([
      422,
      'record.invalid',
    ]);
    const both = await ledger.post('/signers', signed({ handle: 'head', ...own }, [owner, bob]));
    expect(outcome(both)).toEqual([201]);
  });
});

describe('what ann has signed for one record', () => {
  test.each(alike)('makes no second one of whatever kind, were it of the %s', async (group) => {
    const ledger = await open();
    const data = { handle: unique('x'), access: gift(bob) };
    const body = signed(data, ann);
    const first = await ledger.post(`/${group}`, body);
    expect(outcome(first)).toEqual([201]);
    const before = await counts(ledger);
    const { luid, hash, meta } = first.body;
    const stored = { hash, data: first.body.data, meta };
    for (const other of alike)
      for (const sent of [body, stored]) {
        const reply = await ledger.post(`/${other}`, sent);
        expect([other, ...outcome(reply), reply.custom]).toEqual([other, ...taken, { luid, hash }]);
        const found = outcome(await ledger.get(`/${other}/${data.handle}`));
        expect([other, found]).toEqual([other, other === group ? [200] : missing]);
      }
    expect(await counts(ledger)).toEqual(before);
    // The rules of a circle hold everywhere: this is what a reader of a wallet would have won.
    const won = group === 'circles' ? [201] : forbidden;
    expect(await creating(ledger, 'symbols', { factor: 1 }, bob)).toEqual(won);
  });

  test('makes none of another kind after its record has ended', async () => {
    const ledger = await open();
    const body = signed({ handle: unique('x') }, ann);
    const { body: first } = await ledger.post('/wallets', body);
    const end = await ledger.send('DELETE', `/wallets/${first.luid}`, farewell(first, ann));
    expect(outcome(end)).toEqual([204]);
    for (const group of alike)
      expect([group, ...outcome(await ledger.post(`/${group}`, body))]).toEqual([group, ...taken]);
  });

  test('makes none when it was added to one, also after that has ended', async () => {
    const ledger = await open();
    const { body: first } = await ledger.post('/wallets', signed({ handle: unique('x') }, ann));
    const proof = proofOf(first.hash, ann, { moment: now() });
    const added = await ledger.post(`/wallets/${first.luid}/proofs`, proof);
    expect(outcome(added)).toEqual([200]);
    const body = { hash: first.hash, data: first.data, meta: { proofs: [proof] } };
    const all = async () => {
      for (const group of alike)
        expect([group, ...outcome(await ledger.post(`/${group}`, body))]).toEqual([
          group,
          ...taken,
        ]);
    };
    await all();
    await ledger.send('DELETE', `/wallets/${first.luid}`, farewell(first, ann));
    await all();
  });

  test('makes one of all that are asked for at once', async () => {
    const ledger = await open();
    const body = signed({ handle: unique('x') }, ann);
    const replies = await Promise.all(alike.map((group) => ledger.post(`/${group}`, body)));
    const [made, ...others] = replies.map(outcome).sort();
    expect([made, ...others]).toEqual([[201], ...others.map(() => taken)]);
  });

  test('tells her of that record, where nobody else may read it', async () => {
    const ledger = await house({ action: 'create', record: 'any' });
    const body = signed({ handle: unique('x') }, ann);
    const { luid, hash } = (await ledger.post('/wallets', body)).body;
    const reply = await ledger.post('/circles', body);
    expect([...outcome(reply), reply.custom]).toEqual([...taken, { luid, hash }]);
    expect(reply.detail).toBe('What was signed has made another record already; sign it anew.');
  });

  test('keeps nobody else from signing the same at the same moment', async () => {
    const ledger = await open();
    const custom = { moment: now(), status: 'created' };
    const data = { handle: unique('x') };
    expect(outcome(await ledger.post('/wallets', signed(data, ann, custom)))).toEqual([201]);
    const both = await ledger.post('/circles', signed(data, [owner, ann], custom));
    expect(outcome(both)).toEqual(taken);
    expect(outcome(await ledger.post('/circles', signed(data, owner, custom)))).toEqual([201]);
  });

  test('makes one of each kind where it says no moment', async () => {
    const ledger = await open();
    const data = { handle: unique('x') };
    const body = signed(data, ann, { status: 'created' });
    for (const group of alike) {
      expect([group, ...outcome(await ledger.post(`/${group}`, body))]).toEqual([group, 201]);
      expect([group, ...outcome(await ledger.post(`/${group}`, body))]).toEqual([group, ...taken]);
    }
  });

  test('ends no other one of equal data', async () => {
    const ledger = await open();
    const data = { handle: unique('x') };
    const wallet = await ledger.make('wallets', data, ann);
    while (now() <= String(wallet.meta.proofs[0]?.custom?.['moment']));
    const report = await ledger.make('reports', data, ann);
    expect(report.hash).toBe(wallet.hash);
    const { luid: _luid, ...goodbye } = farewell(wallet, ann);
    expect(outcome(await ledger.send('DELETE', `/wallets/${wallet.luid}`, goodbye))).toEqual([204]);
    const again = await ledger.send('DELETE', `/reports/${report.luid}`, goodbye);
    expect(outcome(again)).toEqual([422, 'record.drop-rejected']);
    expect(outcome(await ledger.get(`/reports/${report.luid}`))).toEqual([200]);
  });
});
