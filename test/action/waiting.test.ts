/** Goal: an intent says what it waits for, at every moment of its life. Rulings 49 to 51 and 55, Decision 57. */
import { describe, expect, test } from 'vitest';
import { waitingOf } from '../../shared/intent/waiting.ts';
import type { CallAction } from '../../shared/ledger/call.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Delivery } from '../../shared/port/deliveries.ts';
import {
  bridge,
  bridged,
  callTo,
  type EntryWish,
  entryOf,
  type IntentWish,
} from '../fixture/bridged.ts';
import { memoryDeliveries } from '../fixture/memory-deliveries.ts';

const expiry = '2026-06-01T01:00:00.000Z';
const acceptedMs = Date.parse('2026-06-01T00:00:00.000Z');
const bank = bridge('bank');

/** A ledger with these records, of whose deliveries some are there. */
function ledger(...records: readonly Version[]) {
  const reads: string[] = [];
  const deliveries = memoryDeliveries(() => []);
  const store = {
    load: async (wants: { kind: string; handle: string }[]) =>
      wants.map(({ kind, handle }) => {
        reads.push(`${kind} ${handle}`);
        return records.find((one) => one.kind === kind && one.record.data.handle === handle);
      }),
  } as never;
  return { reads, deliveries, of: (one: Version) => waitingOf({ store, deliveries }, 'main', one) };
}

function intentOf(status: string, entries: readonly EntryWish[] = [], more: IntentWish = {}) {
  return bridged({ status, expiry, entries, ...more });
}

/** The delivery of a call about an entry to the bank. */
function callFor(entry: string, action: CallAction, parts: Partial<Delivery> = {}): Delivery {
  return callTo(bank, { entry, action }, acceptedMs, parts);
}

describe('an intent that waits', () => {
  test('for signatures says until when', async () => {
    expect(await ledger().of(intentOf('pending'))).toEqual([{ for: 'signatures', until: expiry }]);
  });

  test('for a decision says until when', async () => {
    const intent = intentOf('prepared', [{ schema: 'debit', reported: ['prepared'] }]);
    expect(await ledger().of(intent)).toEqual([{ for: 'decision', until: expiry }]);
  });

  test('without an expiry says none', async () => {
    const intent = intentOf('pending');
    const { meta } = intent.record;
    const record = { ...intent.record, meta: { ...meta, proofs: [] } };
    expect(await ledger().of({ ...intent, record })).toEqual([{ for: 'signatures' }]);
  });
});

test.each(['completed', 'rejected'])('an intent that is %s waits for nothing', async (status) => {
  const self = ledger(bank);
  expect(await self.of(intentOf(status, [{ schema: 'debit', reported: ['prepared'] }]))).toEqual(
    [],
  );
});

describe('what an intent waits for at bridges', () => {
  const [debit, credit] = [{ schema: 'debit' }, { schema: 'credit' }] as const;
  const prepared = { reported: ['prepared'] };

  test.each([
    ['processing', [debit, credit], ['prepare 0']],
    ['processing', [debit, debit, credit], ['prepare 0', 'prepare 1']],
    ['processing', [{ ...debit, ...prepared }, debit, credit], ['prepare 1']],
    ['processing', [{ ...debit, ...prepared }, credit], ['prepare 1']],
    [
      'committed',
      [
        { ...debit, ...prepared },
        { ...credit, ...prepared },
      ],
      ['commit 0', 'commit 1'],
    ],
    [
      'committed',
      [
        { ...debit, reported: ['prepared', 'committed'] },
        { ...credit, ...prepared },
      ],
      ['commit 1'],
    ],
    [
      'aborted',
      [{ ...debit, ...prepared }, { ...debit, reported: ['failed'] }, credit],
      ['abort 0'],
    ],
    ['aborted', [{ ...debit, ...prepared }, credit], ['abort 0', 'abort 1']],
  ] as const)('while it is %s (%#)', async (status, entries, expected) => {
    const intent = intentOf(status, entries);
    const found = await ledger(bank).of(intent);
    const names = expected.map((text) => {
      const [action, index] = text.split(' ');
      return { for: 'bridge', action, entry: entryOf(intent, Number(index)), bridge: 'bank' };
    });
    expect(found).toMatchObject(names);
    expect(found).toHaveLength(names.length);
  });

  const [intent, silent] = [intentOf('processing', [debit]), { httpStatus: 503 }];
  const entry = entryOf(intent);
  const named = { for: 'bridge', entry, bridge: 'bank', action: 'prepare' };
  const since = new Date(acceptedMs).toISOString();
  const next = new Date(acceptedMs + 1_000).toISOString();
  const failed = { status: 'failed', reason: 'delivery.target-rejected', detail: silent };
  test.each([
    ['that is new', {}, { since, status: 'pending', attempts: 0, next }],
    [
      'that is being made',
      { status: 'running', attempts: 2 },
      { since, status: 'running', attempts: 2 },
    ],
    [
      'that failed',
      { status: 'failed', attempts: 1, output: failed },
      { since, status: 'failed', attempts: 1, next, reason: failed.reason, detail: silent },
    ],
    [
      'that was answered and not reported',
      { status: 'delivered', attempts: 1, output: { status: 'delivered', detail: {} } },
      { since, status: 'delivered', attempts: 1 },
    ],
    [
      'that was given up',
      { status: 'cancelled', attempts: 1, output: { reason: 'r', detail: 'd' } },
      { since, status: 'cancelled', attempts: 1, reason: 'r', detail: 'd' },
    ],
  ] as const)('says how a call stands %s', async (_, parts, expected) => {
    const self = ledger(bank);
    const { dueMs: _dueMs, ...over } = callFor(entry, 'prepare', parts as Partial<Delivery>);
    const isOver = ['delivered', 'cancelled'].includes(over.status);
    await self.deliveries.add([
      isOver ? over : callFor(entry, 'prepare', parts as Partial<Delivery>),
    ]);
    expect(await self.of(intent)).toEqual([{ ...named, ...expected }]);
  });

  test('is known before the courier has heard of it, and after the bridge is gone', async () => {
    const expected = [
      { ...named, since: intent.steps.at(-1)?.moment, status: 'pending', attempts: 0 },
    ];
    expect(await ledger(bank).of(intent)).toEqual(expected);
    expect(await ledger().of(intent)).toEqual(expected);
  });

  test('is found of a bridge by the luid that it had then, whatever its handle is', async () => {
    const handle = '__proto__';
    const intent = intentOf('committed', [{ ...debit, ...prepared, bridge: handle }]);
    const bridgeLuids = Object.fromEntries([[handle, bank.record.luid]]);
    const entry = entryOf(intent);
    const self = ledger();
    await self.deliveries.add([callFor(entry, 'commit', { status: 'delivered', attempts: 3 })]);
    expect(await self.of({ ...intent, bridgeLuids })).toMatchObject([
      { entry, bridge: handle, status: 'delivered', attempts: 3 },
    ]);
    expect(self.reads).toEqual([]);
  });

  test('is told of at most twenty calls, each bridge being read once', async () => {
    const many = intentOf('processing', Array(30).fill(debit));
    const self = ledger(bank);
    expect(await self.of(many)).toHaveLength(20);
    expect(self.reads).toEqual(['bridge bank']);
  });

  test('is told of the whole thread, its own first', async () => {
    const together = ['rent', 'fee'];
    const rent = intentOf('committed', [{ ...debit, ...prepared }], { handle: 'rent', together });
    const fee = intentOf('committed', [{ ...credit, ...prepared }], { handle: 'fee', together });
    const self = ledger(bank, rent, fee);
    const [own, other] = [entryOf(rent), entryOf(fee)];
    const entries = async (one: Version) =>
      (await self.of(one)).map((waiting) => (waiting.for === 'bridge' ? waiting.entry : ''));
    expect(await entries(rent)).toEqual([own, other]);
    expect(await entries(fee)).toEqual([other, own]);
    expect(self.reads).toEqual(['intent fee', 'bridge bank', 'intent rent', 'bridge bank']);
  });
});
