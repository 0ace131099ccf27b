/**
 * Goal: a reversal undoes what another intent has moved, and all reversals together never more; both show each other.
 * Ruling 92.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  active,
  type Body,
  type Client,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  outcomeOf,
  type Reply,
} from '../fixture/client.ts';
import { outcome } from '../fixture/house.ts';
import {
  entriesOf,
  furnished,
  intentBody,
  intentNow,
  sendBatch,
  settledSurely,
  surely,
} from '../fixture/payment.ts';
import { nowhere } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const key = newKey();

const bank = async () =>
  furnished(await newLedger(home, key), key, ['a', 'b', 'c'], ['usd', 'eur']);
const reversing = (ledger: Client, { data }: Item, claims: readonly string[], more: Json = {}) =>
  ledger.submit(key, claims, { reverses: data.handle, ...more });
const bodyOf = (reverses: string, claims: readonly string[]): Body =>
  intentBody(claims, key, { reverses });
/** What the ledger states of the reversals of an intent: status, claims by index, and by what. */
const statedOf = ({ meta }: Item) =>
  meta.proofs.flatMap(({ custom = {} }) => {
    const { status, by, claims } = custom;
    return by === undefined ? [] : [[status, by, claims]];
  });

describe('a reversal', () => {
  test('takes back a part, then the rest, and both intents show each other', async () => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 60 usd');
    const first = await reversing(ledger, paid, ['transfer b a 20 usd']);
    const second = await reversing(ledger, paid, ['transfer b a 40 usd']);
    expect([first, second].map(outcomeOf)).toEqual(['completed', 'completed']);
    expect(first.data['reverses']).toBe(paid.data.handle);
    expect(await ledger.balances('a')).toEqual({ usd: '100' });
    const after = await intentNow(ledger, paid);
    expect(after.meta.status).toBe('completed');
    expect(statedOf(after)).toEqual([
      ['reversed', first.data.handle, [{ claim: 0, amount: 20 }]],
      ['reversed', second.data.handle, [{ claim: 0, amount: 40 }]],
    ]);
    const { items } = await ledger.get(`/intents/${paid.luid}/changes`);
    expect(statedOf(items[1] as Item)).toHaveLength(1);
    const listed = await ledger.get(`/intents?data.reverses=${paid.data.handle}`);
    expect(listed.items.map(({ luid }) => luid).sort()).toEqual([first.luid, second.luid].sort());
  });

  test('of an issue destroys, and of a destroy issues', async () => {
    const ledger = await bank();
    const issued = await ledger.settle(key, 'issue b 5 usd');
    expect(outcomeOf(await reversing(ledger, issued, ['destroy b 5 usd']))).toBe('completed');
    const destroyed = await ledger.settle(key, 'destroy a 7 usd');
    expect(outcomeOf(await reversing(ledger, destroyed, ['issue a 7 usd']))).toBe('completed');
    expect([await ledger.balances('a'), await ledger.balances('b')]).toEqual([
      { usd: '100' },
      { usd: '0' },
    ]);
  });

  test.each([
    ['another wallet', 'transfer c a 1 usd'],
    ['another symbol', 'transfer b a 1 eur'],
    ['the same direction', 'transfer a b 1 usd'],
    ['a destroy for a transfer', 'destroy b 1 usd'],
    ['a limit', 'limit b minBalance 0 usd'],
  ])('with %s fails, and takes no share', async (_, claim) => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 60 usd', 'limit b minBalance 0 usd');
    const back = await reversing(ledger, paid, ['transfer b a 1 usd', claim]);
    expect(outcomeOf(back)).toBe('core.reversal-invalid');
    expect(statedOf(await intentNow(ledger, paid))).toEqual([]);
  });

  test('of more than is left fails', async () => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 30 usd', 'transfer a b 20 usd');
    await ledger.settle(key, 'issue b 100 usd');
    const back = await reversing(ledger, paid, ['transfer b a 35 usd']);
    expect(statedOf(await intentNow(ledger, paid))).toEqual([
      [
        'reversed',
        back.data.handle,
        [
          { claim: 0, amount: 30 },
          { claim: 1, amount: 5 },
        ],
      ],
    ]);
    const more = await reversing(ledger, paid, ['transfer b a 10 usd', 'transfer b a 6 usd']);
    expect(outcomeOf(more)).toBe('core.reversal-exceeded');
    expect(outcomeOf(await reversing(ledger, paid, ['transfer b a 15 usd']))).toBe('completed');
  });

  test('of what has not moved fails', async () => {
    const ledger = await bank();
    const waiting = await ledger.submit(key, ['transfer a b 1 usd'], {
      config: { commit: 'manual' },
    });
    const failed = await ledger.settle(key, 'transfer c b 1 usd');
    await ledger.settle(key, 'issue b 5 usd');
    for (const intent of [waiting, failed])
      expect(outcomeOf(await reversing(ledger, intent, ['transfer b a 1 usd']))).toBe(
        'core.reversal-invalid',
      );
  });

  test('of what was captured in part takes back that part and no more', async () => {
    const ledger = await bank();
    const held = await ledger.submit(key, ['transfer a b 50 usd'], {
      config: { commit: 'manual' },
    });
    const capture = [{ claim: 0, amount: 20 }];
    await ledger.prove('intents', held, key, { status: 'committed', capture });
    expect(await ledger.balances('b')).toEqual({ usd: '20' });
    await ledger.settle(key, 'issue b 50 usd');
    const more = await reversing(ledger, held, ['transfer b a 21 usd']);
    expect(outcomeOf(more)).toBe('core.reversal-exceeded');
    expect(outcomeOf(await reversing(ledger, held, ['transfer b a 20 usd']))).toBe('completed');
  });

  test('that names no intent is refused', async () => {
    const ledger = await bank();
    const reply = await ledger.post('/intents', bodyOf('nothing', ['transfer b a 1 usd']));
    expect([...outcome(reply), reply.custom]).toEqual([
      422,
      'record.relation-not-found',
      { intent: 'nothing' },
    ]);
  });

  test('is told by a preview', async () => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 60 usd');
    const told = async (claim: string) => {
      const body = bodyOf(paid.data.handle, [claim]);
      return (await ledger.post('/intents/!preview', body)).body.data;
    };
    expect(await told('transfer b a 60 usd')).toMatchObject({ status: 'completed' });
    expect(await told('transfer b a 61 usd')).toMatchObject({ reason: 'core.reversal-exceeded' });
    expect(statedOf(await intentNow(ledger, paid))).toEqual([]);
  });

  test('can itself be reversed', async () => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 60 usd');
    const back = await reversing(ledger, paid, ['transfer b a 60 usd']);
    expect(outcomeOf(await reversing(ledger, back, ['transfer a b 60 usd']))).toBe('completed');
    expect(outcomeOf(await reversing(ledger, paid, ['transfer b a 1 usd']))).toBe(
      'core.reversal-exceeded',
    );
  });
});

describe('a reversal that waits', () => {
  const manual = { config: { commit: 'manual' } };

  test('for a decision holds its share, and takes it with the decision', async () => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 60 usd');
    const back = await reversing(ledger, paid, ['transfer b a 50 usd'], manual);
    expect(back.meta.status).toBe('prepared');
    const other = await reversing(ledger, paid, ['transfer b a 11 usd']);
    expect(outcomeOf(other)).toBe('core.reversal-exceeded');
    await ledger.prove('intents', back, key, { status: 'committed' });
    const by = back.data.handle;
    expect(statedOf(await intentNow(ledger, paid))).toEqual([
      ['reversing', by, [{ claim: 0, amount: 50 }]],
      ['reversed', by, undefined],
    ]);
    expect(await ledger.balances('a')).toEqual({ usd: '90' });
  });

  test('and is captured in part gives the rest of its share back', async () => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 30 usd', 'transfer a b 30 usd');
    const back = await reversing(ledger, paid, ['transfer b a 50 usd'], manual);
    const capture = [{ claim: 0, amount: 35 }];
    await ledger.prove('intents', back, key, { status: 'committed', capture });
    expect(statedOf(await intentNow(ledger, paid)).at(-1)).toEqual([
      'reversed',
      back.data.handle,
      [
        { claim: 0, amount: 30 },
        { claim: 1, amount: 5 },
      ],
    ]);
    expect(outcomeOf(await reversing(ledger, paid, ['transfer b a 25 usd']))).toBe('completed');
  });

  test('gives its share back when it is aborted', async () => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 60 usd');
    const back = await reversing(ledger, paid, ['transfer b a 50 usd'], manual);
    await ledger.prove('intents', back, key, { status: 'aborted' });
    expect(statedOf(await intentNow(ledger, paid)).map(([status]) => status)).toEqual([
      'reversing',
      'reinstated',
    ]);
    expect(outcomeOf(await reversing(ledger, paid, ['transfer b a 60 usd']))).toBe('completed');
  });

  test('for a bridge gives its share back when the bridge refuses', async () => {
    const ledger = await bank();
    const bank2 = newKey();
    const config = { server: nowhere };
    await ledger.make('bridges', { handle: 'far', config }, bank2, active());
    await ledger.make('wallets', { handle: 'd', bridge: 'far' }, bank2);
    await ledger.settle(key, 'issue d 10 usd');
    const paid = await ledger.submit(key, ['transfer d a 10 usd']);
    const [debit] = [entriesOf(paid)['debit d']];
    for (const status of ['prepared', 'committed'])
      await ledger.prove('intents', paid, bank2, { handle: debit, status, moment: now() });
    const back = await reversing(ledger, paid, ['transfer a d 10 usd']);
    expect(back.meta.status).toBe('processing');
    const credit = entriesOf(back)['credit d'];
    const custom = { handle: credit, status: 'failed', reason: 'bridge.no' };
    await ledger.prove('intents', back, bank2, custom);
    expect(statedOf(await intentNow(ledger, paid)).map(([status]) => status)).toEqual([
      'reversing',
      'reinstated',
    ]);
  });

  test('for signatures holds nothing', async () => {
    const access = [
      { action: 'any', record: 'any', signer: { public: key.public } },
      { action: ['create', 'read'], record: 'any' },
    ].flatMap(({ action, ...rule }) => [action].flat().map((one) => ({ action: one, ...rule })));
    const ledger = await newLedger(home, key, { access });
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
    for (const handle of ['a', 'b']) await ledger.make('wallets', { handle }, key);
    await ledger.settle(key, 'issue a 100 usd');
    const paid = await ledger.settle(key, 'transfer a b 60 usd');
    const more = { reverses: paid.data.handle };
    const pending = await ledger.submit(newKey(), ['transfer b a 60 usd'], more);
    expect([pending.meta.status, statedOf(await intentNow(ledger, paid))]).toEqual(['pending', []]);
    expect(outcomeOf(await reversing(ledger, paid, ['transfer b a 30 usd']))).toBe('completed');
    const { body } = await ledger.prove('intents', pending, key);
    expect(outcomeOf(body)).toBe('core.reversal-exceeded');
  });
});

describe('reversals at the same time', () => {
  test('never take more in sum than was moved', async () => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 10 usd');
    await ledger.settle(key, 'issue b 1000 usd');
    const bodies = Array.from({ length: 40 }, () =>
      bodyOf(paid.data.handle, ['transfer b a 1 usd']),
    );
    const done = await Promise.all(bodies.map((body) => settledSurely(ledger, body)));
    const outcomes = done.map(outcomeOf);
    expect(outcomes.filter((one) => one === 'completed')).toHaveLength(10);
    expect(outcomes.filter((one) => one === 'core.reversal-exceeded')).toHaveLength(30);
    expect(await ledger.balances('a')).toEqual({ usd: '100' });
    expect(statedOf(await intentNow(ledger, paid))).toHaveLength(10);
  });
});

describe('in a batch', () => {
  const send = (ledger: Client, mode: string, data: readonly Body[]): Promise<Reply> =>
    surely(() => sendBatch(ledger, mode, data));

  test('reversals are taken in order, and in an atomic one once for an intent', async () => {
    const ledger = await bank();
    const paid = await ledger.settle(key, 'transfer a b 60 usd');
    const back = (amount: number) =>
      bodyOf(paid.data.handle, [`transfer b a ${String(amount)} usd`]);
    const twice = await send(ledger, 'atomic', [back(1), back(1)]);
    expect(twice.custom['errors']).toMatchObject([{ index: 1, reason: 'record.invalid' }]);
    const tooMuch = await send(ledger, 'atomic', [back(61)]);
    expect(tooMuch.custom['errors']).toMatchObject([
      { index: 0, reason: 'core.reversal-exceeded' },
    ]);
    expect((await send(ledger, 'atomic', [back(10)])).status).toBe(200);
    const each = await send(ledger, 'independent', [back(50), back(1)]);
    expect(each.items.map(outcomeOf)).toEqual(['completed', 'core.reversal-exceeded']);
    expect(statedOf(await intentNow(ledger, paid))).toHaveLength(2);
  });
});

/** A step of the model: pay, or reverse a part of an earlier payment, at once or by a later decision. */
const step = fc.record({
  kind: fc.constantFrom('pay', 'back', 'back', 'hold', 'commit', 'abort'),
  of: fc.nat(),
  amount: fc.integer({ min: 1, max: 40 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Payment {
  readonly item: Item;
  left: number;
}

/** A page of sums: payments with what is left of them, reversals that wait, and what wallet a has gained. */
function pageOf(ledger: Client) {
  const paid: Payment[] = [];
  const held: { readonly item: Item; readonly of: Payment; readonly amount: number }[] = [];
  let gained = 0;
  const reverse = async (kind: string, of: Payment, amount: number) => {
    const more = kind === 'hold' ? { config: { commit: 'manual' } } : {};
    const item = await reversing(ledger, of.item, [`transfer b a ${amount} usd`], more);
    const isTaken = amount <= of.left;
    const status = kind === 'hold' ? 'prepared' : 'completed';
    expect(outcomeOf(item)).toBe(isTaken ? status : 'core.reversal-exceeded');
    if (!isTaken) return;
    of.left -= amount;
    if (kind === 'hold') held.push({ item, of, amount });
    else gained += amount;
  };
  const decide = async (kind: string) => {
    const waiting = held.shift();
    if (!waiting) return;
    const status = kind === 'commit' ? 'committed' : 'aborted';
    await ledger.prove('intents', waiting.item, key, { status });
    if (kind === 'commit') gained += waiting.amount;
    else waiting.of.left += waiting.amount;
  };
  const take = async ({ kind, of, amount }: Step) => {
    if (kind === 'commit' || kind === 'abort') return decide(kind);
    const meant = paid[of % (paid.length || 1)];
    if (kind !== 'pay') return meant && reverse(kind, meant, amount);
    paid.push({ item: await ledger.settle(key, `transfer a b ${amount} usd`), left: amount });
    gained -= amount;
  };
  return { take, gained: () => gained };
}

test('whatever is reversed in whatever order, the amounts are those of a page of sums', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const ledger = await bank();
      await ledger.settle(key, 'issue a 10000 usd', 'issue b 10000 usd');
      const page = pageOf(ledger);
      for (const one of steps) await page.take(one);
      expect(await ledger.balances('a')).toEqual({ usd: String(10_100 + page.gained()) });
    }),
    { numRuns: 15, interruptAfterTimeLimit: 30_000 },
  );
});
