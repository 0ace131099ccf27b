/**
 * Goal: a decision takes the part of a hold that it names and gives back the rest, at once and once; a hold ends when its
 * author said, or when somebody with the right to commit it said later. Rulings 87 and 88. The audit looks at it all.
 */
import { afterAll, describe, expect, test } from 'vitest';
import {
  active,
  clientOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  outcomeOf,
  proofOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { setClock } from '../fixture/clock.ts';
import { furnished, intentNow, rowsOf, statementOf, surely } from '../fixture/payment.ts';
import { nowhere, until } from '../fixture/receiver.ts';
import { ownRuntime } from '../fixture/served.ts';

const owner = newKey();
const clock = setClock();
afterAll(clock.remove);
const runtime = await ownRuntime({ audited: true, env: clock.env });
const home = clientOf(runtime.url, runtime.key);
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const manual = { commit: 'manual' };
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** A ledger in which ann has 100 usd, and what is asked of it. */
async function house(data: Json = {}) {
  const ledger = await furnished(await newLedger(home, owner, data), owner, ['ann', 'bob', 'cat']);
  const hold = (claims: readonly string[], config: Json = {}) =>
    ledger.submit(owner, claims, { config: { ...manual, ...config } });
  const say = (intent: Item, custom: Json, by = owner) =>
    ledger.prove('intents', intent, by, custom);
  const capture = (
    intent: Item,
    ...parts: readonly (readonly [claim: unknown, amount: unknown])[]
  ) =>
    say(intent, {
      status: 'committed',
      capture: parts.map(([claim, amount]) => ({ claim, amount })),
    });
  const read = (intent: Item) => intentNow(ledger, intent);
  return { ledger, hold, say, capture, read, rows: (wallet: string) => rowsOf(ledger, wallet) };
}

describe('a capture', () => {
  test('takes the part that it names and what it does not name whole, and releases the rest', async () => {
    const { hold, capture, rows, ledger } = await house();
    const intent = await hold(['transfer ann bob 50 usd', 'transfer ann cat 10 usd']);
    expect(await rows('ann')).toEqual(['available 40', 'reserved 60']);
    const { status, body } = await capture(intent, [0, 30]);
    expect([status, body.meta.status]).toEqual([200, 'completed']);
    expect(statementOf(body, 'committed')).toEqual({
      captured: [{ claim: 0, amount: 30 }],
      moment: expect.any(String),
      status: 'committed',
    });
    expect([await rows('ann'), await rows('bob'), await rows('cat')]).toEqual([
      ['available 60', 'reserved 0'],
      ['available 30'],
      ['available 10'],
    ]);
    const { items } = await ledger.get(`/intents/${intent.luid}/changes`);
    expect(items.map(({ meta }) => meta.status)).toEqual([
      ...['completed', 'committed', 'prepared', 'prepared', 'pending'],
    ]);
  });

  test('of what is issued and destroyed leaves the supply as it is captured', async () => {
    const { hold, capture, rows } = await house();
    const issue = await hold(['issue bob 40 usd']);
    expect((await capture(issue, [0, 15])).body.meta.status).toBe('completed');
    const destroy = await hold(['destroy ann 100 usd']);
    expect((await capture(destroy, [0, 1])).body.meta.status).toBe('completed');
    expect([await rows('bob'), await rows('ann')]).toEqual([
      ['available 15'],
      ['available 99', 'reserved 0'],
    ]);
  });

  test('follows routes to the wallet that takes the entry', async () => {
    const { ledger, hold, capture, rows } = await house();
    const routes = [{ action: 'credit', target: 'cat' }];
    await ledger.make('wallets', { handle: 'door', routes }, owner);
    expect((await capture(await hold(['transfer ann door 50 usd']), [0, 20])).status).toBe(200);
    expect([await rows('cat'), await rows('door')]).toEqual([['available 20'], []]);
  });

  test('gives back to a daily limit what it does not take, and the transfer still counts', async () => {
    const { ledger, hold, capture } = await house();
    await ledger.settle(owner, 'limit ann dailyAmount 60 usd', 'limit ann dailyCount 3 usd');
    const intent = await hold(['transfer ann bob 50 usd']);
    const move = async (amount: number) =>
      outcomeOf(await ledger.settle(owner, `transfer ann bob ${amount} usd`));
    expect(await move(11)).toBe('core.limit-exceeded');
    expect((await capture(intent, [0, 20])).body.meta.status).toBe('completed');
    expect([await move(41), await move(20), await move(20), await move(1)]).toEqual([
      ...['core.limit-exceeded', 'completed', 'completed', 'core.limit-exceeded'],
    ]);
  });

  test('fits below a maxBalance that the whole would exceed by then', async () => {
    const { ledger, hold, capture, rows } = await house();
    const intent = await hold(['transfer ann bob 50 usd']);
    await ledger.settle(owner, 'limit bob maxBalance 30 usd');
    expect((await capture(intent, [0, 30])).body.meta.status).toBe('completed');
    expect(await rows('bob')).toEqual(['available 30']);
  });

  test('that is not possible is refused by name, and the hold stays as it is', async () => {
    const { hold, capture, say, read, rows } = await house();
    const intent = await hold(['transfer ann bob 50 usd', 'limit bob maxBalance 90 usd']);
    const details = async (
      ...parts: Parameters<typeof capture> extends [Item, ...infer P] ? P : never
    ) => {
      const { status, reason, detail } = await capture(intent, ...parts);
      return [status, reason, detail];
    };
    const invalid = (detail: string) => [422, 'record.invalid', detail];
    const noAmount = 'Capture 0 takes no amount of claim 0: an amount is a whole number from 1.';
    expect(await details([0, 51])).toEqual(
      invalid('Capture 0 takes 51 of claim 0, which holds 50.'),
    );
    for (const amount of [0, -5, 1.5])
      expect(await details([0, amount])).toEqual(invalid(noAmount));
    expect(await details([0, 5], [0, 5])).toEqual(
      invalid('Capture 1 names claim 0, which another one names already.'),
    );
    expect(await details([2, 5])).toEqual(
      invalid('Capture 0 names no claim: the intent has the claims 0 to 1.'),
    );
    expect(await details([1, 5])).toEqual(
      invalid('Capture 0 names claim 1, which sets a limit and holds nothing.'),
    );
    for (const custom of [{ status: 'aborted' }, { status: 'done' }, {}]) {
      const reply = await say(intent, { ...custom, capture: [{ claim: 0, amount: 5 }] });
      expect([reply.status, reply.reason, reply.detail]).toEqual(
        invalid(
          'A capture belongs to the decision that commits a manual intent, and to no other proof.',
        ),
      );
    }
    expect((await read(intent)).meta.proofs).toEqual(intent.meta.proofs);
    expect(await rows('ann')).toEqual(['available 50', 'reserved 50']);
  });

  test('has no meaning where nothing is held: in a create, and of an intent that commits by itself', async () => {
    const { ledger, say } = await house();
    const custom = { moment: now(), status: 'committed', capture: [{ claim: 0, amount: 1 }] };
    const claims = [{ action: 'transfer', source: 'ann', target: 'bob', symbol: 'usd', amount: 5 }];
    const create = await ledger.post(
      '/intents',
      signed({ handle: unique('i'), claims }, owner, custom),
    );
    const auto = await ledger.settle(owner, 'transfer ann bob 5 usd');
    const late = await say(auto, custom);
    expect([create, late].map(({ status, reason }) => [status, reason])).toEqual([
      [422, 'record.invalid'],
      [422, 'record.invalid'],
    ]);
  });

  test('of a part of what a bridge has prepared, or of what is forwarded, is refused by name', async () => {
    const { ledger, hold, capture, say } = await house();
    const bank = newKey();
    await ledger.make('bridges', { handle: 'bank', config: { server: nowhere } }, bank, active());
    await ledger.make('wallets', { handle: 'at', bridge: 'bank' }, bank);
    const intent = await hold(['transfer ann at 50 usd']);
    const credit = intent.meta.proofs.find(({ custom }) => custom?.['bridge'] === 'bank')?.custom;
    await say(intent, { handle: credit?.['handle'], status: 'prepared' }, bank);
    expect((await capture(intent, [0, 10])).detail).toBe(
      'Capture 0 takes a part of claim 0, which bridge bank has prepared as a whole.',
    );
    expect((await capture(intent, [0, 50])).body.meta.status).toBe('committed');
    const routes = [{ action: 'forward', target: 'cat' }];
    await ledger.make('wallets', { handle: 'relay', routes }, owner);
    const forwarded = await hold(['transfer ann relay 50 usd']);
    expect((await capture(forwarded, [0, 10])).detail).toBe(
      'Capture 0 takes a part of claim 0, and routes forward what the intent moves as a whole.',
    );
    expect((await capture(forwarded, [0, 50])).body.meta.status).toBe('completed');
  });

  test('is one of a hundred at once', async () => {
    const { ledger, hold, rows } = await house();
    const intent = await hold(['transfer ann bob 100 usd']);
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const custom = {
          moment: now(),
          status: 'committed',
          capture: [{ claim: 0, amount: index + 1 }],
        };
        const proof = proofOf(intent.hash, owner, custom);
        return surely(() => ledger.post(`/intents/${intent.luid}/proofs`, proof));
      }),
    );
    const good = replies.flatMap(({ status }, index) => (status === 200 ? index + 1 : []));
    const others = replies.filter(({ status }) => status !== 200);
    expect(new Set(others.map(({ reason }) => reason))).toEqual(
      new Set(['record.update-rejected']),
    );
    expect(good).toHaveLength(1);
    const [taken = 0] = good;
    expect([await rows('ann'), await rows('bob')]).toEqual([
      [`available ${100 - taken}`, 'reserved 0'],
      [`available ${taken}`],
    ]);
  });
});

describe('an expiry', () => {
  test('that the author gave ends the hold, and not before', async () => {
    const { hold, read, rows } = await house({ config: { 'intent.expiryThresholdMinutes': 1 } });
    const expiry = inMs(20 * minuteMs);
    const intent = await hold(['transfer ann bob 50 usd'], { expiry });
    expect(statementOf(intent, 'pending')).toMatchObject({ expiry });
    expect((await read(intent)).meta).toMatchObject({
      waiting: [{ for: 'decision', until: expiry }],
    });
    await clock.set(10 * minuteMs);
    expect((await read(intent)).meta.status).toBe('prepared');
    await clock.set(21 * minuteMs);
    await until('ended', async () => (await read(intent)).meta.status === 'rejected');
    expect(outcomeOf(await read(intent))).toBe('core.intent-expired');
    expect(await rows('ann')).toEqual(['available 100', 'reserved 0']);
    await clock.set(0);
  });

  test('is within the bounds of the ledger', async () => {
    const config = { 'intent.expiryThresholdMinutes': 10, 'intent.expiryMaxMinutes': 60 };
    const { ledger } = await house({ config });
    const claims = [{ action: 'transfer', source: 'ann', target: 'bob', symbol: 'usd', amount: 1 }];
    const post = async (expiry: unknown) => {
      const handle = unique('i');
      const reply = await ledger.post(
        '/intents',
        signed({ handle, claims, config: { ...manual, expiry } }, owner),
      );
      const { status } = await ledger.get(`/intents/${handle}`);
      return [reply.status, reply.reason ?? reply.body.meta.status, reply.detail, status];
    };
    const past = inMs(-1);
    const far = inMs(61 * minuteMs);
    const invalid = (detail: unknown) => [422, 'record.invalid', detail, 404];
    expect(await post(past)).toEqual(invalid(`The expiry ${past} has passed.`));
    expect(await post(far)).toEqual(
      invalid(expect.stringMatching(`The expiry ${far} is more than 60 minutes after 20.*Z`)),
    );
    for (const odd of ['tomorrow', '2026-02-30T00:00:00Z', 5, '2026-11-01T00:00:00+01:00'])
      expect((await post(odd)).slice(0, 2)).toEqual([422, 'record.schema-invalid']);
    expect((await post(inMs(59 * minuteMs))).slice(0, 2)).toEqual([201, 'prepared']);
  });

  test('may be 30 days by default', async () => {
    const { hold, ledger } = await house();
    const expiry = inMs(30 * dayMs - minuteMs);
    expect((await hold(['transfer ann bob 5 usd'], { expiry })).meta.status).toBe('prepared');
    const claims = [{ action: 'issue', target: 'bob', symbol: 'usd', amount: 1 }];
    const late = {
      handle: unique('i'),
      claims,
      config: { ...manual, expiry: inMs(30 * dayMs + minuteMs) },
    };
    expect((await ledger.post('/intents', signed(late, owner))).reason).toBe('record.invalid');
  });

  test('is extended by a proof, and the sweeper goes by the later one', async () => {
    const { hold, say, capture, read, ledger } = await house({
      config: { 'intent.expiryThresholdMinutes': 5 },
    });
    const intent = await hold(['transfer ann bob 50 usd']);
    const expiry = inMs(60 * minuteMs);
    const reply = await say(intent, { status: 'extended', expiry });
    expect([reply.status, reply.body.meta.status]).toEqual([200, 'prepared']);
    expect(reply.body.meta.proofs.slice(-2).map(({ origin, custom }) => [origin, custom])).toEqual([
      ['key-pair', { status: 'extended', expiry, moment: expect.any(String) }],
      [undefined, { status: 'extended', expiry, moment: expect.any(String) }],
    ]);
    expect((await read(intent)).meta).toMatchObject({
      waiting: [{ for: 'decision', until: expiry }],
    });
    // Another intent that was not extended shows that the sweeper was there.
    const other = await hold(['transfer ann bob 1 usd']);
    await clock.set(30 * minuteMs);
    await until('swept', async () => (await read(other)).meta.status === 'rejected');
    expect((await capture(intent, [0, 20])).body.meta.status).toBe('completed');
    await clock.set(0);
    const { items } = await ledger.get(`/intents/${intent.luid}/changes`);
    expect(items.map(({ meta }) => meta.action)).not.toContain('drop');
  });

  test('is extended within bounds, by right, while nothing is decided', async () => {
    const staff = newKey();
    const open = ['wallet', 'symbol'].map((record) => ({ action: 'any', record }));
    const access = [
      ...open,
      ...['read', 'create', 'update'].map((action) => ({ action, record: 'intent' })),
      { action: 'commit', record: 'intent', signer: { public: staff.public } },
    ];
    const { hold, say, read } = await house({ access });
    const intent = await hold(['transfer ann bob 50 usd']);
    const expiry = inMs(2 * dayMs);
    const detailOf = async (custom: Json, by = staff) => {
      const { status, detail } = await say(intent, custom, by);
      return `${status} ${String(detail)}`;
    };
    const extended = { status: 'extended' };
    for (const more of [{}, { labels: ['paid'] }])
      expect(await detailOf({ ...extended, expiry, ...more }, newKey())).toBe(
        '403 Cannot commit intent.',
      );
    const [soon, far] = [inMs(minuteMs), inMs(31 * dayMs)];
    expect([
      await detailOf({ ...extended, expiry: soon }),
      await detailOf({ ...extended, expiry: far }),
      await detailOf(extended),
      await detailOf({ ...extended, expiry: `${expiry.slice(0, 4)}-02-30T00:00:00Z` }),
      await detailOf({ expiry }),
      await detailOf({ status: 'committed', expiry }),
    ]).toEqual([
      `422 The expiry ${soon} is not later than it was.`,
      expect.stringContaining(`422 The expiry ${far} is more than 43200 minutes after 20`),
      '422 A proof that extends an intent has an expiry, a moment in ISO 8601 and UTC.',
      '422 A proof that extends an intent has an expiry, a moment in ISO 8601 and UTC.',
      "422 An expiry belongs to a proof with the status 'extended', and to no other proof.",
      "422 An expiry belongs to a proof with the status 'extended', and to no other proof.",
    ]);
    expect((await read(intent)).meta.proofs).toEqual(intent.meta.proofs);
    expect((await say(intent, { ...extended, expiry }, staff)).status).toBe(200);
    await say(intent, { status: 'committed' }, staff);
    const late = await say(intent, { ...extended, expiry: inMs(3 * dayMs) }, staff);
    expect([late.reason, late.detail]).toEqual([
      'record.update-rejected',
      `Intent ${intent.data.handle} is completed and cannot be extended.`,
    ]);
  });

  test('is not extended, and no hold is decided, by a proof that would change labels', async () => {
    const { hold, say, read } = await house();
    const intent = await hold(['transfer ann bob 50 usd']);
    const expiry = inMs(2 * dayMs);
    const rows = [{ status: 'committed' }, { status: 'aborted' }, { status: 'extended', expiry }];
    for (const custom of rows)
      for (const labels of [['paid'], { $push: 'paid' }, 5, null]) {
        const reply = await say(intent, { ...custom, labels });
        expect([reply.status, reply.reason, reply.detail]).toEqual([
          422,
          'record.invalid',
          'Labels are changed by a proof of their own, and by no decision, report or extension.',
        ]);
      }
    expect((await read(intent)).meta).toMatchObject(intent.meta);
    expect((await say(intent, { labels: ['paid'] })).body.meta['labels']).toEqual(['paid']);
    const { meta } = (await say(intent, { status: 'committed' })).body;
    expect([meta.status, meta['labels']]).toEqual(['completed', ['paid']]);
  });

  test('of an intent that waits for a signature is extended without consenting to it', async () => {
    const ann = newKey();
    const access = ['wallet', 'symbol', 'signer'].map((record) => ({ action: 'create', record }));
    const rules = [
      ...access,
      ...['read', 'create', 'update', 'commit'].map((action) => ({ action, record: 'intent' })),
    ];
    const ledger = await newLedger(home, owner, { access: rules });
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
    await ledger.make('wallets', { handle: 'ann' }, ann);
    await ledger.make('wallets', { handle: 'bob' }, owner);
    await ledger.settle(owner, 'issue ann 100 usd');
    const intent = await ledger.submit(owner, ['transfer ann bob 5 usd']);
    const expiry = inMs(dayMs);
    const extended = await ledger.prove('intents', intent, ann, { status: 'extended', expiry });
    expect([extended.status, extended.body.meta.status]).toEqual([200, 'pending']);
    expect((await ledger.prove('intents', intent, ann)).body.meta.status).toBe('completed');
  });
});
