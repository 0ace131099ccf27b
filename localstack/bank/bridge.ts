/**
 * The bridge: the bank's books behind a port that the ledger calls, and its reports. It may end at any
 * moment and be started again on the same folder: every promise it made is in there.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { type Client, connect, Unsigned } from '../cli/client.ts';
import { makeFolder } from '../runtime/folder.ts';
import { lock } from '../runtime/lock.ts';
import { type Opening, openBank } from './bank.ts';
import type { Books } from './books.ts';
import type { Call } from './call.ts';
import { keyIn, pin, pinnedIn } from './key.ts';
import { announce } from './register.ts';
import { startReports } from './reports.ts';
import { lineOf } from './said.ts';
import { bridgeServer } from './server.ts';

export interface BridgeOptions {
  /** The bank: handle of its signer, bridge and wallet, and the domain of its addresses. */
  readonly name: string;
  readonly port: number;
  /** Where the ledger can call it, when that is not this port on this machine. */
  readonly address?: string | undefined;
  /** Base address and handle of the ledger; without a handle it is the default one. */
  readonly server: string;
  readonly ledger?: string | undefined;
  /** The ledger's public key; without it, the key that the ledger shows at first is believed for good. */
  readonly ledgerKey?: string | undefined;
  /** The folder of the journal and the keys. */
  readonly data: string;
  readonly keyFile?: string | undefined;
  readonly symbol: string;
  readonly accounts: readonly Opening[];
  readonly say: (line: string) => void;
}

export interface Bridge {
  /** Where it listens. */
  readonly url: string;
  readonly books: Books;
  readonly stop: () => Promise<void>;
}

/** Starts the bridge and makes it known to the ledger. */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { data } = options;
  makeFolder(data, 'The folder of a bridge');
  const unlock = lock(join(data, 'journal.jsonl'), `Another bridge is running on ${data}.`);
  try {
    const key = keyIn(options.keyFile ?? join(data, 'bridge.key'));
    const known = await ledgerOf(options, key);
    return await opened(options, key, known, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function opened(
  options: BridgeOptions,
  key: SigningKey,
  { ledger, isKnown }: Known,
  unlock: () => void,
): Promise<Bridge> {
  const { name, port, address, data, symbol, accounts, say } = options;
  const bank = openBank(name, join(data, 'journal.jsonl'));
  const { books } = bank;
  for (const opening of accounts)
    if (bank.open(opening, symbol)) say(`opened     account ${opening.account}`);
  const reports = startReports({ key, say, post: ledger.post, accepted: bank.sent });
  const hear = (call: Call) => {
    if (call.action === 'status') return say(`told       ${call.intent.handle} is ${call.status}`);
    const decision = bank.take(call);
    say(lineOf(books, decision, call.intent));
    reports.send({ intent: call.intent, report: decision.report });
  };
  const server = bridgeServer({ trust: { name, ledgerKey: ledger.key }, books, hear, say });
  let silence = () => {};
  const stop = async () => {
    silence();
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
    const me = { name, key, symbol, address: address ?? url };
    silence = await announce(ledger, me, { say, isPatient: isKnown });
    for (const owed of books.unsent.values()) reports.send(owed);
    return { url, books, stop };
  } catch (error) {
    await stop();
    if (!isKnown || !(error instanceof Unsigned)) throw error;
    throw new Error(`${error.message} It must be signed by ${ledger.key}, as pinned or given.`);
  }
}

interface Known {
  readonly ledger: Client;
  /** Whether its key was known before. */
  readonly isKnown: boolean;
}

/** The ledger as the bank reads it, and the key that it must sign with: the one that is given, or was pinned, or is pinned now. */
async function ledgerOf(
  { server, ledger: handle, ledgerKey, data }: BridgeOptions,
  reader: SigningKey,
): Promise<Known> {
  const path = join(data, 'ledger.pub');
  const key = ledgerKey ?? pinnedIn(path);
  const ledger = await connect(server, { ledger: handle, key, reader });
  if (key === undefined) pin(path, ledger.key);
  return { ledger, isKnown: key !== undefined };
}
