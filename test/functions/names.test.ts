/**
 * Goal: what is said about a wallet, a symbol or an anchor by name is said of it however an author writes the name: as
 * text, as an object, or by an address that means it. Ruling 42, Decision 42.
 */
import { describe, expect, test } from 'vitest';
import {
  type Client,
  type Item,
  type Json,
  newKey,
  newLedger,
  signed,
  unique,
} from '../fixture/client.ts';
import { startReceiver } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const [owner, ann] = [newKey(), newKey()];
const home = await sharedHome();
const who = { signer: { handle: 'ann' } };
const owners = { action: 'any', record: 'any', signer: { $ledger: 'owner' } };
const spending = { action: 'spend', record: 'wallet', ...who };
const vaults = ['vault', { handle: 'vault' }, { handle: 'vault', custom: { n: 1 } }, 'vault:1'];
const others = ['till', { handle: 'till' }, 'till:1', 'till:1@vault'];

/** A ledger with money in `vault`, `till` and `till:1@vault`, in which `ann` may spend and these rules hold. */
async function newHouse(...rules: Json[]): Promise<Client> {
  const ledger = await newLedger(home, owner, { access: [owners, spending, ...rules] });
  const { public: key } = ann;
  await ledger.make('signers', { handle: 'ann', public: key, format: 'ed25519-raw' }, owner);
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
  for (const handle of ['vault', 'till', 'till:1@vault', 'shop'])
    await ledger.make('wallets', { handle }, owner);
  for (const handle of ['vault', 'till', 'till:1@vault'])
    await ledger.settle(owner, `issue ${handle} 1000 usd`);
  return ledger;
}

function paying(source: unknown, more: Json = {}) {
  const claim = { action: 'transfer', source, target: 'shop', symbol: 'usd', amount: 5, ...more };
  return signed({ handle: unique('intent'), claims: [claim] }, ann);
}

/** What becomes of a payment from `source`: its status, or the reason why it is refused. */
async function paid(ledger: Client, source: unknown, more: Json = {}): Promise<unknown> {
  const reply = await ledger.post('/intents', paying(source, more));
  return reply.status === 201 ? reply.body.meta.status : reply.reason;
}

async function expectEach(ledger: Client, ofVault: string, ofOthers: string): Promise<void> {
  for (const source of vaults) expect(await paid(ledger, source)).toBe(ofVault);
  for (const source of others) expect(await paid(ledger, source)).toBe(ofOthers);
}

describe('a name in an intent', () => {
  test.each([
    [{ 'claims.source': { $ne: 'vault' } }],
    [{ 'claims.source.handle': { $nin: ['vault'] } }],
  ])('is judged by a rule in every form: %j', async (filter) => {
    const ledger = await newHouse({ action: 'create', record: 'intent', ...who, filter });
    await expectEach(ledger, 'auth.forbidden', 'completed');
  });

  test('is judged by a rule on what is created', async () => {
    const change = { 'claims.symbol': { $ne: 'usd' } };
    const ledger = await newHouse({ action: 'create', record: 'intent', ...who, change });
    for (const symbol of ['usd', { handle: 'usd' }])
      expect(await paid(ledger, 'till', { symbol })).toBe('auth.forbidden');
  });

  test('is judged by the filter of an access policy in every form', async () => {
    const ledger = await newHouse({ policy: 'paying' });
    const values = [{ action: 'create', ...who }];
    const filter = { 'data.claims.source': { $ne: 'vault' } };
    const data = { handle: 'paying', schema: 'access', record: 'intent', values, filter };
    await ledger.make('policies', data, owner);
    await expectEach(ledger, 'auth.forbidden', 'completed');
  });

  test('is judged by the filter of a status policy in every form', async () => {
    const ledger = await newHouse({ action: 'create', record: 'intent', ...who });
    const values = [{ status: 'prepared', quorum: [{ handle: 'boss' }] }];
    const filter = { 'data.claims.source': 'vault' };
    const data = { handle: 'four', schema: 'status', record: 'intent', values, filter };
    await ledger.make('policies', data, owner);
    await expectEach(ledger, 'pending', 'completed');
  });

  test('is judged by the route of a wallet in every form', async () => {
    const ledger = await newHouse({ action: 'create', record: 'intent', ...who });
    const routes = [{ action: 'accept', filter: { source: { $nin: ['vault'] } } }];
    await ledger.make('wallets', { handle: 'picky', routes }, owner);
    const target = { target: 'picky' };
    for (const source of vaults) expect(await paid(ledger, source, target)).toBe('rejected');
    for (const source of others) expect(await paid(ledger, source, target)).toBe('completed');
  });

  test('is judged by the filter of an effect in every form', async () => {
    const receiver = await startReceiver();
    const ledger = await newHouse({ action: 'create', record: 'intent', ...who });
    const filter = { 'intent.data.claims.source': 'vault' };
    const action = { schema: 'webhook', endpoint: receiver.at('/alarm') };
    await ledger.make('effects', { handle: 'e', signal: 'intent-created', filter, action }, owner);
    for (const source of [...others, ...vaults])
      expect(await paid(ledger, source)).toBe('completed');
    const told = await receiver.until('/alarm', vaults.length);
    const sources = told.map(({ data }) => (data['intent'] as Item).data['claims']);
    expect(sources).toHaveLength(vaults.length);
    expect(JSON.stringify(sources)).not.toContain('till');
    await receiver.stop();
  });
});

test('a name in an anchor is judged by a rule in every form, also where it changes', async () => {
  const filter = { target: { $ne: 'vault' } };
  const ledger = await newHouse({ action: 'create', record: 'anchor', ...who, filter });
  const make = async (target: unknown) =>
    (await ledger.post('/anchors', signed({ handle: unique('a'), wallet: 'till', target }, ann)))
      .status;
  for (const target of ['vault', { handle: 'vault' }]) expect(await make(target)).toBe(403);
  expect(await make({ handle: 'till' })).toBe(201);
});
