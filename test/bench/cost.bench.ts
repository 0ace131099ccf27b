/**
 * `npm run bench:cost`: the cost of a million transfers on AWS. Capacity units and events are counted in the request
 * and in the workers; prices and assumed times are in `prices.ts`. Nothing is asserted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../../localstack/runtime/quiet.ts';
import { openDatabase } from '../../localstack/runtime/database.ts';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { accept } from '../../shared/delivery/courier.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { drain } from '../../shared/signal/relay.ts';
import { sequencer } from '../../shared/signal/sequencing.ts';
import type { Consumed } from '../../shared/store/request.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoDeliveries,
  dynamoLogs,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import { costText, type Part, type Play } from './cost-report.ts';
import { type LedgerHere, ledgerHere } from './here.ts';
import { pairsOf, settingOf, transferOf } from './scene.ts';

/** Transfers between two runs of the relay: one in a quiet ledger, many in a busy one. */
const plays = { quiet: 1, busy: 25 } as const;
const transferCount = 200;
const scope = 'main';

type Behind = Exclude<Part, 'request'>;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  delete process.env['DYNAMODB_ENDPOINT'];
  const database = await openDatabase(join(folder, 'cost.db'));
  const masterKeyFile = join(folder, 'master.key');
  makeMasterKey(masterKeyFile);
  const ledger = await ledgerHere(database, masterKeyFile);
  const seed = createSeed();
  const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
  const behind = behindOf(ledger);
  for (const posts of settingOf(key))
    await Promise.all(posts.map(({ path, body }) => ledger.post(path, body)));
  await behind.work();
  let number = 0;
  const counted: Record<string, Play> = {};
  for (const [name, together] of Object.entries(plays)) {
    ledger.heard();
    behind.heard();
    behind.eventBytes.splice(0);
    for (let done = 0; done < transferCount; done += together) {
      for (let each = 0; each < together; each += 1) {
        const pair = pairsOf.uniform[number % pairsOf.uniform.length];
        number += 1;
        if (pair) await ledger.post('/intents', transferOf(pair, number, key));
      }
      await behind.work();
    }
    counted[name] = {
      transferCount,
      runCount: transferCount / together,
      consumed: { ...behind.heard(), request: ledger.heard().consumed },
      eventBytes: behind.eventBytes.splice(0),
    };
  }
  console.log(costText(counted));
  ledger.close();
  await database.stop();
}

/** The workers: relay, index entries, and a courier without subscribers. */
function behindOf({ services, counting, nudged }: LedgerHere) {
  const consumed = { relay: [], mentions: [], log: [], courier: [] } as Record<Behind, Consumed[]>;
  const eventBytes: number[] = [];
  const tableOf = (part: Behind) => counting((what) => consumed[part].push(what));
  const report = (error: unknown) => console.error(error);
  const metric = () => {};
  const catalog = dynamoCatalog(tableOf('mentions'));
  const books = dynamoBooks(tableOf('mentions'));
  const log = sequencer({ logs: dynamoLogs(tableOf('log')), store: services.store, report });
  const { clock } = services;
  const deliveries = dynamoDeliveries(tableOf('courier'));
  const courier = {
    services,
    deliveries,
    patternMaker: services.patternMaker,
    leaseMs: 0,
    postponedUntil: () => undefined,
    refused: async () => {},
    report,
  };
  const bus = {
    publish: async (lines: readonly (readonly LedgerEvent[])[]) => {
      for (const event of lines.flat()) {
        eventBytes.push(Buffer.byteLength(JSON.stringify(event)));
        await accept(courier, [event]);
      }
      return lines.map(({ length }) => length);
    },
  };
  const relay = {
    outbox: indexing({
      outbox: dynamoOutbox(tableOf('relay')),
      catalog,
      books,
      log,
      clock,
      metric,
      report,
    }),
    reader: dynamoStore(tableOf('relay')),
    clock: services.clock,
    metric,
    bus,
  };
  return {
    eventBytes,
    work: () => drain(relay, scope, nudged()),
    heard: () => ({
      relay: consumed.relay.splice(0),
      mentions: consumed.mentions.splice(0),
      log: consumed.log.splice(0),
      courier: consumed.courier.splice(0),
    }),
  };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
