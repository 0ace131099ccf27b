/** Goal: the unmodified `@minka/ledger-sdk`, which verifies every signature, can do the work of a bank. */
import type { LedgerSdk } from '@minka/ledger-sdk';
import { createKeyPair } from '@minka/ledger-sdk/crypto/src/index.js';
import { beforeAll, expect, test } from 'vitest';
import { type Client, unique } from '../fixture/client.ts';
import { errorOf, loose, sdkOf } from '../fixture/sdk.ts';
import { newLedger, target } from './target.ts';

type KeyPair = Awaited<ReturnType<typeof createKeyPair>>;

let ledger: Client;
let sdk: LedgerSdk;
let keyPair: KeyPair;
const sign = () => [{ keyPair }];

beforeAll(async () => {
  ledger = await newLedger();
  keyPair = await createKeyPair();
  const secure = loose({ aud: target.url, iss: 'owner', keyPair, exp: 60 });
  sdk = sdkOf(target.url, ledger.key, ledger.ledger, secure);
});

async function settled(claims: readonly object[]) {
  const handle = sdk.handle.unique();
  const builder = sdk.intent.init().data(loose({ handle, claims }));
  const { response } = await builder.hash().sign(sign()).send();
  return response.data;
}

test('it makes wallets and a symbol, moves money and reads balances', async () => {
  const [usd, alice, bob] = [unique('usd'), unique('alice'), unique('bob')];
  await sdk.symbol
    .init()
    .data(loose({ handle: usd, factor: 100 }))
    .hash()
    .sign(sign())
    .send();
  for (const handle of [alice, bob])
    await sdk.wallet.init().data(loose({ handle })).hash().sign(sign()).send();
  await settled([{ action: 'issue', target: alice, symbol: usd, amount: 100 }]);
  const claim = { action: 'transfer', source: alice, target: bob, symbol: usd, amount: 60 };
  expect((await settled([claim])).meta.status).toBe('completed');
  const held = await Promise.all([alice, bob].map((handle) => sdk.wallet.getBalances(handle)));
  expect(held.map(({ balances }) => balances[0]?.amount)).toEqual([40, 60]);
  const refused = await settled([claim]);
  expect(sdk.proofs.error(refused).reason).toBe('core.insufficient-balance');
  const { intents } = await sdk.intent.list({ page: { index: 0, limit: 10 } });
  expect(intents).toHaveLength(3);
});

test('it reads a wallet by an address of three parts, and updates it', async () => {
  const handle = `svgs:${unique('1001')}@bank.io`;
  await sdk.wallet.init().data(loose({ handle })).hash().sign(sign()).send();
  const { response } = await sdk.wallet.read(handle);
  const change = loose({ custom: { tier: 'gold' } });
  const { wallet } = await sdk.wallet.from(response.data).data(change).hash().sign(sign()).send();
  expect(wallet).toMatchObject({ handle, custom: { tier: 'gold' } });
});

test('it believes no other key than that of the ledger', async () => {
  const stranger = await createKeyPair();
  const error = await errorOf(sdkOf(target.url, stranger.public, ledger.ledger).wallet.list());
  expect(error.reason).toBe('crypto.signature-missing');
});

test('it hears that the service is up', async () => {
  const { status } = await sdk.status();
  expect(status).toMatchObject({ ledger: ledger.ledger, status: 'UP' });
});
