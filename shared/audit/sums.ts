/**
 * Invariants 1 and 2: each balance is the sum of committed intents, its reserved amount and holds are those of
 * unfinished ones, and for each symbol the issued amounts, less the destroyed ones, are what the wallets got. Memory
 * holds a few numbers for each balance.
 *
 * Entries name wallets by handle. A wallet that ended held nothing (Ruling 44), so the entries of earlier wallets of a
 * handle sum to zero, and the rest are those of the current one.
 */
import type { Scope } from '../port/ports.ts';
import type { Measure, Movement } from './movement.ts';
import { type AuditViolation, type Invariant, violationOf } from './violation.ts';

/** Names a measure of a balance in the whole table. No part of it may hold `#`. */
export interface BalanceMeasure {
  readonly scope: Scope;
  readonly wallet: string;
  readonly symbol: string;
  readonly measure: Measure;
}

/** An addition to a balance key, with true when the first version of its intent made it. */
interface Addition {
  readonly amount: bigint;
  readonly isOfBirth: boolean;
}

/** Additions by balance key. */
export type Additions = ReadonlyMap<string, readonly Addition[]>;

export interface Sums {
  /** Adds the effects of an intent. */
  readonly move: (scope: Scope, movements: readonly Movement[]) => void;
  /** Adds to the value at a balance key: each shard of a balance does. */
  readonly hold: (balanceMeasure: BalanceMeasure, amount: bigint) => void;
  readonly expectedOf: (balanceMeasure: BalanceMeasure) => bigint;
  /** Records additions from now on, until the next call. */
  readonly watch: () => Additions;
  /** The balance keys whose value is not the sum. */
  readonly odd: () => IterableIterator<BalanceMeasure>;
  /** The symbols of which wallets got another amount than was issued. */
  readonly oddSymbols: () => IterableIterator<AuditViolation>;
}

export function newSums(): Sums {
  const expected = new Map<string, bigint>();
  const held = new Map<string, bigint>();
  const supplies = new Map<string, bigint>();
  let watched: Map<string, Addition[]> | undefined;
  const moveOne = (scope: Scope, { changes, supplies: issued, isOfBirth }: Movement): void => {
    for (const { wallet, symbol, measure, amount } of changes) {
      const text = measureText({ scope, wallet, symbol, measure });
      add(expected, text, amount);
      watched?.set(text, [...(watched.get(text) ?? []), { amount, isOfBirth }]);
      if (measure === 'amount') add(supplies, `${scope}#${symbol}`, -amount);
    }
    for (const { symbol, amount } of issued) add(supplies, `${scope}#${symbol}`, amount);
  };
  return {
    move: (scope, movements) => {
      for (const movement of movements) moveOne(scope, movement);
    },
    hold: (balanceMeasure, amount) => {
      add(held, measureText(balanceMeasure), amount);
    },
    expectedOf: (balanceMeasure) => expected.get(measureText(balanceMeasure)) ?? 0n,
    watch: () => {
      watched = new Map();
      return watched;
    },
    odd: () => oddMeasures(expected, held),
    oddSymbols: () => oddSupplies(supplies),
  };
}

/** The balance key as one text. */
export function measureText({ scope, wallet, symbol, measure }: BalanceMeasure): string {
  return `${scope}#${wallet}#${symbol}#${measure}`;
}

/** The fact of a violation, by measure. */
const facts: Readonly<Record<Measure, readonly [Invariant, (symbol: string) => string]>> = {
  amount: [1, (symbol) => `The balance of ${symbol} is not the sum of the entries on it.`],
  reserved: [
    2,
    (symbol) => `The reserved amount of ${symbol} is not what unfinished intents need.`,
  ],
  holds: [
    2,
    (symbol) => `The balance of ${symbol} is held by another number of unfinished intents.`,
  ],
};

/** The violation of a value that is not the sum. */
export function oddMeasure(
  balanceMeasure: BalanceMeasure,
  expected: bigint,
  found: bigint | undefined,
): AuditViolation {
  const { scope, wallet, symbol, measure } = balanceMeasure;
  const [invariant, factOf] = facts[measure];
  const subject = { scope, kind: 'wallet', handle: wallet } as const;
  const difference = { expected, found: found ?? 'no balance' };
  return violationOf(invariant, subject, factOf(symbol), difference);
}

function* oddMeasures(
  expected: ReadonlyMap<string, bigint>,
  held: ReadonlyMap<string, bigint>,
): IterableIterator<BalanceMeasure> {
  for (const [text, amount] of expected) {
    if ((held.get(text) ?? 0n) !== amount) yield measureOfText(text);
  }
  for (const [text, amount] of held) {
    if (amount !== 0n && !expected.has(text)) yield measureOfText(text);
  }
}

function* oddSupplies(supplies: ReadonlyMap<string, bigint>): IterableIterator<AuditViolation> {
  for (const [text, amount] of supplies) {
    if (amount === 0n) continue;
    const [scope = '', handle = ''] = text.split('#');
    const fact = 'What was issued less what was destroyed is not what the wallets got.';
    yield violationOf(1, { scope, kind: 'symbol', handle }, fact, { expected: 0n, found: amount });
  }
}

function measureOfText(text: string): BalanceMeasure {
  const [scope = '', wallet = '', symbol = '', measure = 'amount'] = text.split('#');
  return { scope, wallet, symbol, measure: measure as Measure };
}

function add(sums: Map<string, bigint>, text: string, amount: bigint): void {
  sums.set(text, (sums.get(text) ?? 0n) + amount);
}
