import type { PutEventsCommand, PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from 'vitest';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { eventBridge } from '../../shared/signal/eventbridge.ts';

/** A bus that takes what `takes` says of the batches that `allows` lets in, and what came of that. */
function fakeBus(
  takes: (entry: PutEventsRequestEntry) => boolean = () => true,
  allows: (entries: readonly PutEventsRequestEntry[]) => boolean = () => true,
) {
  const batches: PutEventsRequestEntry[][] = [];
  const reports: string[] = [];
  const refusal = { ErrorCode: 'InternalFailure' };
  const send = async ({ input }: PutEventsCommand) => {
    const { Entries = [] } = input;
    batches.push(Entries);
    if (!allows(Entries)) throw tooLarge();
    return { Entries: Entries.map((entry) => (takes(entry) ? { EventId: 'x' } : refusal)) };
  };
  const report = (why: string) => void reports.push(why);
  return { batches, reports, bus: eventBridge('bus', { client: { send } as never, report }) };
}

/** What AWS answers to a call that it refuses as a whole. */
function tooLarge(): Error {
  const $metadata = { httpStatusCode: 400 };
  return Object.assign(new Error('Total size'), { name: 'ValidationException', $metadata });
}

/** The events of one record: so many changes. */
function lineOf(name: string, count: number, note = ''): LedgerEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const data = { handle: `evt_${name}_${index}`, signal: 'wallet-updated', change: index + 1 };
    return { ledger: 'main', luid: `$wlt.${name}`, data: { ...data, moment: 'now', note } };
  });
}
const namesIn = (batches: PutEventsRequestEntry[][]) =>
  batches.map((batch) => batch.map(({ Resources }) => Resources?.[0]));

describe('the bus on AWS', () => {
  test('is offered entries that name source, type and record, with the event as detail', async () => {
    const { batches, bus } = fakeBus();
    const [event] = lineOf('a', 1) as [LedgerEvent];
    expect(await bus.publish([[event]])).toEqual([1]);
    const [[{ Detail, ...entry }]] = batches as [[PutEventsRequestEntry]];
    expect(entry).toEqual({
      EventBusName: 'bus',
      Source: 'countersign',
      DetailType: 'wallet-updated',
      Resources: ['$wlt.a'],
    });
    expect(JSON.parse(Detail ?? '')).toEqual(event);
  });

  test('takes ten entries a call, and never two of one record', async () => {
    const { batches, bus } = fakeBus();
    const lines = Array.from({ length: 12 }, (_, index) => lineOf(`r${index}`, 2));
    expect(await bus.publish(lines)).toEqual(lines.map(() => 2));
    expect(batches.map(({ length }) => length)).toEqual([10, 2, 10, 2]);
    for (const names of namesIn(batches)) expect(new Set(names).size).toBe(names.length);
  });

  test('takes fewer when they are large', async () => {
    const { batches, bus } = fakeBus();
    const lines = ['a', 'b', 'c'].map((name) => lineOf(name, 1, 'x'.repeat(120_000)));
    const large = lineOf('d', 1, 'x'.repeat(380_000));
    expect(await bus.publish([...lines, large])).toEqual([1, 1, 1, 1]);
    expect(namesIn(batches)).toEqual([['$wlt.a', '$wlt.b'], ['$wlt.c'], ['$wlt.d']]);
  });

  test('that refuses a batch as a whole is offered its events one by one', async () => {
    const { batches, bus, reports } = fakeBus(
      () => true,
      (entries) => entries.every(({ Resources }) => Resources?.[0] !== '$wlt.b'),
    );
    const lines = ['a', 'b', 'c'].map((name) => lineOf(name, 1));
    expect(await bus.publish(lines)).toEqual([1, 0, 1]);
    expect(namesIn(batches).slice(0, 4)).toEqual([
      ['$wlt.a', '$wlt.b', '$wlt.c'],
      ['$wlt.a'],
      ['$wlt.b'],
      ['$wlt.c'],
    ]);
    expect(reports).toEqual(['The bus did not accept 1 events: ValidationException (1).']);
  });

  test('that does not take some events in the end says why', async () => {
    const { bus, reports } = fakeBus(({ Resources }) => Resources?.[0] === '$wlt.c');
    await bus.publish(['a', 'b', 'c'].map((name) => lineOf(name, 1)));
    expect(reports).toEqual(['The bus did not accept 2 events: InternalFailure (2).']);
  });

  test('is offered again what it did not take, and only that', async () => {
    let refusals = 1;
    const { batches, bus } = fakeBus(
      ({ Resources }) => Resources?.[0] !== '$wlt.b' || refusals-- <= 0,
    );
    expect(await bus.publish(['a', 'b'].map((name) => lineOf(name, 1)))).toEqual([1, 1]);
    expect(namesIn(batches)).toEqual([['$wlt.a', '$wlt.b'], ['$wlt.b']]);
  });

  test('that keeps refusing an event is not offered the later ones of its record', async () => {
    const { batches, bus } = fakeBus(({ Detail = '' }) => !Detail.includes('evt_b_1'));
    expect(await bus.publish(['a', 'b'].map((name) => lineOf(name, 3)))).toEqual([3, 1]);
    expect(batches.flat().some(({ Detail = '' }) => Detail.includes('evt_b_2'))).toBe(false);
  });

  test('that cannot be reached has taken nothing', async () => {
    let callCount = 0;
    const send = async () => {
      callCount += 1;
      throw new Error('down');
    };
    const reports: string[] = [];
    const report = (why: string) => void reports.push(why);
    const bus = eventBridge('bus', { client: { send } as never, report });
    expect(await bus.publish([lineOf('a', 2), lineOf('b', 1)])).toEqual([0, 0]);
    // Nobody refused the batch, so it is offered whole again.
    expect(callCount).toBe(4);
    expect(reports).toEqual(['The bus did not accept 2 events: Error (2).']);
  });

  test('is not asked when there is nothing to tell', async () => {
    const { batches, bus } = fakeBus();
    expect(await bus.publish([[]])).toEqual([0]);
    expect(batches).toEqual([]);
  });
});
