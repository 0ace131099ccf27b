/** Goal: whoever tries too often has to wait, and nobody else. Decision 35. */
import { beforeEach, expect, test } from 'vitest';
import {
  assertRateLimit,
  countFailure,
  type TokenRequester,
} from '../../shared/action/attempts.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { Identity, Services } from '../../shared/port/action.ts';
import { memoryNotes } from '../fixture/memory-notes.ts';

const ledger = { handle: 'main' } as Identity;
let services: Services;
let nowMs = 0;

beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1, 12, 0, 15);
  services = { notes: memoryNotes(), clock: () => nowMs } as unknown as Services;
});

const isRefused = (trier: TokenRequester, of = ledger) =>
  assertRateLimit(services, of, trier).then(
    () => undefined,
    (error: unknown) => error,
  );

/** How many attempts pass, one after the other. */
async function countPassing(
  trierOf: (attempt: number) => TokenRequester,
  most = 1000,
): Promise<number> {
  for (let attempt = 0; attempt < most; attempt += 1)
    if (await isRefused(trierOf(attempt))) return attempt;
  return most;
}

test('an address has 120 attempts in a minute, whomever it names', async () => {
  expect(await countPassing((attempt) => ({ client: `c${attempt}`, address: '192.0.2.1' }))).toBe(
    120,
  );
  const refusal = await isRefused({ client: 'new', address: '192.0.2.1' });
  expect(refusal).toBeInstanceOf(LedgerError);
  const { reason, headers } = refusal as LedgerError;
  expect([reason, headers]).toEqual(['api.rate-limit-exceeded', { 'retry-after': '45' }]);
  expect(await isRefused({ client: 'new', address: '192.0.2.2' })).toBeUndefined();
  expect(
    await isRefused({ client: 'new', address: '192.0.2.1' }, { handle: 'b' } as Identity),
  ).toBeUndefined();
  nowMs += 45_000;
  expect(await isRefused({ client: 'new', address: '192.0.2.1' })).toBeUndefined();
});

test('a client has 480, from wherever it comes', async () => {
  expect(await countPassing((attempt) => ({ client: 'c', address: `10.0.0.${attempt}` }))).toBe(
    480,
  );
});

test('one address cannot keep a client out', async () => {
  await countPassing(() => ({ client: 'c', address: '192.0.2.1' }));
  expect(await isRefused({ client: 'c', address: '192.0.2.2' })).toBeUndefined();
});

test('an attempt that fails counts twice', async () => {
  const trier = { client: 'c', address: '192.0.2.1' };
  let passing = 0;
  for (; !(await isRefused(trier)); passing += 1) await countFailure(services, ledger, trier);
  expect(passing).toBe(60);
  await expect(countFailure(services, ledger, trier)).resolves.toBeUndefined();
});

test('whoever has one IPv6 address has all that begin like it', async () => {
  const same = ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', '2001:db8:1:2:0::9'];
  const addressAt = (attempt: number) => same[attempt % same.length] ?? '';
  expect(await countPassing((n) => ({ client: `c${n}`, address: addressAt(n) }))).toBe(120);
  for (const other of ['2001:db8:1:3::1', '::1', '2001:db8::1:2', '::ffff:192.0.2.7', '192.0.2.7'])
    expect([other, await isRefused({ client: 'c', address: other })]).toEqual([other, undefined]);
});

test('an IPv4 address is the same in both ways of writing it', async () => {
  const addresses = ['192.0.2.9', '::ffff:192.0.2.9'];
  const passing = await countPassing((n) => ({ client: `c${n}`, address: addresses[n % 2] ?? '' }));
  expect(passing).toBe(120);
});

test('a database that fails is no limit', async () => {
  const attempt = async () => {
    throw new Error('broken');
  };
  services = { ...services, notes: { ...services.notes, attempt } };
  await expect(countFailure(services, ledger, { client: 'c', address: 'a' })).rejects.toThrow(
    'broken',
  );
});
