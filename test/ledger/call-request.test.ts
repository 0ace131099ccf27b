/** Goal: what a bridge is asked, for every action, and what claims in one entry share. Rulings 42 and 54, Decision 54. */
import { describe, expect, test } from 'vitest';
import { isLuid } from '../../shared/crypto/luid.ts';
import { requestOf, withoutNotes } from '../../shared/ledger/call-request.ts';
import { bridged, type EntryWish, entryOf } from '../fixture/bridged.ts';

const transfer = { action: 'transfer', symbol: 'usd', amount: 5 };

/** What a prepare asks for one entry of these claims. */
function asked(entry: EntryWish, claims: readonly object[]) {
  const { record } = bridged({ entries: [entry], claims });
  const handle = entryOf({ record } as never);
  const call = { bridge: 'bank', action: 'prepare', entry: handle } as const;
  return { handle, intent: record, ...requestOf(call, record) };
}

const plain = { ...transfer, source: 'alice@bank', target: 'bob@bank' };

describe('a prepare', () => {
  test.each([
    ['debit', '/debits'],
    ['credit', '/credits'],
  ] as const)('of a %s says all of its entry, and brings the intent', (schema, path) => {
    const { handle, intent, ...request } = asked({ schema, amount: 5 }, [plain]);
    expect(request).toEqual({
      method: 'POST',
      path,
      data: {
        handle,
        luid: `$ben.${handle.slice(4)}`,
        schema,
        amount: 5,
        symbol: { handle: 'usd' },
        source: { handle: 'alice@bank' },
        target: { handle: 'bob@bank' },
        inputs: [0],
        intent,
      },
    });
    expect(isLuid(String(request.data['luid']), 'ben')).toBe(true);
  });

  const note = { purpose: 'rent' };
  test.each([
    ['an address with a note', [{ handle: 'a@b', custom: note }], { handle: 'a@b', custom: note }],
    ['an address as an object', [{ handle: 'a@b' }], { handle: 'a@b' }],
    ['one address in several claims', ['a@b', { handle: 'a@b' }, 'a@b'], { handle: 'a@b' }],
    ['several addresses', ['a@b', 'c@b'], undefined],
    [
      'one address with one note in several claims',
      [
        { handle: 'a@b', custom: { x: [1], y: 2 } },
        { handle: 'a@b', custom: { y: 2, x: [1] } },
      ],
      { handle: 'a@b', custom: { x: [1], y: 2 } },
    ],
    [
      'one address with several notes',
      [
        { handle: 'a@b', custom: { x: 1 } },
        { handle: 'a@b', custom: { x: '1' } },
      ],
      { handle: 'a@b' },
    ],
    [
      'one address with and without a note',
      [{ handle: 'a@b', custom: note }, 'a@b'],
      { handle: 'a@b' },
    ],
  ])('of %s says what the claims share', (_, parties, shared) => {
    const inputs = parties.map((_one, index) => index);
    const [sources, targets] = [
      asked(
        { schema: 'debit', inputs },
        parties.map((source) => ({ ...plain, source })),
      ),
      asked(
        { schema: 'credit', inputs },
        parties.map((target) => ({ ...plain, target })),
      ),
    ];
    expect(sources.data['source']).toEqual(shared);
    expect(targets.data['target']).toEqual(shared);
    expect('source' in sources.data).toBe(shared !== undefined);
    expect(sources.data['target']).toEqual({ handle: 'bob@bank' });
    expect(sources.data['inputs']).toEqual(inputs);
  });

  test('asks only about the claims of its entry', () => {
    const claims = [{ ...plain, target: 'carol@bank' }, plain, { ...plain, target: 'dave@bank' }];
    expect(asked({ schema: 'debit', inputs: [1] }, claims).data).toMatchObject({
      target: { handle: 'bob@bank' },
      inputs: [1],
    });
  });

  test.each([
    ['one', [note], note],
    [
      'two that agree',
      [
        { ...note, more: 2 },
        { more: 2, ...note },
      ],
      { ...note, more: 2 },
    ],
    ['two that do not', [note, { ...note, more: 2 }], undefined],
    ['one of two', [note, undefined], undefined],
    ['none', [undefined, undefined], undefined],
  ])('says what is noted of its claims, of %s', (_what, notes, shared) => {
    const claims = notes.map((custom) => ({ ...plain, ...(custom && { custom }) }));
    const { data } = asked({ schema: 'debit', inputs: [...notes.keys()] }, claims);
    expect([data['custom'], 'custom' in data]).toEqual([shared, shared !== undefined]);
    expect('custom' in withoutNotes(data)).toBe(false);
    expect(data['intent']).toMatchObject({ data: { claims } });
  });

  test('without notes says the addresses alone', () => {
    const source = { handle: 'a@b', custom: note };
    const { data } = asked({ schema: 'debit' }, [{ ...plain, source }]);
    expect(withoutNotes(data)).toEqual({ ...data, source: { handle: 'a@b' } });
    const bare = { handle: 'deb_1', action: 'commit' };
    expect(withoutNotes(bare)).toEqual(bare);
  });

  test('of what no claim names says neither source nor target', () => {
    for (const inputs of [[], [7]]) {
      const { data } = asked({ schema: 'debit', inputs }, [plain]);
      expect(['source' in data, 'target' in data]).toEqual([false, false]);
    }
    const issue = { action: 'issue', target: 'bob@bank', symbol: 'usd', amount: 5 };
    const destroy = { action: 'destroy', source: 'bob@bank', symbol: 'usd', amount: 5 };
    expect('source' in asked({ schema: 'credit' }, [issue]).data).toBe(false);
    expect('target' in asked({ schema: 'debit' }, [destroy]).data).toBe(false);
  });
});

test.each(['commit', 'abort'] as const)('a %s names its entry, and brings the intent', (action) => {
  const { record } = bridged({ entries: [{ schema: 'debit' }, { schema: 'credit' }] });
  for (const [index, entries] of ['debits', 'credits'].entries()) {
    const handle = entryOf({ record } as never, index);
    expect(requestOf({ bridge: 'bank', action, entry: handle }, record)).toEqual({
      method: 'POST',
      path: `/${entries}/${handle}/${action}`,
      data: { handle, action, intent: record },
    });
  }
});

test('a status brings the data of the intent itself', () => {
  const { record } = bridged({ handle: 'rent' });
  expect(requestOf({ bridge: 'bank', action: 'status' }, record)).toEqual({
    method: 'PUT',
    path: '/intents/rent',
    data: record.data,
  });
});

test('a call about an entry that the intent does not have is a bug', () => {
  const { record } = bridged();
  const call = { bridge: 'bank', action: 'commit', entry: 'deb_0' } as const;
  expect(() => requestOf(call, record)).toThrow('an entry of its intent');
});
