/** A first transfer, on a running ledger. */
import { issue, type Ledger, money, transfer } from '../../shared/client/client.ts';
import { variable } from '../runtime/variables.ts';
import { print } from './output.ts';
import { connectSigned, type SignedAccess } from './signing.ts';
import { tableOf } from './table.ts';

const factor = 100;

/**
 * `countersign quickstart`: makes two wallets and a symbol, issues, transfers, and shows the answer of the ledger, the
 * balances, and the commands to go on with.
 */
export async function runQuickstart(access: SignedAccess): Promise<void> {
  const ledger = await connectSigned(access);
  // Handles are taken for ever, so each run has its own.
  const run = Date.now().toString(36);
  const [alice, bob, symbol] = [`alice-${run}`, `bob-${run}`, `usd-${run}`];
  const usd = money(symbol, factor);
  await ledger.create('/symbols', { handle: symbol, factor });
  for (const handle of [alice, bob]) await ledger.create('/wallets', { handle });
  await ledger.pay(issue(alice, usd('100')), { handle: `issue-${run}` });
  print(`POST ${variable('SERVER')}/intents: 25.50 ${symbol} from ${alice} to ${bob}\n`);
  const intent = await ledger.pay(transfer(alice, bob, usd('25.50')), {
    handle: `transfer-${run}`,
  });
  print(`201 Created\n${JSON.stringify(intent, null, 2)}\n`);
  print(`The intent is ${intent.meta.status}; every proof of it verifies.\n`);
  await showBalances(ledger, [alice, bob]);
  print(`\n${nextSteps(access, { alice, bob, symbol, intent: `transfer-${run}` })}`);
}

async function showBalances(ledger: Ledger, wallets: readonly string[]): Promise<void> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (const id of wallets) {
    const { data } = await ledger.get('/wallets/{id}/balances', { path: { id } });
    rows.push(...data.map((row) => row.data as unknown as Readonly<Record<string, unknown>>));
  }
  const columns = ['wallet', 'symbol', 'schema', 'amount'];
  const fields = rows.map((row) => columns.map((column) => String(row[column])));
  print(tableOf(columns, fields, columns.length - 1));
}

interface Names {
  readonly alice: string;
  readonly bob: string;
  readonly symbol: string;
  readonly intent: string;
}

/** The commands to go on with. */
function nextSteps(
  { ledger, keyPath }: SignedAccess,
  { alice, bob, symbol, intent }: Names,
): string {
  const options = [
    ...(ledger === undefined ? [] : [`--ledger ${ledger}`]),
    ...(keyPath === undefined ? [] : [`--key ${keyPath}`]),
  ];
  const lines = [
    `pay ${bob} ${alice} 5 --symbol ${symbol}`,
    `wallet ${alice}`,
    `get /intents/${intent}`,
    'watch',
  ];
  return [
    'Go on with:',
    ...lines.map((line) => ['  countersign', line, ...options].join(' ')),
  ].join('\n');
}
