/**
 * A few transfers inside this process, through the real actions and the real store, with a listener
 * on the wire to the database. They tell what a transfer asks of the database, and the transactions
 * that went by, word for word, are what the floor is measured with.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Signed } from '../../localstack/client.ts';
import type { Database } from '../../localstack/database.ts';
import { makeTable } from '../../localstack/table.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { foundDefaultLedger } from '../../shared/action/create-ledger.ts';
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { api, type Handler } from '../../shared/http/api.ts';
import { tableClient } from '../../shared/store/client.ts';
import type { Consumed } from '../../shared/store/request.ts';
import { dynamoStore } from '../../shared/store/store.ts';
import { pairsOf, settingOf, transferOf, type Workload, workloads } from './scene.ts';

const tableName = 'countersign';

/** A request to the database as it was sent, and its answer. */
export interface Exchange {
  readonly operation: string;
  readonly sent: string;
  readonly answered: string;
}

/** One transfer as the database saw it. */
export interface Transfer {
  readonly luid: string;
  readonly handle: string;
  readonly consumed: readonly Consumed[];
  readonly exchanges: readonly Exchange[];
}

/** Plays the scene in a new table of the database, and returns the transfers of each workload. */
export async function rehearse(
  database: Database,
  masterKeyFile: string,
  key: SigningKey,
): Promise<Record<Workload, Transfer[]>> {
  const exchanges: Exchange[] = [];
  const consumed: Consumed[] = [];
  const wire = await listenIn(database.endpoint, (exchange) => exchanges.push(exchange));
  const { port } = wire.address() as AddressInfo;
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}`,
    MASTER_KEY_FILE: masterKeyFile,
    LEDGER_HANDLE: 'main',
    SERVER_URLS: 'http://127.0.0.1',
  });
  await makeTable(database.endpoint, tableName);
  const post = await posting((what) => consumed.push(what));
  for (const posts of settingOf(key))
    await Promise.all(posts.map(({ path, body }) => post(path, body)));
  const transfers: Record<Workload, Transfer[]> = { uniform: [], hot: [] };
  let number = 0;
  for (const workload of workloads) {
    for (const pair of pairsOf[workload]) {
      number += 1;
      exchanges.length = 0;
      consumed.length = 0;
      const { luid = '', data } = await post('/intents', transferOf(pair, number, key));
      transfers[workload].push({
        luid,
        handle: String(data['handle']),
        consumed: [...consumed],
        exchanges: [...exchanges],
      });
    }
  }
  delete process.env['DYNAMODB_ENDPOINT'];
  wire.close();
  wire.closeAllConnections();
  return transfers;
}

/** A ledger in this process, wired as its functions are but for the listening store. */
async function posting(
  onConsumed: (what: Consumed) => void,
): Promise<(path: string, body: Signed) => Promise<Signed>> {
  // What reads the environment is imported once the environment is complete.
  const { wiring } = await import('../../functions/wiring.ts');
  const client = tableClient({ endpoint: String(process.env['DYNAMODB_ENDPOINT']) });
  const services = { ...wiring.services, store: dynamoStore({ client, tableName, onConsumed }) };
  await foundDefaultLedger(services);
  const endpoints = ['POST /signers', 'POST /symbols', 'POST /wallets', 'POST /intents'] as const;
  const handler = api({ services, log: () => {} }, endpoints, {
    'POST /signers': create('signer'),
    'POST /symbols': create('symbol'),
    'POST /wallets': create('wallet'),
    'POST /intents': createIntent,
  });
  return (path, body) => call(handler, path, body);
}

async function call(handler: Handler, path: string, body: Signed): Promise<Signed> {
  const event = { httpMethod: 'POST', path, headers: {}, body: JSON.stringify(body) };
  const context = { awsRequestId: path, getRemainingTimeInMillis: () => 29_000 };
  const answer = await handler(event as APIGatewayProxyEvent, context as Context);
  if (answer.statusCode !== 201) throw new Error(`POST ${path}: ${answer.body}`);
  return JSON.parse(answer.body) as Signed;
}

/** Stands between the store and the database, and tells what passes. */
async function listenIn(endpoint: string, tell: (exchange: Exchange) => void): Promise<Server> {
  const server = createServer((message, answer) => {
    pass(endpoint, message).then(
      ({ status, ...exchange }) => {
        tell(exchange);
        answer.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
        answer.end(exchange.answered);
      },
      () => answer.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function pass(
  endpoint: string,
  message: IncomingMessage,
): Promise<Exchange & { readonly status: number }> {
  const sent = await textOf(message);
  const names = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target'];
  const headers = Object.fromEntries(names.map((name) => [name, String(message.headers[name])]));
  const reply = await fetch(endpoint, { method: 'POST', headers, body: sent });
  const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
  return { operation, sent, answered: await reply.text(), status: reply.status };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
