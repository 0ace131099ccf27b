/** Sending again and looking for deliveries, where it takes many of them. Rulings 22 and 60, Decision 17. */
import { beforeEach, describe, expect, test } from 'vitest';
import { activate } from '../../shared/action/effect-status.ts';
import { listEvents, retryEvents } from '../../shared/action/events.ts';
import { encodeTime } from '../../shared/crypto/luid.ts';
import type { Deliveries, Delivery } from '../../shared/port/deliveries.ts';
import { type Json, signed } from '../fixture/client.ts';
import { newDelivery } from '../fixture/delivery.ts';
import { type Desk, openDesk } from '../fixture/desk.ts';

const minuteMs = 60_000;
const nowMs = Date.parse('2026-06-01T12:00:00.000Z');
let desk: Desk;
let subject: string;
let clockMs: number;

beforeEach(async () => {
  desk = await openDesk();
  const action = { schema: 'webhook', endpoint: 'https://example.com/' };
  const data = { handle: 'hook', signal: 'wallet-created', action };
  ({ luid: subject } = await desk.make('effect', data));
  clockMs = nowMs;
});

let count = 0;

/** A delivery that is over, of an event of so many minutes ago, accepted so many minutes ago. */
function over(eventAge: number, age = eventAge): Delivery {
  count += 1;
  const name = `${encodeTime(nowMs - eventAge * minuteMs)}${String(count).padStart(9, '0')}`;
  const moment = new Date(nowMs - age * minuteMs).toISOString();
  const { dueMs: _dueMs, ...rest } = newDelivery('main', subject);
  return { ...rest, luid: `$evd.${name}`, moment, status: 'delivered', attempts: 1 };
}

const times = <Thing>(many: number, make: (index: number) => Thing) =>
  Array.from({ length: many }, (_, index) => make(index));

/** Asks with these deliveries in place of the store's, where given. */
function asking(between: Partial<Deliveries> = {}) {
  const deliveries = { ...desk.services.deliveries, ...between };
  const services = { ...desk.services, deliveries, clock: () => clockMs };
  const path = { id: 'hook' };
  return {
    retry: (data: Json) =>
      desk.run(retryEvents('effect'), { services, path, body: signed(data, desk.key) }),
    list: (query: Record<string, string[]>) =>
      desk.run(listEvents('effect'), { services, path, query }),
  };
}

const stored = async ({ luid }: Delivery) =>
  desk.services.deliveries.read('main', subject, luid) as Promise<Delivery>;

/** Counts the deliveries that are read, list by list. */
function counted() {
  const { deliveries } = desk.services;
  const befores: (string | undefined)[] = [];
  const list: Deliveries['list'] = async (scope, effect, page) => {
    expect(page.index).toBe(0);
    befores.push(page.before);
    return deliveries.list(scope, effect, page);
  };
  return { befores, list };
}

describe('sending all of the last minutes again', () => {
  test('finds what was accepted late among older events, page after page', async () => {
    const late = [
      ...times(150, () => over(300, 5)),
      ...times(150, (index) => over(index % 2 ? 90 : 290, 6)),
    ];
    const old = times(350, () => over(400));
    await desk.services.deliveries.add([...late, ...old]);
    const { befores, list } = counted();
    await asking({ list }).retry({ maxAge: 60 });
    for (const one of late) expect(await stored(one)).toMatchObject({ replay: 1, dueMs: nowMs });
    for (const one of old) expect(await stored(one)).toEqual(one);
    // It ends with the first hundred of which none is of that age.
    expect(befores).toHaveLength(4);
  });

  test('begins each of them at once, so that they are sent in their order', async () => {
    const all = times(250, (index) => over(index));
    await desk.services.deliveries.add(all);
    await asking().retry({ maxAge: 0 });
    for (const one of all)
      expect(await stored(one)).toMatchObject({ status: 'pending', attempts: 0, dueMs: nowMs });
  });

  test('ends when it takes too long', async () => {
    await desk.services.deliveries.add(times(450, () => over(1)));
    const { list } = counted();
    const slowly: Deliveries['list'] = (...page) => {
      clockMs += 9_000;
      return list(...page);
    };
    await expect(asking({ list: slowly }).retry({ maxAge: 5 })).rejects.toMatchObject({
      reason: 'api.request-timeout',
    });
  });

  test('takes a delivery that changes meanwhile as it is then', async () => {
    const one = over(1);
    const { deliveries } = desk.services;
    await deliveries.add([one]);
    let rivals = 2;
    const save: Deliveries['save'] = async (next, previous) => {
      if (rivals-- > 0) {
        const rival = {
          ...previous,
          attempts: previous.attempts + 1,
          version: previous.version + 1,
        };
        await deliveries.save(rival, previous);
      }
      return deliveries.save(next, previous);
    };
    await asking({ save }).retry({ maxAge: 5 });
    expect(await stored(one)).toMatchObject({ replay: 1, attempts: 0, version: 4 });
  });

  test('says so when a delivery could not be saved', async () => {
    const one = over(1);
    await desk.services.deliveries.add([one]);
    const retried = asking({ save: async () => false }).retry({ handle: one.luid });
    await expect(retried).rejects.toMatchObject({ reason: 'api.request-timeout' });
  });
});

test('a page far behind is found by reading each delivery once', async () => {
  const all = times(730, (index) => ({ ...over(index), replay: index % 2 }));
  await desk.services.deliveries.add(all);
  const { befores, list } = counted();
  const query = { 'meta.replay': ['1'], 'page.index': ['17'], 'page.limit': ['20'] };
  const answer = await asking({ list }).list(query);
  const luids = (answer.data as unknown as { luid: string }[]).map(({ luid }) => luid);
  const odd = all.filter(({ replay }) => replay === 1);
  expect(luids).toEqual(odd.slice(340, 360).map(({ luid }) => luid));
  expect(befores).toHaveLength(8);
  expect(new Set(befores).size).toBe(8);
});

describe('a bridge that is activated', () => {
  /** A bridge, with this waiting for it and as much for another one. */
  async function bridgeWith(...parts: readonly Partial<Delivery>[]) {
    const config = { server: 'https://bank.example' };
    const { luid } = await desk.make('bridge', { handle: 'bank', config });
    const of = (own: string) => (part: Partial<Delivery>) => ({
      ...newDelivery('main', own),
      ...part,
    });
    const [own, others] = [parts.map(of(luid)), parts.map(of('$brg.other'))];
    await desk.services.deliveries.add([...own, ...others]);
    const found = (one: Delivery) => desk.services.deliveries.read('main', one.subject, one.luid);
    return { own, others, found };
  }
  const activated = (between: Partial<Deliveries> = {}) => {
    const deliveries = { ...desk.services.deliveries, ...between };
    const services = { ...desk.services, deliveries, clock: () => clockMs };
    const call = { services, path: { id: 'bank' }, body: signed({}, desk.key) };
    return desk.run(activate('bridge'), call);
  };
  const inADay = nowMs + 24 * 60 * minuteMs;

  test('is asked at once for all that waits for it, and no one else is', async () => {
    const { own, others, found } = await bridgeWith(
      { status: 'failed', attempts: 14, dueMs: inADay },
      { status: 'pending', dueMs: nowMs + 5 },
    );
    await activated();
    for (const one of own)
      expect(await found(one)).toMatchObject({
        ...{ status: 'pending', attempts: 0, replay: 1, dueMs: nowMs },
      });
    for (const one of others) expect(await found(one)).toEqual(one);
  });

  test('is not asked for what is over, or being asked already', async () => {
    const { dueMs: _dueMs, ...over } = newDelivery('main', '', { status: 'delivered' });
    const { own, found } = await bridgeWith({ status: 'running', dueMs: nowMs + 5 });
    const [running] = own as [Delivery];
    const done = { ...over, subject: running.subject };
    await desk.services.deliveries.add([done]);
    await activated();
    for (const one of [running, done]) expect(await found(one)).toEqual(one);
  });

  test('is asked for very much, part by part', async () => {
    const { own, found } = await bridgeWith(
      ...times(250, (index) => ({ status: 'failed' as const, dueMs: nowMs + index })),
    );
    const froms: unknown[] = [];
    const { deliveries } = desk.services;
    const due: Deliveries['due'] = async (untilMs, from) => {
      froms.push(from);
      const { due: all } = await deliveries.due(untilMs);
      if (from) return { due: all.filter(({ dueMs }) => dueMs > nowMs) };
      return { due: all.slice(0, 300), next: ['x'] };
    };
    await activated({ due });
    expect(froms).toEqual([undefined, ['x']]);
    for (const one of own) expect(await found(one)).toMatchObject({ replay: 1, dueMs: nowMs });
  });

  test('hears when there is more than a request may take', async () => {
    await bridgeWith();
    const due: Deliveries['due'] = async () => {
      clockMs += 15_000;
      return { due: [], next: ['x'] };
    };
    await expect(activated({ due })).rejects.toMatchObject({ reason: 'api.request-timeout' });
  });
});
