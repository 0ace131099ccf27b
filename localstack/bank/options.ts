/** The options of `countersign bridge`: those of the command line, then the environment, then defaults. */
import { join } from 'node:path';
import { isValidPublic } from '../../shared/crypto/key.ts';
import { misused } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import type { AccountOpening } from './bank.ts';
import type { BridgeOptions } from './bridge.ts';

/** The options of the command, as they are given. */
export interface BridgeWords {
  readonly port?: string;
  readonly account?: readonly string[];
  readonly ledger?: string;
  readonly ledgerKey?: string;
  readonly address?: string;
  readonly data?: string;
  readonly key?: string;
  readonly symbol?: string;
}

/** The bridge that is meant; refuses, in one line, what cannot be. */
export function bridgeOptionsOf(
  name: string,
  { port, account = [], ledger, ledgerKey, address, data, key, symbol = 'usd' }: BridgeWords,
  env: Readonly<Record<string, string | undefined>>,
): Omit<BridgeOptions, 'say'> {
  const trusted = ledgerKey ?? env['LEDGER_KEY'];
  if (trusted !== undefined && !isValidPublic(trusted))
    throw misused(`The key of the ledger is an ed25519 public key in base64, not '${trusted}'.`);
  if (!/^[\w\-+.]{1,64}$/.test(name)) throw misused(`'${name}' cannot be the name of a bank.`);
  return {
    name,
    port: portOf(port, env['PORT']),
    address: address?.replace(/\/$/, ''),
    server: variable('SERVER').replace(/\/$/, ''),
    ledger: ledger ?? env['LEDGER'],
    ledgerKey: trusted,
    data: data ?? env['BRIDGE_DATA'] ?? join('.countersign', `bridge-${name}`),
    keyFile: key,
    symbol,
    accounts: account.map(openingOf),
  };
}

function portOf(flag: string | undefined, variable: string | undefined): number {
  const port = flag ?? (variable || '4001');
  const name = flag === undefined ? 'PORT' : '--port';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw misused(`${name} must be a whole number from 0 to 65535, not '${port}'.`);
  return Number(port);
}

/** Reads an account: `1001=70000`, `1009=closed`, or `1002` with a balance of 0. */
function openingOf(text: string): AccountOpening {
  const [, account, amount = '0'] = /^([\w\-+.]+)(?:=(\d{1,15}|closed))?$/.exec(text) ?? [];
  if (account === undefined) throw misused(`An account must be as 1001=70000, not '${text}'.`);
  return { account, balance: amount === 'closed' ? amount : Number(amount) };
}
