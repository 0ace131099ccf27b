/** The traffic of a drill: wallets that send each other money, and the answers of the ledger. */
import type { SigningKey } from '../../shared/crypto/proof.ts';
import {
  connect,
  Declined,
  type LedgerClient,
  newKey,
  type SignedRecord,
  signedRecord,
} from './client.ts';

/** The intents that were sent to a ledger, by handle. */
export interface SentIntents {
  readonly key: SigningKey;
  readonly intents: Map<string, Intent>;
}

/** An intent as it was sent. */
export interface Intent {
  readonly body: SignedRecord;
  /** The time of the answer `completed`, by which the ledger promises to keep it. */
  promisedMs?: number;
}

export const wallets = ['w0', 'w1', 'w2', 'w3', 'w4'] as const;
const opening = 1_000_000;
const symbol = 'usd';
const againMs = 50;

/** Makes a symbol, and wallets with money. */
export async function furnish(server: string): Promise<SentIntents> {
  const book: SentIntents = { key: newKey(), intents: new Map() };
  const ledger = await connect(server);
  const make = (path: string, data: SignedRecord['data']) =>
    ledger.post(path, signedRecord(data, book.key));
  await make('/symbols', { handle: symbol, factor: 100 });
  for (const handle of wallets) {
    await make('/wallets', { handle });
    const claims = [{ action: 'issue', target: handle, symbol, amount: opening }];
    await send(ledger, book, { handle: `open-${handle}`, claims });
  }
  return book;
}

/** Sends transfers, so many at a time, until the returned function is called. A transfer without an answer is not sent again. */
export function flow(server: string, book: SentIntents, atOnce: number): () => Promise<void> {
  // Handles are taken for ever, so each flow has its own.
  const name = Date.now().toString(36);
  let [isOver, number] = [false, 0];
  const one = async (): Promise<void> => {
    let ledger: LedgerClient | undefined;
    while (!isOver) {
      number += 1;
      const transfer = transferOf(`${name}-${number}`, number);
      try {
        ledger ??= await connect(server);
        await send(ledger, book, transfer);
      } catch (error) {
        // There is no answer while the ledger is down. An API error ends the drill and is printed.
        if (error instanceof Declined) throw error;
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

function transferOf(handle: string, number: number): SignedRecord['data'] {
  const [from, step] = [number % wallets.length, 1 + (number % (wallets.length - 1))];
  const source = wallets[from];
  const target = wallets[(from + step) % wallets.length];
  const claims = [{ action: 'transfer', source, target, symbol, amount: 1 + (number % 9) }];
  return { handle, claims };
}

async function send(
  ledger: LedgerClient,
  book: SentIntents,
  data: SignedRecord['data'],
): Promise<void> {
  const handle = String(data['handle']);
  const intent: Intent = { body: signedRecord(data, book.key) };
  book.intents.set(handle, intent);
  const answer = await ledger.post('/intents', intent.body);
  if (answer.meta['status'] !== 'completed')
    throw new Error(`The intent ${handle} is ${String(answer.meta['status'])}.`);
  intent.promisedMs = Date.now();
}
