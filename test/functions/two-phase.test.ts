/**
 * Goal: an intent with bridges goes on by what they report, by nobody else's word, once, and in any order;
 * nothing is ever seen half-moved. The bridges are silent: what they would say is said here. Rulings 46 to 51, 55 and 56.
 */
import { describe, expect, test } from 'vitest';
import {
  active,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newLedger,
  now,
  outcomeOf,
  proofOf,
  revision,
  signed,
} from '../fixture/client.ts';
import { entriesOf, rowsOf, surely } from '../fixture/payment.ts';
import { nowhere, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const owner = newKey();

const home = await sharedHome();

/** Everybody may do everything, but speak for a bridge. */
const open = ['wallet', 'symbol', 'bridge', 'intent'].map((record) => ({ action: 'any', record }));

/** A ledger with two banks, a wallet at each, and one that is the ledger's own. */
async function house(config: Json = {}, access: readonly Json[] = open) {
  const ledger = await newLedger(home, owner, { config, access });
  const [blue, green, mint] = [newKey(), newKey(), newKey()];
  const server = nowhere;
  await ledger.make('bridges', { handle: 'blue', config: { server } }, blue, active());
  await ledger.make('bridges', { handle: 'green', config: { server } }, green, active());
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, mint);
  await ledger.make('wallets', { handle: 'b', bridge: 'blue' }, blue);
  await ledger.make('wallets', { handle: 'g', bridge: 'green' }, green);
  await ledger.make('wallets', { handle: 'own' }, mint);
  await ledger.make('wallets', { handle: 'other' }, mint);
  expect(outcomeOf(await ledger.settle(mint, 'issue own 100 usd'))).toBe('completed');
  const post = (claims: readonly string[], more?: Json) => ledger.submit(mint, claims, more);
  const report = (intent: Item, by: Key, custom: Json) =>
    ledger.prove('intents', intent, by, custom);
  const read = async ({ luid }: Item) => (await ledger.get(`/intents/${luid}`)).body;
  const rows = (wallet: string) => rowsOf(ledger, wallet);
  return { ledger, blue, green, mint, post, report, read, rows };
}

describe('a payment between two banks', () => {
  test('waits for the debit, then the credit, then both, and moves once', async () => {
    const { post, report, read, rows, blue, green, ledger } = await house();
    const intent = await post(['transfer b g 5 usd']);
    expect(intent.meta.status).toBe('processing');
    const entries = entriesOf(intent);
    const [debit, credit] = [entries['debit b'], entries['credit g']];
    expect(await rows('b')).toEqual(['available -5', 'reserved 5']);
    const early = await report(intent, green, { handle: credit, status: 'prepared' });
    expect(early.body.meta.status).toBe('processing');
    const first = await report(intent, blue, { handle: debit, status: 'prepared', coreId: 'x1' });
    expect(first.body.meta.status).toBe('processing');
    const decided = await report(intent, green, { handle: credit, status: 'prepared' });
    expect(decided.body.meta.status).toBe('committed');
    expect([await rows('b'), await rows('g')]).toEqual([
      ['available -5', 'reserved 0'],
      ['available 5'],
    ]);
    await report(intent, green, { handle: credit, status: 'failed', reason: 'bridge.late' });
    await report(intent, green, { handle: credit, status: 'committed' });
    expect((await read(intent)).meta.status).toBe('committed');
    const last = await report(intent, blue, { handle: debit, status: 'committed' });
    expect(last.body.meta.status).toBe('completed');
    expect([await rows('b'), await rows('g')]).toEqual([
      ['available -5', 'reserved 0'],
      ['available 5'],
    ]);
    const { items } = await ledger.get(`/intents/${intent.luid}/changes`);
    const statuses = items.map(({ meta }) => meta.status).reverse();
    expect(statuses.filter((status, index) => statuses[index - 1] !== status)).toEqual([
      'pending',
      'processing',
      'prepared',
      'committed',
      'completed',
    ]);
  });

  test('that a bank refuses is failed with its reason, and ends when all is undone', async () => {
    const { post, report, rows, blue, green } = await house();
    const intent = await post(['transfer b g 5 usd']);
    const entries = entriesOf(intent);
    const [debit, credit] = [entries['debit b'], entries['credit g']];
    await report(intent, blue, { handle: debit, status: 'prepared' });
    const refused = await report(intent, green, {
      handle: credit,
      status: 'failed',
      reason: 'bridge.account-not-found',
      detail: 'No such account.',
    });
    expect(refused.body.meta.status).toBe('aborted');
    const why = refused.body.meta.proofs.find(
      ({ custom }) => custom?.['reason'] === 'core.bridge-prepare-failed',
    );
    expect(why?.custom).toMatchObject({ status: 'failed' });
    expect(await rows('b')).toEqual(['available 0', 'reserved 0']);
    const ended = await report(intent, blue, { handle: debit, status: 'aborted' });
    expect(ended.body.meta.status).toBe('rejected');
    expect(await rows('g')).toEqual([]);
  });

  test.each([
    ['of the ledger', 'core.insufficient-balance'],
    ['of nobody', 'account-not-found'],
    ['that is empty', 'bridge.'],
    ['in several lines', 'bridge.core\ntimeout'],
    ['with a control character', 'bridge.core\u001b[2J'],
    ['with a mark of direction', 'bridge.core\u202etimeout'],
    ['of 257 characters', `bridge.${'a'.repeat(250)}`],
    ['that is no text', 7],
    ['at all', undefined],
  ])('is not failed by a bank without a reason of its own: none %s', async (_what, reason) => {
    const { post, report, read, blue } = await house();
    const intent = await post(['transfer b g 5 usd']);
    const said = { handle: entriesOf(intent)['debit b'], status: 'failed', detail: 'No.' };
    const reply = await report(intent, blue, { ...said, ...(reason !== undefined && { reason }) });
    expect([reply.status, reply.reason, reply.detail]).toEqual([
      422,
      'record.invalid',
      "A report of failure has a reason that begins with 'bridge.', of at most 256 printable characters.",
    ]);
    const { status, proofs } = (await read(intent)).meta;
    expect([status, proofs]).toEqual(['processing', intent.meta.proofs]);
    const counts = await report(intent, blue, { ...said, reason: 'bridge.account-not-found' });
    expect(counts.body.meta.status).toBe('rejected');
  });

  test('hears no report that would change labels, and changes none', async () => {
    const { post, report, read, blue } = await house();
    const intent = await post(['transfer b g 5 usd']);
    const said = { handle: entriesOf(intent)['debit b'], status: 'prepared' };
    for (const labels of [['paid'], 5]) {
      const reply = await report(intent, blue, { ...said, labels });
      expect([reply.status, reply.reason, reply.detail]).toEqual([
        422,
        'record.invalid',
        'Labels are changed by a proof of their own, and by no decision, report or extension.',
      ]);
    }
    expect((await read(intent)).meta).toMatchObject(intent.meta);
    expect((await report(intent, blue, said)).status).toBe(200);
  });

  test.each([
    'bridge.core:timeout',
    'bridge.no such account (7/b)',
    'bridge.saldo-ungenügend',
    `bridge.${'a'.repeat(249)}`,
  ])('is failed by a bank with the reason %s', async (reason) => {
    const { post, report, blue } = await house();
    const intent = await post(['transfer b g 5 usd']);
    const said = { handle: entriesOf(intent)['debit b'], status: 'failed', detail: 'No.', reason };
    const { body } = await report(intent, blue, said);
    expect(body.meta.status).toBe('rejected');
    expect(body.meta.proofs.find(({ custom }) => custom?.['reason'] === reason)).toBeDefined();
  });

  test('hears each bank about its own entries alone, and nobody else', async () => {
    const { post, report, read, blue, green, mint, ledger } = await house();
    const intent = await post(['transfer b g 5 usd']);
    const entries = entriesOf(intent);
    const debit = entries['debit b'];
    for (const by of [green, mint, newKey()]) {
      const reply = await report(intent, by, { handle: debit, status: 'prepared' });
      expect([200, 403]).toContain(reply.status);
    }
    await report(intent, blue, { handle: 'deb_12345678901234567', status: 'prepared' });
    await report(intent, blue, { handle: entries['credit g'], status: 'prepared' });
    await report(intent, blue, { handle: debit, status: 'committed' });
    await report(intent, blue, { handle: debit, status: 'odd' });
    const { body } = await ledger.get(`/intents/${intent.luid}`);
    expect(body.meta.status).toBe('processing');
    await report(intent, green, { handle: entries['credit g'], status: 'prepared' });
    expect((await read(intent)).meta.status).toBe('processing');
    await report(intent, blue, { handle: debit, status: 'prepared' });
    expect((await read(intent)).meta.status).toBe('processing');
  });

  test('leaves wallets that it counts on in place', async () => {
    const { post, report, ledger, blue, green, read } = await house();
    const intent = await post(['transfer b g 5 usd']);
    const drop = async (handle: string, key: Key) => {
      const { body } = await ledger.get(`/wallets/${handle}`);
      const farewell = signed({ parent: body.hash }, key, { moment: now(), status: 'dropped' });
      return ledger.post(`/wallets/${handle}/drop`, { luid: body.luid, ...farewell });
    };
    expect([(await drop('b', blue)).reason, (await drop('g', green)).reason]).toEqual([
      'record.drop-rejected',
      'record.drop-rejected',
    ]);
    const { 'debit b': debit } = entriesOf(intent);
    await report(intent, blue, { handle: debit, status: 'failed', reason: 'bridge.no' });
    expect((await read(intent)).meta.status).toBe('rejected');
    expect((await drop('g', green)).status).toBe(204);
  });

  test('keeps a bridge until that has carried out the decision, under any name', async () => {
    const { post, report, ledger, green, mint, read } = await house();
    const intent = await post(['transfer own g 5 usd']);
    const { 'credit g': handle } = entriesOf(intent);
    await report(intent, green, { handle, status: 'prepared' });
    expect((await read(intent)).meta.status).toBe('committed');
    expect(outcomeOf(await ledger.settle(mint, 'destroy g 5 usd'))).toBe('completed');
    const drop = async (group: string, name: string) => {
      const { body } = await ledger.get(`/${group}/${name}`);
      return ledger.send('DELETE', `/${group}/${name}`, farewell(body, green));
    };
    expect((await drop('wallets', 'g')).status).toBe(204);
    const owing = await drop('bridges', 'green');
    expect([owing.status, owing.reason]).toEqual([422, 'record.drop-rejected']);
    const { body } = await ledger.get('/bridges/green');
    expect(
      (await ledger.put('/bridges/green', revision(body, { handle: 'jade' }, green))).status,
    ).toBe(200);
    expect((await drop('bridges', 'jade')).reason).toBe('record.drop-rejected');
    const eve = newKey();
    const access = [
      { action: 'create', record: 'intent-proof', signer: { public: eve.public } },
      { action: 'any', record: 'any', signer: { public: eve.public } },
    ];
    await ledger.make('bridges', { handle: 'green', config: { server: nowhere }, access }, eve);
    await report(intent, eve, { handle, status: 'committed' });
    expect((await read(intent)).meta.status).toBe('committed');
    expect((await drop('bridges', 'jade')).reason).toBe('record.drop-rejected');
    await report(intent, green, { handle, status: 'committed' });
    expect((await read(intent)).meta.status).toBe('completed');
    expect((await drop('bridges', 'jade')).status).toBe(204);
  });
});

describe('a wallet of the ledger', () => {
  test('gives to a bank what it has, and not more, and not twice', async () => {
    const { post, report, rows, green } = await house();
    const intents = [await post(['transfer own g 60 usd']), await post(['transfer own g 60 usd'])];
    expect(intents.map(outcomeOf)).toEqual(['processing', 'core.insufficient-balance']);
    expect(await rows('own')).toEqual(['available 40', 'reserved 60']);
    const [intent] = intents as [Item];
    const { 'credit g': credit } = entriesOf(intent);
    await report(intent, green, { handle: credit, status: 'prepared' });
    expect([await rows('own'), await rows('g')]).toEqual([
      ['available 40', 'reserved 0'],
      ['available 60'],
    ]);
    const done = await report(intent, green, { handle: credit, status: 'committed' });
    expect(done.body.meta.status).toBe('completed');
  });

  test('gets back what was reserved when the time is over', async () => {
    const { post, rows, read } = await house({ 'intent.expiryThresholdMinutes': 0.02 });
    const intent = await post(['transfer own g 60 usd']);
    expect(intent.meta.status).toBe('processing');
    await until('aborted', async () => (await read(intent)).meta.status === 'aborted');
    expect(await rows('own')).toEqual(['available 100', 'reserved 0']);
  });
});

describe('an intent that somebody has to decide', () => {
  const manual = { config: { commit: 'manual' } };

  test('is prepared, holds what it needs, and is committed or aborted by one word', async () => {
    const { post, report, rows, mint } = await house();
    const [one, two] = [
      await post(['transfer own other 30 usd'], manual),
      await post(['transfer own other 30 usd'], manual),
    ];
    expect([one.meta.status, two.meta.status]).toEqual(['prepared', 'prepared']);
    expect(await rows('own')).toEqual(['available 40', 'reserved 60']);
    expect((await report(one, mint, { status: 'committed' })).body.meta.status).toBe('completed');
    expect((await report(two, mint, { status: 'aborted' })).body.meta.status).toBe('rejected');
    expect([await rows('own'), await rows('other')]).toEqual([
      ['available 70', 'reserved 0'],
      ['available 30'],
    ]);
    const late = await report(one, mint, { status: 'aborted' });
    expect([late.status, late.reason]).toEqual([422, 'record.update-rejected']);
  });

  test('of a hundred words at once hears exactly one', async () => {
    const { post, rows, read, mint, ledger } = await house();
    const intent = await post(['transfer own other 30 usd'], manual);
    const word = (status: string, index: number) => {
      const proof = proofOf(intent.hash, mint, { moment: now(), status, index });
      return surely(() => ledger.post(`/intents/${intent.luid}/proofs`, proof));
    };
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        word(index % 2 === 0 ? 'committed' : 'aborted', index),
      ),
    );
    const good = replies.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    const others = replies.filter(({ status }) => status !== 200);
    expect(new Set(others.map(({ status, reason }) => `${status} ${String(reason)}`))).toEqual(
      new Set(['422 record.update-rejected']),
    );
    const { meta } = await read(intent);
    expect(meta.status).toBe(good[0]?.body.meta.status);
    const left = meta.status === 'completed' ? 70 : 100;
    expect(await rows('own')).toEqual([`available ${left}`, 'reserved 0']);
  });

  test('hears again what it has heard already', async () => {
    const { post, ledger, mint } = await house();
    const intent = await post(['transfer own other 30 usd'], manual);
    const proof = proofOf(intent.hash, mint, { moment: now(), status: 'committed' });
    const send = () => ledger.post(`/intents/${intent.luid}/proofs`, proof);
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
  });

  test('takes the right to commit or to abort', async () => {
    const staff = newKey();
    const may = (action: string, record: string, signer?: Json) => ({
      ...{ action, record },
      ...(signer && { signer }),
    });
    const rules = [
      ...['wallet', 'symbol', 'bridge'].map((record) => may('any', record)),
      ...['read', 'create', 'update'].map((action) => may(action, 'intent')),
      may('commit', 'intent', { public: staff.public }),
    ];
    const { post, report } = await house({}, rules);
    const intent = await post(['transfer own other 30 usd'], manual);
    const [eve, wrong] = [
      await report(intent, newKey(), { status: 'committed' }),
      await report(intent, staff, { status: 'aborted' }),
    ];
    expect([eve.detail, wrong.detail]).toEqual(['Cannot commit intent.', 'Cannot abort intent.']);
    const { body } = await report(intent, staff, { status: 'committed' });
    expect(body.meta.status).toBe('completed');
  });

  test('with banks is prepared by them first', async () => {
    const { post, report, blue, green, mint } = await house();
    const intent = await post(['transfer b g 5 usd'], manual);
    const entries = entriesOf(intent);
    const soon = await report(intent, mint, { status: 'committed' });
    expect([soon.status, soon.reason]).toEqual([422, 'record.update-rejected']);
    await report(intent, blue, { handle: entries['debit b'], status: 'prepared' });
    const prepared = await report(intent, green, {
      handle: entries['credit g'],
      status: 'prepared',
    });
    expect(prepared.body.meta.status).toBe('prepared');
    const committed = await report(intent, mint, { status: 'committed' });
    expect(committed.body.meta.status).toBe('committed');
  });
});
