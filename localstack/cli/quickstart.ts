/**
 * `npm run quickstart [-- file]`: the README's example against a running ledger. Makes a key, two wallets and a
 * symbol, issues, transfers, and shows what was sent, what was answered, and the balances. On a closed ledger it
 * signs with the key of a file, as `npm run key` makes one.
 */
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { keyOf } from '../bank/key.ts';
import { exitWith } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import {
  connect,
  type LedgerClient,
  newKey,
  type SignedList,
  type SignedRecord,
  signedRecord,
} from './client.ts';
import { tableOf } from './table.ts';

async function main(): Promise<void> {
  const server = variable('SERVER');
  const [path] = process.argv.slice(2);
  const key = path === undefined ? newKey() : keyOf(path);
  const ledger = await connect(server, path === undefined ? {} : { reader: key });
  // Handles are taken for ever, so each run has its own.
  const run = Date.now().toString(36);
  const [alice, bob, usd] = [`alice-${run}`, `bob-${run}`, `usd-${run}`];
  const make = (path: string, data: SignedRecord['data']) =>
    ledger.post(path, signedRecord(data, key));

  await make('/symbols', { handle: usd, factor: 100 });
  await make('/wallets', { handle: alice });
  await make('/wallets', { handle: bob });
  await make('/intents', {
    handle: `issue-${run}`,
    claims: [{ action: 'issue', target: alice, symbol: usd, amount: 10_000 }],
  });
  await transfer(
    { server, ledger, key },
    {
      handle: `transfer-${run}`,
      claims: [{ action: 'transfer', source: alice, target: bob, symbol: usd, amount: 2_550 }],
    },
  );
  await showBalances(ledger, [alice, bob]);
}

/** Sends a transfer, and prints the request and the answer. */
async function transfer(
  { server, ledger, key }: { server: string; ledger: LedgerClient; key: SigningKey },
  data: SignedRecord['data'],
): Promise<void> {
  const request = signedRecord(data, key);
  console.log(`POST ${server}/intents\n${JSON.stringify(request, null, 2)}\n`);
  const answer = await ledger.post('/intents', request);
  console.log(`201 Created\n${JSON.stringify(answer, null, 2)}\n`);
  console.log(`The intent is ${String(answer.meta['status'])}; every proof of it verifies.\n`);
}

async function showBalances(ledger: LedgerClient, wallets: readonly string[]): Promise<void> {
  const rows = [];
  for (const wallet of wallets) {
    const { data } = await ledger.get<SignedList>(`/wallets/${wallet}/balances`);
    rows.push(...data.map((row) => row.data));
  }
  const columns = ['wallet', 'symbol', 'schema', 'amount'];
  const fields = rows.map((row) => columns.map((column) => String(row[column])));
  console.log(tableOf(columns, fields, columns.length - 1));
}

main().catch(exitWith(1));
