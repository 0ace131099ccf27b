/** `countersign wallet | symbol`: the first records of a ledger, made and shown. */
import { print } from '../cli/output.ts';
import { type ConnectionOptions, type Session, withLedger } from './connection.ts';
import { showAnswer } from './describe.ts';
import { printAnswer } from './printable.ts';
import { list } from './records.ts';

/** Shows a wallet with its balances, or lists the wallets. */
export async function wallet(
  handle: string | undefined,
  options: ConnectionOptions,
): Promise<void> {
  if (handle === undefined) return list('wallets', options);
  await withLedger(options, async ({ ledger }) => {
    const path = { id: handle };
    const record = await ledger.get('/wallets/{id}', { path });
    const balances = await ledger.get('/wallets/{id}/balances', { path });
    if (options.json) return printAnswer({ wallet: record, balances });
    await showAnswer(ledger, record);
    print('');
    if (balances.data.length === 0) print('It has no balance.');
    else await showAnswer(ledger, balances);
  });
}

export async function symbol(
  handle: string | undefined,
  options: ConnectionOptions,
): Promise<void> {
  if (handle === undefined) return list('symbols', options);
  await withLedger(options, async (session) => {
    const answer = await session.ledger.get('/symbols/{id}', { path: { id: handle } });
    await show(session, answer, options);
  });
}

/** Makes a wallet. One that this key made before is shown. */
export async function createWallet(handle: string, options: ConnectionOptions): Promise<void> {
  await withLedger(
    options,
    async (session) => show(session, await session.ledger.create('/wallets', { handle }), options),
    { needsKey: true },
  );
}

export async function createSymbol(
  handle: string,
  { factor, ...options }: ConnectionOptions & { readonly factor: number },
): Promise<void> {
  await withLedger(
    options,
    async (session) => {
      const data = { handle, factor } as Parameters<typeof session.ledger.create<'/symbols'>>[1];
      await show(session, await session.ledger.create('/symbols', data), options);
    },
    { needsKey: true },
  );
}

async function show(
  { ledger }: Session,
  answer: Parameters<typeof showAnswer>[1],
  { json }: ConnectionOptions,
): Promise<void> {
  if (json) printAnswer(answer);
  else await showAnswer(ledger, answer);
}
