/** The options of `npm run bridge`: flags, then the environment, then defaults. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AccountOpening } from './bank.ts';
import type { BridgeOptions } from './bridge.ts';

export const usage = `npm run bridge -- <name> [--port 4001] [--account 1001=70000 …] [--account 1009=closed]
  [--server http://127.0.0.1:3000/v2] [--ledger <handle>] [--ledger-key <base64>]
  [--address https://…] [--data <folder>] [--key <file>] [--symbol usd]`;

const text = { type: 'string' } as const;
const flags = {
  port: text,
  account: { type: 'string', multiple: true },
  server: text,
  ledger: text,
  'ledger-key': text,
  address: text,
  data: text,
  key: text,
  symbol: text,
} as const;

/** Reads the arguments of the command line; throws for unknown ones. */
export function optionsOf(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Omit<BridgeOptions, 'say'> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
  });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0)
    throw new Error('Give exactly one name for the bridge.');
  if (!/^[\w\-+.]{1,64}$/.test(name)) throw new Error(`'${name}' cannot be the name of a bank.`);
  return {
    name,
    port: portOf(values.port, env['PORT']),
    address: values.address?.replace(/\/$/, ''),
    server: (values.server ?? env['SERVER'] ?? 'http://127.0.0.1:3000/v2').replace(/\/$/, ''),
    ledger: values.ledger ?? env['LEDGER'],
    ledgerKey: values['ledger-key'] ?? env['LEDGER_KEY'],
    data: values.data ?? env['BRIDGE_DATA'] ?? join('.countersign', `bridge-${name}`),
    keyFile: values.key,
    symbol: values.symbol ?? 'usd',
    accounts: (values.account ?? []).map(openingOf),
  };
}

function portOf(flag: string | undefined, variable: string | undefined): number {
  const port = flag ?? (variable || '4001');
  const name = flag === undefined ? 'PORT' : '--port';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Error(`${name} must be a number from 0 to 65535, not '${port}'.`);
  return Number(port);
}

/** Reads an account: `1001=70000`, `1009=closed`, or `1002` with a balance of 0. */
function openingOf(text: string): AccountOpening {
  const [, account, amount = '0'] = /^([\w\-+.]+)(?:=(\d{1,15}|closed))?$/.exec(text) ?? [];
  if (account === undefined) throw new Error(`An account must be as 1001=70000, not '${text}'.`);
  return { account, balance: amount === 'closed' ? amount : Number(amount) };
}
