/** Traffic of a drill: wallets that send each other money, and what the ledger has said of it. */
import type { SigningKey } from '../shared/crypto/proof.ts';
import { type Client, connect, Declined, newKey, type Signed, signedRecord } from './client.ts';

/** An intent as it was sent. */
interface Sent {
  readonly body: Signed;
  readonly sentMs: number;
}

/** What was sent to a ledger, by the handle of the intent. */
export interface Book {
  readonly key: SigningKey;
  /** What the ledger has answered: it has promised to keep that. */
  readonly promised: Map<string, Sent & { readonly answeredMs: number }>;
  /** What was sent and never answered: it may be there or not. */
  readonly open: Map<string, Sent>;
}

export const wallets = ['w0', 'w1', 'w2', 'w3', 'w4'] as const;
const opening = 1_000_000;
const symbol = 'usd';

/** Makes a symbol, and wallets with money. */
export async function furnish(server: string): Promise<Book> {
  const book: Book = { key: newKey(), promised: new Map(), open: new Map() };
  const ledger = await connect(server);
  const make = (path: string, data: Signed['data']) =>
    ledger.post(path, signedRecord(data, book.key));
  await make('/symbols', { handle: symbol, factor: 100 });
  for (const handle of wallets) {
    await make('/wallets', { handle });
    const claims = [{ action: 'issue', target: handle, symbol, amount: opening }];
    await send(ledger, book, { handle: `open-${handle}`, claims });
  }
  return book;
}

/** Sends transfers, so many at a time, until it is told to stop; what is not answered any more is left open. */
export function flow(server: string, book: Book, atOnce: number): () => Promise<void> {
  let isOver = false;
  let number = book.promised.size + book.open.size;
  const one = async (): Promise<void> => {
    let ledger: Client | undefined;
    while (!isOver) {
      number += 1;
      const [source, target] = [wallets[number % 5], wallets[(number * 2 + 1) % 5]];
      const amount = 1 + (number % 9);
      const claims = [{ action: 'transfer', source, target, symbol, amount }];
      try {
        ledger ??= await connect(server);
        if (source !== target) await send(ledger, book, { handle: `t${number}`, claims });
      } catch (error) {
        if (error instanceof Declined) throw error;
        ledger = undefined;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const running = Array.from({ length: atOnce }, one);
  return async () => {
    isOver = true;
    await Promise.all(running);
  };
}

async function send(ledger: Client, book: Book, data: Signed['data']): Promise<void> {
  const handle = String(data['handle']);
  const sent = { body: signedRecord(data, book.key), sentMs: Date.now() };
  book.open.set(handle, sent);
  const answer = await ledger.post('/intents', sent.body);
  if (answer.meta['status'] !== 'completed')
    throw new Error(`The intent ${handle} is ${String(answer.meta['status'])}.`);
  book.open.delete(handle);
  book.promised.set(handle, { ...sent, answeredMs: Date.now() });
}

/** What a restored ledger holds of what was sent to the one before. */
export interface Found {
  /** Promised before the backup. */
  readonly kept: number;
  /** Promised before the backup, and not there, or not as it was. */
  readonly broken: readonly string[];
  /** On their way when the backup was taken, and in it. */
  readonly lucky: number;
  /** Promised after the backup: lost with the table. */
  readonly lost: number;
  /** Balances that are not what the intents say. */
  readonly wrong: readonly string[];
}

/** Compares a restored ledger with what was promised before a moment. */
export async function compare(server: string, book: Book, backupMs: number): Promise<Found> {
  const ledger = await connect(server);
  const balances = new Map<string, number>();
  const add = (wallet: unknown, amount: number) => {
    const name = String(wallet);
    if (wallet !== undefined) balances.set(name, (balances.get(name) ?? 0) + amount);
  };
  const broken: string[] = [];
  let [kept, lucky, lost] = [0, 0, 0];
  const all = [...book.promised, ...book.open];
  for (const [handle, { body }] of all) {
    const answered = book.promised.get(handle)?.answeredMs;
    const isDue = answered !== undefined && answered <= backupMs;
    const there = await ledger.get(`/intents/${handle}`).catch(whenMissing);
    const isThere = there?.hash === body.hash && there.meta['status'] === 'completed';
    if (isDue && !isThere) broken.push(handle);
    if (isDue && isThere) kept += 1;
    if (!isDue && isThere) lucky += 1;
    if (!isDue && !isThere && answered !== undefined) lost += 1;
    for (const claim of isThere ? (body.data['claims'] as Signed['data'][]) : []) {
      add(claim['source'], -Number(claim['amount']));
      add(claim['target'], Number(claim['amount']));
    }
  }
  const wrong: string[] = [];
  for (const wallet of wallets) {
    const found = await amountOf(ledger, wallet);
    const expected = balances.get(wallet) ?? 0;
    if (found !== expected) wrong.push(`${wallet}: expected ${expected}, found ${found}`);
  }
  return { kept, broken, lucky, lost, wrong };
}

function whenMissing(error: unknown): undefined {
  if (error instanceof Declined && error.reason === 'record.not-found') return undefined;
  throw error;
}

async function amountOf(ledger: Client, wallet: string): Promise<number> {
  const { data } = await ledger.get<{ data: readonly Signed[] } & Signed>(
    `/wallets/${wallet}/balances`,
  );
  return (data as unknown as readonly Signed[]).reduce(
    (sum, one) => sum + Number(one.data['amount']),
    0,
  );
}
