/**
 * Goal: an intent waits for the rights on its claims, goes on with whoever has them, and ends in time; and what
 * an intent of an open ledger costs stays what it was. Rulings 48 to 50.
 */
import { describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { type ExpirePorts, expireDue } from '../../shared/intent/expire-due.ts';
import { expiryOf } from '../../shared/ledger/intent.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Call } from '../../shared/port/action.ts';
import type { Commit, Store } from '../../shared/port/ports.ts';
import {
  claimOf,
  type Item,
  type Json,
  type Key,
  newKey,
  outcomeOf,
  proofOf,
  signed,
  unique,
} from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';
import type { MemoryStore } from '../fixture/memory.ts';

const minuteMs = 60_000;
/** Whoever signs may create intents: rules of a circle that name signers are about everybody. */
const creators = { action: 'create', record: 'intent', signer: { public: { $regex: '.' } } };

type Between = (store: Store) => Partial<Store>;

/** Two wallets and a symbol, each with an owner of its own; open until it is governed. */
async function counter(between: Between = () => ({})) {
  const asked = { loads: 0, others: 0, commits: [] as Commit[] };
  let memory: MemoryStore | undefined;
  const desk = await openDesk((store) => {
    memory = store as MemoryStore;
    const inner = { ...store, ...between(store) };
    return {
      ...inner,
      load: (wants) => {
        asked.loads += 1;
        return inner.load(wants);
      },
      indexed: (...all) => {
        asked.others += 1;
        return inner.indexed(...all);
      },
      commit: (commit) => {
        asked.commits.push(commit);
        return inner.commit(commit);
      },
    };
  });
  const [ann, bob, mint] = [newKey(), newKey(), newKey()];
  const make = (kind: Kind, data: Json, by: Key) =>
    desk.run(create(kind), { body: signed(data, by) });
  await make('symbol', { handle: 'usd', factor: 1 }, mint);
  await make('wallet', { handle: 'ann' }, ann);
  await make('wallet', { handle: 'bob' }, bob);
  const time = { nowMs: Date.now() };
  const services = { ...desk.services, clock: () => time.nowMs };
  const post = (by: Key | readonly Key[], ...claims: readonly string[]) => {
    const data = { handle: unique('intent'), claims: claims.map(claimOf) };
    return desk.run(createIntent, { services, body: signed(data, by) } as Partial<Call>);
  };
  const add = ({ hash, data }: LedgerRecord, by: Key, custom: Json = {}) =>
    desk.run(prove('intent'), {
      services,
      path: { id: data.handle },
      body: proofOf(hash, by, custom),
    } as Partial<Call>);
  const held = async (wallet: string) =>
    (await desk.services.store.balances('main', wallet)).map(({ available }) => available);
  const govern = (...rules: readonly Json[]) =>
    make('circle', { handle: unique('staff'), access: [creators, ...rules] }, desk.key);
  const errors: unknown[] = [];
  const forgotten: number[] = [];
  const ports = (): ExpirePorts => ({
    services,
    expiries: (memory as MemoryStore).expiries,
    hasTime: () => true,
    report: (error) => void errors.push(error),
    unanswered: () => undefined,
    reminders: new Map(),
    forgotten: (count) => void forgotten.push(count),
  });
  const read = async ({ data }: LedgerRecord) => {
    const want = { what: 'record', scope: 'main', kind: 'intent', handle: data.handle } as const;
    const [version] = await desk.services.store.load([want]);
    return version?.record as LedgerRecord;
  };
  return {
    ...desk,
    asked,
    ann,
    bob,
    mint,
    time,
    post,
    add,
    held,
    govern,
    errors,
    forgotten,
    ports,
    read,
  };
}

const statusesOf = ({ meta }: LedgerRecord) =>
  meta.proofs.map(({ origin, custom }) => (origin ? 'author' : custom?.['status']));
const ended = (record: LedgerRecord) => outcomeOf(record as unknown as Item);

test('an intent of an open ledger takes one read and one write', async () => {
  const { asked, ann, post } = await counter();
  await post(ann, 'issue ann 100 usd', 'issue bob 1 usd');
  asked.loads = 0;
  asked.others = 0;
  asked.commits.length = 0;
  const intent = await post(ann, 'transfer ann bob 60 usd');
  expect([ended(intent), asked.loads, asked.others, asked.commits.length]).toEqual([
    'completed',
    1,
    0,
    1,
  ]);
});

describe('a governed ledger', () => {
  test('lets the owner of a wallet spend from it, and of a symbol issue and destroy it', async () => {
    const { ann, bob, mint, post, held, govern } = await counter();
    await govern();
    expect(ended(await post(mint, 'issue ann 100 usd'))).toBe('completed');
    expect(ended(await post(ann, 'transfer ann bob 60 usd'))).toBe('completed');
    expect(ended(await post([bob, mint], 'destroy bob 10 usd'))).toBe('completed');
    expect([await held('ann'), await held('bob')]).toEqual([[40n], [50n]]);
  });

  test('takes few reads for forty claims of as many wallets', async () => {
    const { asked, key, make, post, govern } = await counter();
    const handles = Array.from({ length: 40 }, () => unique('w'));
    for (const handle of handles) await make('wallet', { handle });
    await govern({ action: 'issue', record: 'symbol', signer: { public: key.public } });
    asked.loads = 0;
    asked.others = 0;
    const intent = await post(key, ...handles.map((handle) => `issue ${handle} 1 usd`));
    expect(ended(intent)).toBe('completed');
    expect(asked.loads + asked.others).toBeLessThan(8);
  });

  test('stores what lacks a right as pending, and nothing moves', async () => {
    const { asked, ann, bob, post, held, govern } = await counter();
    await post(ann, 'issue ann 100 usd');
    await govern();
    asked.commits.length = 0;
    const intent = await post(bob, 'transfer ann bob 60 usd');
    const { luid, meta } = intent;
    const expiry = new Date(Date.parse(meta.moment) + 60 * minuteMs).toISOString();
    expect(meta.status).toBe('pending');
    expect(meta.proofs.at(-1)?.custom).toEqual({
      ...{ luid, status: 'pending', moment: meta.moment },
      expiry,
    });
    expect([statusesOf(intent), asked.commits.length]).toEqual([['author', 'pending'], 1]);
    expect(asked.commits[0]?.writes[0]?.signals).toEqual([{ signal: 'intent-created', change: 1 }]);
    expect([await held('ann'), await held('bob')]).toEqual([[100n], []]);
  });

  test('tells nobody by waiting whether a wallet is there', async () => {
    const { bob, key, post, govern } = await counter();
    await govern({ action: 'spend', record: 'wallet', signer: { public: key.public } });
    const there = await post(bob, 'transfer ann bob 1 usd');
    const nowhere = await post(bob, 'transfer nobody bob 1 usd');
    expect([there.meta.status, nowhere.meta.status]).toEqual(['pending', 'pending']);
    expect(ended(await post(key, 'transfer nobody bob 1 usd'))).toBe('core.source-invalid');
  });
});

describe('a pending intent', () => {
  async function waiting(between?: Between) {
    const all = await counter(between);
    await all.post(all.ann, 'issue ann 100 usd');
    await all.govern();
    const intent = await all.post(all.bob, 'transfer ann bob 60 usd', 'issue bob 5 usd');
    return { ...all, intent };
  }

  test('settles in the request that brings the last right, in one commit', async () => {
    const { asked, ann, mint, intent, add, held } = await waiting();
    const first = await add(intent, ann);
    expect([first.meta.status, statusesOf(first)]).toEqual([
      'pending',
      ['author', 'pending', 'author'],
    ]);
    asked.commits.length = 0;
    const last = await add(intent, mint);
    expect(statusesOf(last)).toEqual([
      ...['author', 'pending', 'author', 'author', 'resolved', 'resolved', 'resolved'],
      ...['prepared', 'committed', 'completed'],
    ]);
    expect([await held('ann'), await held('bob')]).toEqual([[40n], [65n]]);
    const [{ writes, moves }] = asked.commits as [Commit];
    expect(moves).toHaveLength(2);
    expect(writes[0]?.next.steps.map(({ status, proofs }) => [status, proofs])).toEqual([
      ['pending', 4],
      ['prepared', 8],
      ['committed', 9],
      ['completed', 10],
    ]);
    expect(writes[0]?.signals).toEqual([
      { signal: 'intent-proofs-added', change: 3 },
      ...[4, 5, 6].map((change) => ({ signal: 'intent-updated', change })),
      {
        signal: 'balance-received',
        change: 6,
        custom: { wallet: 'bob', symbol: 'usd', amount: '65' },
      },
    ]);
  });

  test('goes on by no proof that says it is to end', async () => {
    const { ann, mint, intent, add } = await waiting();
    await add(intent, mint);
    for (const status of ['failed', 'aborted', 'rejected'])
      expect((await add(intent, ann, { status })).meta.status).toBe('pending');
    expect((await add(intent, ann)).meta.status).toBe('completed');
  });

  test('is refused to who has nothing to do with it', async () => {
    const { intent, add, read } = await waiting();
    await expect(add(intent, newKey())).rejects.toMatchObject({ reason: 'auth.forbidden' });
    expect((await read(intent)).meta.proofs).toHaveLength(2);
  });

  test('gets no labels from who may only spend', async () => {
    const { ann, bob, intent, add } = await waiting();
    expect((await add(intent, ann, { labels: ['odd'] })).meta.labels).toBeUndefined();
    expect((await add(intent, bob, { labels: ['good'] })).meta.labels).toEqual(['good']);
  });

  test('fails like any other when all rights are there and the money is not', async () => {
    const { ann, mint, post, add, held, intent } = await waiting();
    await post(ann, 'transfer ann bob 50 usd');
    await add(intent, mint);
    expect(ended(await add(intent, ann))).toBe('core.insufficient-balance');
    expect([await held('ann'), await held('bob')]).toEqual([[50n], [50n]]);
  });

  test('settles once, and every proof is kept, when twenty come at the same time', async () => {
    const { ann, mint, intent, add, held, read, asked } = await waiting();
    asked.commits.length = 0;
    const signers = Array.from({ length: 20 }, (_, index) => (index % 2 ? ann : mint));
    await Promise.all(signers.map((by, number) => add(intent, by, { number })));
    const { meta } = await read(intent);
    expect(meta.proofs.filter(({ origin }) => origin)).toHaveLength(21);
    expect(meta.proofs.filter(({ custom }) => custom?.['status'] === 'completed')).toHaveLength(1);
    expect([meta.status, await held('ann'), await held('bob')]).toEqual([
      ...['completed', [40n], [65n]],
    ]);
  });

  test('is decided anew when a balance could not be opened', async () => {
    let refusals = 0;
    const { ann, mint, intent, add } = await waiting((store) => ({
      open: async (openings) => {
        refusals += 1;
        return refusals === 2 ? false : store.open(openings);
      },
    }));
    await add(intent, mint);
    expect([(await add(intent, ann)).meta.status, refusals]).toEqual(['completed', 3]);
  });

  test('stays as it ended, whoever signs it then', async () => {
    const { ann, mint, intent, add, held } = await waiting();
    await add(intent, mint);
    const { meta } = await add(intent, ann);
    const late = await add(intent, mint, { late: true });
    expect(late.meta.status).toBe('completed');
    expect(late.meta.proofs).toHaveLength(meta.proofs.length + 1);
    expect(await held('bob')).toEqual([65n]);
  });
});

describe('an intent that waits for too long', () => {
  async function late() {
    const all = await counter();
    await all.post(all.ann, 'issue ann 100 usd');
    await all.govern();
    const intent = await all.post(all.bob, 'transfer ann bob 60 usd');
    const untilMs = Date.parse(expiryOf(intent) ?? '');
    return { ...all, intent, untilMs };
  }

  test('is rejected by a proof that comes then, and the proof is kept', async () => {
    const { ann, intent, add, held, time, untilMs, asked } = await late();
    time.nowMs = untilMs;
    const record = await add(intent, ann);
    expect(ended(record)).toBe('core.intent-expired');
    expect(statusesOf(record).slice(2)).toEqual(['author', 'failed', 'aborted', 'rejected']);
    expect(await held('ann')).toEqual([100n]);
    expect(asked.commits.at(-1)?.writes[0]?.signals.map(({ signal }) => signal)).toEqual([
      ...['intent-proofs-added', 'intent-updated', 'intent-updated', 'intent-updated'],
    ]);
  });

  test('settles a millisecond before', async () => {
    const { ann, intent, add, time, untilMs } = await late();
    time.nowMs = untilMs - 1;
    expect(ended(await add(intent, ann))).toBe('completed');
  });

  test('is rejected without anybody, once, however often it is looked for', async () => {
    const { intent, time, untilMs, ports, read, errors } = await late();
    time.nowMs = untilMs - 1;
    await expireDue(ports());
    expect((await read(intent)).meta.status).toBe('pending');
    time.nowMs = untilMs;
    const { due } = await ports().expiries.due(untilMs);
    await Promise.all([expireDue(ports()), expireDue(ports()), expireDue(ports())]);
    await expireDue({ ...ports(), expiries: { due: async () => ({ due }) } });
    expect(statusesOf(await read(intent)).slice(2)).toEqual(['failed', 'aborted', 'rejected']);
    expect((await ports().expiries.due(untilMs)).due).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('is found page by page, and one that cannot be ended holds up no other', async () => {
    const { intent, time, untilMs, ports, read, errors, forgotten } = await late();
    time.nowMs = untilMs;
    const odd = { scope: 'nowhere', luid: '$int.0', handle: 'odd', dueMs: 0 };
    const gone = { scope: 'main', luid: '$int.0', handle: intent.data.handle, dueMs: 0 };
    const here = { scope: 'main', luid: intent.luid, handle: intent.data.handle, dueMs: 0 };
    const pages = [[odd, gone], [here]];
    const asked: unknown[] = [];
    const due: ExpirePorts['expiries']['due'] = async (_, from) => {
      asked.push(from);
      const page = pages.shift() ?? [];
      return pages.length > 0 ? { due: page, next: ['x'] } : { due: page };
    };
    await expireDue({ ...ports(), expiries: { due } });
    expect([asked, errors.length]).toEqual([[undefined, ['x']], 1]);
    expect(forgotten).toEqual([1]);
    expect(ended(await read(intent))).toBe('core.intent-expired');
  });

  test('waits on when there is no time to end it', async () => {
    const { intent, time, untilMs, ports, read, forgotten } = await late();
    time.nowMs = untilMs;
    await expireDue({ ...ports(), hasTime: () => false });
    expect((await read(intent)).meta.status).toBe('pending');
    expect(forgotten).toEqual([1]);
  });
});
