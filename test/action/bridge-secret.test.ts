/** Goal: a bridge is called with its secrets, and they are of no use anywhere else. Decision 22. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { update } from '../../shared/action/update.ts';
import { makeMasterKey, masterKeyring } from '../../shared/keyring/local.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Services } from '../../shared/port/action.ts';
import { checkSecrets, securityOf } from '../../shared/record/bridge-secret.ts';
import { type Item, type Json, revision, signed, unique } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
const masterKey = join(folder, 'master.key');
makeMasterKey(masterKey);
afterAll(() => rmSync(folder, { recursive: true }));

const secure = [
  { schema: 'header', key: 'authorization', value: 'Bearer {{ secret.a }}.{{ secret.b }}' },
  {
    schema: 'oauth2',
    clientId: 'ledger',
    clientSecret: '{{ secret.b }}',
    tokenUrl: 'https://a.example/token',
  },
];

/** A desk whose secrets are wrapped as they are on a disk. */
async function strictDesk(): Promise<Desk & { readonly strict: Services }> {
  const desk = await openDesk();
  return { ...desk, strict: { ...desk.services, keyring: masterKeyring(masterKey) } };
}

async function made({ run, key, strict }: Awaited<ReturnType<typeof strictDesk>>, secret: Json) {
  const data = { handle: unique('bridge'), config: { server: 'https://a.example' }, secure };
  const body = signed(data, key);
  const sent = { ...body, meta: { ...body.meta, secret } };
  return (await run(create('bridge'), { services: strict, body: sent })) as unknown as Item;
}

async function versionOf({ store }: Services, { data }: Item): Promise<Version> {
  const { handle } = data;
  const want = { what: 'record', scope: 'main', kind: 'bridge', handle: String(handle) } as const;
  const [found] = await store.load([want]);
  if (!found) throw new Error('There is no bridge.');
  return found;
}

test('its rules are filled with its secrets, as they stand', async () => {
  const desk = await strictDesk();
  const bridge = await made(desk, { a: 'one', b: 'two {{ secret.a }}' });
  const security = async () =>
    securityOf(desk.strict, 'main', await versionOf(desk.strict, bridge));
  expect(await security()).toEqual([
    { ...secure[0], value: 'Bearer one.two {{ secret.a }}' },
    { ...secure[1], clientSecret: 'two {{ secret.a }}' },
  ]);
  const body = revision(bridge, {}, desk.key);
  const sent = { ...body, meta: { ...body.meta, secret: { a: 'three' } } };
  const path = { id: bridge.luid };
  await desk.run(update('bridge'), { services: desk.strict, path, body: sent });
  expect((await security())[0]).toEqual({ ...secure[0], value: 'Bearer three.two {{ secret.a }}' });
});

test('a bridge without rules needs no secrets', async () => {
  const { make, strict } = await strictDesk();
  const bridge = await make('bridge', {
    handle: unique('bridge'),
    config: { server: 'https://a.example' },
  });
  expect(await securityOf(strict, 'main', await versionOf(strict, bridge as never))).toEqual([]);
});

test('a secret that was moved to another ledger, bridge or name cannot be read', async () => {
  const desk = await strictDesk();
  const [one, other] = [
    await made(desk, { a: 'one', b: 'two' }),
    await made(desk, { a: 'three', b: 'four' }),
  ];
  const wants = (luid: string) => [{ what: 'secrets', scope: 'main', luid } as const] as const;
  const [stolen] = await desk.strict.store.load(wants(one.luid));
  if (!stolen) throw new Error('There are no secrets.');
  const moved = (secrets: typeof stolen): Services => ({
    ...desk.strict,
    store: { ...desk.strict.store, load: (async () => [secrets]) as never },
  });
  const [theirs, own] = [await versionOf(desk.strict, other), await versionOf(desk.strict, one)];
  expect(await securityOf(moved(stolen), 'main', own)).toHaveLength(2);
  await expect(securityOf(moved(stolen), 'main', theirs)).rejects.toThrow();
  await expect(securityOf(moved(stolen), 'other', own)).rejects.toThrow();
  const { a, b } = stolen as { a: Uint8Array; b: Uint8Array };
  await expect(securityOf(moved({ a: b, b: a }), 'main', own)).rejects.toThrow();
});

describe('a header that the ledger says itself', () => {
  const bodyOf = (name: string) => {
    const rule = { schema: 'header', key: name, value: '{{ secret.a }}' };
    const data = { handle: unique('bridge'), config: { server: 'https://a.example' } };
    return { data: { ...data, secure: [rule] }, meta: { proofs: [], secret: { a: 'x' } } };
  };

  test.each(['host', 'Content-Length', 'TRANSFER-ENCODING', 'connection', 'content-type', 'te'])(
    '%s is refused when a bridge is written',
    (name) => {
      const { data, meta } = bodyOf(name);
      expect(() => checkSecrets(data as never, meta)).toThrow(
        `/data/secure/0/key must NOT be ${name.toLowerCase()}, which the ledger says itself`,
      );
      expect(() => checkSecrets({ ...data, parent: 'x' } as never, meta)).toThrow();
    },
  );

  test.each(['authorization', 'x-host', 'accept'])('is not %s', (name) => {
    const { data, meta } = bodyOf(name);
    expect(checkSecrets(data as never, meta)).toBeUndefined();
  });
});
