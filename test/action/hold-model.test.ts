/**
 * Goal: whatever is held, captured and released, nothing is made or lost, what was reserved returns to zero, and nothing
 * more is captured than was held. Method: random holds and decisions against the ledger in memory, and against a page of
 * plain sums. Ruling 87.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
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

const wallets = ['ann', 'bob', 'cat'] as const;
type Name = (typeof wallets)[number];

interface Line {
  readonly from: Name;
  readonly to: Name;
  readonly amount: number;
}
/** Of each claim, what a decision captures, where it names the claim. */
type Parts = readonly (number | undefined)[];
type Step =
  | { readonly does: 'hold'; readonly lines: readonly Line[] }
  | {
      readonly does: 'capture';
      readonly hold: number;
      readonly parts: Parts;
    }
  | { readonly does: 'release'; readonly hold: number };

const hold = fc.nat({ max: 5 });
const line = fc.record({
  from: fc.constantFrom(...wallets),
  to: fc.constantFrom(...wallets),
  amount: fc.integer({ min: 1, max: 30 }),
});
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('hold' as const),
        lines: fc.array(line, { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('capture' as const),
        hold,
        parts: fc.array(fc.option(fc.integer({ min: -1, max: 32 }), { nil: undefined }), {
          maxLength: 4,
        }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('release' as const), hold }) },
  ),
  { minLength: 5, maxLength: 40 },
);

interface Held {
  readonly intent: Item;
  readonly lines: readonly Line[];
}
type Pages = Record<Name, { available: number; reserved: number }>;

/** What the page makes of a hold: true when each wallet has what it gives. */
function reserve(pages: Pages, lines: readonly Line[]): boolean {
  const taken = (name: Name) =>
    lines.reduce((sum, { from, amount }) => sum + (from === name ? amount : 0), 0);
  if (wallets.some((name) => taken(name) > pages[name].available)) return false;
  for (const name of wallets) {
    pages[name].available -= taken(name);
    pages[name].reserved += taken(name);
  }
  return true;
}

/** Ends a hold: of each line, this much is moved and the rest is given back. */
function decide(pages: Pages, lines: readonly Line[], moved: readonly number[]): void {
  for (const [index, { from, to, amount }] of lines.entries()) {
    const part = moved[index] ?? 0;
    pages[from].reserved -= amount;
    pages[from].available += amount - part;
    pages[to].available += part;
  }
}

function captureOf(parts: Parts) {
  return parts.flatMap((amount, claim) => (amount === undefined ? [] : { claim, amount }));
}

async function rowsOf({ services }: Desk): Promise<Pages> {
  const pages = {} as Pages;
  for (const name of wallets) {
    const [row] = await services.store.balances('main', name);
    pages[name] = { available: Number(row?.available ?? 0), reserved: Number(row?.reserved ?? 0) };
  }
  return pages;
}

test('a page of sums and the ledger agree on every hold, capture and release', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const desk = await openDesk();
      const { key, make, run } = desk;
      await make('symbol', { handle: 'usd', factor: 100 });
      for (const handle of wallets) await make('wallet', { handle });
      const post = async (claims: readonly string[], more: Json = {}) => {
        const data = { handle: unique('hold'), claims: claims.map(claimOf), ...more };
        return (await run(createIntent, { body: signed(data, key) })) as unknown as Item;
      };
      await post(wallets.map((name) => `issue ${name} 60 usd`));
      const pages = Object.fromEntries(
        wallets.map((name) => [name, { available: 60, reserved: 0 }]),
      ) as Pages;
      const holds: Held[] = [];
      const say = (intent: Item, custom: Json) =>
        run(prove('intent'), {
          path: { id: intent.luid },
          body: proofOf(intent.hash, key, custom),
        }).then(
          (body) => outcomeOf(body as unknown as Item),
          (error: { reason?: string }) => error.reason ?? Promise.reject(error),
        );
      const held = async ({ lines }: Step & { does: 'hold' }): Promise<void> => {
        const claims = lines.map(({ from, to, amount }) => `transfer ${from} ${to} ${amount} usd`);
        const intent = await post(claims, { config: { commit: 'manual' } });
        const isHeld = reserve(pages, lines);
        expect(outcomeOf(intent)).toBe(isHeld ? 'prepared' : 'core.insufficient-balance');
        if (isHeld) holds.push({ intent, lines });
      };
      const captured = async ({ intent, lines }: Held, parts: Parts): Promise<boolean> => {
        const capture = captureOf(parts);
        const isGood = capture.every(
          ({ claim, amount }) => amount >= 1 && amount <= (lines[claim]?.amount ?? 0),
        );
        const custom = { status: 'committed', ...(capture.length > 0 && { capture }) };
        expect(await say(intent, custom)).toBe(isGood ? 'completed' : 'record.invalid');
        if (!isGood) return false;
        const moved = lines.map(({ amount }, claim) => parts[claim] ?? amount);
        decide(pages, lines, moved);
        expect(await say(intent, { ...custom, again: true })).toBe('record.update-rejected');
        return true;
      };
      const released = async ({ intent, lines }: Held): Promise<boolean> => {
        expect(await say(intent, { status: 'aborted' })).toBe('rejected');
        decide(pages, lines, []);
        return true;
      };
      const settle = async (step: Step): Promise<void> => {
        if (step.does === 'hold') return held(step);
        const index = step.hold % Math.max(holds.length, 1);
        const one = holds[index];
        const isOver =
          one && (await (step.does === 'capture' ? captured(one, step.parts) : released(one)));
        if (isOver) holds.splice(index, 1);
      };
      for (const step of all) {
        await settle(step);
        const rows = await rowsOf(desk);
        expect(rows).toEqual(pages);
        const sum = wallets.reduce(
          (total, name) => total + rows[name].available + rows[name].reserved,
          0,
        );
        expect(sum).toBe(180);
      }
      for (const { intent } of holds) await say(intent, { status: 'aborted' });
      expect(wallets.map((name) => pages[name].reserved >= 0)).toEqual([true, true, true]);
      const rows = await rowsOf(desk);
      expect(wallets.map((name) => rows[name].reserved)).toEqual([0, 0, 0]);
    }),
    { numRuns: runs(25) },
  );
});
