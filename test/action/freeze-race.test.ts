/**
 * Goal: no payment that read a wallet before it was frozen is stored after it, whatever it had read. Ruling 94, Decision
 * 109.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import { claimOf, type Item, now, outcomeOf, proofOf, signed, unique } from '../fixture/client.ts';
import { type Desk, isIntent, openDeskBefore, type StoreStep } from '../fixture/desk.ts';

// Those who were slower wait for a random time; here for none.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

/** A desk with two wallets that hold dollars, which does something just before a step of the store, once it is armed. */
async function deskWith(step: StoreStep, isMeant: (wanted: unknown) => boolean) {
  const { desk, arm } = await openDeskBefore(step, isMeant);
  for (const handle of ['usd', 'eur']) await desk.make('symbol', { handle, factor: 1 });
  for (const handle of ['alice', 'bob']) await desk.make('wallet', { handle });
  await pay(desk, 'issue alice 10 usd');
  await pay(desk, 'issue bob 10 usd');
  return { desk, arm };
}

async function pay({ run, key }: Desk, claim: string): Promise<unknown> {
  const data = { handle: unique('pay'), claims: [claimOf(claim)] };
  return outcomeOf((await run(createIntent, { body: signed(data, key) })) as unknown as Item);
}

async function say(
  { run, key, services }: Desk,
  handle: string,
  status: string,
  kind: Kind = 'wallet',
) {
  const [found] = await services.store.load([{ what: 'record', scope: 'main', kind, handle }]);
  const proof = proofOf(found?.record.hash ?? '', key, { moment: now(), status });
  return run(prove(kind), { path: { id: handle }, body: proof });
}

/** Marks the dollars of a wallet, as a freeze does that is not stored. */
function mark({ services }: Desk, wallet: string) {
  return services.store.watch('main', [{ wallet, symbol: 'usd' }]);
}

function payAll({ run, key }: Desk, mode: string, claims: readonly string[]) {
  const data = claims.map((claim) =>
    signed({ handle: unique('pay'), claims: [claimOf(claim)] }, key),
  );
  return run(batchIntents, { body: { data, mode } });
}

const any = () => true;

async function heldIn({ services }: Desk, wallet: string) {
  const rows = await services.store.balances('main', wallet);
  return Object.fromEntries(rows.map(({ symbol, available }) => [symbol, Number(available)]));
}

describe('a payment that has read', () => {
  test.each([
    ['transfer alice bob 5 usd', 'core.source-inactive'],
    ['transfer bob alice 5 usd', 'core.target-inactive'],
    ['issue alice 5 usd', 'core.target-inactive'],
    ['destroy alice 5 usd', 'core.source-inactive'],
  ])('its balances before the freeze, `%s`, fails by %s', async (claim, reason) => {
    const { desk, arm } = await deskWith('commit', isIntent);
    arm(() => say(desk, 'alice', 'inactive'));
    expect(await pay(desk, claim)).toBe(reason);
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 10 });
  });

  test('a balance that is watched, and the wallet before the freeze, fails', async () => {
    const { desk, arm } = await deskWith('commit', isIntent);
    await mark(desk, 'alice');
    arm(() => say(desk, 'alice', 'inactive'));
    expect(await pay(desk, 'transfer alice bob 5 usd')).toBe('core.source-inactive');
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 10 });
  });

  test('its balances before a second freeze, fails as by the first one', async () => {
    const { desk, arm } = await deskWith('commit', isIntent);
    for (const status of ['inactive', 'active']) await say(desk, 'alice', status);
    arm(() => say(desk, 'alice', 'inactive'));
    expect(await pay(desk, 'transfer alice bob 5 usd')).toBe('core.source-inactive');
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 10 });
  });

  test('its balances before a freeze that is over, is decided anew', async () => {
    const { desk, arm } = await deskWith('commit', isIntent);
    arm(async () => {
      for (const status of ['inactive', 'active']) await say(desk, 'alice', status);
    });
    expect(await pay(desk, 'transfer alice bob 5 usd')).toBe('completed');
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 5 });
  });

  test('a frozen wallet, fails though the freeze ends meanwhile', async () => {
    const { desk, arm } = await deskWith('commit', isIntent);
    await say(desk, 'alice', 'inactive');
    arm(() => say(desk, 'alice', 'active'));
    expect(await pay(desk, 'transfer alice bob 5 usd')).toBe('core.source-inactive');
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 10 });
  });

  test('the limits of a frozen wallet, keeps those that are set once the freeze is over', async () => {
    const { desk, arm } = await deskWith('commit', isIntent);
    await say(desk, 'alice', 'inactive');
    arm(async () => {
      await say(desk, 'alice', 'active');
      await pay(desk, 'limit alice maxBalance 20 usd');
    });
    expect(await pay(desk, 'limit alice minBalance 5 usd')).toBe('completed');
    const [row] = await desk.services.store.balances('main', 'alice');
    expect(row?.limits).toMatchObject({ minBalance: { amount: 5 }, maxBalance: { amount: 20 } });
  });

  test('a frozen wallet without such a balance, sets a limit of one, which is watched as the others are', async () => {
    const { desk } = await deskWith('open', any);
    await say(desk, 'alice', 'inactive');
    expect(await pay(desk, 'limit alice maxBalance 5 eur')).toBe('completed');
    const rows = await desk.services.store.balances('main', 'alice');
    expect(rows.map(({ isWatched }) => isWatched)).toEqual([true, true]);
    await say(desk, 'alice', 'active');
    expect(await pay(desk, 'issue alice 6 eur')).toBe('core.limit-exceeded');
    expect(await pay(desk, 'issue alice 5 eur')).toBe('completed');
  });

  test('the same fails as a later one of a batch, and all of one that is atomic', async () => {
    const { desk, arm } = await deskWith('commit', isIntent);
    const claims = ['issue bob 1 usd', 'transfer bob alice 5 usd'];
    await mark(desk, 'alice');
    arm(() => say(desk, 'alice', 'inactive'));
    const { data } = await payAll(desk, 'independent', claims);
    const reason = 'core.target-inactive';
    expect((data as unknown as Item[]).map(outcomeOf)).toEqual(['completed', reason]);
    await say(desk, 'alice', 'active');
    await mark(desk, 'alice');
    arm(() => say(desk, 'alice', 'inactive'));
    await expect(payAll(desk, 'atomic', claims)).rejects.toMatchObject({
      custom: { errors: [{ index: 1, reason }] },
    });
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 10 });
  });

  test('no balance of the wallet before the freeze, fails before it is opened', async () => {
    const { desk, arm } = await deskWith('open', any);
    arm(() => say(desk, 'alice', 'inactive'));
    expect(await pay(desk, 'issue alice 5 eur')).toBe('core.target-inactive');
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 10 });
  });

  test('no balance of the wallet before the freeze, fails after it was opened', async () => {
    const { desk, arm } = await deskWith('commit', isIntent);
    arm(() => say(desk, 'alice', 'inactive'));
    expect(await pay(desk, 'issue alice 5 eur')).toBe('core.target-inactive');
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 10, eur: 0 });
  });
});

describe('a freeze', () => {
  test('comes after a payment in a new symbol that is stored between its reading and its writing', async () => {
    const { desk, arm } = await deskWith('watch', any);
    arm(() => pay(desk, 'issue alice 5 eur'));
    expect(await say(desk, 'alice', 'inactive')).toMatchObject({ meta: { status: 'inactive' } });
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 10, eur: 5 });
    const rows = await desk.services.store.balances('main', 'alice');
    expect(rows.map(({ isWatched }) => isWatched)).toEqual([true, true]);
  });

  test('marks what a freeze before it has marked, which may be ending', async () => {
    const { desk, arm } = await deskWith('watch', any);
    await mark(desk, 'alice');
    arm(async () => {
      for (const status of ['inactive', 'active']) await say(desk, 'alice', status);
    });
    await say(desk, 'alice', 'inactive');
    const rows = await desk.services.store.balances('main', 'alice');
    expect(rows.map(({ isWatched }) => isWatched)).toEqual([true]);
  });

  test('leaves no marks when it ends', async () => {
    const { desk } = await deskWith('watch', any);
    const before = await desk.services.store.balances('main', 'alice');
    for (const status of ['inactive', 'noted']) await say(desk, 'alice', status);
    const after = before.map((row) => ({ ...row, limitsChange: 1 }));
    expect(await desk.services.store.balances('main', 'alice')).toEqual(after);
  });

  test('leaves marks of the balances beyond fifty, as does one that was not stored', async () => {
    const { desk } = await deskWith('watch', any);
    for (let index = 0; index < 51; index += 1) {
      await desk.make('symbol', { handle: `s${index}`, factor: 1 });
      await pay(desk, `issue alice 1 s${index}`);
    }
    for (const status of ['inactive', 'active']) await say(desk, 'alice', status);
    const rows = await desk.services.store.balances('main', 'alice');
    expect(rows.filter(({ isWatched }) => isWatched)).toHaveLength(2);
  });

  test('ends once more when a limit was set meanwhile, which stays', async () => {
    const { desk, arm } = await deskWith('commit', (wanted) => !isIntent(wanted));
    await say(desk, 'alice', 'inactive');
    arm(() => pay(desk, 'limit alice minBalance 5 usd'));
    expect(await say(desk, 'alice', 'active')).toMatchObject({ meta: { status: 'active' } });
    const [row] = await desk.services.store.balances('main', 'alice');
    expect(row).toMatchObject({ limits: { minBalance: { amount: 5 } }, limitsChange: 2 });
    expect(row).not.toHaveProperty('isWatched');
    expect(await pay(desk, 'transfer alice bob 6 usd')).toBe('core.limit-exceeded');
  });

  test('of which marks are left lets payments go on, with the versions of the wallet', async () => {
    const { desk, arm } = await deskWith('commit', isIntent);
    await mark(desk, 'alice');
    arm(() => say(desk, 'alice', 'noted'));
    expect(await pay(desk, 'transfer alice bob 5 usd')).toBe('completed');
    expect(await heldIn(desk, 'alice')).toEqual({ usd: 5 });
  });
});
