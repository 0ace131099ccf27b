/**
 * Two bridges in the process of the bench: each takes a call with 202 and reports at once, by a proof. A payment is
 * over when the ledger answers to a report that it is.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Signed } from '../../localstack/cli/client.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { type Bank, reportOf, reportsPathOf } from './payment-scene.ts';

export interface OpenBank {
  /** Where the ledger calls it. */
  readonly server: string;
  readonly close: () => void;
}

/** A request that was answered otherwise than it should. */
export type OnTrouble = (what: string) => void;
/** Told how an intent stands, by the answer to each report on it. */
export type OnStatus = (intent: string, status: string) => void;

/** How the ledger is spoken to: where, and over which connections. */
export interface Line {
  readonly ledgerUrl: string;
  readonly agent: Agent;
}

/** The connections of a bench, kept open. */
export function newAgent(): Agent {
  return new Agent({ keepAlive: true });
}

/** Posts to the ledger; answers the record. */
export async function post(
  { ledgerUrl, agent }: Line,
  path: string,
  body: Signed | Proof,
): Promise<Signed> {
  const sent = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': sent.length };
  const sending = request(`${ledgerUrl}${path}`, { method: 'POST', agent, headers });
  sending.end(sent);
  const [message] = (await once(sending, 'response')) as [IncomingMessage];
  const answered = await text(message);
  const isDone = message.statusCode === 200 || message.statusCode === 201;
  if (!isDone) throw new Error(`POST ${path}: ${message.statusCode} ${answered.slice(0, 300)}`);
  return JSON.parse(answered) as Signed;
}

/** Opens a bank, on a port of its own. */
export async function openBank(
  bank: Bank,
  line: () => Line,
  { onStatus, onTrouble }: { readonly onStatus: OnStatus; readonly onTrouble: OnTrouble },
): Promise<OpenBank> {
  const report = async (path: string, body: string): Promise<void> => {
    const { handle, intent } = (JSON.parse(body) as Signed).data as unknown as Entry;
    const name = String(intent.data['handle']);
    const status = path.endsWith('/commit') ? 'committed' : 'prepared';
    const proof = reportOf(bank, intent.hash, handle, status);
    const { meta } = await post(line(), reportsPathOf(name), proof);
    onStatus(name, String(meta['status']));
  };
  const server: Server = createServer((message, answer) => {
    const { method, url = '' } = message;
    text(message)
      .then((body) => {
        answer.writeHead(202).end();
        if (url.endsWith('/abort')) return onTrouble(url);
        return method === 'POST' ? report(url, body) : undefined;
      })
      .catch((error: unknown) => onTrouble(String(error)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close().closeAllConnections(),
  };
}

interface Entry {
  readonly handle: string;
  readonly intent: Signed;
}
