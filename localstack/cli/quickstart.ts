/** A first transfer, on a running ledger. */
import { issue, type Ledger, money, transfer } from '../../shared/client/client.ts';
import { signerOf } from '../bank/key.ts';
import { type ConnectionOptions, type Session, withLedger } from '../command/connection.ts';
import { printAnswer } from '../command/printable.ts';
import { profileMembers } from '../command/profiles.ts';
import { ownKey } from './key.ts';
import { print } from './output.ts';
import { tableOf } from './table.ts';

const factor = 100;

/**
 * `countersign quickstart`: makes two wallets and a symbol, issues, transfers, and shows the answer of the ledger, the
 * balances, and the commands to go on with. Where no key is named, it signs with the user's own, which is made if it is
 * missing, so that the next commands sign with the same.
 */
export async function runQuickstart(options: ConnectionOptions): Promise<void> {
  await withLedger(options, (session) => started(session, options), {
    otherKey: () => signerOf(ownKey()),
  });
}

async function started({ ledger }: Session, options: ConnectionOptions): Promise<void> {
  const { json: isJson = false } = options;
  // Handles are taken for ever, so each run has its own.
  const run = Date.now().toString(36);
  const [alice, bob, symbol] = [`alice-${run}`, `bob-${run}`, `usd-${run}`];
  const usd = money(symbol, factor);
  await ledger.create('/symbols', { handle: symbol, factor });
  for (const handle of [alice, bob]) await ledger.create('/wallets', { handle });
  await ledger.pay(issue(alice, usd('100')), { handle: `issue-${run}` });
  const intent = await ledger.pay(transfer(alice, bob, usd('25.50')), {
    handle: `transfer-${run}`,
  });
  if (isJson) return printAnswer(intent);
  print(
    `25.50 ${symbol} from ${alice} to ${bob}. The ledger answers:\n\n${JSON.stringify(intent, null, 2)}\n`,
  );
  print(`The intent is ${intent.meta.status}; every proof of it verifies.\n`);
  await showBalances(ledger, [alice, bob]);
  print(`\n${nextSteps(options, { alice, bob, symbol, intent: `transfer-${run}` })}`);
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

/** The commands to go on with, at the same ledger. */
function nextSteps(options: ConnectionOptions, { alice, bob, symbol, intent }: Names): string {
  const same = (['profile', ...profileMembers] as const).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name} ${value}`];
  });
  const lines = [
    `pay ${bob} ${alice} 5 ${symbol}`,
    `wallet ${alice}`,
    `statement ${alice} ${symbol}`,
    `verify intents/${intent}`,
    'watch',
  ];
  const commands = lines.map((line) => ['  countersign', line, ...same].join(' '));
  return ['Go on with:', ...commands].join('\n');
}
