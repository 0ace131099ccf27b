/**
 * A ledger in this process, with the real actions and the real store. The requests of its store are counted and
 * recorded.
 */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { openDatabase } from '../../localstack/runtime/database.ts';
import { makeTable } from '../../localstack/runtime/table.ts';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { foundDefaultLedger } from '../../shared/action/found-ledger.ts';
import { prove } from '../../shared/action/prove.ts';
import { api, type Handler } from '../../shared/http/api.ts';
import type { Services } from '../../shared/port/action.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { tableClient } from '../../shared/store/client.ts';
import { markDense } from '../../shared/store/layout.ts';
import { type RecentReads, recentReads, withRecent } from '../../shared/store/recent.ts';
import type { Consumed } from '../../shared/store/request.ts';
import { deadlineIn } from '../../shared/store/retry.ts';
import { dynamoStore, type OutboxPlace, type TableOptions } from '../../shared/store/store.ts';
import type { Batch } from '../cloud/ledger.ts';
import type { Body, Item } from '../fixture/client.ts';
import { between } from '../fixture/trouble.ts';

export const tableName = 'countersign';

/** A request to the table, and its answer. */
interface Exchange {
  readonly command: object;
  readonly output: unknown;
}

/** Requests to the table. */
export interface Traffic {
  readonly consumed: readonly Consumed[];
  readonly exchanges: readonly Exchange[];
}

export interface LedgerHere {
  /** The services of its functions; only the store of requests is counted. */
  readonly services: Services;
  /** What this process has read of late. */
  readonly recent: RecentReads;
  /** The table with a counter of its own. */
  readonly counting: (onConsumed: (what: Consumed) => void) => TableOptions;
  readonly post: (path: string, body: Body | Proof | Batch) => Promise<Item>;
  /** The requests to the table since the last call. */
  readonly heard: () => Traffic;
  /** The shards of the outbox with new entries since the last call. */
  readonly nudged: () => number[];
}

/** A ledger in a new file, which does not outlast the machine. */
export async function ledgerIn(path: string, masterKeyFile: string): Promise<LedgerHere> {
  const { endpoint } = await openDatabase(path, { isFleeting: true });
  await makeTable(endpoint, tableName);
  return ledgerHere(endpoint, masterKeyFile);
}

/** A ledger in the empty table of a database; a process has one. */
export async function ledgerHere(endpoint: string, masterKeyFile: string): Promise<LedgerHere> {
  const exchanges: Exchange[] = [];
  const consumed: Consumed[] = [];
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: endpoint,
    MASTER_KEY_FILE: masterKeyFile,
    LEDGER_HANDLE: 'main',
    SERVER_URLS: 'http://127.0.0.1',
  });
  // This module reads the environment when it is imported, so the environment must be complete.
  const { wiring } = await import('../../functions/wiring.ts');
  delete process.env['DYNAMODB_ENDPOINT'];
  const counting = (onConsumed: (what: Consumed) => void) => ({
    client: tableClient({ endpoint }),
    tableName,
    onConsumed,
  });
  const nudged = new Set<number>();
  const onStored = (places: readonly OutboxPlace[]) => {
    for (const { shard } of places) nudged.add(shard);
  };
  const counted = counting((what) => consumed.push(what));
  const client = between(counted.client, async (command, send) => {
    const output = await send(command);
    exchanges.push({ command, output });
    return output;
  });
  const table = dynamoStore({ ...counted, client, onStored });
  const recent = recentReads();
  const store = withRecent(table, recent);
  const services: Services = { ...wiring.services, store };
  await foundDefaultLedger(services);
  // As a ledger is an hour after its first record.
  const own = { ...counting(() => {}), deadlineMs: 15_000, onConsumed: undefined };
  await markDense(own, 'main', deadlineIn(own.deadlineMs), 0);
  const handler = handlerOf(services);
  return {
    services,
    recent,
    counting,
    post: (path, body) => call(handler, path, body),
    heard: () => ({ consumed: consumed.splice(0), exchanges: exchanges.splice(0) }),
    nudged: () => {
      const shards = [...nudged];
      nudged.clear();
      return shards;
    },
  };
}

function handlerOf(services: Services): Handler {
  const endpoints = [
    'POST /signers',
    'POST /symbols',
    'POST /wallets',
    'POST /bridges',
    'POST /intents',
    'POST /intents/!batch',
    'POST /intents/{id}/proofs',
  ] as const;
  return api({ services, log: () => {} }, endpoints, {
    'POST /signers': create('signer'),
    'POST /symbols': create('symbol'),
    'POST /wallets': create('wallet'),
    'POST /bridges': create('bridge'),
    'POST /intents': createIntent,
    'POST /intents/!batch': batchIntents,
    'POST /intents/{id}/proofs': prove('intent'),
  });
}

async function call(handler: Handler, path: string, body: Body | Proof | Batch): Promise<Item> {
  const event = { httpMethod: 'POST', path, headers: {}, body: JSON.stringify(body) };
  const context = { awsRequestId: path, getRemainingTimeInMillis: () => 29_000 };
  const answer = await handler(event as APIGatewayProxyEvent, context as Context);
  if (answer.statusCode >= 300) throw new Error(`POST ${path}: ${answer.body}`);
  return JSON.parse(answer.body) as Item;
}
