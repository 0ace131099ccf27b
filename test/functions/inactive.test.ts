/** Goal: an inactive signer is nobody: what rules and quorums give to it by name, its keys do not have. Decision 33. */
import { expect, test } from 'vitest';
import {
  type Client,
  type Json,
  type Key,
  newKey,
  newLedger,
  now,
  outcomeOf,
  proofOf,
  signed,
  unique,
} from '../fixture/client.ts';
import {
  ann,
  bob,
  byKey,
  creating,
  forbidden,
  houseOf,
  outcome,
  owner,
  proving,
  reading,
  unauthorized,
  updating,
} from '../fixture/house.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const home = await sharedHome();
const shownToAll = { action: { $in: ['read', 'query'] }, record: 'any' };

/** The outcome of setting the status of ann. */
async function setAnn(ledger: Client, status: string, key = owner) {
  const { body } = await ledger.get('/signers/ann');
  return outcome(await ledger.prove('signers', body, key, { status }));
}

/** A circle with ann as its member. */
async function makeStaff(ledger: Client, access: readonly Json[] = []) {
  await ledger.make('circles', { handle: 'staff', access }, owner);
  const link = signed({ circle: 'staff', signer: 'ann' }, owner);
  expect((await ledger.post('/circles/staff/signers', link)).status).toBe(200);
}

test('rules for its name, its members and its circles grant it nothing, until it is active again', async () => {
  const ledger = await houseOf(
    home,
    shownToAll,
    { action: 'create', record: 'wallet', signer: { handle: 'ann' } },
    { action: 'create', record: 'symbol', signer: { handle: { $regex: '^a' } } },
  );
  await makeStaff(ledger, [{ action: 'create', record: 'anchor' }]);
  const outcomes = async () => [
    await creating(ledger, 'wallets', {}, ann),
    await creating(ledger, 'symbols', { factor: 1 }, ann),
    await creating(ledger, 'anchors', { target: 'tel:1' }, ann),
  ];
  expect(await outcomes()).toEqual([[201], [201], [201]]);
  expect(await setAnn(ledger, 'inactive')).toEqual([200]);
  expect(await outcomes()).toEqual([forbidden, forbidden, forbidden]);
  expect(await setAnn(ledger, 'active')).toEqual([200]);
  expect(await outcomes()).toEqual([[201], [201], [201]]);
});

test('it does not set itself active again; its keys keep what they own and what is granted to them', async () => {
  const [cat, made] = [newKey(), { action: 'create', record: 'signer' }];
  const own = { action: 'any', record: 'any', signer: { $record: 'owner' } };
  const named = { action: 'create', record: 'wallet', ...byKey(cat) };
  const ledger = await houseOf(home, shownToAll, made, own, named);
  const data = { handle: 'cat', public: cat.public, format: 'ed25519-raw' };
  const signer = await ledger.make('signers', data, cat);
  const held = await ledger.make('wallets', { handle: 'purse' }, cat);
  const become = (status: string, key: Key) => proving(ledger, 'signers', signer, key, { status });
  expect(await become('inactive', cat)).toEqual([200]);
  expect(await become('active', cat)).toEqual(forbidden);
  expect(await updating(ledger, 'signers', signer, { custom: { n: 1 } }, cat)).toEqual(forbidden);
  expect(await updating(ledger, 'wallets', held, { custom: { n: 1 } }, cat)).toEqual([200]);
  expect(await creating(ledger, 'wallets', {}, cat)).toEqual([201]);
  expect(await become('active', owner)).toEqual([200]);
  expect(await updating(ledger, 'signers', signer, { custom: { n: 1 } }, cat)).toEqual([200]);
});

test('a factor that is inactive takes no more than its own key from the signer', async () => {
  const phone = newKey();
  const named = { action: 'create', record: 'wallet', signer: { handle: 'ann' } };
  const shown = { action: 'read', record: 'wallet', bearer: { $signer: { handle: 'ann' } } };
  const own = { action: 'any', record: 'any', signer: { $record: 'owner' } };
  const ledger = await houseOf(home, named, shown, own);
  const { handle } = await ledger
    .make('wallets', { handle: 'purse' }, owner)
    .then((one) => one.data);
  const pair = { schema: 'key-pair', public: phone.public, format: 'ed25519-raw' };
  const data = { handle: 'phone', signer: 'ann', ...pair };
  const factor = await ledger.make('signers/ann/factors', data, [owner, phone]);
  const become = (status: string, key: Key) =>
    ledger
      .post(
        '/signers/ann/factors/phone/proofs',
        proofOf(factor.hash, key, { moment: now(), status }),
      )
      .then(outcome);
  const outcomes = async (key: Key) => [
    await creating(ledger, 'wallets', {}, key),
    await reading(ledger, `/wallets/${handle}`, key),
    outcome(await ledger.get(`/wallets/${handle}`, bearing(key, {}, { kid: 'ann' }))),
  ];
  const all = [[201], [200], [200]];
  expect(await outcomes(phone)).toEqual(all);
  expect(await become('inactive', phone)).toEqual([200]);
  expect(await outcomes(phone)).toEqual([forbidden, unauthorized, unauthorized]);
  expect(await outcomes(ann)).toEqual(all);
  expect(await become('active', phone)).toEqual(forbidden);
  expect(await become('active', owner)).toEqual([200]);
  expect(await outcomes(phone)).toEqual(all);
});

test('its vote counts in no quorum that means it by name, and counts again once it is active', async () => {
  const ledger = await newLedger(home, owner);
  for (const [handle, { public: key }] of Object.entries({ ann, bob }))
    await ledger.make('signers', { handle, public: key, format: 'ed25519-raw' }, owner);
  await makeStaff(ledger);
  for (const handle of ['alice', 'bob']) await ledger.make('wallets', { handle }, owner);
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  await ledger.settle(owner, 'issue alice 1000 usd');
  const quorum = [{ $circle: 'staff' }, { handle: 'bob' }];
  const policy = { schema: 'status', record: 'intent', values: [{ status: 'committed', quorum }] };
  await ledger.make('policies', { handle: unique('policy'), ...policy }, owner);

  const paid = await ledger.submit(ann, ['transfer alice bob 5 usd']);
  expect(outcomeOf(paid)).toBe('pending');
  // Her signature was given while she was active.
  expect(await setAnn(ledger, 'inactive')).toEqual([200]);
  const seen = await ledger.prove('intents', paid, bob, { seen: 1 });
  expect(outcomeOf(seen.body)).toBe('pending');
  expect(await setAnn(ledger, 'active')).toEqual([200]);
  const again = await ledger.prove('intents', paid, bob, { seen: 2 });
  expect(outcomeOf(again.body)).toBe('completed');
});
