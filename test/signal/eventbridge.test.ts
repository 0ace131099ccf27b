import type { PutEventsCommand, PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from 'vitest';
import type { LedgerEvent } from '../../shared/signal/event.ts';
import { eventBridge } from '../../shared/signal/eventbridge.ts';

/** A bus that takes what `takes` says, and the batches that it was offered. */
function fakeBus(takes: (entry: PutEventsRequestEntry) => boolean = () => true) {
  const batches: PutEventsRequestEntry[][] = [];
  const send = async ({ input }: PutEventsCommand) => {
    const { Entries = [] } = input;
    batches.push(Entries);
    return { Entries: Entries.map((entry) => (takes(entry) ? { EventId: 'x' } : {})) };
  };
  return { batches, bus: eventBridge('bus', { send } as never) };
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
    const lines = ['a', 'b', 'c'].map((name) => lineOf(name, 1, 'x'.repeat(400_000)));
    expect(await bus.publish(lines)).toEqual([1, 1, 1]);
    expect(namesIn(batches)).toEqual([['$wlt.a', '$wlt.b'], ['$wlt.c']]);
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
    const send = async () => {
      throw new Error('down');
    };
    const bus = eventBridge('bus', { send } as never);
    expect(await bus.publish([lineOf('a', 2)])).toEqual([0]);
  });

  test('is not asked when there is nothing to tell', async () => {
    const { batches, bus } = fakeBus();
    expect(await bus.publish([[]])).toEqual([0]);
    expect(batches).toEqual([]);
  });
});
