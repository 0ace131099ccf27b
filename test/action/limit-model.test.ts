/**
 * Goal: no limit is exceeded in any 24 hours, to the millisecond, and nothing is refused that even a quarter of an hour more
 * would allow. Method: random days of intents, limits, decisions and jumps of the clock, each against the ledger in
 * memory and against a notebook that writes down every transfer with its moment. Decision 58.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import {
  claimOf,
  type Item,
  type Json,
  outcomeOf,
  proofOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';
import { runs } from '../fixture/runs.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const quarterMs = 15 * minuteMs;
const wallets = ['ann', 'bob'] as const;
type Name = (typeof wallets)[number];
const metrics = ['minBalance', 'maxBalance', 'dailyCount', 'dailyAmount'] as const;
type Metric = (typeof metrics)[number];

type Step =
  | {
      readonly does: 'transfer';
      readonly from: Name;
      readonly to: Name;
      readonly amounts: readonly number[];
      readonly isHeld: boolean;
    }
  | { readonly does: 'issue' | 'destroy'; readonly wallet: Name; readonly amount: number }
  | { readonly does: 'decide'; readonly status: 'committed' | 'aborted' }
  | {
      readonly does: 'limit';
      readonly wallet: Name;
      readonly metric: Metric;
      readonly amount: number;
    }
  | { readonly does: 'wait'; readonly ms: number };

type Transfer = Step & { readonly does: 'transfer' };

const name = fc.constantFrom(...wallets);
const some = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    some(
      8,
      fc.record({
        does: fc.constant('transfer' as const),
        from: name,
        to: name,
        amounts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 2 }),
        isHeld: fc.boolean(),
      }),
    ),
    some(
      1,
      fc.record({
        does: fc.constantFrom('issue' as const, 'destroy' as const),
        wallet: name,
        amount: fc.integer({ min: 1, max: 20 }),
      }),
    ),
    some(
      4,
      fc.record({
        does: fc.constant('decide' as const),
        status: fc.constantFrom('committed' as const, 'aborted' as const),
      }),
    ),
    some(
      3,
      fc.record({
        does: fc.constant('limit' as const),
        wallet: name,
        metric: fc.constantFrom(...metrics, 'dailyCount' as const, 'dailyAmount' as const),
        amount: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 60 })),
      }),
    ),
    some(
      3,
      fc.record({
        does: fc.constant('wait' as const),
        ms: fc.oneof(
          fc.integer({ min: 1, max: 2 * quarterMs }),
          fc.integer({ min: 1, max: 30 * 60 * minuteMs }),
          fc.integer({ min: dayMs - 2 * quarterMs, max: dayMs + 2 * quarterMs }),
        ),
      }),
    ),
  ),
  { minLength: 10, maxLength: 50 },
);

/** Each transfer of a wallet, with the moment at which it was accepted. */
interface Line {
  readonly atMs: number;
  readonly amount: number;
}

/** What the notebook knows of a wallet. */
interface Page {
  available: number;
  reserved: number;
  lines: Line[];
  readonly limits: Partial<Record<Metric, { amount: number; readonly sinceMs: number }>>;
}

/** A transfer that waits for somebody's word. */
interface Held {
  readonly intent: Item;
  readonly step: Transfer;
  readonly atMs: number;
}

function newNotebook() {
  const pageOf = (): Page => ({ available: 30, reserved: 0, lines: [], limits: {} });
  return { ann: pageOf(), bob: pageOf() };
}
type Notebook = ReturnType<typeof newNotebook>;

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
const floorOf = ({ limits }: Page) => limits.minBalance?.amount ?? 0;
const ceilingOf = ({ limits }: Page) => limits.maxBalance?.amount ?? Number.POSITIVE_INFINITY;

/** Whether more transfers would be too much, when a line counts for so long. */
function isTooMuch({ lines, limits }: Page, more: readonly number[], nowMs: number, ms: number) {
  const countedSince = (metric: Metric) =>
    lines
      .filter(({ atMs }) => atMs > nowMs - ms && atMs > (limits[metric]?.sinceMs ?? nowMs))
      .map(({ amount }) => amount);
  const { dailyCount, dailyAmount } = limits;
  const counts = [...countedSince('dailyCount'), ...more];
  const amounts = [...countedSince('dailyAmount'), ...more];
  return (
    (dailyCount !== undefined && counts.length > dailyCount.amount) ||
    (dailyAmount !== undefined && sumOf(amounts) > dailyAmount.amount)
  );
}

/** What the notebook says of a transfer: whether it must be, may be, or may not be. */
function verdictOn(notebook: Notebook, step: Transfer, nowMs: number) {
  const { from, to, amounts } = step;
  const [source, target] = [notebook[from], notebook[to]];
  const amount = sumOf(amounts);
  const held = target.available + target.reserved;
  if (source.available - amount < floorOf(source) || held + amount > ceilingOf(target)) return 'no';
  const sides: readonly (readonly [Page, readonly number[]])[] =
    from === to
      ? [[source, [...amounts, ...amounts]]]
      : [
          [source, amounts],
          [target, amounts],
        ];
  const isOver = (ms: number) => sides.some(([page, more]) => isTooMuch(page, more, nowMs, ms));
  if (isOver(dayMs)) return 'no';
  return isOver(dayMs + quarterMs) ? 'maybe' : 'yes';
}

function accept(notebook: Notebook, { from, to, amounts, isHeld }: Transfer, atMs: number) {
  const amount = sumOf(amounts);
  const lines = amounts.map((each) => ({ atMs, amount: each }));
  notebook[from].available -= amount;
  if (isHeld) notebook[from].reserved += amount;
  else notebook[to].available += amount;
  for (const one of [from, to]) notebook[one].lines.push(...lines);
}

/** The ledger, the notebook, and a clock. */
async function openDay() {
  const desk = await openDesk();
  await desk.make('symbol', { handle: 'usd', factor: 1 });
  for (const handle of wallets) await desk.make('wallet', { handle });
  // Later than all that the desk did before, since luids never go back.
  let nowMs = Date.parse('2060-03-01T00:00:00.000Z');
  const services = { ...desk.services, clock: () => nowMs };
  const post = async (claims: readonly string[], isHeld = false) => {
    const config = isHeld ? { config: { commit: 'manual' } } : {};
    const body = { handle: unique('i'), claims: claims.map(claimOf), ...config };
    return (await desk.run(createIntent, {
      services,
      body: signed(body, desk.key),
    })) as unknown as Item;
  };
  for (const handle of wallets) await post([`issue ${handle} 30 usd`]);
  return {
    desk,
    post,
    now: () => nowMs,
    wait: (ms: number) => {
      nowMs += ms;
    },
    decide: async ({ luid, hash }: Item, status: string) => {
      const body = proofOf(hash, desk.key, { status, moment: new Date(nowMs).toISOString() });
      const call = { services, body, path: { id: luid } };
      return (await desk.run(prove('intent'), call)) as unknown as Item;
    },
  };
}

type Day = Awaited<ReturnType<typeof openDay>>;

/** Decides on a transfer that waits, as long as its time is not over. */
async function decideOn(day: Day, notebook: Notebook, held: Held, status: 'committed' | 'aborted') {
  const { from, to, amounts } = held.step;
  const [source, target] = [notebook[from], notebook[to]];
  const amount = sumOf(amounts);
  const total = target.available + target.reserved;
  const isLate = day.now() >= held.atMs + 60 * minuteMs;
  const isPossible = !isLate && total + amount <= ceilingOf(target);
  const outcome = outcomeOf(await day.decide(held.intent, status));
  const isDone = status === 'committed' && isPossible;
  const fault = isLate ? 'core.intent-expired' : 'core.limit-exceeded';
  const refusal = status === 'committed' || isLate ? fault : 'rejected';
  expect(outcome).toBe(isDone ? 'completed' : refusal);
  source.reserved -= amount;
  (isDone ? target : source).available += amount;
  if (isDone) return;
  for (const page of [source, target]) {
    for (const each of amounts) {
      const place = page.lines.findIndex((one) => one.atMs === held.atMs && one.amount === each);
      page.lines.splice(place, 1);
    }
  }
}

/** Whether a limit may be set: the balance must be within it. */
function mayLimit(page: Page, metric: Metric, amount: number): boolean {
  if (metric === 'minBalance') return page.available >= amount;
  return metric !== 'maxBalance' || page.available + page.reserved <= amount;
}

async function limit(day: Day, notebook: Notebook, step: Step & { does: 'limit' }): Promise<void> {
  const { wallet, metric, amount } = step;
  const page = notebook[wallet];
  const isPossible = mayLimit(page, metric, amount);
  const intent = await day.post([`limit ${wallet} ${metric} ${amount} usd`]);
  expect(outcomeOf(intent)).toBe(isPossible ? 'completed' : 'core.limit-exceeded');
  const sinceMs = page.limits[metric]?.sinceMs ?? day.now();
  if (isPossible) page.limits[metric] = { amount, sinceMs };
}

async function issueOrDestroy(
  day: Day,
  notebook: Notebook,
  { does, wallet, amount }: Step & { does: 'issue' | 'destroy' },
): Promise<void> {
  const page = notebook[wallet];
  const after = page.available + (does === 'issue' ? amount : -amount);
  const hasRoom = after + page.reserved <= ceilingOf(page);
  const isPossible = does === 'issue' ? hasRoom : after >= floorOf(page);
  const intent = await day.post([`${does} ${wallet} ${amount} usd`]);
  expect(intent.meta.status).toBe(isPossible ? 'completed' : 'rejected');
  if (isPossible) page.available = after;
}

/** The intent, when the transfer was accepted. */
async function transfer(day: Day, notebook: Notebook, step: Transfer): Promise<Item | undefined> {
  const { from, to, amounts, isHeld } = step;
  const verdict = verdictOn(notebook, step, day.now());
  const claims = amounts.map((amount) => `transfer ${from} ${to} ${amount} usd`);
  const intent = await day.post(claims, isHeld);
  const isAccepted = ['completed', 'prepared'].includes(intent.meta.status);
  if (verdict !== 'maybe') expect(isAccepted).toBe(verdict === 'yes');
  if (!isAccepted) return undefined;
  accept(notebook, step, day.now());
  return intent;
}

async function take(day: Day, notebook: Notebook, waiting: Held[], step: Step): Promise<void> {
  switch (step.does) {
    case 'wait':
      return day.wait(step.ms);
    case 'decide': {
      const held = waiting.shift();
      return held && decideOn(day, notebook, held, step.status);
    }
    case 'limit':
      return limit(day, notebook, step);
    case 'transfer': {
      const intent = await transfer(day, notebook, step);
      if (intent && step.isHeld) waiting.push({ intent, step, atMs: day.now() });
      return;
    }
    default:
      return issueOrDestroy(day, notebook, step);
  }
}

async function rowsOf({ services }: Desk, wallet: Name) {
  const [row] = await services.store.balances('main', wallet);
  return [Number(row?.available), Number(row?.reserved ?? 0n)];
}

test('whatever happens, the notebook and the ledger agree', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const day = await openDay();
      const notebook = newNotebook();
      const waiting: Held[] = [];
      for (const step of all) {
        day.wait(1);
        await take(day, notebook, waiting, step);
      }
      for (const wallet of wallets) {
        const { available, reserved } = notebook[wallet];
        expect(await rowsOf(day.desk, wallet)).toEqual([available, reserved]);
      }
    }),
    { numRuns: runs(60) },
  );
});

test.each([
  ['released', { status: 'aborted' }],
  ['captured in part', { status: 'committed', capture: [{ claim: 0, amount: 1 }] }],
])(
  'a hold from before a limit gives nothing back when it is %s, also by a clock that was ahead',
  async (_, said) => {
    const { key, make, run, services } = await openDesk();
    // Not at the end of a quarter.
    const startMs = Math.floor(Date.now() / quarterMs) * quarterMs + minuteMs;
    const at = (ms: number) => ({ ...services, luids: luidMaker(), clock: () => startMs + ms });
    await make('symbol', { handle: 'usd', factor: 100 });
    for (const handle of wallets) await make('wallet', { handle });
    const post = async (ms: number, claim: string, more: Json = {}) => {
      const body = signed({ handle: unique('day'), claims: [claimOf(claim)], ...more }, key);
      return (await run(createIntent, { services: at(ms), body })) as unknown as Item;
    };
    await post(0, 'issue ann 1000 usd');
    const hold = await post(3_000, 'transfer ann bob 50 usd', { config: { commit: 'manual' } });
    await post(1_000, 'limit ann dailyAmount 100 usd');
    expect(outcomeOf(await post(4_000, 'transfer ann bob 80 usd'))).toBe('completed');
    const body = proofOf(hold.hash, key, said);
    await run(prove('intent'), { services: at(5_000), path: { id: hold.luid }, body });
    expect(outcomeOf(await post(6_000, 'transfer ann bob 30 usd'))).toBe('core.limit-exceeded');
    expect(outcomeOf(await post(7_000, 'transfer ann bob 20 usd'))).toBe('completed');
  },
);
