/** Goal: what the public client throws when the ledger refuses, with the reason and its custom part. */
import type { LedgerSdkError } from '@minka/ledger-sdk';
import { createKeyPair } from '@minka/ledger-sdk/crypto/src/index.js';
import { describe, expect, test } from 'vitest';
import { unique } from '../fixture/client.ts';
import { loose as data, errorOf, sdkOf } from '../fixture/sdk.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const sdk = sdkOf(home.url, home.key);
const keyPair = await createKeyPair();

const sign = () => [{ keyPair }];

async function made(value: object) {
  const builder = sdk.wallet.init().data(data(value)).hash().sign(sign());
  return builder.send();
}

const statusOf = ({ custom }: LedgerSdkError) => custom['causedBy'].response.status;

describe('refusals through the client', () => {
  test('a duplicate tells who holds the handle', async () => {
    const handle = unique('wallet');
    const { response, hash } = await made({ handle });
    const error = await errorOf(made({ handle, custom: { other: true } }));
    expect(error.reason).toBe('record.duplicated');
    expect(error.detail).toBe(`Wallet with handle ${handle} already exists.`);
    expect(statusOf(error)).toBe(409);
    const { luid } = response.data as unknown as { luid: string };
    expect(error.custom).toMatchObject({ luid, hash });
  });

  test('what does not exist is not found', async () => {
    const error = await errorOf(sdk.wallet.read(unique('nobody')));
    expect(error).toMatchObject({ reason: 'record.not-found', detail: 'Wallet not found' });
    expect(statusOf(error)).toBe(404);
  });

  test('a version that is no longer current cannot be updated', async () => {
    const { response } = await made({ handle: unique('wallet') });
    const update = (n: number) =>
      sdk.wallet
        .from(response.data)
        .data(data({ custom: { n } }))
        .hash()
        .sign(sign())
        .send();
    await update(1);
    const error = await errorOf(update(2));
    expect(error.reason).toBe('crypto.parent-hash-invalid');
    expect(error.detail).toBe(response.data.hash);
    expect(statusOf(error)).toBe(422);
  });

  test('a signature by another secret is refused', async () => {
    const { secret } = await createKeyPair();
    const builder = sdk.wallet.init().data(data({ handle: unique('wallet') }));
    const forged = [{ keyPair: { ...keyPair, secret } }];
    const error = await errorOf(builder.hash().sign(forged).send());
    expect(error.reason).toBe('crypto.signature-invalid');
    expect(error.detail).toBe(`Invalid signature for key: ${keyPair.public}`);
  });

  test('an unsigned record is refused', async () => {
    const builder = sdk.wallet.init().data(data({ handle: unique('wallet') }));
    expect((await errorOf(builder.hash().send())).reason).toBe('crypto.signature-missing');
  });

  test('a hash of other data is refused', async () => {
    const builder = sdk.wallet.init().data(data({ handle: unique('wallet') }));
    const error = await errorOf(builder.hash('0'.repeat(64)).sign(sign()).send());
    expect(error.reason).toBe('crypto.hash-invalid');
  });

  test('a ledger that is not hosted here is refused by the server', async () => {
    const error = await errorOf(sdkOf(home.url, home.key, unique('nowhere')).wallet.list());
    expect(error.reason).toBe('api.route-not-found');
    expect(error.detail).toBe('Server does not host requested ledger');
    expect(statusOf(error)).toBe(404);
  });
});

describe('tokens of the client', () => {
  const secure = (aud: string) => ({ iss: 'sdk.test', aud, exp: 60, keyPair });

  test('a token of a key passes', async () => {
    const { wallets } = await sdk.wallet.list({ authParams: secure(home.url) });
    expect(Array.isArray(wallets)).toBe(true);
  });

  test('a token that ended is refused', async () => {
    const ended = { ...secure(home.url), exp: -120 };
    const error = await errorOf(sdk.wallet.list({ authParams: ended }));
    expect(error.reason).toBe('auth.unauthorized');
    expect(statusOf(error)).toBe(401);
  });
});
