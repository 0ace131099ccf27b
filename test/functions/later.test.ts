/**
 * Goal: an intent that is signed now and settles then does nothing before its moment, looks at rights and balances at its
 * moment, happens once, and can be aborted until then. Ruling 89, Decision 99. The audit looks at it all.
 */
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import {
  claimOf,
  clientOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  outcomeOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { setClock } from '../fixture/clock.ts';
import { entriesOf, furnished, intentNow, rowsOf, statementOf } from '../fixture/payment.ts';
import { receivedBank } from '../fixture/received-bank.ts';
import { startReceiver, until } from '../fixture/receiver.ts';
import { audit, newDataFolder, start } from '../fixture/runtime.ts';
import { ownRuntime } from '../fixture/served.ts';

const owner = newKey();
const clock = setClock();
afterAll(clock.remove);
const receiver = await startReceiver();
afterAll(receiver.stop);
const runtime = await ownRuntime({ audited: true, env: clock.env });
const home = clientOf(runtime.url, runtime.key);
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
let aheadMs = 0;
const inMs = (ms: number) => new Date(Date.now() + aheadMs + ms).toISOString();
/** Moves the clock on; it never goes back in this file. */
const pass = async (ms: number) => {
  aheadMs += ms;
  await clock.set(aheadMs);
};

async function house(data: Json = {}) {
  const ledger = await furnished(await newLedger(home, owner, data), owner, ['ann', 'bob']);
  const later = (
    claims: readonly string[],
    config: Json = { notBefore: inMs(dayMs) },
    by = owner,
  ) => ledger.submit(by, claims, { config });
  const read = (intent: Item) => intentNow(ledger, intent);
  const say = (intent: Item, custom: Json, by = owner) =>
    ledger.prove('intents', intent, by, custom);
  const ends = async (intent: Item, outcome: string) => {
    await until(outcome, async () => outcomeOf(await read(intent)) === outcome);
    return read(intent);
  };
  return { ledger, later, read, say, ends, rows: (wallet: string) => rowsOf(ledger, wallet) };
}

describe('an intent for later', () => {
  test('waits and moves nothing, settles at its moment by what there is then, and expires after it', async () => {
    const { later, read, ends, rows, ledger } = await house();
    const notBefore = inMs(dayMs);
    const intent = await later(['transfer ann bob 150 usd'], { notBefore });
    const expiry = new Date(Date.parse(notBefore) + 60 * minuteMs).toISOString();
    expect(intent.meta.status).toBe('pending');
    expect(statementOf(intent, 'pending')).toMatchObject({ notBefore, expiry });
    const waiting = [{ for: 'moment', from: notBefore, until: expiry }];
    expect((await read(intent)).meta).toMatchObject({ waiting });
    expect([await rows('ann'), await rows('bob')]).toEqual([['available 100'], []]);
    // The money comes later, and somebody else's proof does not begin it.
    await ledger.settle(owner, 'issue ann 60 usd');
    const early = await ledger.prove('intents', intent, owner);
    expect(early.body.meta.status).toBe('pending');
    await pass(dayMs - minuteMs);
    expect((await read(intent)).meta.status).toBe('pending');
    await pass(2 * minuteMs);
    const done = await ends(intent, 'completed');
    expect(String(statementOf(done, 'completed')?.['moment']) >= notBefore).toBe(true);
    expect([await rows('ann'), await rows('bob')]).toEqual([['available 10'], ['available 150']]);
    const { items } = await ledger.get(`/intents/${intent.luid}/changes`);
    expect(items.map(({ meta }) => meta.status).reverse()).toEqual([
      ...['pending', 'pending', 'prepared', 'committed', 'completed'],
    ]);
  });

  test.each<[string, Json]>([
    ['core.insufficient-balance', { claims: ['transfer ann bob 101 usd'] }],
    ['core.target-invalid', { claims: ['transfer ann gone 1 usd'] }],
    ['core.symbol-invalid', { claims: ['issue bob 1 odd'] }],
  ])('fails at its moment by %s', async (reason, { claims }) => {
    const { ledger, later, ends } = await house();
    const odd = await ledger.make('symbols', { handle: 'odd', factor: 1 }, owner);
    const gone = await ledger.make('wallets', { handle: 'gone' }, owner);
    const notBefore = inMs(minuteMs);
    const intent = await later(claims as string[], { notBefore });
    expect(intent.meta.status).toBe('pending');
    // The records were made by a clock that is ahead, and an older proof is none of theirs.
    const dropped = { moment: inMs(0), status: 'dropped' };
    const drop = { luid: gone.luid, ...signed({ parent: gone.hash }, owner, dropped) };
    expect((await ledger.post(`/wallets/${gone.luid}/drop`, drop)).status).toBe(204);
    const renamed = { ...odd.data, handle: 'even', parent: odd.hash };
    const update = { luid: odd.luid, ...signed(renamed, owner, { moment: inMs(0) }) };
    expect((await ledger.put(`/symbols/${odd.luid}`, update)).status).toBe(200);
    await pass(2 * minuteMs);
    const failed = await ends(intent, reason);
    expect(failed.meta.status).toBe('rejected');
    expect(String(statementOf(failed, 'failed')?.['moment']) >= notBefore).toBe(true);
  });

  test('is aborted by its maker until its moment, and not by others', async () => {
    const rules = ['wallet', 'symbol'].map((record) => ({ action: 'any', record }));
    const access = [
      ...rules,
      ...['read', 'create', 'update'].map((action) => ({ action, record: 'intent' })),
    ];
    const { later, say, rows, read } = await house({ access });
    const intent = await later(['transfer ann bob 5 usd']);
    const other = await say(intent, { status: 'aborted' }, newKey());
    expect([other.status, other.detail]).toEqual([403, 'Cannot abort intent.']);
    const aborted = await say(intent, { status: 'aborted' });
    expect([aborted.status, aborted.body.meta.status]).toEqual([200, 'rejected']);
    const again = await say(intent, { status: 'aborted', again: true });
    expect([again.reason, again.detail]).toEqual([
      'record.update-rejected',
      `Intent ${intent.data.handle} is rejected and cannot become aborted.`,
    ]);
    await pass(dayMs + 2 * minuteMs);
    expect((await read(intent)).meta.status).toBe('rejected');
    expect(await rows('bob')).toEqual([]);
  });

  test('that is manual reserves at its moment, waits for its decision, and is captured in part', async () => {
    const { later, say, rows, read } = await house();
    const intent = await later(['transfer ann bob 50 usd'], {
      ...{ commit: 'manual', notBefore: inMs(minuteMs), expiry: inMs(dayMs) },
    });
    const early = await say(intent, { status: 'committed' });
    expect([early.status, early.reason]).toEqual([422, 'record.update-rejected']);
    expect(await rows('ann')).toEqual(['available 100']);
    await pass(2 * minuteMs);
    await until('prepared', async () => (await read(intent)).meta.status === 'prepared');
    expect(await rows('ann')).toEqual(['available 50', 'reserved 50']);
    const capture = [{ claim: 0, amount: 20 }];
    const done = await say(intent, { status: 'committed', capture });
    expect(done.body.meta.status).toBe('completed');
    expect([await rows('ann'), await rows('bob')]).toEqual([
      ['available 80', 'reserved 0'],
      ['available 20'],
    ]);
  });

  test('with routes begins as the thread that they make then', async () => {
    const { ledger, later, ends, rows } = await house();
    await ledger.make('wallets', { handle: 'end' }, owner);
    const intent = await later(['transfer ann relay 5 usd'], { notBefore: inMs(minuteMs) });
    await ledger.make(
      'wallets',
      { handle: 'relay', routes: [{ action: 'forward', target: 'end' }] },
      owner,
    );
    await pass(2 * minuteMs);
    const { meta } = await ends(intent, 'completed');
    expect(meta).toMatchObject({ thread: intent.data.handle });
    expect([await rows('end'), await rows('relay')]).toEqual([['available 5'], ['available 0']]);
  });

  test('is refused in the past and too far ahead, and its handle comes first', async () => {
    const { ledger, later } = await house();
    const post = async (config: Json, handle = unique('i')) => {
      const claims = [claimOf('transfer ann bob 5 usd')];
      const { status, reason, detail } = await ledger.post(
        '/intents',
        signed({ handle, claims, config }, owner),
      );
      return [status, reason, detail];
    };
    const [past, far, near] = [inMs(-1), inMs(401 * dayMs), inMs(dayMs)];
    expect([
      await post({ notBefore: past }),
      await post({ notBefore: far }),
      await post({ notBefore: near, expiry: near }),
      await post({ notBefore: near, expiry: inMs(32 * dayMs) }),
    ]).toEqual([
      [422, 'record.invalid', `The notBefore ${past} has passed.`],
      [422, 'record.invalid', `The notBefore ${far} is more than 400 days ahead.`],
      [422, 'record.invalid', `The expiry ${near} is not after its notBefore.`],
      [422, 'record.invalid', expect.stringContaining('is more than 43200 minutes after')],
    ]);
    const intent = await later(['transfer ann bob 5 usd']);
    expect((await post({ notBefore: past }, intent.data.handle))[0]).toBe(409);
  });
});

describe('an intent for later with missing signatures', () => {
  const makes = ['symbol', 'wallet', 'signer', 'intent'];
  const access = [
    ...['read', 'query'].map((action) => ({ action, record: 'any' })),
    ...makes.map((record) => ({ action: 'create', record })),
  ];
  const ann = newKey();

  async function governed() {
    const ledger = await newLedger(home, owner, { access });
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
    await ledger.make('wallets', { handle: 'ann' }, ann);
    await ledger.make('wallets', { handle: 'bob' }, owner);
    await ledger.settle(owner, 'issue ann 100 usd');
    const read = (intent: Item) => intentNow(ledger, intent);
    const later = (ms: number) =>
      ledger.submit(owner, ['transfer ann bob 5 usd'], { config: { notBefore: inMs(ms) } });
    return { ledger, read, later };
  }

  test('begins when they came before its moment', async () => {
    const { ledger, read, later } = await governed();
    const intent = await later(minuteMs);
    expect((await ledger.prove('intents', intent, ann)).body.meta.status).toBe('pending');
    await pass(2 * minuteMs);
    await until('completed', async () => (await read(intent)).meta.status === 'completed');
  });

  test('says at its moment that it waits for them, and begins with the last one', async () => {
    const { ledger, read, later } = await governed();
    const intent = await later(minuteMs);
    await pass(2 * minuteMs);
    await until('due', async () => statementOf(await read(intent), 'due') !== undefined);
    const waits = await read(intent);
    expect(waits.meta).toMatchObject({ status: 'pending', waiting: [{ for: 'signatures' }] });
    const signedAll = await ledger.prove('intents', intent, ann);
    expect(signedAll.body.meta.status).toBe('completed');
  });

  test('expires when its time after its moment is over, and can be aborted before', async () => {
    const { ledger, read, later } = await governed();
    const [silent, given] = [await later(minuteMs), await later(minuteMs)];
    await pass(2 * minuteMs);
    await until('due', async () => statementOf(await read(given), 'due') !== undefined);
    const aborted = await ledger.prove('intents', given, owner, { status: 'aborted' });
    expect(aborted.body.meta.status).toBe('rejected');
    await pass(61 * minuteMs);
    await until('expired', async () => outcomeOf(await read(silent)) === 'core.intent-expired');
  });
});

describe('an intent for later at a bridge', () => {
  /** A ledger with a bank, what the bank hears of an intent, and a payment of today that it has heard of. */
  async function banked() {
    const all = await house();
    const bank = await receivedBank(all.ledger, receiver, 'blue');
    const heardOf = ({ data: { handle } }: Item) =>
      receiver
        .arrivals()
        .filter(({ path, text }) => path.startsWith(bank.at('/')) && text.includes(`"${handle}"`));
    const payToday = async () => {
      const today = await all.ledger.submit(owner, ['transfer ann alice@blue 1 usd']);
      await until('heard today', () => heardOf(today).length > 0);
    };
    return { ...all, bank, heardOf, payToday };
  }

  test('calls the bank at its moment, and not before', async () => {
    const { later, read, rows, bank, heardOf, payToday, ends, say } = await banked();
    const notBefore = inMs(minuteMs);
    const intent = await later(['transfer ann alice@blue 5 usd'], { notBefore });
    await payToday();
    expect([(await read(intent)).meta.status, heardOf(intent)]).toEqual(['pending', []]);
    expect(await rows('ann')).toEqual(['available 99', 'reserved 1']);
    await pass(2 * minuteMs);
    await until('heard', () => heardOf(intent).length > 0);
    const begun = await read(intent);
    expect(begun.meta.status).toBe('processing');
    expect(await rows('ann')).toEqual(['available 94', 'reserved 6']);
    const handle = entriesOf(begun)['credit alice@blue'];
    for (const status of ['prepared', 'committed']) await say(intent, { handle, status }, bank.key);
    await ends(intent, 'completed');
    expect(await rows('alice@blue')).toEqual(['available 5']);
    expect(heardOf(intent).filter(({ path }) => path === bank.at('/credits'))).toHaveLength(1);
  });

  test('that is aborted before its moment is never heard of', async () => {
    const { later, read, rows, heardOf, payToday, say } = await banked();
    const [given, kept] = [
      await later(['transfer ann alice@blue 5 usd'], { notBefore: inMs(minuteMs) }),
      await later(['transfer ann alice@blue 7 usd'], { notBefore: inMs(minuteMs) }),
    ];
    expect((await say(given, { status: 'aborted' })).body.meta.status).toBe('rejected');
    await pass(2 * minuteMs);
    await until('heard', () => heardOf(kept).length > 0);
    await payToday();
    expect([(await read(given)).meta.status, heardOf(given)]).toEqual(['rejected', []]);
    expect(await rows('ann')).toEqual(['available 92', 'reserved 8']);
  });
});

describe('an intent for later that a policy is about', () => {
  const [maker, boss] = [newKey(), newKey()];

  /** A ledger in which `boss` has to agree to what is paid. */
  async function watched(isWatched = true) {
    const all = await house();
    const { ledger } = all;
    for (const [handle, { public: key }] of Object.entries({ maker, boss }))
      await ledger.make('signers', { handle, public: key, format: 'ed25519-raw' }, owner);
    const values = [{ status: 'committed', quorum: [{ handle: 'boss' }] }];
    const data = { handle: 'eyes', schema: 'status', record: 'intent', values };
    const watch = () => ledger.make('policies', data, owner);
    if (isWatched) await watch();
    const make = () => all.later(['transfer ann bob 5 usd'], { notBefore: inMs(minuteMs) }, maker);
    const agree = async (intent: Item) =>
      (await ledger.prove('intents', intent, boss)).body.meta.status;
    const isDue = async (intent: Item) => {
      await until('due', async () => statementOf(await all.read(intent), 'due') !== undefined);
      return (await all.read(intent)).meta;
    };
    return { ...all, watch, make, agree, isDue };
  }

  test('begins at its moment when the quorum was met before', async () => {
    const { make, agree, ends, rows } = await watched();
    const intent = await make();
    expect([intent.meta.status, await agree(intent)]).toEqual(['pending', 'pending']);
    await pass(2 * minuteMs);
    expect(statementOf(await ends(intent, 'completed'), 'due')).toBeUndefined();
    expect(await rows('bob')).toEqual(['available 5']);
  });

  test('says at its moment that the quorum is missing, and moves with it', async () => {
    const { make, agree, isDue, rows } = await watched();
    const intent = await make();
    await pass(2 * minuteMs);
    expect(await isDue(intent)).toMatchObject({
      ...{ status: 'pending', waiting: [{ for: 'signatures' }] },
    });
    expect(await rows('ann')).toEqual(['available 100']);
    expect(await agree(intent)).toBe('completed');
  });

  test('expires when the quorum does not come', async () => {
    const { make, isDue, ends, rows } = await watched();
    const intent = await make();
    await pass(2 * minuteMs);
    await isDue(intent);
    await pass(61 * minuteMs);
    await ends(intent, 'core.intent-expired');
    expect(await rows('ann')).toEqual(['available 100']);
  });

  test('needs the quorum of its moment, and not that of its creation', async () => {
    const { make, watch, agree, isDue } = await watched(false);
    const intent = await make();
    await watch();
    await pass(2 * minuteMs);
    expect((await isDue(intent)).status).toBe('pending');
    expect(await agree(intent)).toBe('completed');
  });
});

test('an intent for later happens once, also when the process is killed before and at its moment', async () => {
  const data = newDataFolder();
  const own = setClock();
  const first = await start({ data, env: own.env });
  const makers = clientOf(first.url, first.key);
  await furnished(makers, owner, ['ann', 'bob']);
  const notBefore = new Date(Date.now() + dayMs).toISOString();
  const post = () => makers.submit(owner, ['transfer ann bob 1 usd'], { config: { notBefore } });
  const intents = await Promise.all(Array.from({ length: 20 }, post));
  await own.set(dayMs + minuteMs);
  await first.kill9();
  const second = await start({ data, env: own.env });
  const ledger = clientOf(second.url, second.key);
  await until('some', async () => (await ledger.balances('bob'))['usd'] !== undefined);
  await second.kill9();
  const third = await start({ data, env: own.env });
  const last = clientOf(third.url, third.key);
  await until('all', async () => (await last.balances('bob'))['usd'] === '20');
  const { body } = await last.get(`/intents/${intents[0]?.luid}`);
  expect(body.meta.status).toBe('completed');
  await third.stop();
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  own.remove();
  rmSync(data, { recursive: true });
  expect(now() < notBefore).toBe(true);
});
