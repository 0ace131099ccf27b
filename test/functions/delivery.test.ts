/** Goal: what becomes of a delivery, however its receiver behaves. Rulings 57, 59 to 61. */
import { afterAll, describe, expect, test } from 'vitest';
import {
  type Client,
  farewell,
  hashOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { lastingPort } from '../fixture/lasting-port.ts';
import {
  type Arrival,
  assertWebhook,
  failing,
  type Manners,
  nowhere,
  ok,
  startReceiver,
  until,
} from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';

const key = newKey();

const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());

/** An effect in a ledger of its own, whose endpoint behaves like that. */
interface Hook {
  readonly ledger: Client;
  readonly effect: Item;
  readonly path: string;
  readonly happen: () => Promise<Item>;
  /** Its deliveries, newest first. */
  readonly deliveries: () => Promise<readonly Item[]>;
  /** Waits until its newest delivery has a status, and tells of a record; answers it. */
  readonly settled: (status: string, linked?: string) => Promise<Item>;
  /** Waits until it has so many deliveries, all of one status; one is listed when its attempt has ended. Decision 127. */
  readonly allOf: (count: number, status: string) => Promise<void>;
}

async function hooked(manners: Manners = ok, endpoint?: string): Promise<Hook> {
  const ledger = await newLedger(home, key);
  const path = `/${unique('hook')}`;
  receiver.behave(path, manners);
  const action = { schema: 'webhook', endpoint: endpoint ?? receiver.at(path) };
  const data = { handle: path.slice(1), signal: 'wallet-created', action };
  const effect = await ledger.make('effects', data, key);
  const deliveries = async () => (await ledger.get(`/effects${path}/events`)).items;
  const settled = async (status: string, linked?: string) => {
    let newest: Item | undefined;
    const what = () => `${status}, but ${newest?.meta.status}`;
    await until(what, async () => {
      [newest] = await deliveries();
      return newest?.meta.status === status && [undefined, newest.data['linked']].includes(linked);
    });
    return newest as Item;
  };
  const allOf = (count: number, status: string) =>
    until(`${count} ${status}`, async () => {
      const all = await deliveries();
      return all.length === count && all.every(({ meta }) => meta.status === status);
    });
  const happen = () => ledger.make('wallets', { handle: unique('wallet') }, key);
  return { ledger, effect, path, happen, deliveries, settled, allOf };
}

/** Another effect of the same signal; answers the path that it is told at. */
async function witnessOf(ledger: Client, manners: Manners = ok): Promise<string> {
  const path = `/${unique('witness')}`;
  receiver.behave(path, manners);
  const action = { schema: 'webhook', endpoint: receiver.at(path) };
  await ledger.make('effects', { handle: path.slice(1), signal: 'wallet-created', action }, key);
  return path;
}

/** What the ledger has proven of a delivery, attempt by attempt. */
function provenOf(delivery: Item, ledger: Client): Json[] {
  for (const proof of delivery.meta.proofs)
    expect([proof.signer, proof.public]).toEqual(['system', ledger.key]);
  return delivery.meta.proofs.map(({ custom = {} }) => {
    const { moment, ...said } = custom;
    expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    return said;
  });
}

const delivered = (httpStatus = 204) => ({ status: 'delivered', detail: { httpStatus } });
const rejected = (httpStatus: number) => ({
  status: 'failed',
  reason: 'delivery.target-rejected',
  detail: { httpStatus },
});
const refusedForGood = (httpStatus: number) => ({
  status: 'cancelled',
  reason: 'delivery.permanent-failure',
  detail: { httpStatus },
});
const gapsOf = (arrivals: readonly Arrival[]) =>
  arrivals.slice(1).map(({ atMs }, index) => atMs - (arrivals[index] as Arrival).atMs);

/** Asks for something to be sent again. */
async function retry({ ledger, path }: Hook, data: Json): Promise<void> {
  const reply = await ledger.post(`/effects${path}/events/retry`, signed(data, key));
  expect([reply.status, reply.text]).toEqual([202, '']);
}

describe.concurrent('a delivery', () => {
  test('that is taken is over, and told as it was sent', async () => {
    const { ledger, effect, path, happen, settled } = await hooked();
    const wallet = await happen();
    const [arrival] = (await receiver.until(path, 1)) as [Arrival];
    assertWebhook(arrival, ledger.key);
    const delivery = await settled('delivered');
    expect(delivery.luid).toMatch(/^\$evd\.[-\w]{17}$/);
    expect(delivery.hash).toBe(hashOf(delivery.data));
    expect(delivery.data).toEqual({
      handle: arrival.handle,
      effect: effect.data.handle,
      linked: wallet.luid,
      record: JSON.parse(arrival.text),
    });
    expect(delivery.meta).toMatchObject({ replay: 0, output: delivered() });
    expect(provenOf(delivery, ledger)).toEqual([delivered()]);
    for (const id of [delivery.luid, arrival.handle]) {
      const read = await ledger.get(`/effects/${effect.luid}/events/${id}`);
      expect([read.status, read.body]).toEqual([200, delivery]);
    }
    // A later event comes, and the first one did not come again.
    const { luid } = await happen();
    await settled('delivered', luid);
    expect(new Set(receiver.arrivals(path).map(({ handle }) => handle)).size).toBe(2);
    expect(receiver.arrivals(path)).toHaveLength(2);
  });

  test('is listed newest first, page by page, under its own effect', async () => {
    const { ledger, path, happen, deliveries, allOf } = await hooked();
    const linked: string[] = [];
    for (let count = 0; count < 5; count += 1) linked.unshift((await happen()).luid);
    await receiver.until(path, 5);
    await allOf(5, 'delivered');
    const items = await deliveries();
    expect(items.map(({ data }) => data['linked'])).toEqual(linked);
    const page = await ledger.get(`/effects${path}/events?page.limit=2&page.index=1`);
    expect(page.items).toEqual(items.slice(2, 4));
    expect(page.page).toMatchObject({ index: 1, limit: 2 });
    const other = await ledger.make(
      'effects',
      {
        handle: unique('other'),
        signal: 'wallet-dropped',
        action: { schema: 'webhook', endpoint: receiver.at('/nobody') },
      },
      key,
    );
    expect((await ledger.get(`/effects/${other.luid}/events`)).items).toEqual([]);
    const foreign = await ledger.get(`/effects/${other.luid}/events/${items[0]?.luid}`);
    expect([foreign.status, foreign.reason]).toEqual([404, 'record.not-found']);
  });

  test('is found by its event, its status and what it tells', async () => {
    const { ledger, path, happen, settled } = await hooked([{ status: 501 }, ok]);
    const wallets = [await happen()];
    await settled('cancelled');
    for (let count = 0; count < 3; count += 1) {
      const wallet = await happen();
      wallets.unshift(wallet);
      await settled('delivered', wallet.luid);
    }
    const linkedTo = async (query: string) => {
      const { items } = await ledger.get(`/effects${path}/events?${query}`);
      return items.map(({ data }) => data['linked']);
    };
    const luids = wallets.map(({ luid }) => luid);
    const [newest] = wallets as [Item];
    const [{ handle }] = receiver.arrivals(path) as [Arrival];
    expect(await linkedTo('meta.status=delivered')).toEqual(luids.slice(0, 3));
    expect(await linkedTo('meta.status=delivered&page.limit=2&page.index=1')).toEqual([luids[2]]);
    expect(await linkedTo('meta.status=pending')).toEqual([]);
    expect(await linkedTo(`data.handle=${handle}`)).toEqual([luids[3]]);
    expect(await linkedTo(`data.linked=${newest.luid}`)).toEqual([newest.luid]);
    const name = `data.record.data.wallet.data.handle=${newest.data.handle}`;
    expect(await linkedTo(name)).toEqual([newest.luid]);
    const unknown = await ledger.get(`/effects${path}/events?meta.colour=red`);
    expect([unknown.status, unknown.reason]).toEqual([400, 'api.query-malformed']);
  });

  test('that is refused is tried again, quickly at first, as the same event', async () => {
    const { ledger, path, happen, settled } = await hooked([failing, { status: 404 }, ok]);
    await happen();
    const arrivals = await receiver.until(path, 3);
    for (const arrival of arrivals) assertWebhook(arrival, ledger.key);
    expect(new Set(arrivals.map(({ handle }) => handle)).size).toBe(1);
    expect(new Set(arrivals.map(({ text }) => text)).size).toBe(1);
    const [first = 0, second = 0] = gapsOf(arrivals);
    // Not before it is due; how long after is nobody's promise.
    expect([first >= 950, second >= 1_150]).toEqual([true, true]);
    const delivery = await settled('delivered');
    expect(provenOf(delivery, ledger)).toEqual([rejected(500), rejected(404), delivered()]);
    expect(delivery.meta).toMatchObject({ output: delivered(), replay: 0 });
  });

  test('to nobody is tried again, too', async () => {
    const { ledger, happen, settled } = await hooked(ok, `${nowhere}/gone`);
    await happen();
    const delivery = await settled('failed');
    const [said] = provenOf(delivery, ledger) as [Json];
    expect(said).toMatchObject({ status: 'failed', reason: 'delivery.target-unreachable' });
    expect(Object.keys(said)).toEqual(expect.arrayContaining(['status', 'reason', 'detail']));
    expect(JSON.stringify(said)).not.toContain('127.0.0.1');
  });

  test.each([301, 302, 303, 307, 308])(
    'that is redirected with %i follows nobody',
    async (status) => {
      const target = `/${unique('elsewhere')}`;
      const headers = { location: receiver.at(target) };
      const { ledger, path, happen, settled } = await hooked([{ status, headers }, ok]);
      await happen();
      await receiver.until(path, 2);
      expect(provenOf(await settled('delivered'), ledger)).toEqual([rejected(status), delivered()]);
      expect(receiver.arrivals(target)).toEqual([]);
    },
  );

  test.each([
    [429, (): string => '2'],
    [503, (): string => '2'],
    [429, (): string => new Date(Date.now() + 3_000).toUTCString()],
  ])('waits as long as %i says', async (status, after) => {
    const manner = (count: number) =>
      count === 0 ? { status, headers: { 'retry-after': after() } } : ok;
    const { ledger, path, happen, settled } = await hooked(manner);
    await happen();
    const [gap = 0] = gapsOf(await receiver.until(path, 2));
    expect([gap, gap >= 1_950]).toEqual([gap, true]);
    expect(provenOf(await settled('delivered'), ledger)).toEqual([rejected(status), delivered()]);
  });

  test('asks for no less than the schedule, and other statuses ask for nothing', async () => {
    const soon = { status: 429, headers: { 'retry-after': '0' } };
    const far = { status: 500, headers: { 'retry-after': '60' } };
    const { path, happen } = await hooked([soon, far, ok]);
    await happen();
    // It comes long before the minute that the second answer asked for.
    const [first = 0] = gapsOf(await receiver.until(path, 3));
    expect([first, first >= 950]).toEqual([first, true]);
  });

  test('that gets a huge answer is taken, and the answer is not kept', async () => {
    const { ledger, path, happen, settled } = await hooked('huge');
    await happen();
    await receiver.until(path, 1);
    const delivery = await settled('delivered');
    expect(provenOf(delivery, ledger)).toEqual([delivered(200)]);
    expect(JSON.stringify(delivery)).not.toContain('xxxxxxxxxx');
  });

  test('that meets 501 is cancelled, and the effect goes on', async () => {
    const { ledger, effect, path, happen, settled } = await hooked([{ status: 501 }, ok]);
    await happen();
    const delivery = await settled('cancelled');
    expect(provenOf(delivery, ledger)).toEqual([refusedForGood(501)]);
    expect((await ledger.get(`/effects/${effect.luid}`)).body).toEqual(effect);
    const { luid } = await happen();
    await settled('delivered', luid);
    const handles = receiver.arrivals(path).map(({ handle }) => handle);
    expect([handles.length, new Set(handles).size]).toEqual([2, 2]);
  });
});

describe.concurrent('410', () => {
  test('cancels, and nothing more is sent until the effect is activated', async () => {
    const hook = await hooked([{ status: 410 }, ok]);
    const { ledger, effect, path, happen, deliveries, settled } = hook;
    await happen();
    expect(provenOf(await settled('cancelled'), ledger)).toEqual([refusedForGood(410)]);
    const { body: inactive } = await ledger.get(`/effects/${effect.luid}`);
    expect(inactive.meta.status).toBe('inactive');
    expect(inactive.meta.proofs.at(-1)).toMatchObject({
      signer: 'system',
      custom: { status: 'inactive' },
    });
    const witness = await witnessOf(ledger);
    await happen();
    await receiver.until(witness, 1);
    expect(await deliveries()).toHaveLength(1);

    const activate = () => ledger.post(`/effects${path}/activate`, signed({}, key));
    expect((await activate()).status).toBe(202);
    expect((await activate()).status).toBe(202);
    const { body: active } = await ledger.get(`/effects/${effect.luid}`);
    expect(active.meta.status).toBe('active');
    expect(active.meta.proofs).toHaveLength(inactive.meta.proofs.length + 1);
    const { luid } = await happen();
    await receiver.until(path, 2);
    expect((await settled('delivered')).data['linked']).toBe(luid);
  });

  test('ends what is still to be tried again', async () => {
    // The next attempt, which finds the effect inactive, comes after the other event.
    const notBefore = { status: 503, headers: { 'retry-after': '20' } };
    const { ledger, path, happen, deliveries, allOf } = await hooked([
      notBefore,
      { status: 410 },
      ok,
    ]);
    await happen();
    await receiver.until(path, 1);
    await happen();
    await receiver.until(path, 2);
    await allOf(2, 'cancelled');
    expect(receiver.arrivals(path)).toHaveLength(2);
    const [newest, oldest] = (await deliveries()) as [Item, Item];
    expect(provenOf(newest, ledger)).toEqual([refusedForGood(410)]);
    expect(provenOf(oldest, ledger)[1]).toMatchObject({
      status: 'cancelled',
      reason: 'delivery.permanent-failure',
    });
  });
});

describe.concurrent('sending again', () => {
  test('brings one event, whatever became of it', async () => {
    const hook = await hooked([ok, { status: 501 }, ok]);
    const { ledger, path, happen, settled } = hook;
    await happen();
    const [first] = (await receiver.until(path, 1)) as [Arrival];
    const { luid } = await settled('delivered');
    await retry(hook, { handle: first.handle });
    await receiver.until(path, 2);
    await settled('cancelled');
    await retry(hook, { handle: luid });
    const arrivals = await receiver.until(path, 3);
    for (const { text, headers } of arrivals)
      expect([text, headers['webhook-id']]).toEqual([first.text, first.handle]);
    const last = await settled('delivered');
    expect(last.luid).toBe(luid);
    expect(last.meta).toMatchObject({ replay: 2 });
    expect(provenOf(last, ledger)).toEqual([delivered(), refusedForGood(501), delivered()]);
  });

  test.each([{ maxAge: 5 }, { maxAge: 0 }, {}])('brings all of them with %j', async (wish) => {
    const hook = await hooked();
    const { path, happen, deliveries, allOf } = hook;
    for (let count = 0; count < 4; count += 1) await happen();
    await receiver.until(path, 4);
    await allOf(4, 'delivered');
    const handles = receiver.arrivals(path).map(({ handle }) => handle);
    await retry(hook, wish);
    const arrivals = await receiver.until(path, 8);
    expect(arrivals.slice(4).map(({ handle }) => handle)).toEqual(
      expect.arrayContaining([...handles]),
    );
    await allOf(4, 'delivered');
    for (const { meta } of await deliveries()) expect(meta).toMatchObject({ replay: 1 });
    const attempts = (await deliveries()).map(({ meta }) => meta.proofs.length);
    expect(attempts).toEqual([2, 2, 2, 2]);
    expect(receiver.arrivals(path)).toHaveLength(8);
  });

  test('begins with the first attempt, and ends a wait', async () => {
    const hook = await hooked([{ status: 429, headers: { 'retry-after': '60' } }, failing, ok]);
    const { ledger, path, happen, settled } = hook;
    await happen();
    const [{ handle }] = (await receiver.until(path, 1)) as [Arrival];
    await settled('failed');
    await retry(hook, { handle });
    await receiver.until(path, 3);
    expect(provenOf(await settled('delivered'), ledger)).toEqual([
      rejected(429),
      rejected(500),
      delivered(),
    ]);
  });

  test('refuses what makes no sense', async () => {
    const { ledger, path } = await hooked();
    const at = `/effects${path}/events/retry`;
    const both = { handle: 'evt_nonsense', maxAge: 5 };
    for (const data of [{ maxAge: -1 }, { maxAge: 2881 }, { maxAge: 1.5 }, { all: true }, both]) {
      const reply = await ledger.post(at, signed(data, key));
      expect([reply.status, reply.reason]).toEqual([422, 'record.schema-invalid']);
    }
    const unknown = await ledger.post(at, signed({ handle: 'evt_nonsense' }, key));
    expect([unknown.status, unknown.reason]).toEqual([404, 'record.not-found']);
    const { meta, ...rest } = signed({}, key);
    const [proof] = meta.proofs;
    const forged = { ...rest, data: { maxAge: 7 }, meta: { proofs: [proof] } };
    expect((await ledger.post(at, forged)).status).toBe(422);
  });
});

describe.concurrent('an effect that changes', () => {
  test('is told nothing once it was dropped, not even what was to be tried again', async () => {
    const { ledger, effect, path, happen, settled } = await hooked([failing, ok]);
    await happen();
    await receiver.until(path, 1);
    await settled('failed');
    const reply = await ledger.post(`/effects${path}/drop`, farewell(effect, key));
    expect(reply.status).toBe(204);
    // The retry of a later delivery comes after that of the first one would have come.
    const witness = await witnessOf(ledger, [failing, ok]);
    await happen();
    await receiver.until(witness, 2);
    expect(receiver.arrivals(path)).toHaveLength(1);
  });

  test('has the next attempt made at its new endpoint', async () => {
    const { ledger, effect, path, happen } = await hooked(failing);
    await happen();
    const [first] = (await receiver.until(path, 1)) as [Arrival];
    const elsewhere = `/${unique('moved')}`;
    const action = { schema: 'webhook', endpoint: receiver.at(elsewhere) };
    const handle = unique('renamed');
    const body = revision(effect, { action, handle }, key);
    expect((await ledger.put(`/effects${path}`, body)).status).toBe(200);
    const [second] = (await receiver.until(elsewhere, 1)) as [Arrival];
    expect(second.text).toBe(first.text);
    await until('delivered', async () => {
      const { items } = await ledger.get(`/effects/${handle}/events`);
      return items[0]?.meta.status === 'delivered';
    });
    expect((await ledger.get(`/effects${path}/events`)).status).toBe(404);
    expect(receiver.arrivals(path)).toHaveLength(1);
  });
});

describe.concurrent('a receiver that was gone', () => {
  /** Nobody takes connections there, as the ledger has found out that many times for each event. */
  async function gone(attemptCount: number): Promise<Hook & { readonly port: number }> {
    const port = await lastingPort();
    const hook = await hooked(ok, `http://127.0.0.1:${port}/hook`);
    for (let count = 0; count < 3; count += 1) await hook.happen();
    const isFound = async () => {
      const deliveries = await hook.deliveries();
      const attempts = deliveries.map(({ meta }) => meta.proofs.length);
      return deliveries.length === 3 && attempts.every((count) => count >= attemptCount);
    };
    await until('found out', isFound);
    return { ...hook, port };
  }

  test('is told at once what is to be sent again, when it is back', async () => {
    // All quick attempts are over by then.
    const hook = await gone(7);
    const [newest] = (await hook.deliveries()) as [Item];
    const back = await startReceiver(hook.port);
    await retry(hook, { handle: newest.luid });
    const [arrival] = await back.until('/hook', 1);
    assertWebhook(arrival as Arrival, hook.ledger.key);
    await hook.happen();
    await back.until('/hook', 2);
    await back.stop();
  });

  test('is not what the effect is remembered by when it has another endpoint', async () => {
    const { ledger, effect, happen } = await gone(2);
    const path = `/${unique('moved')}`;
    const action = { schema: 'webhook', endpoint: receiver.at(path) };
    await ledger.put(`/effects/${effect.luid}`, revision(effect, { action }, key));
    await happen();
    await receiver.until(path, 4);
  });
});

describe.concurrent('a receiver that hangs', () => {
  /** Three events at such a receiver, and what is told to others; whether that came while the three were attempted. */
  async function told(): Promise<{ readonly slow: Hook; readonly isMeanwhile: boolean }> {
    const slow = await hooked(['hang', 'hang', 'hang', ok]);
    const quick = await hooked();
    const beside = await witnessOf(slow.ledger);
    for (let count = 0; count < 3; count += 1) await slow.happen();
    await receiver.until(slow.path, 3);
    await Promise.all(Array.from({ length: 10 }, () => quick.happen()));
    await receiver.until(quick.path, 10);
    await receiver.until(beside, 3);
    let all: readonly Item[] = [];
    await until('three are listed', async () => {
      all = await slow.deliveries();
      return all.length === 3;
    });
    const isMeanwhile =
      receiver.arrivals(slow.path).length === 3 &&
      all.every(({ meta }) => meta.status === 'pending');
    return { slow, isMeanwhile };
  }

  test('holds up nobody else, and is tried again after 10 s', async () => {
    let { slow, isMeanwhile } = await told();
    // A slow machine may take longer than the attempts. Whoever is held up is so each time.
    for (let more = 0; more < 4 && !isMeanwhile; more += 1) ({ slow, isMeanwhile } = await told());
    expect(isMeanwhile).toBe(true);

    // An answer is signed, also one of a delivery that was never attempted to the end.
    const [{ handle }] = receiver.arrivals(slow.path) as [Arrival];
    const read = await slow.ledger.get(`/effects${slow.path}/events/${handle}`);
    expect(read.body.meta).toMatchObject({ replay: 0 });

    const arrivals = await receiver.until(slow.path, 6);
    const [again] = arrivals.slice(3) as [Arrival];
    // The first attempt began after what it tells of.
    const { meta } = again.data['wallet'] as Item;
    const gap = again.atMs - Date.parse(String(meta['moment']));
    expect([gap, gap >= 10_500]).toEqual([gap, true]);
    await slow.allOf(3, 'delivered');
    const [newest] = (await slow.deliveries()) as [Item];
    expect(provenOf(newest, slow.ledger)[0]).toMatchObject({
      status: 'failed',
      reason: 'delivery.target-unreachable',
    });
  });
});
