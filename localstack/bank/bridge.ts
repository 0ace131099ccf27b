/**
 * The bridge: serves the bank's books to the ledger, and sends reports. It can be killed at any moment and restarted on
 * the same folder, where every prepared entry is stored.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  connect,
  type Ledger,
  LedgerUntrusted,
  ledgerKeysOf,
  type ProofSigner,
} from '../../shared/client/client.ts';
import { type KeyedSigner, keysOf } from '../../shared/log/key-table.ts';
import { makeFolder } from '../runtime/folder.ts';
import { lock } from '../runtime/lock.ts';
import { type AccountOpening, openBank } from './bank.ts';
import type { BankBooks, BankReport, Decision, IntentName } from './books.ts';
import type { BankCall, TrustedLedger } from './call.ts';
import { keyIn, pin, pinNext, pinnedIn, signerOf } from './key.ts';
import { announce } from './register.ts';
import { startReports } from './reports.ts';
import { bridgeServer, type ServerOptions } from './server.ts';

/** The attempts of one request: what a bridge owes is sent again by itself. */
const attempts = 1;

export interface BridgeOptions {
  /** Handle of the bank's signer, bridge and wallet, and the domain of its addresses. */
  readonly name: string;
  readonly port: number;
  /** The address that the ledger calls; by default this port on this machine. */
  readonly address?: string | undefined;
  /** Base address and handle of the ledger; by default the default ledger. */
  readonly server: string;
  readonly ledger?: string | undefined;
  /** The ledger's public key; by default the key that the ledger shows at the first start is pinned. */
  readonly ledgerKey?: string | undefined;
  /** The folder of the journal and the keys. */
  readonly data: string;
  readonly keyFile?: string | undefined;
  readonly symbol: string;
  readonly accounts: readonly AccountOpening[];
  readonly say: (line: string) => void;
}

export interface Bridge {
  readonly url: string;
  readonly books: BankBooks;
  readonly stop: () => Promise<void>;
}

/** Starts the bridge and registers it with the ledger. */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { data } = options;
  makeFolder(data, 'The folder of a bridge');
  const unlock = lock(join(data, 'journal.jsonl'), `Another bridge is running on ${data}.`);
  try {
    const signer = signerOf(keyIn(options.keyFile ?? join(data, 'bridge.key')));
    const known = await ledgerOf(options, signer);
    return await opened(options, signer, known, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function opened(
  options: BridgeOptions,
  signer: ProofSigner,
  { ledger, isKnown }: KnownLedger,
  unlock: () => void,
): Promise<Bridge> {
  const { name, port, address, data, symbol, accounts, say } = options;
  const bank = openBank(name, join(data, 'journal.jsonl'));
  const { books } = bank;
  for (const opening of accounts)
    if (bank.open(opening, symbol)) say(`opened     account ${opening.account}`);
  const reports = startReports({ ledger, say, accepted: bank.sent });
  const hear = (call: BankCall) => {
    if (call.action === 'status') return say(`status     ${call.intent.handle} is ${call.status}`);
    const decision = bank.take(call);
    say(lineOf(books, decision, call.intent));
    reports.send({ intent: call.intent, report: decision.report });
  };
  const trust = trustIn(ledger, books, join(data, 'ledger.pub'));
  const server = bridgeServer({ trust, books, hear, say });
  let stopWatching = () => {};
  const stop = async () => {
    stopWatching();
    reports.stop();
    if (server.listening) {
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
    }
    bank.close();
    unlock();
  };
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const me = { name, key: signer.public, symbol, address: address ?? url };
    stopWatching = await announce(ledger, me, { say, isPatient: isKnown });
    for (const owed of books.unsent.values()) reports.send(owed);
    return { url, books, stop };
  } catch (error) {
    await stop();
    if (!isKnown || !(error instanceof LedgerUntrusted)) throw error;
    throw new LedgerUntrusted(
      `${error.message} Answers must be signed by ${ledger.key}, the key that is pinned or given.`,
    );
  }
}

/** Looks at the ledger's keys at most this often, in milliseconds: anyone may send a call that no key has signed. */
const lookMsMin = 1_000;

/** Knows the ledger by the keys that follow from the pinned one, and pins the newest. Ruling 99. */
function trustIn(
  ledger: Ledger,
  { name, entries }: BankBooks,
  path: string,
): ServerOptions['trust'] {
  let keys: Pick<TrustedLedger, 'ledgerKeys' | 'formerKeys'> = {
    ledgerKeys: [ledger.key],
    formerKeys: [],
  };
  const look = async (): Promise<void> => {
    const signer = ledger.get('/signers/{id}', { path: { id: 'system' } });
    const found = await signer.then((answer) => keysIn(answer, ledger.key)).catch(() => keys);
    const [newest] = found.ledgerKeys;
    if (newest !== undefined && !keys.ledgerKeys.includes(newest)) pinNext(path, newest);
    keys = found;
  };
  let lookedMs = 0;
  let looked = Promise.resolve();
  return async (isStale) => {
    if (isStale && Date.now() - lookedMs >= lookMsMin) {
      lookedMs = Date.now();
      looked = look();
    }
    // Calls that come meanwhile wait for the same look.
    if (isStale) await looked;
    return { name, entries, ...keys };
  };
}

/** The keys by which the ledger signs now, and those before them that nobody else is known to have. */
function keysIn(
  signer: unknown,
  trusted: string,
): Pick<TrustedLedger, 'ledgerKeys' | 'formerKeys'> {
  const ledgerKeys = ledgerKeysOf(signer, trusted);
  const formerKeys = keysOf(signer as KeyedSigner).filter(
    ({ until, compromised }) => until !== undefined && compromised === undefined,
  );
  return { ledgerKeys, formerKeys };
}

interface KnownLedger {
  readonly ledger: Ledger;
  /** True when its key was given, or pinned before. */
  readonly isKnown: boolean;
}

/** A client of the ledger that verifies its answers by the given or pinned key; the first start pins the key. */
async function ledgerOf(
  { server, ledger: handle, ledgerKey, data }: BridgeOptions,
  signer: ProofSigner,
): Promise<KnownLedger> {
  const path = join(data, 'ledger.pub');
  const trust = ledgerKey ?? pinnedIn(path);
  const ledger = await connect(server, {
    signer,
    attempts,
    ...(handle !== undefined && { ledger: handle }),
    ...(trust !== undefined && { trust }),
  });
  if (trust === undefined) pin(path, ledger.key);
  return { ledger, isKnown: trust !== undefined };
}

/** The line to print for a call about an entry. */
function lineOf(books: BankBooks, { report, step }: Decision, intent: IntentName): string {
  const { status, handle } = report;
  const did = step ? didOf(books, report) : 'as before';
  return `${status.padEnd(10)} ${did} (${handle} of ${intent.handle})`;
}

function didOf({ accounts, entries }: BankBooks, report: BankReport): string {
  if (report.status === 'failed') return `${report.reason}: ${report.detail}`;
  const { entry, first } = entries.get(report.handle) ?? {};
  if (!entry) return 'an entry that never came';
  if (first?.status === 'failed') return 'an entry that had failed';
  const { schema, amount, symbol, account } = entry;
  const money = `${amount} ${symbol}`;
  const isDebit = schema === 'debit';
  if (report.status === 'prepared')
    return isDebit ? `hold ${money} on ${account}` : `expect ${money} for ${account}`;
  if (report.status === 'aborted')
    return isDebit ? `released ${money} on ${account}` : `no longer expect ${money} for ${account}`;
  const did = isDebit ? `took ${money} from ${account}` : `added ${money} to ${account}`;
  return `${did}, which has ${accounts.get(account)?.balance}`;
}
