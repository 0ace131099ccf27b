/**
 * Reads a test that is written as a page of a ledger. A row is an intent with one claim and its
 * outcome; rows that begin with `+` add claims to the row before, and the last of them has the
 * outcome. `balance` and `supply` rows read the sheet at that point. Wallets and symbols exist when
 * an `exists` row names them.
 */
import { expect } from 'vitest';
import { balanceKeyOf, entriesOf } from '../../shared/ledger/balance.ts';
import type { BalanceStates } from '../../shared/ledger/balance-state.ts';
import { type Settlement, type SettlementFacts, settle } from '../../shared/ledger/settle.ts';
import type { Claim } from '../../shared/shape/intent.ts';

interface Page {
  readonly names: { readonly wallets: Set<string>; readonly symbols: Set<string> };
  sheet: BalanceStates;
  supply: ReadonlyMap<string, bigint>;
  pending: readonly Claim[];
}

/** Checks every row of the page, from the top. */
export function check(text: string): void {
  const page: Page = {
    names: { wallets: new Set(), symbols: new Set() },
    sheet: new Map(),
    supply: new Map(),
    pending: [],
  };
  const rows = text.split('\n').map((row) => row.trim());
  for (const row of rows.filter((each) => each !== '')) checkRow(page, row);
  expect(page.pending, 'the last intent has an outcome').toEqual([]);
}

/** The sheet after the moves of a settlement. */
export function sheetAfter(sheet: BalanceStates, { moves }: Settlement): BalanceStates {
  const next = new Map(sheet);
  for (const { wallet, symbol, amount } of moves) {
    const cell = balanceKeyOf(wallet, symbol);
    next.set(cell, { available: (next.get(cell)?.available ?? 0n) + amount });
  }
  return next;
}

/** What the supply of each symbol has after a settlement: minus what is in the wallets. */
export function supplyAfter(
  supply: ReadonlyMap<string, bigint>,
  { outcomes }: Settlement,
): ReadonlyMap<string, bigint> {
  const next = new Map(supply);
  for (const { holder, symbol, amount } of outcomes.flatMap((one) =>
    one.settles ? one.entries : [],
  ))
    if (holder === 'supply') next.set(symbol, (next.get(symbol) ?? 0n) + amount);
  return next;
}

function checkRow(page: Page, row: string): void {
  const [head = '', ...words] = row.split(/\s+/);
  const reader = readers[head];
  if (reader) reader(page, row, words);
  else checkClaim(page, row, head === '+' ? words : [head, ...words], head === '+');
}

/** The rows that are no claims, by their first word. */
const readers: Readonly<Record<string, (page: Page, row: string, words: string[]) => void>> = {
  exists: ({ names }, row, [what, ...handles]) => {
    expect(what, row).toMatch(/^(wallets|symbols)$/);
    for (const handle of handles) names[what as keyof typeof names].add(handle);
  },
  balance: ({ sheet }, row, [wallet = '', amount = '', symbol = '']) =>
    expect(sheet.get(balanceKeyOf(wallet, symbol))?.available ?? 0n, row).toBe(BigInt(amount)),
  supply: ({ supply }, row, [amount = '', symbol = '']) =>
    expect(supply.get(symbol) ?? 0n, row).toBe(BigInt(amount)),
};

function checkClaim(page: Page, row: string, words: readonly string[], isMore: boolean): void {
  const [action = '', source = '', target = '', amount = '', symbol = '', outcome] = words;
  expect(page.pending.length > 0, `${row}: the intent before has its outcome`).toBe(isMore);
  page.pending = [...page.pending, claimOf(row, action, source, target, amount, symbol)];
  if (outcome !== undefined) post(page, row, outcome);
}

function claimOf(
  row: string,
  action: string,
  source: string,
  target: string,
  digits: string,
  symbol: string,
): Claim {
  const amount = Number(digits);
  expect(amount, `${row}: an amount`).toSatisfy(Number.isSafeInteger);
  if (action === 'issue') return { action, target, symbol, amount };
  if (action === 'destroy') return { action, source, symbol, amount };
  if (action === 'transfer') return { action, source, target, symbol, amount };
  throw new Error(`${row}: not a row of a page`);
}

function post(page: Page, row: string, wanted: string): void {
  const { wallets, symbols } = page.names;
  const facts: SettlementFacts = { wallets, symbols, balances: page.sheet };
  const settlement = settle(facts, [{ claims: page.pending }]);
  const [outcome] = settlement.outcomes;
  expect(outcome?.settles ? 'ok' : outcome?.reason, row).toBe(wanted);
  if (outcome?.settles)
    expect(outcome.entries, row).toEqual(page.pending.flatMap((claim, i) => entriesOf(claim, i)));
  page.sheet = sheetAfter(page.sheet, settlement);
  page.supply = supplyAfter(page.supply, settlement);
  page.pending = [];
}
