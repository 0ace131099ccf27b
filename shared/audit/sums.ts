/**
 * Invariant 1: what completed intents brought to a balance is what is there, and for each symbol what
 * was issued, less what was destroyed, is what the wallets got. One number for each balance is kept.
 *
 * Entries name wallets by handle. A wallet that ended held nothing (Ruling 44), so the entries of
 * earlier wallets of a handle sum to zero, and what is left are those of the one that is there.
 */
import type { Scope } from '../action/ports.ts';
import type { Effect } from './intent.ts';
import { type Violation, violationOf } from './violation.ts';

/** Names a balance in the whole table. No part of it may hold `#`. */
export interface Cell {
  readonly scope: Scope;
  readonly wallet: string;
  readonly symbol: string;
}

export interface Sums {
  /** Adds what an intent did. */
  readonly move: (scope: Scope, effect: Effect) => void;
  /** Notes what a balance holds, in place of what was noted before. */
  readonly hold: (cell: Cell, amount: bigint) => void;
  readonly expectedOf: (cell: Cell) => bigint;
  /** From now on remembers each entry by its cell, until it is asked to watch again. */
  readonly watch: () => ReadonlyMap<string, readonly bigint[]>;
  /** The balances that do not hold what they should. */
  readonly odd: () => IterableIterator<Cell>;
  /** The symbols of which not as much was issued as wallets got. */
  readonly oddSymbols: () => IterableIterator<Violation>;
}

/** Sums of nothing. */
export function newSums(): Sums {
  // What balances should hold less what they hold: zero for each that is in order.
  const expected = new Map<string, bigint>();
  const held = new Map<string, bigint>();
  const supplies = new Map<string, bigint>();
  let watched: Map<string, bigint[]> | undefined;
  return {
    move: (scope, { entries, supplies: issued }) => {
      for (const { wallet, symbol, amount } of entries) {
        const text = cellText({ scope, wallet, symbol });
        add(expected, text, amount);
        watched?.set(text, [...(watched.get(text) ?? []), amount]);
        add(supplies, `${scope}#${symbol}`, -amount);
      }
      for (const { symbol, amount } of issued) add(supplies, `${scope}#${symbol}`, amount);
    },
    hold: (cell, amount) => {
      held.set(cellText(cell), amount);
    },
    expectedOf: (cell) => expected.get(cellText(cell)) ?? 0n,
    watch: () => {
      watched = new Map();
      return watched;
    },
    odd: () => oddCells(expected, held),
    oddSymbols: () => oddSupplies(supplies),
  };
}

/** Names a cell in one text. */
export function cellText({ scope, wallet, symbol }: Cell): string {
  return `${scope}#${wallet}#${symbol}`;
}

/** A balance that does not hold what it should. */
export function oddBalance(cell: Cell, expected: bigint, found: bigint | undefined): Violation {
  return violationOf(
    1,
    { scope: cell.scope, kind: 'wallet', handle: cell.wallet },
    `The balance of ${cell.symbol} is not the sum of the entries on it.`,
    { expected, found: found ?? 'no balance' },
  );
}

function* oddCells(
  expected: ReadonlyMap<string, bigint>,
  held: ReadonlyMap<string, bigint>,
): IterableIterator<Cell> {
  for (const [text, amount] of expected) {
    if ((held.get(text) ?? 0n) !== amount) yield cellOfText(text);
  }
  for (const [text, amount] of held) {
    if (amount !== 0n && !expected.has(text)) yield cellOfText(text);
  }
}

function* oddSupplies(supplies: ReadonlyMap<string, bigint>): IterableIterator<Violation> {
  for (const [text, amount] of supplies) {
    if (amount === 0n) continue;
    const [scope = '', handle = ''] = text.split('#');
    const fact = 'What was issued less what was destroyed is not what the wallets got.';
    yield violationOf(1, { scope, kind: 'symbol', handle }, fact, { expected: 0n, found: amount });
  }
}

/** The cell of a text that names one. */
export function cellOfText(text: string): Cell {
  const [scope = '', wallet = '', symbol = ''] = text.split('#');
  return { scope, wallet, symbol };
}

function add(sums: Map<string, bigint>, text: string, amount: bigint): void {
  sums.set(text, (sums.get(text) ?? 0n) + amount);
}
