/**
 * A ledger's log on a table that a test may write into: the sequencer behind the relay, what the audit finds, what an
 * archive carries, and how a ledger that is older than logs gets one. Decision 115.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { readArchive } from '../../shared/archive/read.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { isSignedBytes } from '../../shared/crypto/proof.ts';
import { checkpointOf } from '../../shared/log/checkpoint.ts';
import type { KeyEntry } from '../../shared/log/key-table.ts';
import { type Leaf, leavesOf } from '../../shared/log/leaf.ts';
import { isSignedBy, vkeyOf } from '../../shared/log/note.ts';
import { consistencyRanges, isConsistent } from '../../shared/log/path.ts';
import { rootOf } from '../../shared/log/tree.ts';
import { hashesIn } from '../../shared/record/inclusion.ts';
import {
  type CheckpointPorts,
  checkpoints,
  logSignerOf,
  noteKeyOf,
  provideLog,
} from '../../shared/record/log-signer.ts';
import { overlapMsMin, rotateKey } from '../../shared/record/rotation.ts';
import { indexing } from '../../shared/signal/indexing.ts';
import { drain } from '../../shared/signal/relay.ts';
import { sequencer } from '../../shared/signal/sequencing.ts';
import {
  checkpointKeyOf,
  cosignedKeyOf,
  hashesKeyOf,
  headKeyOf,
  type Key,
  loggedKeyOf,
  logKeyOf,
  outboxShardCount,
  pointerKeyOf,
  tileKeyOf,
} from '../../shared/store/keys.ts';
import { type Reindexed, reindex } from '../../shared/store/reindex.ts';
import type { Item } from '../../shared/store/request.ts';
import {
  dynamoBooks,
  dynamoCatalog,
  dynamoLogs,
  dynamoOutbox,
  dynamoStore,
} from '../../shared/store/store.ts';
import { writeAll } from '../../shared/store/write-all.ts';
import { expectSound } from '../contract/log.ts';
import { auditedFile, loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, main, newWorld, startGround, type World } from '../fixture/audited.ts';
import { closed } from '../fixture/tampered.ts';
import { SecondWitness } from '../log/second-witness.ts';

let ground: Ground;
let original: World;
const folder = newFolder();
beforeAll(async () => {
  ground = await startGround();
  original = await newLogged(70);
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

const usd = { symbol: 'usd' };
const issue = (amount: number) => ({ action: 'issue', target: 'alice', amount, ...usd }) as const;

/** The ports of a world's logs. */
function portsOf({ tableName, services }: World): CheckpointPorts {
  const at = { client: ground.client, tableName };
  return { logs: dynamoLogs(at), store: dynamoStore(at), keyring: services.keyring };
}

/** Publishes all that waits, with a log behind the relay or, as before there were logs, without. */
async function publish(world: World, hasLog = true): Promise<void> {
  const at = { client: ground.client, tableName: world.tableName };
  const { logs } = portsOf(world);
  const store = dynamoStore(at);
  const fail = (error: unknown) => {
    throw error;
  };
  const sign = checkpoints(portsOf(world));
  const log = hasLog
    ? sequencer({ logs, store, sign, report: fail })
    : { keep: async () => new Set<string>() };
  const [clock, metric] = [Date.now, () => {}];
  const behind = { catalog: dynamoCatalog(at), books: dynamoBooks(at), log };
  const outbox = indexing({ outbox: dynamoOutbox(at), ...behind, clock, metric, report: fail });
  const bus = { publish: async (lines: readonly unknown[][]) => lines.map(({ length }) => length) };
  const shards = Array.from({ length: outboxShardCount }, (_, shard) => shard);
  for (const scope of ['', main])
    expect(
      await drain({ outbox, reader: store, bus: bus as never, clock, metric }, scope, shards),
    ).toBe(true);
}

/** A world with 70 intents, published; its log has a full tile. */
const loggedWorld = (): Promise<World> => ground.copyOf(original);

/** A world with some records and intents, published. */
async function newLogged(intentCount: number, hasLog = true): Promise<World> {
  const world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  await world.make(create('wallet'), { handle: 'alice' });
  for (let index = 0; index < intentCount; index += 1) await world.settle(`i${index}`, issue(5));
  await publish(world, hasLog);
  return world;
}

const signerOf = async (world: World) => {
  const found = await logSignerOf(portsOf(world).store, main);
  if (!found) throw new Error('The log has no signer.');
  return found;
};

/** The checkpoint of a world, after a check that the log's signer signed it. */
async function checkpointIn(world: World) {
  const state = await portsOf(world).logs.read(main);
  const read = checkpointOf(state?.checkpoint?.note ?? '');
  if (!read) throw new Error('There is no checkpoint.');
  const { signer, home } = await signerOf(world);
  expect(read.origin).toBe(`countersign/${home.record.luid}`);
  const publicKey = String(signer.record.data['public']);
  const key = noteKeyOf(read.origin, publicKey);
  expect(
    isSignedBy(read.note, key, (bytes, result) => isSignedBytes(bytes, result, publicKey)),
  ).toBe(true);
  expect(signer.record.meta.proofs.map((proof) => proof.signer)).toEqual(['system']);
  return read;
}

async function mended(world: World): Promise<Reindexed | undefined> {
  const table = { ...{ client: ground.client, tableName: world.tableName }, deadlineMs: 15_000 };
  let last: Reindexed | undefined;
  const pages = tableSource(ground.client, world.tableName).outlines();
  for await (const count of reindex({ ...table, onConsumed: undefined }, pages, Date.now))
    last = { ...count };
  return last;
}

describe('a ledger', () => {
  test('has each of its changes in its log once they are published, under a checkpoint', async () => {
    const world = await loggedWorld();
    const { logs } = portsOf(world);
    const leaves = await expectSound(logs, main);
    const { home, signer } = await signerOf(world);
    for (const version of [home, signer])
      expect(leaves).toEqual(expect.arrayContaining(leavesOf(version)));
    const first = await checkpointIn(world);
    expect(first.size).toBe(leaves.length);
    expect(leaves.length).toBeGreaterThan(256);
    expect(await world.audited()).toEqual([]);
    expect(await world.audited({ isLive: true })).toEqual([]);
    await world.settle('more', issue(1));
    // What waits in the outbox is not missed.
    expect(await world.audited()).toEqual([]);
    await publish(world);
    const second = await checkpointIn(world);
    expect(second.size).toBeGreaterThan(first.size);
    expect(isConsistent(first, second, [])).toBe(false);
    expect(await world.audited()).toEqual([]);
  });

  test('goes on without the key, and is signed when it is there again', async () => {
    const world = await newLogged(1);
    const { size } = await checkpointIn(world);
    const { signer } = await signerOf(world);
    const key = { pk: `${main}#secrets#${signer.record.luid}`, sk: '#' };
    const secrets = await world.item(key);
    await world.remove(key);
    await world.settle('two', issue(1));
    await publish(world);
    expect((await checkpointIn(world)).size).toBe(size);
    await world.put(secrets);
    await checkpoints(portsOf(world))(main);
    const state = await portsOf(world).logs.read(main);
    expect((await checkpointIn(world)).size).toBe(state?.tree.size);
    expect(state?.tree.size).toBeGreaterThan(size);
    expect(await world.audited()).toEqual([]);
  });
});

describe('the audit names', () => {
  let world: World;
  beforeAll(async () => {
    world = await loggedWorld();
  });
  const leafAt = (index: number) => hashesKeyOf(main, 0, index);

  /** Changes the table, looks what the audit says, and changes it back. */
  async function saidAfter(
    change: () => Promise<void>,
    ...keys: readonly { pk: string; sk: string }[]
  ) {
    const before = await Promise.all(keys.map((key) => world.item(key).catch(() => undefined)));
    await change();
    const lines = await world.audited();
    const table = { client: ground.client, tableName: world.tableName, deadlineMs: 9_000 };
    const puts = before.flatMap((item): Item[] => (item ? [item as Item] : []));
    const deletes = keys.filter((_, index) => !before[index]);
    await writeAll(
      { ...table, onConsumed: undefined },
      { puts, deletes },
      performance.now() + 9_000,
    );
    expect(await world.audited()).toEqual([]);
    return lines.join('\n');
  }
  const runsAt = async (index: number) => String((await world.item(leafAt(index)))['runs']);
  const altered = (index: number, change: (runs: string) => string) =>
    saidAfter(
      async () => world.alter(leafAt(index), { runs: change(await runsAt(index)) }),
      leafAt(index),
    );

  test('a leaf with another hash, and the tree that does not follow from it', async () => {
    const said = await altered(0, (runs) => runs.replace(/"[0-9a-f]{63}/, `"${'0'.repeat(63)}`));
    expect(said).toMatch(/change 1: The leaf at 0 is not that of its record\./);
    expect(said).toMatch(/The head of the log is not that of its \d+ leaves\./);
    expect(said).toMatch(/The checkpoint of the log has another root than its leaves\./);
    expect(said).toMatch(/A tile of the log is missing, or another one, at 'main#log#0#0 #'\./);
  });

  test('a leaf that was taken away', async () => {
    const said = await altered(0, (runs) => JSON.stringify(JSON.parse(runs).slice(1)));
    expect(said).toMatch(/The head of the log is not that of its \d+ leaves\./);
    expect(said.match(/The log has no leaf, or two, at \d+\./g)).toHaveLength(1);
    expect(said).toMatch(/The log has \d+ places for \d+ versions or parts of one\./);
  });

  test('a head that counts more leaves than anybody could read', async () => {
    const size = 10n ** 15n;
    expect(await saidAfter(() => world.alter(logKeyOf(main), { size }), logKeyOf(main))).toMatch(
      /The head of the log is not that of its \d+ leaves\./,
    );
  });

  test('a record that was rewritten, whatever its signatures say', async () => {
    const key = headKeyOf(main, 'wallet', 'alice');
    const said = await saidAfter(
      () =>
        world.edit(key, (version) => ({
          ...version,
          record: {
            ...version.record,
            meta: { ...version.record.meta, proofs: version.record.meta.proofs.toReversed() },
          },
        })),
      key,
    );
    expect(said).toMatch(
      /ledger main · \$wlt.* change 1: The leaf at \d+ is not that of its record\./,
    );
  });

  test('a head that is gone, or that a file lacks', async () => {
    const head = logKeyOf(main);
    expect(await saidAfter(() => world.remove(head), head)).toMatch(
      /^Invariant 3 · ledger main: The head of the log is gone, and the log is there\.$/,
    );
    const file = await saved(ground.client, world.tableName, folder.path('headed.ndjson'));
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -2);
    const withoutHead = lines.filter((line) => !/^\{"what":"(log|checkpoint)"/.test(line));
    expect(withoutHead).toHaveLength(lines.length - 2);
    writeFileSync(file, closed(withoutHead));
    expect((await auditedFile(file)).join()).toMatch(/The head of the log is gone/);
  });

  test('a place, a tile, a root and a checkpoint that are gone or others', async () => {
    const [luid] = await portsOf(world)
      .logs.leaves(main, 0, 1)
      .then((leaves) => leaves.map((leaf) => leaf.luid));
    const place = loggedKeyOf(main, luid ?? '', 1);
    expect(await saidAfter(() => world.remove(place), place)).toMatch(
      /The log has no leaf of the change; "npm run reindex" mends it\./,
    );
    const tile = tileKeyOf(main, 0, 0);
    expect(await saidAfter(() => world.remove(tile), tile)).toMatch(/A tile of the log is missing/);
    const root = hashesKeyOf(main, 1, 0);
    expect(await saidAfter(() => world.alter(root, { root: Buffer.alloc(32) }), root)).toMatch(
      /The root of a tile is missing, or another one/,
    );
    const stray = loggedKeyOf(main, '$wlt.-P732KqbTgalaPHA-', 1);
    expect(await saidAfter(() => world.put({ ...stray, index: 0, count: 1 }), stray)).toMatch(
      /The log has \d+ places for \d+ versions or parts of one\./,
    );
    const behind = leafAt(9_999);
    expect(await saidAfter(() => world.put({ ...behind, runs: '[]' }), behind)).toMatch(
      /The log has leaves behind its head, at 9999\./,
    );
    const signed = checkpointKeyOf(main);
    const { note } = await world.item(signed);
    const forged = String(note).replace(/\n\d+\n/, '\n7\n');
    expect(await saidAfter(() => world.alter(signed, { note: forged, size: 7 }), signed)).toMatch(
      /The checkpoint of the log has another root than its leaves\./,
    );
    const lines = String(note).split('\n');
    const unsigned = String(note).replace(/[^\n]{20}\n$/, 'A'.repeat(18).concat('==\n'));
    expect(lines.length).toBeGreaterThan(4);
    expect(await saidAfter(() => world.alter(signed, { note: unsigned }), signed)).toMatch(
      /The checkpoint/,
    );
  });
});

describe('the audit names, and goes on behind it,', () => {
  let world: World;
  beforeAll(async () => {
    world = await loggedWorld();
  });

  const broken: readonly (readonly [string, Key, Item])[] = [
    ['leaves with no list', hashesKeyOf(main, 0, 0), { runs: '[(' }],
    ['leaves with nothing in them', hashesKeyOf(main, 0, 0), { runs: 'null' }],
    ['leaves without their hashes', hashesKeyOf(main, 0, 0), { hashes: Buffer.alloc(32) }],
    ['a head without a size', logKeyOf(main), { size: 'x' }],
    ['a head without its places', logKeyOf(main), { settled: 'x' }],
    ['answers of witnesses with no object', cosignedKeyOf(main), { change: 1, progress: '{)' }],
    ['answers of witnesses with nothing', cosignedKeyOf(main), { change: 1, progress: 'null' }],
  ];

  test.each(broken)('%s', async (_, key, change) => {
    const before = await world.item(key).catch(() => undefined);
    const wallet = headKeyOf(main, 'wallet', 'alice');
    const head = await world.item(wallet);
    await world.put({ ...before, ...key, ...change });
    await world.alter(wallet, { data: '(' });
    for (const isLive of [false, true]) {
      const lines = await world.audited({ isLive });
      const said = lines.findIndex((line) =>
        line.startsWith(
          `Invariant 3 · ledger main: The item '${key.pk} ${key.sk}' cannot be read: `,
        ),
      );
      const others = lines.findIndex((line) => line.includes(`The item '${wallet.pk} #'`));
      expect(said, lines.join('\n')).toBeGreaterThanOrEqual(0);
      expect(others, lines.join('\n')).toBeGreaterThanOrEqual(0);
      expect(new Set(lines).size).toBe(lines.length);
    }
    await world.put(head);
    await (before ? world.put(before) : world.remove(key));
    expect(await world.audited()).toEqual([]);
  });
});

describe('the answers of witnesses', () => {
  test('are judged by the audit, and travel with an archive', async () => {
    const world = await loggedWorld();
    const { logs } = portsOf(world);
    const note = String((await world.item(checkpointKeyOf(main)))['note']);
    const { size, origin } = await checkpointIn(world);
    const { public: logKey } = (await signerOf(world)).signer.record.data;
    const witness = new SecondWitness('w.example', [vkeyOf(noteKeyOf(origin, String(logKey)))]);
    const { body } = witness.addCheckpoint(`old 0\n\n${note}`);
    const progress = { [witness.vkey]: { known: size, failures: 0, nextMs: 0 } };
    const cosigned = { change: 1, checkpoint: { size, note: note + body }, progress };
    expect(await logs.keepCosigned(main, cosigned)).toBe(true);
    expect(await world.audited()).toEqual([]);

    const file = await saved(ground.client, world.tableName, folder.path('cosigned.ndjson'));
    expect(await auditedFile(file)).toEqual([]);
    const tableName = `${world.tableName}-moved`;
    await ground.database.createTable(tableName);
    await loaded(ground.client, tableName, file);
    const moved = await newWorld(ground.client, tableName, ground.folder);
    expect(await portsOf(moved).logs.cosigned(main)).toEqual(cosigned);
    expect(await moved.audited()).toEqual([]);

    const said = async (change: object) => {
      await world.alter(cosignedKeyOf(main), { ...cosigned.checkpoint, ...change });
      return (await world.audited()).join('\n');
    };
    const noneOf = /The cosigned checkpoint is not one of the leaves of the log\./;
    expect(await said({ size: size - 1 })).toMatch(noneOf);
    expect(await said({ note: note.replace(/\n\d+\n/, '\n1\n') + body })).toMatch(noneOf);
    expect(await said({ note: 'x' })).toMatch(noneOf);
    const forged = body.replace(/.{4}==\n$/, 'AAAA==\n');
    expect(await said({ note: note + forged })).toMatch(
      /A cosignature of the log does not verify\./,
    );
    expect(await said({})).toBe('');
  });
});

describe('an archive', () => {
  test('carries the log as it is, and an import goes on with it', async () => {
    const world = await loggedWorld();
    const before = await checkpointIn(world);
    const leaves = await expectSound(portsOf(world).logs, main);
    const file = await saved(ground.client, world.tableName, folder.path('main.ndjson'));
    expect(await auditedFile(file)).toEqual([]);
    const tableName = `${world.tableName}-other`;
    await ground.database.createTable(tableName);
    await loaded(ground.client, tableName, file);
    const other = await newWorld(ground.client, tableName, ground.folder);
    expect(await expectSound(portsOf(other).logs, main)).toEqual(leaves);
    expect((await checkpointIn(other)).root).toEqual(before.root);
    expect(await other.audited()).toEqual([]);
    await other.make(create('wallet'), { handle: 'bob' });
    await publish(other);
    expect((await expectSound(portsOf(other).logs, main)).slice(0, leaves.length)).toEqual(leaves);
    expect((await checkpointIn(other)).size).toBeGreaterThan(before.size);
    expect(await other.audited()).toEqual([]);
  });

  test('without some of the leaves of its log is told so, before an import waits for them', async () => {
    const world = await loggedWorld();
    const file = await saved(ground.client, world.tableName, folder.path('whole.ndjson'));
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -2);
    const isOfLeaves = (line: string) => line.startsWith('{"what":"leaves"');
    const lacking = [
      lines.filter((line) => !isOfLeaves(line)),
      lines.toSpliced(lines.findIndex(isOfLeaves) + 1, 1),
      lines.toSpliced(lines.findLastIndex(isOfLeaves), 1),
    ];
    for (const rest of lacking) {
      writeFileSync(file, closed(rest));
      const read = async () => {
        for await (const _ of readArchive(file));
      };
      await expect(read()).rejects.toThrow(/The log has settled \d+ leaves, and the first \d+ are/);
    }
  });
});

test('an archive of a log that was cut off is that log, and an import finishes it', async () => {
  const world = await newLogged(5);
  const { size } = await checkpointIn(world);
  // As a sequencer leaves it that dies before it notes what it has written.
  await world.alter({ pk: `${main}#log`, sk: '#' }, { settled: size - 4 });
  const file = await saved(ground.client, world.tableName, folder.path('cut.ndjson'));
  expect(await auditedFile(file)).toEqual([]);
  const tableName = `${world.tableName}-cut`;
  await ground.database.createTable(tableName);
  await loaded(ground.client, tableName, file);
  const again = await saved(ground.client, tableName, folder.path('again.ndjson'));
  expect(contentOf(again)).toEqual(contentOf(file));
  const other = await newWorld(ground.client, tableName, ground.folder);
  await other.make(create('wallet'), { handle: 'bob' });
  await publish(other);
  expect(await expectSound(portsOf(other).logs, main)).toHaveLength(size + 1);
  expect(await other.audited()).toEqual([]);
});

/** The lines of an archive, but for the first and the last one. */
const contentOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(1, -2);

test('what the log had before a rotation counts, also where a clock was weeks ahead', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const aheadMs = 20 * 24 * 60 * 60_000;
  const world = await newLogged(1);
  vi.setSystemTime(Date.now() + aheadMs);
  await world.settle('ahead', issue(1));
  await publish(world);
  vi.setSystemTime(Date.now() - aheadMs);
  const rotation = { scope: main, overlapMs: overlapMsMin, isCompromised: false } as const;
  const ports = { ...portsOf(world), keyring: world.services.keyring, clock: Date.now };
  await rotateKey({ ...ports, store: world.services.store }, { ...rotation, signer: 'system' });
  expect(await world.audited()).toEqual([]);
  await world.edit(headKeyOf(main, 'signer', 'system'), (version) => {
    const { data } = version.record;
    const keys = (data['keys'] as readonly KeyEntry[]).map(({ size: _size, ...key }) => key);
    return { ...version, record: { ...version.record, data: { ...data, keys } } };
  });
  expect((await world.audited()).join('\n')).toMatch(
    /intent ahead .* A proof of the ledger is not by the ledger's key\./,
  );
});

test('a ledger that was given back to a release without logs goes on with its log after a reindex', async () => {
  const world = await newLogged(5);
  const before = await checkpointIn(world);
  // That release publishes, and knows nothing of a log.
  const { luid } = await world.settle('meanwhile', issue(1));
  await publish(world, false);
  await world.settle('after', issue(1));
  await publish(world);
  const lines = await world.audited();
  expect(lines.join('\n')).toMatch(
    /The log has no leaf of the change; "npm run reindex" mends it\./,
  );
  const isMissed = (leaf: Leaf) => leaf.luid === luid;
  expect((await expectSound(portsOf(world).logs, main)).some(isMissed)).toBe(false);
  await mended(world);
  await checkpoints(portsOf(world))(main);
  const after = await checkpointIn(world);
  const leaves = await expectSound(portsOf(world).logs, main);
  expect(leaves.some(isMissed)).toBe(true);
  const path = await hashesIn(
    portsOf(world).logs,
    main,
    consistencyRanges(before.size, after.size),
    after.size,
  );
  expect(isConsistent(before, after, path)).toBe(true);
  expect(await world.audited()).toEqual([]);
});

describe('a ledger that is older than logs', () => {
  test('gets a log of all it had, while the relay goes on, and only once', async () => {
    const world = await newLogged(12, false);
    const { logs } = portsOf(world);
    // As it was before: without the signer of a log.
    const { signer } = await signerOf(world);
    const { luid, data } = signer.record;
    for (const key of [
      headKeyOf(main, 'signer', 'log'),
      pointerKeyOf(main, 'signer', luid),
      { pk: `${main}#secrets#${luid}`, sk: '#' },
      { pk: `${main}#public#${String(data['public'])}`, sk: '#' },
    ])
      await world.remove(key);
    await world.settle('waiting', issue(1));
    await publish(world);
    expect(await logs.read(main)).toBeUndefined();
    const ledger = await world.services.identityOf(main);
    if (!ledger) throw new Error('The ledger is there.');
    const ports = { ...world.services, logs };
    await provideLog(ports, ledger);
    await provideLog(ports, ledger);
    await world.settle('meanwhile', issue(1));
    expect(await logs.read(main)).toMatchObject({ isWhole: false, tree: { size: 0 } });
    const [count] = await Promise.all([mended(world), publish(world), mended(world)]);
    await publish(world);
    const leaves = await expectSound(logs, main);
    expect(await logs.read(main)).toMatchObject({ isWhole: true });
    expect(count?.leaves).toBeGreaterThan(40);
    await mended(world);
    expect(await expectSound(logs, main)).toEqual(leaves);
    await checkpoints(portsOf(world))(main);
    const state = await logs.read(main);
    expect(state && Buffer.from(rootOf(state.tree))).toEqual(
      Buffer.from((await checkpointIn(world)).root),
    );
  });
});
