/** Amounts as people write them, in whole units by the factor of the symbol; the ledger counts its smallest units. */
import {
  type Ledger,
  LedgerRefused,
  LedgerUntrusted,
  type Money,
  money,
} from '../../shared/client/client.ts';
import { decimalOf } from '../../shared/ledger/statement.ts';
import { misused } from '../runtime/failing.ts';

const notFound = 404;

/** The factors of symbols by handle, as far as the caller may read them. */
export type KnownFactors = ReadonlyMap<string, number>;

/** The factor of a symbol: a power of ten. Errors: those of the client. */
async function factorOf(ledger: Ledger, symbol: string): Promise<number> {
  const { data } = await ledger.get('/symbols/{id}', { path: { id: symbol } });
  if (!/^10*$/.test(String(data.factor)))
    throw new LedgerUntrusted(
      `The factor of the symbol is ${data.factor}, which is no power of ten.`,
    );
  return data.factor;
}

/** Refuses a symbol that is not there, whose entries would look like none; one that may not be read passes. */
export async function assertSymbol(ledger: Ledger, symbol: string): Promise<void> {
  await ledger.get('/symbols/{id}', { path: { id: symbol } }).catch((error: unknown) => {
    if (!(error instanceof LedgerRefused) || error.status === notFound) throw error;
  });
}

/** The factors of these symbols, without those that the ledger refuses to show. */
export async function factorsOf(ledger: Ledger, symbols: Iterable<string>): Promise<KnownFactors> {
  const rows = await Promise.all(
    [...new Set(symbols)].map(async (symbol) => {
      const factor = await factorOf(ledger, symbol).catch((error: unknown) => {
        if (!(error instanceof LedgerRefused)) throw error;
      });
      return factor === undefined ? [] : [[symbol, factor] as const];
    }),
  );
  return new Map(rows.flat());
}

/** An amount in whole units: `25.50`. Without the factor, its smallest units with a word that says so. */
export function amountText(amount: number | bigint, symbol: string, factors: KnownFactors): string {
  const factor = factors.get(symbol);
  return factor === undefined ? `${amount} smallest units` : decimalOf(amount, factor);
}

/**
 * The amount that a text such as `25.50` means in this symbol. Throws an `ExitError` for a text that is no amount, or has
 * a part of the smallest unit.
 */
export async function moneyOf(ledger: Ledger, symbol: string, text: string): Promise<Money> {
  const factor = await factorOf(ledger, symbol);
  try {
    return money(symbol, factor)(text);
  } catch (error) {
    throw misused((error as RangeError).message, { cause: error });
  }
}
