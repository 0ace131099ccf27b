/**
 * Goal: payments, holds, decisions and freezes in any order give what a plain page of sums gives. Ruling 94, Decision
 * 109.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import { claimOf, type Item, now, outcomeOf, proofOf, signed, unique } from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';
import { runs } from '../fixture/runs.ts';

const wallet = fc.constantFrom('a', 'b', 'c');
const symbol = fc.constantFrom('usd', 'eur');
const amount = fc.integer({ min: 1, max: 6 });
const step = fc.oneof(
  fc.record({
    does: fc.constant('pay'),
    source: wallet,
    target: wallet,
    symbol,
    amount,
    isHeld: fc.boolean(),
  }),
  fc.record({ does: fc.constant('decide'), at: fc.nat(), commits: fc.boolean() }),
  fc.record({ does: fc.constant('freeze'), name: fc.oneof(wallet, symbol), ends: fc.boolean() }),
);
type Step = (typeof step)['generate'] extends (...a: never[]) => { readonly value: infer S }
  ? S
  : never;
type Payment = Step & { does: 'pay' };

/** The page of sums: what is available, what is frozen, and what is held. */
interface Page {
  readonly sums: Map<string, number>;
  readonly frozen: Set<string>;
  readonly held: { readonly item: Item; readonly payment: Payment }[];
}

function expectedOf({ sums, frozen }: Page, payment: Payment): string {
  const { source, target, symbol, amount, isHeld } = payment;
  if (frozen.has(symbol)) return 'core.symbol-inactive';
  if (frozen.has(source)) return 'core.source-inactive';
  if (frozen.has(target)) return 'core.target-inactive';
  if ((sums.get(`${source} ${symbol}`) ?? 0) < amount) return 'core.insufficient-balance';
  return isHeld ? 'prepared' : 'completed';
}

function add({ sums }: Page, wallet: string, symbol: string, by: number): void {
  sums.set(`${wallet} ${symbol}`, (sums.get(`${wallet} ${symbol}`) ?? 0) + by);
}

async function pay({ run, key }: Desk, claim: string, isHeld = false): Promise<Item> {
  const config = isHeld ? { config: { commit: 'manual' } } : {};
  const data = { handle: unique('pay'), claims: [claimOf(claim)], ...config };
  return (await run(createIntent, { body: signed(data, key) })) as unknown as Item;
}

async function say({ run, key, services }: Desk, kind: Kind, handle: string, status: string) {
  const [found] = await services.store.load([{ what: 'record', scope: 'main', kind, handle }]);
  const proof = proofOf(found?.record.hash ?? '', key, {
    ...{ moment: now(), nonce: unique('n') },
    status,
  });
  const body = await run(prove(kind), { path: { id: handle }, body: proof });
  return body as unknown as Item;
}

async function freeze(desk: Desk, page: Page, { name, ends }: Step & { does: 'freeze' }) {
  const kind = ['usd', 'eur'].includes(name) ? 'symbol' : 'wallet';
  await say(desk, kind, name, ends ? 'active' : 'inactive');
  if (ends) page.frozen.delete(name);
  else page.frozen.add(name);
}

async function decide(desk: Desk, page: Page, { at, commits }: Step & { does: 'decide' }) {
  const [held] = page.held.splice(at % Math.max(page.held.length, 1), 1);
  if (!held) return;
  const { item, payment } = held;
  const done = await say(desk, 'intent', item.data.handle, commits ? 'committed' : 'aborted');
  expect(done.meta.status).toBe(commits ? 'completed' : 'rejected');
  add(page, commits ? payment.target : payment.source, payment.symbol, payment.amount);
}

async function settle(desk: Desk, page: Page, payment: Payment) {
  const { source, target, symbol, amount, isHeld } = payment;
  const item = await pay(desk, `transfer ${source} ${target} ${amount} ${symbol}`, isHeld);
  const expected = expectedOf(page, payment);
  expect(outcomeOf(item)).toBe(expected);
  if (expected.startsWith('core.')) return;
  add(page, source, symbol, -amount);
  if (isHeld) page.held.push({ item, payment });
  else add(page, target, symbol, amount);
}

async function take(desk: Desk, page: Page, one: Step): Promise<void> {
  if (one.does === 'freeze') return freeze(desk, page, one);
  return one.does === 'decide' ? decide(desk, page, one) : settle(desk, page, one);
}

test('what is available agrees with the page after every step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const desk = await openDesk();
      const page: Page = { sums: new Map(), frozen: new Set(), held: [] };
      for (const handle of ['usd', 'eur']) await desk.make('symbol', { handle, factor: 1 });
      for (const handle of ['a', 'b', 'c']) await desk.make('wallet', { handle });
      for (const handle of ['a', 'b']) {
        await pay(desk, `issue ${handle} 9 usd`);
        add(page, handle, 'usd', 9);
      }
      for (const one of steps) {
        await take(desk, page, one);
        const rows = await Promise.all(
          ['a', 'b', 'c'].map((handle) => desk.services.store.balances('main', handle)),
        );
        for (const { wallet, symbol, available } of rows.flat())
          expect(Number(available)).toBe(page.sums.get(`${wallet} ${symbol}`) ?? 0);
      }
    }),
    { numRuns: runs(20) },
  );
});
