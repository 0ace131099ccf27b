/** The traffic of a drill: wallets that send each other money, and the answers of the ledger. */
import {
  connect,
  hashOf,
  issue,
  type Ledger,
  LedgerRefused,
  type MemoryKey,
  newKey,
  transfer,
} from '../../shared/client/client.ts';

/** The intents that were sent to a ledger, by handle. */
export interface SentIntents {
  readonly key: MemoryKey;
  readonly intents: Map<string, Intent>;
}

/** The money of an intent; without a source it is issued. */
interface MovedMoney {
  readonly source?: string;
  readonly target: string;
  /** In cents. */
  readonly amount: number;
}

/** An intent as it was sent. */
export interface Intent {
  /** The hash that was signed. */
  readonly hash: string;
  readonly moved: MovedMoney;
  /** The time of the answer `completed`, by which the ledger promises to keep it. */
  promisedMs?: number;
}

export const wallets = ['w0', 'w1', 'w2', 'w3', 'w4'] as const;
const opening = 1_000_000;
const symbol = 'usd';
const againMs = 50;
/** One attempt: what is without an answer must not be sent again. */
const attempts = 1;

/** Makes a symbol, and wallets with money. */
export async function furnish(server: string): Promise<SentIntents> {
  const book: SentIntents = { key: newKey(), intents: new Map() };
  const ledger = await connect(server, { signer: book.key, attempts });
  await ledger.create('/symbols', { handle: symbol, factor: 100 });
  for (const handle of wallets) {
    await ledger.create('/wallets', { handle });
    await send(ledger, book, `open-${handle}`, { target: handle, amount: opening });
  }
  return book;
}

/** Sends transfers, so many at a time, until the returned function is called. A transfer without an answer is not sent again. */
export function flow(server: string, book: SentIntents, atOnce: number): () => Promise<void> {
  // Handles are taken for ever, so each flow has its own.
  const name = Date.now().toString(36);
  let [isOver, number] = [false, 0];
  const one = async (): Promise<void> => {
    let ledger: Ledger | undefined;
    while (!isOver) {
      number += 1;
      const [handle, moved] = [`${name}-${number}`, movedBy(number)];
      try {
        ledger ??= await connect(server, { signer: book.key, attempts });
        await send(ledger, book, handle, moved);
      } catch (error) {
        // There is no answer while the ledger is down. An API error ends the drill and is printed.
        if (error instanceof LedgerRefused) throw error;
        ledger = undefined;
        await new Promise((resolve) => setTimeout(resolve, againMs));
      }
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, one));
  running.catch(() => undefined);
  return async () => {
    isOver = true;
    await running;
  };
}

function movedBy(number: number): MovedMoney {
  const [from, step] = [number % wallets.length, 1 + (number % (wallets.length - 1))];
  const source = wallets[from] as string;
  const target = wallets[(from + step) % wallets.length] as string;
  return { source, target, amount: 1 + (number % 9) };
}

async function send(
  ledger: Ledger,
  book: SentIntents,
  handle: string,
  moved: MovedMoney,
): Promise<void> {
  const { source, target, amount } = moved;
  const money = { symbol, amount };
  const claim = source === undefined ? issue(target, money) : transfer(source, target, money);
  const intent: Intent = { hash: hashOf({ handle, claims: [claim] }), moved };
  book.intents.set(handle, intent);
  const answer = await ledger.pay(claim, { handle });
  if (answer.meta.status !== 'completed')
    throw new Error(`The intent ${handle} is ${answer.meta.status}.`);
  intent.promisedMs = Date.now();
}
