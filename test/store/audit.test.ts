/**
 * The audit finds nothing wrong with a ledger that the actions made, also while it is being used, and
 * names what is wrong with one that somebody wrote into.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { createLedger } from '../../shared/action/create-ledger.ts';
import { drop } from '../../shared/action/drop.ts';
import { prove } from '../../shared/action/prove.ts';
import { update } from '../../shared/action/update.ts';
import { audit } from '../../shared/audit/audit.ts';
import { type AuditReport, newReport } from '../../shared/audit/run.ts';
import { tableSource } from '../../shared/audit/table.ts';
import { lineOfViolation } from '../../shared/audit/violation.ts';
import { hashOf } from '../../shared/crypto/digest.ts';
import { createSeed, publicOf } from '../../shared/crypto/key.ts';
import { sign } from '../../shared/crypto/proof.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import type { Services } from '../../shared/port/action.ts';
import type { Commit } from '../../shared/port/ports.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import {
  balanceKeyOf,
  changeKeyOf,
  headKeyOf,
  holderKeyOf,
  indexKeysOf,
  type Key,
  keyOfItem,
  listKeyOf,
  outboxKeyOf,
  pointerKeyOf,
  publishedKeyOf,
  replayGuardKeyOf,
  secretKeyOf as secretPlaceOf,
  shardOf,
  textOf,
  usageKeyOf,
} from '../../shared/store/keys.ts';
import { unpack } from '../../shared/store/pack.ts';
import { packIndex, unpackIndex } from '../../shared/store/pack-index.ts';
import { planOf } from '../../shared/store/plan.ts';
import { indexItemsOf } from '../../shared/store/projection.ts';
import type { Item } from '../../shared/store/request.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';
import { clientOf, newKey } from '../fixture/client.ts';
import { until } from '../fixture/receiver.ts';
import { start } from '../fixture/runtime.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

let ground: Ground;
let original: LivedIn;

beforeAll(async () => {
  ground = await startGround();
  original = await usedLedgers();
});

afterAll(() => ground.stop());

const issue = (target: string, amount: number, symbol = 'usd') => ({
  action: 'issue',
  target,
  symbol,
  amount,
});
const transfer = (source: string, target: string, amount: number, symbol = 'usd') => ({
  action: 'transfer',
  source,
  target,
  symbol,
  amount,
});
const destroy = (source: string, amount: number, symbol = 'usd') => ({
  action: 'destroy',
  source,
  symbol,
  amount,
});

interface LivedIn extends World {
  /** The luid of a wallet that ended. */
  readonly ended: string;
}

/** A ledger in which everything happened that can happen, and another one beside it. */
const livedIn = async (): Promise<LivedIn> => ({
  ...(await ground.copyOf(original)),
  ended: original.ended,
});

async function usedLedgers(): Promise<LivedIn> {
  const world = await ground.newWorld();
  const { make, call, settle, key } = world;
  await make(create('signer'), { handle: 'ada', public: key.public, format: 'ed25519-raw' });
  await make(create('symbol'), { handle: 'usd', factor: 100 });
  await make(create('symbol'), { handle: 'eur', factor: 100 });
  for (const handle of ['alice', 'bob', 'carol']) await make(create('wallet'), { handle });
  const bob = await call(
    prove('wallet'),
    proofOf(world, await wallet(world, 'bob'), { status: 'active', labels: ['vip'] }),
    'bob',
  );
  await revise(world, bob, { custom: { note: 'first' } });
  await revise(world, await wallet(world, 'bob'), { custom: { note: 'second' } });
  await call(
    prove('wallet'),
    proofOf(world, await wallet(world, 'bob'), { labels: { $push: 'old' } }),
    'bob',
  );
  await revise(world, await wallet(world, 'carol'), { handle: 'caroline' });
  await revise(world, await make(create('wallet'), { handle: 'erin' }), {
    custom: { note: 'new' },
  });
  await settle('one', issue('alice', 1000), issue('bob', 50, 'eur'));
  const two = await settle(
    'two',
    transfer('alice', 'bob', 300),
    transfer('bob', 'caroline', 20, 'eur'),
  );
  await call(prove('intent'), proofOf(world, two, { note: 'seen' }), two.luid);
  await settle('three', transfer('bob', 'alice', 5000));
  await settle('four', issue('nobody', 1));
  await settle('five', destroy('bob', 100));
  const ended = await end(world, 'caroline', transfer('caroline', 'bob', 20, 'eur'));
  await make(create('wallet'), { handle: 'caroline' });
  await settle('six', transfer('alice', 'caroline', 7));
  await make(createLedger, { handle: 'second' });
  await make(create('symbol'), { handle: 'usd', factor: 1 }, 'second');
  await make(create('wallet'), { handle: 'alice' }, 'second');
  await make(createIntent, { handle: 'one', claims: [issue('alice', 11)] }, 'second');
  return { ...world, ended };
}

async function wallet({ services }: World, handle: string): Promise<LedgerRecord> {
  const [found] = await services.store.load([
    { what: 'record', scope: main, kind: 'wallet', handle },
  ]);
  if (!found) throw new Error(`There is no wallet ${handle}.`);
  return found.record;
}

function proofOf({ key }: World, record: LedgerRecord, custom: Json) {
  return sign(record.hash, { moment: momentNow(), ...custom }, key);
}

async function revise(
  { call, key }: World,
  record: LedgerRecord,
  change: Json,
): Promise<LedgerRecord> {
  const data = { ...record.data, ...change, parent: record.hash };
  return call(update('wallet'), signed(data, key), record.luid);
}

async function end(world: World, handle: string, last: Json): Promise<string> {
  await world.settle(`last-${handle}-${Date.now()}`, last);
  const { hash, luid } = await wallet(world, handle);
  const body = signed({ parent: hash }, world.key, { moment: momentNow(), status: 'dropped' });
  await world.call(drop('wallet'), body, handle);
  return luid;
}

const bobKey = headKeyOf(main, 'wallet', 'bob');
const erinKey = headKeyOf(main, 'wallet', 'erin');
const oneKey = headKeyOf(main, 'intent', 'one');
const twoKey = headKeyOf(main, 'intent', 'two');
const threeKey = headKeyOf(main, 'intent', 'three');
const cash = balanceKeyOf(main, 'alice', 'usd');

/** Where the superseded version of a luid ends. */
async function pastOf({ item }: World, place: Key, change: number): Promise<Key> {
  const { luid } = await item(place);
  return changeKeyOf(main, String(luid), change);
}

async function versionAt({ item }: World, place: Key): Promise<Version> {
  return unpack(await item(place));
}

const withProofs = (version: Version, proofs: Version['record']['meta']['proofs']): Version => ({
  ...version,
  record: { ...version.record, meta: { ...version.record.meta, proofs } },
  steps: version.steps.map((step, index) =>
    index + 1 < version.steps.length ? step : { ...step, proofs: proofs.length },
  ),
});
const withData = (version: Version, change: Json): Version => {
  const data = { ...version.record.data, ...change };
  return { ...version, record: { ...version.record, data, hash: hashOf(data) } };
};

describe('a ledger that was not touched', () => {
  test('is in order, as a whole, by ledger, and as a running one', async () => {
    const world = await livedIn();
    const report = newReport();
    expect(await world.audited({ report })).toEqual([]);
    expect(await world.audited({ ledger: main })).toEqual([]);
    expect(await world.audited({ ledger: 'second' })).toEqual([]);
    expect(await world.audited({ isLive: true })).toEqual([]);
    expect(report.ledgers.get(main)).toEqual({
      items: expect.any(Number),
      records: 18,
      versions: 26,
      proofs: expect.any(Number),
      intents: 7,
      balances: 4,
    });
    expect(report.ledgers.get('second')).toMatchObject({ intents: 1, balances: 1 });
  });

  test('is audited alone, whatever the ledger beside it looks like', async () => {
    const world = await livedIn();
    await world.alter(balanceKeyOf('second', 'alice', 'usd'), { available: 12n });
    expect(await world.audited({ ledger: main })).toEqual([]);
    expect(await world.audited({ ledger: 'second' })).toHaveLength(1);
    expect(await world.audited()).toHaveLength(1);
  });

  // Decision 31.
  test('may have index entries of the release before, under the numbers of versions', async () => {
    const world = await livedIn();
    const { data } = await world.settle('late', transfer('alice', 'bob', 1));
    const version = unpack(await world.item(headKeyOf(main, 'intent', data.handle)));
    const told = outboxKeyOf(main, version);
    await world.remove(told);
    await world.put({ ...publishedKeyOf(main, shardOf(version.record.luid)), place: told.sk });
    const former = indexKeysOf(main, version).map((key) => ({
      ...key,
      sk: key.sk.replace(/\d+$/, String(version.change).padStart(10, '0')),
    }));
    for (const key of former) await world.put({ ...key, handle: data.handle });
    // Its books are not written here, which the audit names as well.
    const said = async () => (await world.audited()).filter((line) => line.includes('index entry'));
    expect(await said()).toEqual([]);
    const [first] = former;
    if (first) await world.remove(first);
    expect(await said()).toEqual([expect.stringContaining('The index entry is missing')]);
  });

  // Decision 126.
  test('may have index entries that lie in one item with others', async () => {
    const world = await livedIn();
    const settled: Item[] = [];
    let packs: Item[] = [];
    // Intents of a busy moment lie together.
    while (packs.length === 0) {
      const { data } = await world.settle(`late-${settled.length}`, transfer('alice', 'bob', 1));
      const version = unpack(await world.item(headKeyOf(main, 'intent', data.handle)));
      const told = outboxKeyOf(main, version);
      await world.remove(told);
      await world.put({ ...publishedKeyOf(main, shardOf(version.record.luid)), place: told.sk });
      settled.push(...indexItemsOf(main, version));
      packs = packIndex(settled).filter((item) => 'others' in item);
    }
    for (const item of packIndex(settled)) await world.put(item);
    const said = async () => (await world.audited()).filter((line) => line.includes('index entry'));
    expect(await said()).toEqual([]);
    const [pack = {}] = packs;
    const [first = {}, ...others] = unpackIndex(pack);
    const missing = expect.stringContaining('The index entry is missing');
    // One that leads to no record, one that leads to another, and one that is not there.
    await world.put({ ...pack, others: String(pack['others']).replace(/ late-/, ' fate-') });
    expect(await said()).toEqual([missing]);
    await world.put({ ...pack, handle: 'x' });
    expect(await said()).toEqual([missing]);
    await world.remove(keyOfItem(pack));
    for (const item of packIndex(others)) await world.put(item);
    expect(await said()).toEqual([missing]);
    await world.put(first);
    expect(await said()).toEqual([]);
  });

  test('and a ledger that does not exist is not audited', async () => {
    const world = await ground.newWorld();
    await expect(world.audited({ ledger: 'nope' })).rejects.toThrow("no ledger 'nope'");
  });
});

// A row says what is done to the table, and each line that the audit must say, all of it.
const plants: readonly (readonly [
  what: string,
  plant: (world: LivedIn) => Promise<void>,
  said: readonly RegExp[],
])[] = [
  [
    'more in a balance',
    (world) => world.alter(cash, { available: 694n }),
    [/^Invariant 1 · ledger main · wallet alice: The balance of usd .* Expected 693, found 694\.$/],
  ],
  [
    'a balance below zero',
    (world) => world.alter(cash, { available: -1n }),
    [
      /^Invariant 2 · ledger main · wallet alice · \$wlt.*: The balance of usd is below its limit\. Expected 0 or more, found -1\.$/,
      /^Invariant 1 · .* Expected 693, found -1\.$/,
    ],
  ],
  [
    'a reserved amount',
    (world) => world.alter(cash, { available: 690n, reserved: 3n }),
    [
      /^Invariant 2 · ledger main · wallet alice: The reserved amount of usd is not what unfinished intents need\. Expected 0, found 3\.$/,
    ],
  ],
  [
    'a balance of another wallet',
    async (world) => {
      await world.alter(cash, { wallet: (await world.item(bobKey))['luid'] });
    },
    [/^Invariant 3 · ledger main · wallet alice .*: The balance of usd belongs to another wallet/],
  ],
  [
    'a balance taken away',
    (world) => world.remove(cash),
    [
      /^Invariant 3 · ledger main · wallet alice .*: The wallet counts its balances wrongly\. Expected 0, found 1\.$/,
      /^Invariant 1 · .* Expected 693, found no balance\.$/,
    ],
  ],
  [
    'the mark of a symbol taken away',
    (world) => world.remove(usageKeyOf(main, 'symbol', 'usd')),
    [
      /^Invariant 3 · ledger main · symbol usd: The symbol has balances and is not marked as used\.$/,
    ],
  ],
  [
    'an intent taken away',
    async (world) => {
      const version = await versionAt(world, oneKey);
      await world.remove(oneKey);
      await world.remove(listKeyOf(main, version));
      await world.remove(outboxKeyOf(main, version));
    },
    [
      /^Invariant 1 · ledger main · wallet alice: .* Expected -307, found 693\.$/,
      /^Invariant 1 · ledger main · wallet bob: The balance of eur .* Expected 0, found 50\.$/,
    ],
  ],
  [
    'a version taken away',
    async (world) => world.remove(await pastOf(world, bobKey, 3)),
    [
      /^Invariant 3 · ledger main · wallet bob · \$wlt.* · change 4: Change 3 is missing/,
      /change 4: The parent is not the hash of the version before/,
      /^Invariant 4 · ledger main · wallet bob · .* change 3: An outbox entry tells of a change that/,
    ],
  ],
  [
    'the current version taken away',
    (world) => world.remove(bobKey),
    [
      /^Invariant 3 · ledger main · wallet bob: The balance of eur belongs to no wallet that exists/,
      /^Invariant 3 · ledger main · wallet bob: The balance of usd belongs to no wallet that exists/,
      /^Invariant 3 · ledger main · wallet bob .*: There is no current version at its handle/,
      /^Invariant 3 · ledger main · wallet bob .*: A list entry shows no record/,
      /^Invariant 4 · ledger main · wallet bob .* change 5: An outbox entry tells of a change that/,
    ],
  ],
  [
    'a signature with another bit',
    async (world) => {
      const item = await world.item(bobKey);
      const proofs = Uint8Array.from(item['proofs'] as Uint8Array);
      proofs[proofs.length - 1] = (proofs.at(-1) ?? 0) ^ 1;
      await world.alter(bobKey, { proofs });
    },
    [
      /^Invariant 3 · ledger main · wallet bob · \$wlt.* · change 5: The proof of the version by \S+ does not verify: its signature is not of its digest\.$/,
    ],
  ],
  [
    'other data',
    async (world) => {
      const data = String((await world.item(oneKey))['data']).replace('1000', '1001');
      await world.alter(oneKey, { data });
    },
    [
      /^Invariant 3 · ledger main · intent one · \$int.* · change 4: The hash of the version is not what was signed: none of its 7 proofs verifies\.$/,
      /^Invariant 5 · ledger main · intent one .*: Entry 0 of the intent is not what its claims say\. Expected .*1001.* found .*1000/,
      /^Invariant 1 · ledger main · symbol usd: What was issued/,
    ],
  ],
  [
    'another parent',
    (world) => world.edit(erinKey, (version) => withData(version, { parent: 'a'.repeat(64) })),
    [
      /^Invariant 3 · ledger main · wallet erin · .* change 2: The hash of the version is not what was signed/,
      /^Invariant 3 · ledger main · wallet erin · .* change 2: The parent is not the hash of the version before\. Expected [0-9a-f]{64}, found a{64}\.$/,
    ],
  ],
  [
    'a status that nobody asked for',
    (world) =>
      world.edit(bobKey, (version) => ({
        ...version,
        record: { ...version.record, meta: { ...version.record.meta, status: 'frozen' } },
        steps: version.steps.map((step) => ({ ...step, status: 'frozen' })),
      })),
    [
      /^Invariant 3 .* change 5: The status is not the one that the proof asks for\. Expected active, found frozen\.$/,
    ],
  ],
  [
    'another owner',
    (world) =>
      world.edit(twoKey, (version) => ({
        ...version,
        record: {
          ...version.record,
          meta: { ...version.record.meta, owners: [publicOf(createSeed())] },
        },
      })),
    [/^Invariant 3 · ledger main · intent two .* change 5: The owners or the domain changed/],
  ],
  [
    'a moment before the last one',
    (world) =>
      world.edit(bobKey, (version) => ({
        ...version,
        steps: version.steps.map((step) => ({ ...step, moment: '2020-01-01T00:00:00.000Z' })),
      })),
    [
      /^Invariant 3 .* change 5: A change is older than the one before it/,
      /^Invariant 4 .* change 5: The outbox entry is missing/,
      /^Invariant 4 .* change 5: An outbox entry tells of a change that does not exist/,
    ],
  ],
  [
    'a proof by another key in the name of the ledger',
    async (world) => {
      const other = await world.services.identityOf('second');
      if (!other) throw new Error('There is no second ledger.');
      await world.edit(headKeyOf(main, 'wallet', 'alice'), (version) => {
        const { hash, meta } = version.record;
        const last = meta.proofs.at(-1);
        const forged = { ...sign(hash, last?.custom, other.key), signer: 'system' };
        return withProofs(version, [...meta.proofs.slice(0, -1), forged]);
      });
    },
    [
      /^Invariant 3 · ledger main · wallet alice .* change 1: A proof of the ledger is not by the ledger's key/,
    ],
  ],
  [
    'a list entry taken away',
    async (world) => world.remove(listKeyOf(main, await versionAt(world, bobKey))),
    [/^Invariant 3 · ledger main · wallet bob .*: The list entry of the record is missing/],
  ],
  [
    'a list entry in another place',
    async (world) => {
      const key = listKeyOf(main, await versionAt(world, bobKey));
      await world.put({ ...(await world.item(key)), sk: key.sk.replace(/^.{8}/, '-0000000') });
    },
    [
      /^Invariant 3 · ledger main · wallet bob .*: A list entry shows no record, or shows it in the wrong place: 'main#list#wallet -0000000\$wlt/,
    ],
  ],
  [
    'a list entry of an intent taken away',
    async (world) => world.remove(listKeyOf(main, await versionAt(world, oneKey))),
    [
      /^Invariant 3 · ledger main · intent one · \$int.*: The list entry of the record is missing\.$/,
    ],
  ],
  [
    'a pointer taken away',
    async (world) => {
      const { luid } = await world.item(headKeyOf(main, 'wallet', 'alice'));
      await world.remove(pointerKeyOf(main, 'wallet', String(luid)));
    },
    [
      /^Invariant 3 · ledger main · wallet alice · \$wlt.*: The pointer of the record is missing\.$/,
    ],
  ],
  [
    'the pointer of a changed record taken away',
    async (world) => {
      const { luid } = await world.item(bobKey);
      await world.remove(pointerKeyOf(main, 'wallet', String(luid)));
    },
    [/^Invariant 3 · ledger main · wallet bob · \$wlt.*: The pointer of the record is missing\.$/],
  ],
  [
    'a pointer to another handle',
    async (world) => {
      const { luid } = await world.item(bobKey);
      await world.alter(pointerKeyOf(main, 'wallet', String(luid)), { handle: 'alice' });
    },
    [
      /^Invariant 3 · ledger main · wallet alice · \$wlt.*: There is no current version at its handle/,
      /^Invariant 3 · ledger main · wallet bob · \$wlt.*: The record lies at a handle that its pointer does not name\. Expected alice, found bob\.$/,
      /^Invariant 3 · ledger main · wallet alice .*: A list entry shows no record/,
      /^Invariant 4 · ledger main · wallet alice .* change 5: An outbox entry tells of a change that/,
    ],
  ],
  [
    'a remembered proof taken away',
    async (world) => {
      const { record } = await versionAt(world, headKeyOf(main, 'wallet', 'alice'));
      const [proof] = record.meta.proofs;
      if (proof) await world.remove(replayGuardKeyOf(main, 'wallet', proof));
    },
    [
      /^Invariant 3 · ledger main · wallet alice .*: A proof that made or ended the record is not remembered/,
    ],
  ],
  [
    'the remembered proof of a drop taken away',
    async (world) => {
      const { drop } = await versionAt(world, changeKeyOf(main, world.ended, 3));
      const [proof] = drop?.meta.proofs ?? [];
      if (proof) await world.remove(replayGuardKeyOf(main, 'wallet', proof));
    },
    [
      /^Invariant 3 · ledger main · wallet caroline .*: A proof that made or ended the record is not remembered/,
    ],
  ],
  [
    'a key that nobody has',
    (world) => world.put({ ...holderKeyOf(main, publicOf(createSeed())), signer: 'nobody' }),
    [/^Invariant 3 · ledger main: A key is held by a signer that does not have it/],
  ],
  [
    'the key of the ledger taken away',
    (world) => world.remove(secretPlaceOf('second')),
    [/^Invariant 3 · \(server\) · ledger second .*: The ledger has no key\.$/],
  ],
  [
    'a private key in clear',
    (world) => world.alter(secretPlaceOf(main), { wrapped: new Uint8Array(32) }),
    [
      /^Secret · \(server\) · ledger main · \$ldg.*: The private key of the ledger is not wrapped\. Expected more than 32 bytes, found 32\.$/,
    ],
  ],
  [
    'another key of the ledger',
    (world) => world.alter(secretPlaceOf('second'), { public: publicOf(createSeed()) }),
    [
      /^Invariant 3 · \(server\) · ledger second .* change 1: The ledger did not sign it/,
      /^Invariant 3 · \(server\) · ledger second .*: The signer system does not show the key/,
      /^Invariant 3 · ledger second · signer system .*: A proof of the ledger is not by the ledger's key/,
      /^Invariant 3 · ledger second · signer log .*: A proof of the ledger is not by the ledger's key/,
      /^Invariant 3 · ledger second · symbol usd .*: A proof of the ledger is not by the ledger's key/,
      /^Invariant 3 · ledger second · wallet alice .*: A proof of the ledger is not by the ledger's key/,
      /^Invariant 3 · ledger second · intent one .*: A proof of the ledger is not by the ledger's key/,
    ],
  ],
  [
    'an outbox entry taken away',
    async (world) => world.remove(outboxKeyOf(main, await versionAt(world, bobKey))),
    [
      /^Invariant 4 · ledger main · wallet bob · \$wlt.* · change 5: The outbox entry is missing at/,
    ],
  ],
  [
    'an outbox entry that was told of what is not mentioned',
    async (world) => {
      const version = await versionAt(world, bobKey);
      const key = outboxKeyOf(main, version);
      await world.remove(key);
      await world.put({ ...publishedKeyOf(main, shardOf(version.record.luid)), place: key.sk });
    },
    [
      /^Invariant 3 · ledger main · wallet bob · \$wlt.* · change 5: The index entry is missing at 'main#term#/,
    ],
  ],
  [
    'the outbox entry of a drop taken away',
    async (world) => {
      const version = await versionAt(world, changeKeyOf(main, world.ended, 3));
      await world.remove(outboxKeyOf(main, version));
    },
    [
      /^Invariant 4 · ledger main · wallet caroline · \$wlt.* · change 3: The outbox entry is missing at/,
    ],
  ],
  [
    'a signal of another change',
    async (world) => {
      const key = outboxKeyOf(main, await versionAt(world, oneKey));
      const signals = String((await world.item(key))['signals']).replace(
        '"change":4',
        '"change":5',
      );
      await world.alter(key, { signals });
    },
    [
      /^Invariant 4 · ledger main · intent one · \$int.* · change 4: The outbox entry tells other signals/,
    ],
  ],
  [
    'a signal that is not told',
    async (world) => {
      const key = outboxKeyOf(main, await versionAt(world, oneKey));
      const signals = JSON.parse(String((await world.item(key))['signals'])) as Json[];
      const kept = signals.filter(({ signal }) => signal !== 'balance-received');
      await world.alter(key, { signals: JSON.stringify(kept) });
    },
    [/^Invariant 4 · .* Expected .*balance-received/],
  ],
  [
    'an outbox entry of nothing',
    async (world) => {
      const key = outboxKeyOf(main, await versionAt(world, oneKey));
      await world.put({ ...(await world.item(key)), sk: key.sk.replace(/\d+$/, '0000000009') });
    },
    [
      /^Invariant 4 · ledger main · intent one · \$int.* · change 9: An outbox entry tells of a change that does not exist/,
    ],
  ],
  [
    'a second end',
    (world) =>
      world.edit(oneKey, (version) => {
        const { proofs } = version.record.meta;
        return withProofs(version, [...proofs, ...proofs.slice(-1)]);
      }),
    [
      /^Invariant 5 · ledger main · intent one .*: The intent reaches an end more than once\. Expected one final status, found completed, completed\.$/,
    ],
  ],
  [
    'another end',
    (world) =>
      world.edit(threeKey, (version) => ({
        ...version,
        record: { ...version.record, meta: { ...version.record.meta, status: 'completed' } },
        steps: version.steps.map((step, index) =>
          index < 3 ? step : { ...step, status: 'completed' },
        ),
      })),
    [
      /^Invariant 5 · ledger main · intent three .* change 4: The status of the change is not what the ledger said\. Expected rejected, found completed\.$/,
    ],
  ],
  [
    'a status left out',
    (world) =>
      world.edit(oneKey, (version) => {
        const { proofs } = version.record.meta;
        const kept = proofs.filter(({ custom }) => custom?.['status'] !== 'committed');
        return {
          ...withProofs(version, kept),
          change: 3,
          steps: [
            ...version.steps.slice(0, 2),
            ...version.steps.slice(3).map((step) => ({ ...step, proofs: kept.length })),
          ],
        };
      }),
    [/./, /./, /Invariant 5 · ledger main · intent one .*: The intent cannot become completed/],
  ],
  [
    'an entry to another wallet',
    async (world) => {
      const own = await world.services.identityOf(main);
      if (!own) throw new Error('There is no ledger.');
      await world.edit(oneKey, (version) => {
        const { hash, meta } = version.record;
        const proofs = meta.proofs.map((proof) =>
          proof.custom?.['symbol'] === 'eur'
            ? { ...sign(hash, { ...proof.custom, wallet: 'alice' }, own.key), signer: 'system' }
            : proof,
        );
        return withProofs(version, proofs);
      });
    },
    [
      /^Invariant 4 · ledger main · intent one .*: The outbox entry tells other signals/,
      /^Invariant 1 · ledger main · wallet alice: The balance of eur .* Expected 50, found no balance/,
      /^Invariant 1 · ledger main · wallet bob: The balance of eur .* Expected 0, found 50/,
    ],
  ],
  [
    'a record of no ledger',
    async (world) => {
      await world.put({ ...(await world.item(bobKey)), ...headKeyOf('third', 'wallet', 'bob') });
    },
    [
      /^Invariant 3 · ledger third · wallet bob .* change 5: Change 1 is missing/,
      /^Invariant 3 · ledger third · wallet bob .*: The pointer of the record is missing/,
      /^Invariant 3 · ledger third · wallet bob .*: The list entry of the record is missing/,
      /^Invariant 3 · ledger third · wallet bob .*: A proof that made or ended the record is not remembered/,
      /^Invariant 4 · ledger third · wallet bob .*: The outbox entry is missing/,
      /^Invariant 3 · ledger third: There are items of a ledger that has no record\.$/,
    ],
  ],
  [
    'something else',
    (world) => world.put({ pk: 'main#note#1', sk: '#' }),
    [/^Invariant 3 · ledger main: The item 'main#note#1 #' is none of the ledger's\.$/],
  ],
];

describe('the audit names', () => {
  test.concurrent.each(plants)('%s', async (_, plant, said) => {
    const world = await livedIn();
    await plant(world);
    const lines = await world.audited();
    for (const pattern of said) expect(lines).toContainEqual(expect.stringMatching(pattern));
    expect(lines, lines.join('\n')).toHaveLength(said.length);
    expect(await world.audited({ isLive: true })).toEqual(lines);
  });
});

test('a balance that cannot be read is named, and the rest is checked', async () => {
  const world = await livedIn();
  const key = balanceKeyOf(main, 'alice', 'usd');
  const before = await world.item(key);
  await world.edit(headKeyOf(main, 'wallet', 'caroline'), (version) => ({
    ...version,
    record: { ...version.record, hash: '0'.repeat(64) },
  }));
  for (const change of [
    { available: 'x' },
    { reserved: 'x' },
    { limits: { maxBalance: { amount: 'x' } } },
    { shards: 0n },
    { shards: 10n ** 15n },
    { fenced: -1n },
    { fenced: 9n * 10n ** 15n },
  ]) {
    await world.put({ ...before, ...change });
    for (const isLive of [false, true]) {
      const lines = await world.audited({ isLive });
      const said = `Invariant 3 · ledger main: The item '${key.pk} ${key.sk}' cannot be read: `;
      expect(
        lines.filter((line) => line.startsWith(said)),
        lines.join('\n'),
      ).toHaveLength(1);
      expect(lines).toContainEqual(expect.stringContaining('wallet caroline'));
    }
  }
});

describe('a ledger that is running', () => {
  // Goal: no false alarm. Payments between few wallets, each of them all the time, wallets that are
  // changed, dropped and made again: all of it while one audit follows the other.
  test('is in order while it is used', async () => {
    const world = await livedIn();
    let isOver = false;
    let settled = 0;
    const audits: string[][] = [];
    const wallets = ['alice', 'bob', 'caroline'];
    const pay = async (client: number) => {
      for (let round = 0; !isOver; round += 1) {
        // Where an audit is slow, payments without end would make the next one slower.
        await until(
          'an audit ends',
          () => isOver || settled <= settledPerAudit * (audits.length + 1),
        );
        const [from, to] = [round + client, round + client + 1].map((n) => wallets[n % 3] ?? '');
        const amount = 1 + ((round * 7) % 13);
        const claim =
          round % 5 === 0 ? issue(to ?? '', amount) : transfer(from ?? '', to ?? '', amount);
        await world.settle(`load-${client}-${round}`, claim);
        settled += 1;
      }
    };
    const live = async () => {
      for (let round = 0; !isOver; round += 1) {
        const handle = `short-${round % 2}`;
        const made = await world.make(create('wallet'), { handle });
        await world.settle(`first-${round}`, issue(handle, 5));
        await world.call(prove('wallet'), proofOf(world, made, { labels: ['x'] }), handle);
        await revise(world, await wallet(world, handle), { custom: { round } });
        await end(world, handle, destroy(handle, 5));
      }
    };
    const load = Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(pay).concat(live()));
    const startMs = Date.now();
    while (audits.length < 5 || Date.now() - startMs < loadMs)
      audits.push(await world.audited({ isLive: true }));
    isOver = true;
    await load;
    show(`${audits.length} audits beside ${settled} intents in ${Date.now() - startMs} ms`);
    expect(audits.flat()).toEqual([]);
    expect(await world.audited()).toEqual([]);
  });

  test('is in order where a wallet ends and is made anew between two readings', async () => {
    const world = await livedIn();
    const source = tableSource(ground.client, world.tableName);
    const headKey = headKeyOf(main, 'wallet', 'short');
    const isAt = (key: Key) => (item: Item) => textOf(keyOfItem(item)) === textOf(key);
    await world.make(create('wallet'), { handle: 'short' });
    const earlier: Item[] = [];
    for await (const page of source.outlines()) earlier.push(...page.filter(isAt(headKey)));
    await end(world, 'short', issue('bob', 1));
    const next = await world.make(create('wallet'), { handle: 'short' });
    // The first reading comes too early for all but the next head, and the second one meets the earlier head.
    let readings = 0;
    const isLater = (item: Item) =>
      !isAt(headKey)(item) && JSON.stringify(Object.values(item).map(String)).includes(next.luid);
    const racing = async function* () {
      readings += 1;
      for await (const page of source.outlines())
        yield readings === 1
          ? page.filter((item) => !isLater(item))
          : page.flatMap((item) => (isAt(headKey)(item) ? earlier : [item]));
    };
    const options = { isLive: true, nowMs: Date.now };
    const found: string[] = [];
    for await (const one of audit({ ...source, outlines: racing }, options, newReport()))
      found.push(lineOfViolation(one));
    expect(readings).toBe(2);
    expect(earlier).toHaveLength(1);
    expect(found).toEqual([]);
  });

  test('does not hide what is wrong', async () => {
    const world = await livedIn();
    let isOver = false;
    const pay = async (client: number) => {
      for (let round = 0; !isOver; round += 1)
        await world.settle(`load-${client}-${round}`, issue('bob', 1 + (round % 9)));
    };
    const load = Promise.all([0, 1, 2, 3].map(pay));
    await world.alter(cash, { available: 694n });
    const found = await world.audited({ isLive: true });
    isOver = true;
    await load;
    expect(found).toEqual([
      expect.stringMatching(
        /^Invariant 1 · ledger main · wallet alice: .* Expected 693, found 694\.$/,
      ),
    ]);
  });
});

/** How long the audit of a running ledger is tried, in milliseconds. */
const loadMs = Number(process.env['AUDIT_LOAD_MS'] || 3_000);
/** How many intents settle beside each audit. */
const settledPerAudit = 100;

/** How many intents the larger ledger has. */
const intentCount = Number(process.env['AUDIT_INTENTS'] || 2_000);
const heapBytesMax = 16 * 1024 * 1024;

describe('countersign audit', () => {
  const run = async (env: Json, ...words: readonly string[]) => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'localstack/command/main.ts', 'audit', ...words],
      {
        env: { ...process.env, DYNAMODB_ENDPOINT: '', ...env },
      },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk;
      });
    const [code] = (await once(child, 'exit')) as [number];
    return { code, said };
  };

  test('works beside a running ledger and after it, and says how it went', async () => {
    const data = join(ground.folder, 'kept');
    const runtime = await start({ data });
    const ledger = clientOf(runtime.url, runtime.key);
    const key = newKey();
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
    await ledger.make('wallets', { handle: 'alice' }, key);
    await ledger.settle(key, 'issue alice 100 usd');
    const table = /^main +\d+ +6 +6 +13 +1 +1$/m;
    const beside = await run({ LEDGER_DATA: data });
    expect(beside.said).toMatch(table);
    expect(beside.code).toBe(0);
    expect(statSync(join(data, 'endpoint')).mode & 0o777).toBe(0o600);
    await runtime.stop();
    expect(existsSync(join(data, 'endpoint'))).toBe(false);
    const alone = await run({ LEDGER_DATA: data }, 'main');
    expect(alone.said).toMatch(table);
    expect(alone.code).toBe(0);
    const crashed = await start({ data });
    await crashed.kill9();
    expect((await run({ LEDGER_DATA: data })).code).toBe(0);
    expect(await run({ LEDGER_DATA: data }, 'nope')).toEqual({
      code: 2,
      said: "There is no ledger 'nope' in this table.\n",
    });
  });

  test('ends with 1 and the first violation, or all of them', async () => {
    const world = await livedIn();
    await world.alter(cash, { available: -1n });
    const env = { DYNAMODB_ENDPOINT: ground.database.endpoint, TABLE_NAME: world.tableName };
    const first = await run(env);
    expect(first.code).toBe(1);
    expect(first.said.match(/^Invariant \d/gm)).toHaveLength(1);
    const all = await run(env, '--all');
    expect(all.code).toBe(1);
    expect(all.said.match(/^Invariant \d/gm)).toHaveLength(2);
  });

  test('makes nothing where there is no ledger', async () => {
    const data = join(ground.folder, 'none');
    const { code, said } = await run({ LEDGER_DATA: data });
    expect(code).toBe(2);
    expect(said).toBe(
      `There is no ledger in ${data}. Name the folder of one by --data or LEDGER_DATA.\n`,
    );
    expect(existsSync(data)).toBe(false);
    const env = { DYNAMODB_ENDPOINT: ground.database.endpoint, TABLE_NAME: 'nothing' };
    expect((await run(env)).code).toBe(2);
    expect((await run({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' })).code).toBe(7);
  });
});

describe('a larger ledger', () => {
  // Goal: memory that does not grow with the intents. They are as in a real ledger, each signed, but
  // written without their transactions, which would take longer than the audit.
  test('is audited in the memory of a small one', async () => {
    const world = await ground.newWorld();
    await writeIntents(world, intentCount);
    const report = newReport();
    const heapBytes = heapNow();
    const startMs = Date.now();
    let grown = 0;
    const onProgress = ({ doing }: AuditReport) => {
      // By then everything was read, and all that is remembered of it is still there.
      if (doing === 'comparing balances') grown = heapNow() - heapBytes;
    };
    const lines = await world.audited({ report, onProgress });
    const ms = Date.now() - startMs;
    const { proofs = 0, items = 0 } = report.ledgers.get(main) ?? {};
    show(
      `${intentCount} intents, ${items} items, ${proofs} proofs in ${ms} ms: ${Math.round((proofs * 1000) / ms)} proofs a second, ${Math.round(grown / 1024)} KB kept, ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB in all`,
    );
    expect(lines).toEqual([]);
    expect(report.ledgers.get(main)?.intents).toBe(intentCount);
    expect(grown).toBeLessThan(heapBytesMax);
  });
});

/** Settles so many intents as the actions do, and writes all that they would, but many at a time. */
async function writeIntents(world: World, count: number): Promise<void> {
  const { services, tableName, key } = world;
  const wallets = Array.from({ length: 20 }, (_, index) => `w${index}`);
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  for (const handle of wallets) {
    await world.make(create('wallet'), { handle });
    await world.settle(`first-${handle}`, issue(handle, 1));
  }
  const known = new Map<string, Promise<unknown>>();
  const sums = new Map<string, bigint>();
  let items: Item[] = [];
  const store = {
    ...services.store,
    load: (wants: Parameters<typeof services.store.load>[0]) => {
      const name = JSON.stringify(wants);
      const found = known.get(name) ?? services.store.load(wants);
      known.set(name, found);
      return found;
    },
    commit: async (commit: Commit) => {
      for (const { action } of planOf(tableName, commit))
        items.push(...(action.Put ? [action.Put.Item ?? {}] : []));
      for (const { wallet, amount } of commit.moves ?? [])
        sums.set(wallet, (sums.get(wallet) ?? 0n) + amount);
      return [];
    },
  };
  const ledger = await services.identityOf(main);
  if (!ledger) throw new Error('There is no ledger.');
  const quick = { ...services, store: store as unknown as Services['store'] };
  for (let index = wallets.length; index < count; index += 1) {
    const data = {
      handle: `i${index}`,
      claims: [issue(wallets[index % 20] ?? '', 1 + (index % 9))],
    };
    await createIntent.run({
      services: quick,
      ledger,
      path: {},
      query: {},
      body: signed(data, key),
      work: newWork(quick),
    });
    if (items.length < 1_000 && index + 1 < count) continue;
    await writeItems(tableName, items);
    items = [];
  }
  for (const [handle, sum] of sums) {
    const place = balanceKeyOf(main, handle, 'usd');
    await world.alter(place, {
      available: ((await world.item(place))['available'] as bigint) + sum,
    });
  }
}

async function writeItems(tableName: string, items: readonly Item[]): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(items.length / 25) }, (_, index) =>
    items.slice(index * 25, index * 25 + 25),
  );
  await Promise.all(
    chunks.map((chunk) => {
      const requests = chunk.map((one) => ({ PutRequest: { Item: one } }));
      return ground.client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
    }),
  );
}

/** What is kept in memory once the rest is thrown away. */
function heapNow(): number {
  gc();
  return process.memoryUsage().heapUsed;
}

function show(line: string): void {
  process.stdout.write(`${line}\n`);
}
