/**
 * Payments through a busy bridge while it changes. Goal: what depends on a version of the bridge is stored only while that
 * version is current, whoever makes gates, removes them, or dies at it. Method: processes that pay and processes that change
 * the bridge, on a table where transactions meet, answers get lost and processes end; the table is looked at before and
 * after each write. `SEED=…` looks at another run. Decision 134.
 */
import { BatchGetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Commit, Store } from '../../shared/port/ports.ts';
import { gateCountMax } from '../../shared/store/gates.ts';
import { gateKeyOf, headKeyOf, textOf } from '../../shared/store/keys.ts';
import type { Item, TableClient } from '../../shared/store/request.ts';
import { dynamoStore } from '../../shared/store/store.ts';
import { commitOf, created, revised, writeOf } from '../fixture/version.ts';
import { VirtualClock } from './clock.ts';
import { newCloud } from './cloud.ts';
import { type Command, Engine } from './engine.ts';
import { newMortal } from './mortal.ts';
import { type Random, randomOf } from './random.ts';

const seed = Number(process.env['SEED'] ?? 1);
const startMs = Date.parse('2060-01-01T00:00:00.000Z');
const scope = 'main';
const tableName = 'cloud';
const head = headKeyOf(scope, 'bridge', 'bank');
const gates = Array.from({ length: gateCountMax }, (_, gate) =>
  gateKeyOf(scope, 'bridge', 'bank', gate),
);
const counts = { payers: 16, payments: 30, changers: 2, changes: 6 };
/** A process reads the bridge, and pays some time later. */
const holdMs = 60;

/** Looks at a table around each write; returns what is wrong with it, and where versions were checked. */
function watch(engine: Engine) {
  const seen = { wrong: [] as string[], atGates: 0, atHeads: 0, most: 0 };
  const done = new Set<string>();
  const answer = engine.answer.bind(engine);
  const itemsNow = (): Map<string, Item> => {
    const RequestItems = { [tableName]: { Keys: [head, ...gates], ConsistentRead: true } };
    const keys = RequestItems[tableName]?.Keys ?? [];
    const found = [keys.slice(0, 33), keys.slice(33)].flatMap((Keys) => {
      const command = new BatchGetCommand({ RequestItems: { [tableName]: { Keys } } });
      const { Responses } = answer(command) as { Responses: Record<string, Item[]> };
      return Responses[tableName] ?? [];
    });
    return new Map(found.map((item) => [`${item['pk']} ${item['sk']}`, item]));
  };
  const lookAtGates = (items: ReadonlyMap<string, Item>): void => {
    const { luid, change, gates: count = 0n } = items.get(textOf(head)) ?? {};
    for (const [number, key] of gates.entries()) {
      const gate = items.get(textOf(key));
      if (!gate) continue;
      seen.most = Math.max(seen.most, number + 1);
      if (gate['luid'] !== luid || gate['change'] !== change || number >= Number(count))
        seen.wrong.push(`gate ${number} of change ${gate['change']}, at ${change} with ${count}`);
    }
  };
  const lookAtChecks = (command: Command, change: unknown): void => {
    if (!(command instanceof TransactWriteCommand)) return;
    const all = command.input.TransactItems ?? [];
    for (const { Key: at, ExpressionAttributeValues: values } of all.flatMap(
      ({ ConditionCheck: one }) => one ?? [],
    )) {
      const checked = values?.[':change'];
      seen[at?.['pk'] === head.pk ? 'atHeads' : 'atGates'] += 1;
      if (Number(checked) !== Number(change)) seen.wrong.push(`${checked} was taken for ${change}`);
    }
  };
  engine.answer = (command: Command): object => {
    const isWrite = command instanceof TransactWriteCommand || command instanceof UpdateCommand;
    if (!isWrite) return answer(command);
    const { change } = itemsNow().get(textOf(head)) ?? {};
    const output = answer(command);
    const { ClientRequestToken: token = '' } = command.input as { ClientRequestToken?: string };
    // One that comes again does nothing.
    if (!done.has(token)) lookAtChecks(command, change);
    if (token !== '') done.add(token);
    lookAtGates(itemsNow());
    return output;
  };
  return seen;
}

/** Runs work in processes that may die, until one has done it. */
async function persist(
  client: TableClient,
  random: Random,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const process = newMortal(client, random, 0.2);
    const store = dynamoStore({ client: process.client, tableName });
    await process.live(() =>
      work(store).then(() => {
        isDone = true;
      }),
    );
  }
}

/** Commits what is made of the bridge as it was read, until it is stored. */
async function insist(
  store: Store,
  wait: () => Promise<void>,
  commitFor: (bank: Version) => Commit,
): Promise<void> {
  for (;;) {
    const [bank] = await store.load([{ what: 'record', scope, kind: 'bridge', handle: 'bank' }]);
    if (!bank) throw new Error('The bridge is there.');
    await wait();
    try {
      if ((await store.commit(commitFor(bank))).length === 0) return;
    } catch (error) {
      // Too many others, or nobody has answered: a new reading tells.
      if (!(error instanceof LedgerError)) throw error;
    }
  }
}

test(`nothing is stored for a version that is no longer current (SEED=${seed})`, async () => {
  const random = randomOf(seed);
  const clock = new VirtualClock(startMs, random);
  const engine = new Engine(tableName, () => clock.now());
  const { client, open, friction } = newCloud({
    engine,
    clock,
    random,
    lost: 0.03,
    savedSeconds: 0,
  });
  const wait = () => clock.sleep(random() * holdMs);
  const seen = await clock.run(async () => {
    await dynamoStore({ client, tableName }).commit(
      commitOf(writeOf(scope, created('bridge', 'bank'))),
    );
    const looked = watch(engine);
    open();
    const pay = async (payer: number) => {
      for (let number = 0; number < counts.payments; number += 1)
        await persist(client, random, (store) =>
          insist(store, wait, (version) => ({
            // A payment of a process that died may be stored: it comes again under another name.
            ...commitOf(writeOf(scope, created('domain', `p${payer}-${number}-${random()}`))),
            unchanged: [{ scope, version }],
          })),
        );
    };
    const change = async () => {
      for (let number = 0; number < counts.changes; number += 1) {
        await clock.sleep(600 * random());
        await persist(client, random, (store) =>
          insist(store, wait, (bank) =>
            commitOf(writeOf(scope, revised(bank, { custom: { number: random() } }), bank)),
          ),
        );
      }
    };
    await Promise.all([
      ...Array.from({ length: counts.payers }, (_, payer) => pay(payer)),
      ...Array.from({ length: counts.changers }, change),
    ]);
    return looked;
  });
  expect(seen.wrong).toEqual([]);
  // Both ways were gone, and gates were made and removed while others were on them.
  expect(seen.atGates).toBeGreaterThan(counts.payments);
  expect(seen.atHeads).toBeGreaterThan(counts.payments);
  expect(seen.most).toBeGreaterThan(1);
  expect([...friction.met.keys()].some((name) => name.includes('#gate#'))).toBe(true);
});
