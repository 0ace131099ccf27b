/** Entries and running totals of books as items, and back. Their keys tell the book, the moment and the intent. */
import type { BookEntry, BookTotals } from '../ledger/book.ts';
import type { BookName } from '../port/books.ts';
import { bookPartitionOf, bookPlaceIn, bookPlaceOf, totalSkOf } from './keys.ts';
import type { Item } from './request.ts';

/** An entry of a book as it is stored. */
export function packEntry(name: BookName, entry: BookEntry): Item {
  const { schema, amount, intent, inputs, handle, counterparty } = entry;
  return {
    pk: bookPartitionOf(name),
    sk: bookPlaceOf(entry),
    ...{ schema, amount, handle: intent.handle },
    ...(inputs.length > 0 && { inputs: [...inputs] }),
    ...(handle !== undefined && { resolved: handle }),
    ...(counterparty !== undefined && { counterparty }),
  };
}

export function unpackEntry({ wallet, symbol }: BookName, item: Item): BookEntry {
  const { moment, luid, number } = bookPlaceIn(item['sk'] as string);
  const { schema, amount, handle, inputs = [], resolved, counterparty } = item;
  return {
    ...(wallet !== undefined && { wallet }),
    ...{ symbol, moment, number },
    schema: schema as BookEntry['schema'],
    amount: BigInt(amount as bigint),
    intent: { handle: handle as string, luid },
    inputs: (inputs as readonly unknown[]).map(Number),
    ...(resolved !== undefined && { handle: resolved as string }),
    ...(counterparty !== undefined && { counterparty: counterparty as string }),
  };
}

/** Running totals as they are stored, behind the last entry that they include. */
export function packTotals(name: BookName, place: string, totals: BookTotals): Item {
  return { pk: bookPartitionOf(name), sk: totalSkOf(place), ...totals };
}

export function unpackTotals(item: Item): BookTotals {
  const { debits, credits, reserved, moves, holds } = item;
  return {
    debits: BigInt(debits as bigint),
    credits: BigInt(credits as bigint),
    reserved: BigInt(reserved as bigint),
    moves: Number(moves),
    holds: Number(holds),
  };
}

/** The book of an entry. */
export function bookOf(scope: string, { wallet, symbol }: BookEntry): BookName {
  return wallet === undefined ? { scope, symbol } : { scope, wallet, symbol };
}
