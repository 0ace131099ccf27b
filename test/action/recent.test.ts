/**
 * Goal: what one process changes counts in every other as soon as it is answered, for better and for worse, and a key
 * that is taken counts for nothing at once. Method: two processes with what each has read of late, in front of one store
 * in memory. Decision 129.
 */
import { sign as nativeSign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { authenticate } from '../../shared/access/authenticate.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import { updateOwnLedger } from '../../shared/action/update.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Action, Services } from '../../shared/port/action.ts';
import { recentReads, settlingMs, withRecent } from '../../shared/store/recent.ts';
import {
  claimOf,
  farewell,
  type Json,
  type Key,
  newKey,
  now,
  outcomeOf,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';

/** A ledger with an administrator, and two processes that serve it. */
async function twoProcesses() {
  const desk = await openDesk();
  let waits = 0;
  const settled = async (): Promise<void> => {
    waits += 1;
    await new Promise((resolve) => setTimeout(resolve, settlingMs));
  };
  const process = (): Services => ({
    ...desk.services,
    store: withRecent(desk.services.store, recentReads({ settled })),
  });
  const [one, other] = [process(), process()];
  const admin = newKey();
  const run = (services: Services, action: Action, body: unknown, id?: string) =>
    desk.run(action, { services, body, path: id === undefined ? {} : { id } });
  const make = (services: Services, kind: Kind, data: Json, by: Key) =>
    run(services, create(kind), signed(data, by));
  const pay = (services: Services, by: Key, ...claims: string[]) =>
    run(
      services,
      createIntent,
      signed({ handle: unique('intent'), claims: claims.map(claimOf) }, by),
    );
  const home = async (): Promise<LedgerRecord> => {
    const [found] = await desk.services.store.load([
      { what: 'record', scope: '', kind: 'ledger', handle: 'main' },
    ]);
    if (!found) throw new Error('The ledger is there.');
    return found.record;
  };
  const rule = async (...keys: readonly Key[]) => {
    const access = keys.map((key) => ({
      action: 'any',
      record: 'any',
      signer: { public: key.public },
    }));
    await run(one, updateOwnLedger, revision(await home(), { access }, admin));
  };
  return { desk, one, other, admin, run, make, pay, rule, home, waitCount: () => waits };
}

const forbidden = { reason: 'auth.forbidden' };

test('a right that is given or taken counts in every process from the answer on', async () => {
  const { other, admin, make, rule } = await twoProcesses();
  const bob = newKey();
  const wallet = () => make(other, 'wallet', { handle: unique('wallet') }, bob);
  await wallet();
  await rule(admin);
  await expect(wallet()).rejects.toMatchObject(forbidden);
  await rule(admin, bob);
  await wallet();
  await rule(admin);
  await expect(wallet()).rejects.toMatchObject(forbidden);
});

test('nothing moves in a symbol once its freeze is answered, and everything once its thaw is', async () => {
  const { one, other, admin, run, make, pay } = await twoProcesses();
  const usd = await make(one, 'symbol', { handle: 'usd', factor: 1 }, admin);
  await make(one, 'wallet', { handle: 'ann' }, admin);
  const issue = async () => outcomeOf(await pay(other, admin, 'issue ann 5 usd'));
  const freeze = (status: string) =>
    run(one, prove('symbol'), proofOf(usd.hash, admin, { moment: now(), status }), 'usd');
  expect(await issue()).toBe('completed');
  await freeze('inactive');
  expect(await issue()).toMatch(/core\.symbol-inactive/);
  await freeze('active');
  expect(await issue()).toBe('completed');
});

describe('a change that is repeated while it is not answered yet is answered once it counts:', () => {
  const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

  test('a proof', async () => {
    const { one, other, admin, run, make, pay } = await twoProcesses();
    const usd = await make(one, 'symbol', { handle: 'usd', factor: 1 }, admin);
    await make(one, 'wallet', { handle: 'ann' }, admin);
    const third = await pay(other, admin, 'issue ann 5 usd');
    expect(outcomeOf(third)).toBe('completed');
    const proof = proofOf(usd.hash, admin, { moment: now(), status: 'inactive' });
    const first = run(one, prove('symbol'), proof, 'usd');
    await soon();
    await run(one, prove('symbol'), proof, 'usd');
    expect(outcomeOf(await pay(other, admin, 'issue ann 5 usd'))).toMatch(/core\.symbol-inactive/);
    await first;
  });

  test('an update', async () => {
    const { one, other, admin, run, make, rule, home } = await twoProcesses();
    const bob = newKey();
    const wallet = () => make(other, 'wallet', { handle: unique('wallet') }, bob);
    await rule(admin, bob);
    await wallet();
    const access = [{ action: 'any', record: 'any', signer: { public: admin.public } }];
    const body = revision(await home(), { access }, admin);
    const first = run(one, updateOwnLedger, body);
    await soon();
    await expect(run(one, updateOwnLedger, body)).rejects.toMatchObject({
      reason: 'crypto.parent-hash-invalid',
    });
    await expect(wallet()).rejects.toMatchObject(forbidden);
    await first;
  });

  test('a create', async () => {
    const { one, other, admin, run, make, pay } = await twoProcesses();
    await make(one, 'symbol', { handle: 'usd', factor: 1 }, admin);
    await make(one, 'wallet', { handle: 'ann' }, admin);
    expect(outcomeOf(await pay(other, admin, 'issue ann 5 usd'))).toBe('completed');
    const quorum = [{ public: newKey().public }];
    const values = [{ status: 'committed', quorum }];
    const body = signed({ handle: 'two', schema: 'status', record: 'intent', values }, admin);
    const first = run(one, create('policy'), body);
    await soon();
    await expect(run(one, create('policy'), body)).rejects.toMatchObject({
      reason: 'record.duplicated',
    });
    expect(outcomeOf(await pay(other, admin, 'issue ann 5 usd'))).toBe('pending');
    await first;
  });
});

test('a symbol and a wallet that were just made are used at once, by every process', async () => {
  const { one, other, admin, make, pay, waitCount } = await twoProcesses();
  expect(outcomeOf(await pay(other, admin, 'issue ann 5 usd'))).toMatch(/core\.symbol-invalid/);
  await make(one, 'symbol', { handle: 'usd', factor: 1 }, admin);
  await make(one, 'wallet', { handle: 'ann' }, admin);
  expect(outcomeOf(await pay(other, admin, 'issue ann 5 usd'))).toBe('completed');
  // None of it waits for what others have read.
  expect(waitCount()).toBe(0);
});

test('a key that is taken from its signer counts for nothing at once', async () => {
  const { desk, one, other, admin, run, make } = await twoProcesses();
  const ann = newKey();
  const signer = await make(
    one,
    'signer',
    { handle: 'ann', format: 'ed25519-raw', public: ann.public },
    admin,
  );
  const ledger = await desk.services.identityOf('main');
  if (!ledger) throw new Error('The ledger is there.');
  const server = 'http://ledger.example/v2';
  const request = { method: 'GET', urls: [`${server}/wallets`], body: null, headers: {} };
  const enter = async () => {
    const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: 'ann', sub: 'ann', aud: server, iat, exp: iat + 60 };
    const text = `${part({ alg: 'EdDSA', kid: 'ann' })}.${part(claims)}`;
    const token = `${text}.${nativeSign(null, Buffer.from(text), ann.privateKey).toString('base64url')}`;
    const services = { ...other, settings: { ...other.settings, servers: [server] } };
    return authenticate(services, ledger, `Bearer ${token}`, request);
  };
  expect(await enter()).toMatchObject({ signer: 'ann' });
  await run(one, drop('signer'), farewell(signer, admin), 'ann');
  await expect(enter()).rejects.toMatchObject({ reason: 'auth.unauthorized' });
});
