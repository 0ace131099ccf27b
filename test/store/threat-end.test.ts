/**
 * Goal: whatever somebody puts into an intent, and whatever others add to it, it comes to its end: nothing is reserved
 * for ever, and no report or decision is kept out. Against the real limits of a transaction. Rulings 68 and 50 to 56.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { updateOwnLedger } from '../../shared/action/update.ts';
import { type SigningKey, sign } from '../../shared/crypto/proof.ts';
import { expire } from '../../shared/intent/unprompted.ts';
import type { LedgerError } from '../../shared/ledger/errors.ts';
import { bridgedIn } from '../../shared/ledger/intent.ts';
import type { LedgerRecord, Version } from '../../shared/ledger/record.ts';
import { headKeyOf } from '../../shared/store/keys.ts';
import { unpack } from '../../shared/store/pack.ts';
import {
  type Ground,
  type Json,
  main,
  momentNow,
  newSigningKey,
  signed,
  startGround,
  type World,
} from '../fixture/audited.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

const transfer = (source: string, target: string, amount = 40) => ({
  ...{ action: 'transfer', source, target, symbol: 'usd', amount },
});
const essayOf = (length: number) => ({ essay: 'x'.repeat(length) });
const manual = { config: { commit: 'manual' } };
const tooLarge = { reason: 'api.body-malformed', custom: { fault: 'too-large' } };

interface Bank extends World {
  readonly stranger: SigningKey;
  readonly pay: (handle: string, claims: readonly Json[], more?: Json) => Promise<LedgerRecord>;
  readonly say: (intent: LedgerRecord, custom: Json, key?: SigningKey) => Promise<LedgerRecord>;
  /** Reports of all entries of an intent on one side. */
  readonly report: (intent: LedgerRecord, schema: string, custom: Json) => Promise<string>;
  readonly read: (handle: string) => Promise<Version>;
  /** The intents of a thread, the first one first. */
  readonly thread: (intent: LedgerRecord) => Promise<LedgerRecord[]>;
  /** Adds proofs of a stranger to an intent until nothing more is taken. */
  readonly fill: (intent: LedgerRecord) => Promise<void>;
  /** What `own` has, and what of it is reserved. */
  readonly money: () => Promise<readonly (bigint | undefined)[]>;
  /** Ends an intent whose time is over. */
  readonly late: (intent: LedgerRecord) => Promise<string>;
}

/** The last wallet, and those that lead to it, the nearest first. */
const hops = ['g', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7', 'h8', 'h9'];

/** A ledger with 100 in the wallet `own`, two wallets at banks, and nine that pass on what comes to them. */
async function banked(): Promise<Bank> {
  const world = await ground.newWorld();
  const { make, call, item, key, services } = world;
  await furnish(world);
  const stranger = newSigningKey();
  const read: Bank['read'] = async (handle) =>
    unpack(await item(headKeyOf(main, 'intent', handle)));
  const say: Bank['say'] = async ({ hash, data }, custom, by = key) =>
    call(prove('intent'), sign(hash, { moment: momentNow(), ...custom }, by), data.handle);
  return {
    ...world,
    ...{ say, read, stranger },
    pay: (handle, claims, more = {}) => make(createIntent, { handle, claims, ...more }),
    report: async (intent, schema, custom) => {
      const entries = bridgedIn(await read(intent.data.handle));
      for (const { handle } of entries.filter((one) => one.schema === schema))
        await say(intent, { handle, ...custom });
      return (await read(intent.data.handle)).record.meta.status;
    },
    thread: async ({ data }) => {
      const { together = [data.handle] } = await read(data.handle);
      return Promise.all(together.map(async (handle) => (await read(handle)).record));
    },
    fill: async (intent) => {
      const over = excessIn(await refusalOf(say(intent, essayOf(400_000), stranger)));
      const free = 400_000 - over;
      if (free >= 0) await say(intent, essayOf(free), stranger);
    },
    money: async () => {
      const want = { what: 'balance', scope: main, wallet: 'own', symbol: 'usd' } as const;
      const [balance] = await services.store.load([want]);
      return [balance?.available, balance?.reserved];
    },
    late: async ({ luid, data: { handle } }) => {
      const ledger = await services.identityOf(main);
      if (!ledger) throw new Error('There is no ledger.');
      const tomorrow = () => Date.now() + 86_400_000;
      await expire({ ...services, clock: tomorrow }, ledger, { scope: main, luid, handle });
      return (await read(handle)).record.meta.status;
    },
  };
}

async function furnish({ make }: World): Promise<void> {
  const config = { server: 'https://a.example' };
  await make(create('symbol'), { handle: 'usd', factor: 100 });
  for (const handle of ['blue', 'green']) await make(create('bridge'), { handle, config });
  await make(create('wallet'), { handle: 'b', bridge: 'blue' });
  await make(create('wallet'), { handle: 'g', bridge: 'green' });
  await make(create('wallet'), { handle: 'own' });
  for (const [index, target] of hops.slice(0, -1).entries())
    await make(create('wallet'), {
      handle: hops[index + 1],
      routes: [{ action: 'forward', target }],
    });
  const issue = { action: 'issue', target: 'own', symbol: 'usd', amount: 100 };
  await make(createIntent, { handle: 'first', claims: [issue] });
}

/** By how many bytes something is too large. */
function excessIn(error: LedgerError): number {
  const { bytes = 0, bytesMax = 0 } = error.custom as Readonly<Record<string, number>>;
  return bytes - bytesMax;
}

async function refusalOf(work: Promise<unknown>): Promise<LedgerError> {
  return work.then(
    () => Promise.reject(new Error('It was accepted.')),
    (error) => error as LedgerError,
  );
}

/** The largest intent with a note that nine wallets pass on; strangers have filled whatever was left. */
async function filled(world: Bank, handle: string, more: Json = {}): Promise<LedgerRecord> {
  let length = 330_000;
  let intent: LedgerRecord | undefined;
  // Its members are looked at one after the other.
  while (!intent)
    intent = await world
      .pay(handle, [transfer('own', 'h9')], { ...more, custom: essayOf(length) })
      .catch((error) => {
        const over = excessIn(error);
        expect(over).toBeGreaterThan(0);
        length -= over;
        return undefined;
      });
  expect(intent.meta.status).toBe('processing');
  expect(await world.money()).toEqual([60n, 40n]);
  for (const one of await world.thread(intent)) await world.fill(one);
  return intent;
}

/** Each of these takes six bytes where it is repeated. */
const worst = '\u0001'.repeat(500);

type End = (world: Bank, intent: LedgerRecord, last: LedgerRecord) => unknown;
const ends: readonly (readonly [string, End])[] = [
  ['late', (world, intent) => world.late(intent)],
  [
    'failed',
    (world, _, last) =>
      world.report(last, 'credit', { status: 'failed', reason: 'bridge.no', detail: worst }),
  ],
  [
    'prepared',
    async (world, intent, last) => {
      await world.report(last, 'credit', { status: 'prepared', ...essayOf(3_400) });
      await world.say(intent, { status: 'aborted', ...essayOf(3_400) });
    },
  ],
];

describe('an intent with a large note that nine wallets pass on', () => {
  test('is refused where its thread could not be ended, and leaves nothing behind', async () => {
    const world = await banked();
    const refusal = await refusalOf(
      world.pay('large', [transfer('own', 'h9')], { ...manual, custom: essayOf(330_000) }),
    );
    expect(refusal).toMatchObject(tooLarge);
    expect(await world.money()).toEqual([100n, undefined]);
    await expect(world.read('large')).rejects.toThrow('There is nothing');
    expect(await world.audited()).toEqual([]);
  });

  test('is completed where it is accepted, by the longest words of its bank and its author', async () => {
    const world = await banked();
    const intent = await filled(world, 'full', manual);
    const last = (await world.thread(intent)).at(-1) as LedgerRecord;
    expect(await world.report(last, 'credit', { status: 'prepared', ...essayOf(3_400) })).toBe(
      'prepared',
    );
    await world.say(intent, { status: 'committed', ...essayOf(3_400) });
    expect(await world.report(last, 'credit', { status: 'committed', ...essayOf(3_400) })).toBe(
      'completed',
    );
    expect(await world.money()).toEqual([60n, 0n]);
    expect(await world.audited()).toEqual([]);
  });

  test.each(ends)('gives back what it has reserved, and is undone: %s', async (handle, end) => {
    const world = await banked();
    const intent = await filled(world, handle, manual);
    const last = (await world.thread(intent)).at(-1) as LedgerRecord;
    await end(world, intent, last);
    expect(await world.money()).toEqual([100n, 0n]);
    const isAwaited = (await world.read(handle)).record.meta.status === 'aborted';
    if (isAwaited) await world.report(last, 'credit', { status: 'aborted', ...essayOf(3_400) });
    const statuses = (await world.thread(intent)).map(({ meta }) => meta.status);
    expect(statuses).toEqual(Array(10).fill('rejected'));
    expect(await world.audited()).toEqual([]);
  });
});

describe('strangers who add to an intent', () => {
  test('cannot take the places of its banks, however many proofs they add', async () => {
    const world = await banked();
    const body = signed({ handle: 'many', claims: [transfer('b', 'g')] }, world.key);
    // As many as would come one after the other.
    const more = Array.from({ length: 485 }, (_, place) =>
      sign(body.hash, { place, moment: momentNow() }, world.stranger),
    );
    const proofs = [...body.meta.proofs, ...more];
    const intent = await world.call(createIntent, { ...body, meta: { proofs } });
    expect(intent.meta.proofs).toHaveLength(490);
    for (const place of [490, 491]) await world.say(intent, { place }, world.stranger);
    const refusal = await refusalOf(world.say(intent, { place: 492 }, world.stranger));
    expect(refusal).toMatchObject({ reason: 'record.invalid', custom: { reserved: 8 } });
    const reports = [
      ['debit', 'prepared', 'processing'],
      ['credit', 'prepared', 'committed'],
      ['credit', 'committed', 'committed'],
      ['debit', 'committed', 'completed'],
    ] as const;
    for (const [schema, status, then] of reports)
      expect(await world.report(intent, schema, { status })).toBe(then);
    expect(await world.audited()).toEqual([]);
  });

  test('cannot take the bytes of its banks, however large their proofs are', async () => {
    const world = await banked();
    const intent = await world.pay('large', [transfer('b', 'g')]);
    const large = world.say(intent, essayOf(337_000), world.stranger);
    expect(await refusalOf(large)).toMatchObject(tooLarge);
    await world.fill(intent);
    expect(await refusalOf(world.say(intent, {}, world.stranger))).toMatchObject(tooLarge);
    const largest = essayOf(3_400);
    await world.report(intent, 'debit', { status: 'prepared', ...largest });
    await world.report(intent, 'credit', { status: 'prepared', ...largest });
    await world.report(intent, 'debit', { status: 'committed', ...largest });
    expect(await world.report(intent, 'credit', { status: 'committed', ...largest })).toBe(
      'completed',
    );
    expect(await world.audited()).toEqual([]);
  });

  test('nor does a bank by what does not count, or by too long a report', async () => {
    const world = await banked();
    const intent = await world.pay('wordy', [transfer('b', 'g')]);
    const long = world.report(intent, 'debit', { status: 'prepared', ...essayOf(4_000) });
    expect(await refusalOf(long)).toMatchObject({ ...tooLarge, detail: /^The report would take/ });
    await world.fill(intent);
    await world.report(intent, 'debit', { status: 'prepared' });
    const no = { status: 'failed', reason: 'bridge.no' };
    const again = world.report(intent, 'debit', { ...no, ...essayOf(3_400) });
    expect(await refusalOf(again)).toMatchObject(tooLarge);
    expect(await world.report(intent, 'credit', { status: 'prepared' })).toBe('committed');
    for (const schema of ['debit', 'credit'])
      await world.report(intent, schema, { status: 'committed' });
    expect((await world.read('wordy')).record.meta.status).toBe('completed');
    expect(await world.audited()).toEqual([]);
  });

  test('cannot keep out who decides, nor is there room for a decision of any length', async () => {
    const world = await banked();
    const intent = await world.pay('decided', [transfer('own', 'g')], manual);
    await world.report(intent, 'credit', { status: 'prepared' });
    await world.fill(intent);
    const long = world.say(intent, { status: 'committed', ...essayOf(4_000) });
    expect(await refusalOf(long)).toMatchObject({ ...tooLarge, detail: /^The decision would/ });
    await world.say(intent, { status: 'committed' });
    expect(await world.report(intent, 'credit', { status: 'committed' })).toBe('completed');
    expect(await world.audited()).toEqual([]);
  });
});

describe('an intent that waits for a signature', () => {
  /** A ledger in which strangers may ask for intents, and not spend. */
  async function governed(): Promise<Bank> {
    const world = await banked();
    const [home] = await world.services.store.load([
      { what: 'record', scope: '', kind: 'ledger', handle: main },
    ]);
    const { hash = '', data } = home?.record ?? {};
    const anything = ['create', 'read', 'update'].map((action) => ({ action, record: 'intent' }));
    const next = { ...data, access: anything, parent: hash };
    await world.call(updateOwnLedger, signed(next, world.key));
    return world;
  }

  /** An intent of a stranger that nobody has agreed to. */
  async function asked(world: Bank, target: string, custom: Json = {}): Promise<LedgerRecord> {
    const data = { handle: 'waits', claims: [transfer('own', target)], custom };
    const intent = await world.call(createIntent, signed(data, world.stranger));
    expect(intent.meta.status).toBe('pending');
    return intent;
  }

  test('goes on to its end however much its author has added meanwhile', async () => {
    const world = await governed();
    const intent = await asked(world, 'g');
    await world.fill(intent);
    const long = world.say(intent, essayOf(10_000));
    expect(await refusalOf(long)).toMatchObject(tooLarge);
    expect((await world.read('waits')).record.meta.status).toBe('pending');
    const largest = essayOf(3_400);
    expect((await world.say(intent, largest)).meta.status).toBe('processing');
    await world.fill(intent);
    expect(await world.report(intent, 'credit', { status: 'prepared', ...largest })).toBe(
      'committed',
    );
    expect(await world.report(intent, 'credit', { status: 'committed', ...largest })).toBe(
      'completed',
    );
    expect(await world.money()).toEqual([60n, 0n]);
    expect(await world.audited()).toEqual([]);
  });

  test('fails where its thread could not be ended, and reserves nothing', async () => {
    const world = await governed();
    const intent = await asked(world, 'h9', essayOf(300_000));
    const { meta } = await world.say(intent, {});
    expect(meta.status).toBe('rejected');
    const reasons = meta.proofs.flatMap(({ custom }) => custom?.['reason'] ?? []);
    expect(reasons).toEqual(['core.thread-size-exceeded']);
    expect(await world.money()).toEqual([100n, undefined]);
    expect(await world.audited()).toEqual([]);
  });
});
