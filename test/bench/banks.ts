/**
 * Two bridges in the process of the bench. Each answers a call with 202 and reports at once, by a proof. A payment ends
 * when the answer to a report has a final status.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Proof } from '../../shared/shape/proof.ts';
import type { Body, Item } from '../fixture/client.ts';
import { type Bank, reportOf, reportsPathOf } from './payment-scene.ts';

export interface OpenBank {
  /** The address that the ledger calls. */
  readonly server: string;
  readonly close: () => void;
}

/** Receives unexpected answers. */
export type OnTrouble = (what: string) => void;
/** Receives the status of an intent, from the answer to each report. */
export type OnStatus = (intent: string, status: string) => void;

/** The address of the ledger, and the connections to it. */
export interface Line {
  readonly ledgerUrl: string;
  readonly agent: Agent;
}

export function newAgent(): Agent {
  return new Agent({ keepAlive: true });
}

/** Posts to the ledger; returns the record. */
export async function post(
  { ledgerUrl, agent }: Line,
  path: string,
  body: Body | Proof,
): Promise<Item> {
  const sent = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': sent.length };
  const sending = request(`${ledgerUrl}${path}`, { method: 'POST', agent, headers });
  sending.end(sent);
  const [message] = (await once(sending, 'response')) as [IncomingMessage];
  const answered = await text(message);
  const isDone = message.statusCode === 200 || message.statusCode === 201;
  if (!isDone) throw new Error(`POST ${path}: ${message.statusCode} ${answered.slice(0, 300)}`);
  return JSON.parse(answered) as Item;
}

/** Opens a bank, on a port of its own. */
export async function openBank(
  bank: Bank,
  line: () => Line,
  { onStatus, onTrouble }: { readonly onStatus: OnStatus; readonly onTrouble: OnTrouble },
): Promise<OpenBank> {
  const report = async (path: string, body: string): Promise<void> => {
    const { handle, intent } = (JSON.parse(body) as Item).data as unknown as Entry;
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
  readonly intent: Item;
}
