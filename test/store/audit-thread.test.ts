/**
 * Goal: the audit finds nothing wrong with intents that wait for bridges, at any moment of their lives, alone and
 * in threads, and names what is wrong with them when somebody wrote into the table. Rulings 43, 46, 50, 51, 55, 56.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { newReport } from '../../shared/audit/run.ts';
import { sign } from '../../shared/crypto/proof.ts';
import { reportUnsupported } from '../../shared/intent/unprompted.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import {
  balanceKeyOf,
  expiryKeyOf,
  headKeyOf,
  listKeyOf,
  outboxKeyOf,
} from '../../shared/store/keys.ts';
import { unpack } from '../../shared/store/pack.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  startGround,
  type World,
} from '../fixture/audited.ts';

let ground: Ground;
let ready: World;
let begun: World;
beforeAll(async () => {
  ground = await startGround();
  ready = await withBanks();
  begun = await withWork();
});
afterAll(() => ground.stop());

const issue = (target: string, amount: number) => ({
  ...{ action: 'issue', target, symbol: 'usd', amount },
});
const transfer = (source: string, target: string, amount: number) => ({
  ...{ action: 'transfer', source, target, symbol: 'usd', amount },
});
const limit = (wallet: string, metric: string, amount: number) => ({
  ...{ action: 'limit', wallet, symbol: 'usd', metric, amount },
});
const manual = { config: { commit: 'manual' } };

const b = balanceKeyOf(main, 'b', 'usd');
const own = balanceKeyOf(main, 'own', 'usd');
const other = balanceKeyOf(main, 'other', 'usd');
const headOf = (handle: string) => headKeyOf(main, 'intent', handle);

interface Banked extends World {
  /** Makes an intent; answers how it stands. */
  readonly pay: (handle: string, claims: readonly Json[], more?: Json) => Promise<LedgerRecord>;
  /** Reports of the entries of an intent, one after the other: `debit b prepared`. */
  readonly report: (intent: LedgerRecord, ...reports: readonly string[]) => Promise<string>;
  /** Says something of an intent. */
  readonly say: (intent: LedgerRecord, custom: Json) => Promise<string>;
  readonly read: (handle: string) => Promise<LedgerRecord>;
}

/** A ledger with two banks, a wallet at each, two of its own, and two that pass on what comes to them. */
const banked = async (): Promise<Banked> => bankedIn(await ground.copyOf(ready));

/** The same, as it is made. */
async function withBanks(): Promise<World> {
  const world = await ground.newWorld();
  const { make } = world;
  // Nobody calls there.
  const config = { server: 'https://a.example' };
  await make(create('symbol'), { handle: 'usd', factor: 100 });
  await make(create('bridge'), { handle: 'blue', config });
  const grouping = { ...config, 'debits.claims.groupBy': 'address' };
  await make(create('bridge'), { handle: 'green', config: grouping });
  await make(create('wallet'), { handle: 'b', bridge: 'blue' });
  await make(create('wallet'), { handle: 'g', bridge: 'green' });
  for (const handle of ['own', 'other']) await make(create('wallet'), { handle });
  const routes = [{ action: 'forward', target: 'b' }];
  await make(create('wallet'), { handle: 'pass', routes });
  const credit = [{ action: 'credit', target: 'other' }];
  await make(create('wallet'), { handle: 'door', routes: credit });
  await make(createIntent, { handle: 'first', claims: [issue('own', 1000)] });
  return world;
}

/** What a test does in a world with banks. */
function bankedIn(world: World): Banked {
  const { call, make, key, item } = world;
  const read: Banked['read'] = async (handle) =>
    unpack(await item(headKeyOf(main, 'intent', handle))).record;
  const say: Banked['say'] = async ({ hash, data }, custom) => {
    const why = custom['status'] === 'failed' && { reason: 'bridge.no' };
    const proof = sign(hash, { moment: momentNow(), ...custom, ...why }, key);
    return (await call(prove('intent'), proof, data.handle)).meta.status;
  };
  return {
    ...world,
    pay: (handle, claims, more = {}) => make(createIntent, { handle, claims, ...more }),
    say,
    read,
    report: async (intent, ...reports) => {
      const { meta } = await read(intent.data.handle);
      let status = meta.status;
      for (const text of reports) {
        const [schema, wallet, said] = text.split(' ');
        status = await say(intent, { handle: entryOf(meta.proofs, schema, wallet), status: said });
      }
      return status;
    },
  };
}

/** The handle of an entry, by its side and its wallet. */
function entryOf(proofs: readonly Proof[], schema = '', wallet = ''): unknown {
  const word = proofs.find(
    ({ custom = {} }) =>
      custom['status'] === 'resolved' && custom['schema'] === schema && custom['wallet'] === wallet,
  );
  return word?.custom?.['handle'];
}

/** The intent that the last route of a thread made. */
async function forwarded({ item }: World, handle: string): Promise<string> {
  const { together = [] } = unpack(await item(headKeyOf(main, 'intent', handle)));
  return together.at(-1) ?? '';
}

async function assertInOrder(world: World): Promise<void> {
  expect([await world.audited(), await world.audited({ isLive: true })]).toEqual([[], []]);
}

describe('in order, at every moment, is', () => {
  test('a payment between two banks', async () => {
    const world = await banked();
    const intent = await world.pay('one', [transfer('b', 'g', 5)]);
    expect(intent.meta.status).toBe('processing');
    await assertInOrder(world);
    for (const [report, status] of [
      ['credit g prepared', 'processing'],
      ['debit b prepared', 'processing'],
      ['credit g prepared', 'committed'],
      ['debit b committed', 'committed'],
      ['debit b aborted', 'committed'],
      ['credit g committed', 'completed'],
    ] as const) {
      expect([report, await world.report(intent, report)]).toEqual([report, status]);
      await assertInOrder(world);
    }
  });

  test('a payment that a bank refuses, or does not do at all', async () => {
    const world = await banked();
    const one = await world.pay('one', [transfer('b', 'g', 5)]);
    expect(await world.report(one, 'debit b prepared', 'credit g failed')).toBe('aborted');
    await assertInOrder(world);
    expect(await world.report(one, 'debit b aborted')).toBe('rejected');
    const two = await world.pay('two', [transfer('own', 'g', 5)]);
    const entry = String(entryOf(two.meta.proofs, 'credit', 'g'));
    const ledger = await world.services.identityOf(main);
    if (!ledger) throw new Error('There is no ledger.');
    const asked = { scope: main, luid: two.luid, handle: 'two', entry, bridge: 'green' };
    await reportUnsupported(world.services, ledger, asked);
    expect((await world.read('two')).meta.status).toBe('rejected');
    await assertInOrder(world);
  });

  test('a payment that somebody decides', async () => {
    const world = await banked();
    const one = await world.pay('one', [transfer('own', 'other', 5)], manual);
    const two = await world.pay('two', [transfer('own', 'g', 7)], manual);
    const three = await world.pay('three', [transfer('b', 'g', 9)], manual);
    expect(await world.report(three, 'debit b prepared', 'credit g prepared')).toBe('prepared');
    await assertInOrder(world);
    expect(await world.say(one, { status: 'committed' })).toBe('completed');
    expect(await world.say(two, { status: 'aborted' })).toBe('aborted');
    expect(await world.say(three, { status: 'committed' })).toBe('committed');
    await assertInOrder(world);
    expect(await world.report(two, 'credit g aborted')).toBe('rejected');
    expect(await world.report(three, 'credit g committed', 'debit b committed')).toBe('completed');
    await assertInOrder(world);
  });

  test('a payment that is forwarded, with all of its thread', async () => {
    const world = await banked();
    const one = await world.pay('one', [transfer('own', 'pass', 5), transfer('b', 'door', 3)]);
    expect(one.meta.status).toBe('processing');
    const other = await world.read(await forwarded(world, 'one'));
    expect([other.meta.thread, other.meta.status]).toEqual(['one', 'processing']);
    await assertInOrder(world);
    await world.report(one, 'debit b prepared');
    await assertInOrder(world);
    expect(await world.report(other, 'credit b prepared')).toBe('committed');
    await assertInOrder(world);
    await world.report(other, 'credit b committed');
    expect(await world.report(one, 'debit b committed')).toBe('completed');
    await assertInOrder(world);
  });

  test('a payment of several claims that a bank is told as one', async () => {
    const world = await banked();
    const claims = [transfer('g', 'own', 5), transfer('b', 'own', 1), transfer('g', 'other', 3)];
    const one = await world.pay('one', claims);
    const debit = one.meta.proofs.find(({ custom }) => custom?.['amount'] === 8);
    expect(debit?.custom).toMatchObject({ schema: 'debit', inputs: [0, 2] });
    await assertInOrder(world);
    expect(await world.report(one, 'debit g prepared', 'debit b prepared')).toBe('committed');
    await assertInOrder(world);
  });

  test('a balance with limits, below zero too, and one that gets them with what a bank does', async () => {
    const world = await banked();
    const limited = await world.pay('one', [limit('other', 'minBalance', -50)]);
    expect(limited.meta.status).toBe('completed');
    await world.pay('two', [transfer('other', 'own', 30)]);
    expect(await world.item(other)).toMatchObject({ available: -30n });
    const claims = [limit('own', 'maxBalance', 2000), transfer('b', 'own', 5)];
    const three = await world.pay('three', [...claims, limit('door', 'dailyCount', 3)]);
    await assertInOrder(world);
    expect(await world.report(three, 'debit b prepared')).toBe('committed');
    await assertInOrder(world);
    expect(await world.report(three, 'debit b committed')).toBe('completed');
    await assertInOrder(world);
  });

  test('a decision that a bank has not carried out, however late it is', async () => {
    const world = await banked();
    const one = await world.pay('one', [transfer('b', 'g', 5)]);
    await world.report(one, 'debit b prepared', 'credit g prepared', 'credit g committed');
    const nowMs = () => Date.now() + 48 * 60 * 60_000;
    expect(await world.audited({ isLive: true, nowMs })).toEqual([]);
  });

  test('a payment that is refused at its decision, since a limit came between', async () => {
    const world = await banked();
    const one = await world.pay('one', [transfer('own', 'other', 5)], manual);
    const two = await world.pay('two', [transfer('b', 'other', 5)]);
    await world.pay('three', [limit('other', 'maxBalance', 4)]);
    expect(await world.say(one, { status: 'committed' })).toBe('rejected');
    expect(await world.report(two, 'debit b prepared')).toBe('aborted');
    await assertInOrder(world);
  });

  test('a wallet at a bank that owes, and what waits for its bank is counted', async () => {
    const world = await banked();
    const one = await world.pay('one', [transfer('b', 'own', 5)]);
    expect(await world.report(one, 'debit b prepared')).toBe('committed');
    expect(await world.item(balanceKeyOf(main, 'b', 'usd'))).toMatchObject({ available: -5n });
    await world.pay('two', [transfer('own', 'g', 7)]);
    const report = newReport();
    expect(await world.audited({ report })).toEqual([]);
    expect(report.awaited).toEqual({ intents: 2, longer: 0 });
    const later = newReport();
    const nowMs = () => Date.now() + 61 * 60_000;
    expect(await world.audited({ report: later, nowMs })).toEqual([]);
    expect(later.awaited).toEqual({ intents: 2, longer: 2 });
  });
});

/** A ledger in which something waits: `one` for the credit, `two` for a decision, and the thread of `three`. */
const waiting = async (): Promise<Banked> => bankedIn(await ground.copyOf(begun));

/** The same, as it is made. */
async function withWork(): Promise<World> {
  const world = await banked();
  const one = await world.pay('one', [transfer('b', 'g', 5)]);
  await world.report(one, 'debit b prepared');
  await world.pay('two', [transfer('own', 'other', 7)], manual);
  await world.pay('three', [transfer('own', 'pass', 11)]);
  const four = await world.pay('four', [transfer('b', 'own', 2)]);
  await world.report(four, 'debit b prepared');
  return world;
}

/** The words of the ledger with others in their place, signed as it would sign them. */
async function reworded(
  world: World,
  handle: string,
  change: (words: readonly Proof[], say: (custom: Json) => Proof) => readonly Proof[],
  more: (version: Version) => Version = (version) => version,
): Promise<void> {
  const ledger = await world.services.identityOf(main);
  if (!ledger) throw new Error('There is no ledger.');
  await world.edit(headOf(handle), (version) => {
    const { record } = version;
    const { hash, meta } = record;
    const say = (custom: Json) => ({ ...sign(hash, custom, ledger.key), signer: 'system' });
    const proofs = change(meta.proofs, say);
    const status = String(
      proofs.findLast(({ origin, custom }) => origin === undefined && !custom?.['handle'])
        ?.custom?.['status'],
    );
    const steps = version.steps.map((step, index) =>
      index + 1 < version.steps.length ? step : { ...step, status, proofs: proofs.length },
    );
    return more({ ...version, steps, record: { ...record, meta: { ...meta, proofs, status } } });
  });
}

/** An intent that says nothing of a thread. */
function withoutThread({ thread: _thread, ...meta }: LedgerRecord['meta']): LedgerRecord['meta'] {
  return meta;
}

/** One entry with other words. */
function resolvedAs(change: Json, place = 0): Parameters<typeof reworded>[2] {
  return (words, say) => {
    const first = words.findIndex(({ custom }) => custom?.['status'] === 'resolved');
    return words.map((word, index) =>
      index === first + place ? say({ ...word.custom, ...change }) : word,
    );
  };
}

// A row says what is done to the table, and each line that the audit must say, all of it.
const plants: readonly (readonly [
  what: string,
  plant: (world: Banked) => Promise<void>,
  said: readonly RegExp[],
])[] = [
  [
    'more that is reserved than is needed',
    (world) => world.alter(own, { available: 977n, reserved: 23n }),
    [
      /^Invariant 1 .* wallet own: The balance of usd .* Expected 1002, found 1000\.$/,
      /^Invariant 2 · ledger main · wallet own: The reserved amount of usd is not what unfinished intents need\. Expected 18, found 23\.$/,
    ],
  ],
  [
    'less that is reserved',
    async (world) => {
      const { available } = await world.item(own);
      await world.alter(own, { available: (available as bigint) + 18n, reserved: 0n });
    },
    [/^Invariant 2 .* wallet own: The reserved amount of usd .* Expected 18, found 0\.$/],
  ],
  [
    'a hold that is missing',
    (world) => world.alter(balanceKeyOf(main, 'g', 'usd'), { holds: 0n }),
    [
      /^Invariant 2 · ledger main · wallet g: The balance of usd is held by another number of unfinished intents\. Expected 1, found 0\.$/,
    ],
  ],
  [
    'a hold of nobody',
    (world) => world.alter(other, { holds: 2n }),
    [/^Invariant 2 .* wallet other: The balance of usd is held by .* Expected 1, found 2\.$/],
  ],
  [
    'fewer holds than none',
    (world) => world.alter(b, { holds: -1n }),
    [
      /^Invariant 2 .* wallet b .*: Fewer than no intents hold the balance of usd\. Expected 0 or more, found -1\.$/,
      /^Invariant 2 .* wallet b: The balance of usd is held by .* Expected 2, found -1\.$/,
    ],
  ],
  [
    'a negative balance of a wallet that no bridge stands for',
    (world) => world.alter(own, { available: -1n, reserved: 1003n }),
    [
      /^Invariant 2 .* wallet own .*: The balance of usd is below its limit\. Expected 0 or more, found -1\.$/,
      /^Invariant 2 .* wallet own: The reserved amount of usd .* Expected 18, found 1003\.$/,
    ],
  ],
  [
    'balances beyond the limits that were set',
    async (world) => {
      await world.pay('five', [limit('b', 'minBalance', -20), limit('own', 'maxBalance', 1500)]);
      await world.alter(b, { available: -21n });
      await world.alter(own, { available: 1500n });
    },
    [
      /^Invariant 1 .* wallet b: The balance of usd .* Expected -2, found -16\.$/,
      /^Invariant 1 .* wallet own: The balance of usd .* Expected 1002, found 1518\.$/,
      /^Invariant 2 .* wallet b .*: The balance of usd is below its limit\. Expected -20 or more, found -21\.$/,
      /^Invariant 2 .* wallet own .*: The balance of usd is above its limit\. Expected 1500 or less, found 1518\.$/,
    ],
  ],
  [
    'a bridged balance with other money',
    (world) => world.alter(b, { available: -8n }),
    [/^Invariant 1 .* wallet b: The balance of usd .* Expected -2, found -3\.$/],
  ],
  [
    'an intent that is prepared too early',
    (world) =>
      reworded(world, 'one', (words, say) => [
        ...words,
        say({ status: 'prepared', moment: momentNow() }),
      ]),
    [
      /^Invariant 4 .* intent one .* change 3: The outbox entry tells other signals/,
      /^Invariant 5 .* intent one .*: The statuses of the intent do not follow from what happened to it\. Expected pending, processing, found pending, processing, prepared\.$/,
    ],
  ],
  [
    'an intent that is completed before its bank said so',
    (world) =>
      reworded(world, 'four', (words, say) => [
        ...words,
        say({ status: 'completed', moment: momentNow() }),
      ]),
    [
      /^Invariant 4 .* intent four .* change 5: The outbox entry tells other signals\. Expected .*balance-received/,
      /^Invariant 5 .* intent four .*: An intent is marked that has ended/,
      /^Invariant 5 .* intent four .*: The statuses of the intent do not follow .* Expected pending, processing, prepared, committed, found pending, processing, prepared, committed, completed\.$/,
    ],
  ],
  [
    'a decision that nobody made',
    (world) =>
      reworded(world, 'two', (words, say) => [
        ...words,
        ...['committed', 'completed'].map((status) => say({ status, moment: momentNow() })),
      ]),
    [
      /^Invariant 1 .* wallet other: The balance of usd .* Expected 7, found 0\.$/,
      /^Invariant 1 .* wallet own: The balance of usd .* Expected 995, found 1002\.$/,
      /^Invariant 2 .* wallet other: .* is held by .* Expected 0, found 1\.$/,
      /^Invariant 2 .* wallet own: .* is held by .* Expected 1, found 2\.$/,
      /^Invariant 2 .* wallet own: The reserved amount of usd .* Expected 11, found 18\.$/,
      /^Invariant 4 .* intent two .* tells other signals/,
      /^Invariant 5 .* intent two .*: An intent is marked that has ended/,
      /^Invariant 5 .* intent two .*: Nobody decided that the intent is committed\. Expected a proof that says committed, found /,
    ],
  ],
  [
    'an end that came before its time',
    (world) =>
      reworded(world, 'one', (words, say) => [
        ...words,
        say({ status: 'failed', moment: momentNow(), reason: 'core.intent-expired' }),
        say({ status: 'aborted', moment: momentNow() }),
      ]),
    [
      /^Invariant 2 .* wallet b: .* is held by .* Expected 1, found 2\.$/,
      /^Invariant 2 .* wallet b: The reserved amount of usd .* Expected 0, found 5\.$/,
      /^Invariant 2 .* wallet g: .* is held by .* Expected 0, found 1\.$/,
      /^Invariant 4 .* intent one .* tells other signals/,
      /^Invariant 5 .* intent one .*: The intent expired before its time\. Expected .* or later, found /,
    ],
  ],
  [
    'a bridge that was given up before the time was over',
    (world) =>
      reworded(world, 'one', (words, say) => [
        ...words,
        say({ status: 'failed', moment: momentNow(), reason: 'core.bridge-unreachable' }),
        say({ status: 'aborted', moment: momentNow() }),
      ]),
    [
      /^Invariant 2 .* wallet b: .* is held by .* Expected 1, found 2\.$/,
      /^Invariant 2 .* wallet b: The reserved amount of usd .* Expected 0, found 5\.$/,
      /^Invariant 2 .* wallet g: .* is held by .* Expected 0, found 1\.$/,
      /^Invariant 4 .* intent one .* tells other signals/,
      /^Invariant 5 .* intent one .*: The intent expired before its time\. Expected .* or later, found /,
    ],
  ],
  [
    'a report that does not count any more',
    (world) => world.edit(headOf('four'), ({ accepted: _accepted, ...version }) => version),
    [
      /^Invariant 5 .* intent four .*: The statuses of the intent do not follow .* Expected pending, processing, found pending, processing, prepared, committed\.$/,
    ],
  ],
  [
    'bridges for which nobody speaks',
    (world) => world.edit(headOf('one'), ({ bridgeOwners: _voices, ...version }) => version),
    [
      /^Invariant 5 .* intent one .*: The intent does not say who speaks for its bridges\. Expected blue, green, found \.$/,
      /^Invariant 5 .* intent one .*: The thread of an intent, or what was reported of it, was lost/,
    ],
  ],
  [
    'a bridge without its luid',
    (world) => world.edit(headOf('one'), (version) => ({ ...version, bridgeLuids: {} })),
    [
      /^Invariant 5 .* intent one .*: The intent does not say who speaks for its bridges\./,
      /^Invariant 5 .* intent one .*: The thread of an intent, or what was reported of it, was lost/,
    ],
  ],
  [
    'a report that was lost on the way',
    async (world) => {
      await world.say(await world.read('one'), { note: 'seen' });
      await world.edit(headOf('one'), ({ accepted: _accepted, ...version }) => version);
    },
    [
      /^Invariant 5 .* intent one .* change 4: The thread of an intent, or what was reported of it, was lost/,
    ],
  ],
  [
    'a proof that counts as a report and is none',
    (world) => world.edit(headOf('one'), (version) => ({ ...version, accepted: [0, 5] })),
    [/^Invariant 5 .* intent one .*: Proof 0 counts as a report of a bridge and is none/],
  ],
  [
    'reports in another order than they came in',
    async (world) => {
      await world.report(await world.read('four'), 'debit b committed');
      await world.edit(headOf('four'), (version) => ({
        ...version,
        accepted: (version.accepted ?? []).toReversed(),
      }));
    },
    [
      /^Invariant 5 .* intent four .*: Reports of bridges do not count in their order, each once/,
      /^Invariant 5 .* intent four .*: The thread of an intent, or what was reported of it, was lost/,
    ],
  ],
  [
    'a report that came too early and counts',
    async (world) => {
      const five = await world.pay('five', [transfer('b', 'g', 1)]);
      await world.report(five, 'credit g prepared', 'debit b prepared');
      await world.edit(headOf('five'), (version) => ({
        ...version,
        accepted: [(version.accepted?.[0] ?? 0) - 1, ...(version.accepted ?? [])],
      }));
    },
    [
      /^Invariant 5 .* intent five .*: A report counts that changed nothing\. Expected what an intent waits for that is processing, found cre_\S+ prepared\.$/,
    ],
  ],
  [
    'a word about an entry that nobody heeds',
    (world) =>
      reworded(world, 'two', (words, say) => [
        ...words,
        say({ handle: 'deb_1', status: 'failed', moment: momentNow() }),
      ]),
    [/^Invariant 5 .* intent two .*: What the ledger says of an entry does not count/],
  ],
  [
    'an entry of another amount',
    (world) => reworded(world, 'two', resolvedAs({ amount: 8 })),
    [
      /^Invariant 2 .* wallet own: The reserved amount of usd .* Expected 19, found 18\.$/,
      /^Invariant 5 .* intent two .*: Entry 0 of the intent is not what its claims say\. Expected .*"amount":7.* found .*"amount":8/,
    ],
  ],
  [
    'an entry of other claims',
    (world) => reworded(world, 'two', resolvedAs({ inputs: [1] })),
    [
      /^Invariant 5 .* intent two .*: Entry 0 of .* Expected .*"inputs":\[0\].* found .*"inputs":\[1\]/,
    ],
  ],
  [
    'an entry at a bridge that moves no money between wallets',
    (world) => reworded(world, 'first', resolvedAs({ bridge: 'blue' })),
    [
      /^Invariant 5 .* intent first .*: Entry 0 calls a bridge, which only transfers do\.$/,
      /^Invariant 5 .* intent first .*: The intent does not say who speaks for its bridges\. Expected blue, found \.$/,
    ],
  ],
  [
    'an entry that is resolved again',
    (world) =>
      reworded(world, 'two', (words) => [
        ...words,
        ...words.filter(({ custom }) => custom?.['status'] === 'resolved').slice(0, 1),
      ]),
    [
      /^Invariant 2 .* wallet own: The reserved amount of usd .* Expected 25, found 18\.$/,
      /^Invariant 5 .* intent two .*: The entries were not resolved when the intent began/,
      /^Invariant 5 .* intent two .*: Entry 2 of the intent is not what its claims say\. Expected nothing, found /,
      /^Invariant 5 .* intent two .*: The entries of the intent have no handles of their own/,
    ],
  ],
  [
    'intents of a thread that are not in one status',
    async (world) => {
      await reworded(world, await forwarded(world, 'three'), (words, say) => [
        ...words,
        say({ status: 'prepared', moment: momentNow() }),
      ]);
    },
    [
      /^Invariant 5 .* intent three .*: The intents of the thread are not in the same status\. Expected pending, processing, found pending, processing, prepared of fwd_/,
    ],
  ],
  [
    'a thread whose first intent forgot the others',
    (world) =>
      world.edit(headOf('three'), ({ together: _together, ...version }) => ({
        ...version,
        record: { ...version.record, meta: withoutThread(version.record.meta) },
      })),
    [
      /^Invariant 2 .* wallet b: .* is held by .* Expected 1, found 2\.$/,
      /^Invariant 5 .* intent three .*: The statuses of the intent do not follow .* Expected pending, prepared, committed, completed, found pending, processing\.$/,
      /^Invariant 5 .* intent fwd_.*: The intents of the thread do not name the same members\. Expected nothing, found three, fwd_/,
    ],
  ],
  [
    'a thread that is said by half',
    (world) => world.edit(headOf('three'), ({ together: _together, ...version }) => version),
    [
      /^Invariant 2 .* wallet b: .* is held by .* Expected 1, found 2\.$/,
      /^Invariant 5 .* intent three .*: The intent does not say who belongs to its thread/,
      /^Invariant 5 .* intent fwd_.*: The intents of the thread do not name the same members/,
    ],
  ],
  [
    'a thread without its first intent',
    async (world) => {
      const version = unpack(await world.item(headOf('three')));
      await world.remove(headOf('three'));
      await world.remove(listKeyOf(main, version));
      await world.remove(outboxKeyOf(main, version));
      await world.remove(expiryKeyOf(main, version) ?? headOf('three'));
    },
    [
      /^Invariant 2 .* wallet b: .* is held by .* Expected 1, found 2\.$/,
      /^Invariant 2 .* wallet own: .* is held by .* Expected 1, found 2\.$/,
      /^Invariant 2 .* wallet own: The reserved amount of usd .* Expected 7, found 18\.$/,
      /^Invariant 2 .* wallet pass: .* is held by .* Expected 0, found 1\.$/,
      /^Invariant 5 .* intent fwd_.*: The first intent of its thread, three, is missing\.$/,
    ],
  ],
  [
    'a thread without its last intent',
    async (world) => {
      const place = headOf(await forwarded(world, 'three'));
      const version = unpack(await world.item(place));
      await world.remove(place);
      await world.remove(listKeyOf(main, version));
      await world.remove(outboxKeyOf(main, version));
    },
    [
      /^Invariant 2 .* wallet b: .* is held by .* Expected 1, found 2\.$/,
      /^Invariant 5 .* intent three .*: The intent fwd_\S+ of its thread is missing\.$/,
    ],
  ],
  [
    'a forwarded intent that somebody owns',
    async (world) => {
      await world.edit(headOf(await forwarded(world, 'three')), (version) => ({
        ...version,
        record: { ...version.record, meta: { ...version.record.meta, owners: [world.key.public] } },
      }));
    },
    [
      /^Invariant 3 .* intent fwd_.*: The owners are not the keys of the creating proofs/,
      /^Invariant 5 .* intent fwd_.*: The intent was forwarded, and others than the ledger made it/,
    ],
  ],
  [
    'an intent that passes on what nobody received',
    (world) => reworded(world, 'three', resolvedAs({ wallet: 'other' }, 1)),
    [
      /^Invariant 2 .* wallet pass: The reserved amount of usd .* Expected 11, found 0\.$/,
      /^Invariant 2 .* wallet other: .* is held by .* Expected 2, found 1\.$/,
      /^Invariant 5 .* intent three .*: The intent fwd_\S+ passes on what nobody received\. Expected 11 usd of other, found 11 usd of pass\.$/,
    ],
  ],
  [
    'an intent that nobody signed and nobody forwarded',
    (world) =>
      world.edit(headOf('first'), (version) => {
        const { record, steps } = version;
        const proofs = record.meta.proofs.slice(1);
        const meta = { ...record.meta, proofs, owners: [] };
        const fewer = steps.map((step) => ({ ...step, proofs: step.proofs - 1 }));
        return { ...version, steps: fewer, record: { ...record, meta } };
      }),
    [/^Invariant 3 .* intent first .*: Nobody signed the first version\.$/],
  ],
];

describe('the audit names', () => {
  test.concurrent.each(plants)('%s', async (_, plant, said) => {
    const world = await waiting();
    await plant(world);
    const lines = await world.audited();
    for (const pattern of said) expect(lines).toContainEqual(expect.stringMatching(pattern));
    expect(lines, lines.join('\n')).toHaveLength(said.length);
    expect(await world.audited({ isLive: true })).toEqual(lines);
  });
});

test('the audit names what waits for too long, but no decision that waits for its bank', async () => {
  const world = await waiting();
  const nowMs = () => Date.now() + 2 * 60 * 60_000;
  expect(await world.audited({ nowMs })).toEqual([]);
  const lines = await world.audited({ isLive: true, nowMs });
  expect(lines).toEqual(
    ['one', 'two', 'three'].map((handle) =>
      expect.stringMatching(
        `^Invariant 5 .* intent ${handle} .*: The intent has waited for too long, and nobody ends it\\.`,
      ),
    ),
  );
});

describe('a ledger that is running', () => {
  // Goal: no false alarm. Payments through banks and threads, each between few wallets and at any stage of its
  // life, while one audit follows the other.
  test('is in order while banks report', async () => {
    const world = await banked();
    let isOver = false;
    let ended = 0;
    const client = async (number: number) => {
      for (let round = 0; !isOver; round += 1)
        ended += await lived(world, `pay-${number}-${round}`, round + number);
    };
    const load = Promise.all([0, 1, 2, 3].map(client));
    const startMs = Date.now();
    const audits: string[][] = [];
    while (audits.length < 5 || Date.now() - startMs < loadMs)
      audits.push(await world.audited({ isLive: true }));
    isOver = true;
    await load;
    process.stdout.write(`${audits.length} audits beside ${ended} payments that ended\n`);
    expect(audits.flat()).toEqual([]);
    expect(await world.audited()).toEqual([]);
  });
});

/** How long the audit of a running ledger is tried, in milliseconds. */
const loadMs = Number(process.env['AUDIT_LOAD_MS'] || 3_000);

/** One payment of some kind, to one of its ends or to none; answers how many ended. */
async function lived(world: Banked, handle: string, number: number): Promise<number> {
  const amount = 1 + (number % 5);
  const claims = [
    [transfer('b', 'g', amount)],
    [transfer('own', 'pass', amount)],
    [transfer('b', 'own', amount), transfer('g', 'pass', amount)],
    [transfer('own', 'other', 1), transfer('other', 'own', 1)],
  ][number % 4];
  await world.pay(handle, claims ?? []);
  const end = ['committed', 'aborted', undefined][number % 3];
  await reportAll(world, handle, end === 'aborted' ? 'failed' : 'prepared');
  if (end === undefined) return 0;
  await reportAll(world, handle, end);
  return 1;
}

/** Reports the same of all entries of a thread, debits first. */
async function reportAll(world: Banked, handle: string, status: string): Promise<void> {
  const { together = [handle] } = unpack(await world.item(headOf(handle)));
  const records = await Promise.all(together.map(world.read));
  for (const schema of ['debit', 'credit'])
    for (const record of records)
      for (const { custom = {} } of record.meta.proofs)
        if (custom['status'] === 'resolved' && custom['bridge'] && custom['schema'] === schema)
          await world.say(record, { handle: custom['handle'], status });
}
