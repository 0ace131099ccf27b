/**
 * Goal: the example bridge over HTTP, as the ledger meets it: it believes nobody else, does each thing once,
 * and reports until it is heard. Method: a stand-in signs calls as the ledger would. Rulings 54 to 57.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Bridge, type BridgeOptions, startBridge } from '../../localstack/bank/bridge.ts';
import { keyIn, signerOf } from '../../localstack/bank/key.ts';
import { type BridgeWords, bridgeOptionsOf } from '../../localstack/bank/options.ts';
import { bridgeCommand } from '../../localstack/command/runtime-commands.ts';
import { connect } from '../../shared/client/client.ts';
import { runBridge } from '../fixture/bridge.ts';
import {
  type Body,
  hashOf,
  type Item,
  type Json,
  newKey,
  newLedger,
  newOwnLedger,
  now,
  proofOf,
  signed,
} from '../fixture/client.ts';
import { parsedBy } from '../fixture/command.ts';
import { pause, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import {
  endOf,
  placeOf,
  type StandIn,
  sent,
  signedBy,
  startStandIn,
  transferBy,
} from '../fixture/stand-in.ts';

const noCredit = 'bridge blue has no credit until a signer with the right to do so activates it';
const folders: string[] = [];
const bridges: Bridge[] = [];
let ledger: StandIn;
let said: string[];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bridge-'));
  folders.push(folder);
  return folder;
}

/** Starts the bank blue, with 1000 on 1001, nothing on 1002, and 1009 closed. */
async function blue(change: Partial<BridgeOptions> = {}): Promise<Bridge> {
  const bridge = await startBridge({
    ...{ name: 'blue', port: 0, server: ledger.url, data: newFolder(), symbol: 'usd' },
    accounts: [
      { account: '1001', balance: 1000 },
      { account: '1002', balance: 0 },
      { account: '1009', balance: 'closed' },
    ],
    say: (line) => said.push(line),
    ...change,
  });
  bridges.push(bridge);
  return bridge;
}

beforeEach(async () => {
  said = [];
  ledger = await startStandIn();
});
afterEach(async () => {
  await Promise.all(bridges.splice(0).map((bridge) => bridge.stop()));
  await ledger.stop();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** What a bridge shows to whoever asks. */
async function shown(bridge: Bridge | { url: string }, account: string): Promise<unknown> {
  const rows = (await (await fetch(`${bridge.url}/accounts`)).json()) as Json[];
  const row = rows.find((one) => one['account'] === account);
  return row && [row['balance'], row['held']];
}

const prepare = (bridge: { url: string }, entry: Json, key = ledger.key) =>
  sent(bridge.url, placeOf(entry), signedBy(key, entry));
const end = (bridge: { url: string }, action: 'commit' | 'abort', entry: Json, key = ledger.key) =>
  sent(
    bridge.url,
    placeOf(entry, action),
    signedBy(key, endOf(action, entry, entry['intent'] as Item)),
  );
const reported = (entry: Json, ...statuses: readonly string[]) =>
  until(
    () => `${statuses} of ${String(entry['handle'])}, but ${ledger.statusesOf(entry)}`,
    () => String(ledger.statusesOf(entry)) === String(statuses),
  );
const taken = { status: 202, reason: undefined };

describe('a call of the ledger', () => {
  test('is answered at once, done, and reported by proof on the intent, on both sides', async () => {
    const bridge = await blue();
    const { debit, credit, intent } = ledger.transfer('svgs:1001@blue', 'svgs:1002@blue', 400);
    expect(await prepare(bridge, debit)).toEqual(taken);
    expect(await shown(bridge, '1001')).toEqual([1000, 400]);
    await reported(debit, 'prepared');
    expect(await prepare(bridge, credit)).toEqual(taken);
    expect(await shown(bridge, '1002')).toEqual([0, 0]);
    await reported(credit, 'prepared');
    for (const entry of [debit, credit]) {
      expect(await end(bridge, 'commit', entry)).toEqual(taken);
      await reported(entry, 'prepared', 'committed');
    }
    expect(await shown(bridge, '1001')).toEqual([600, 0]);
    expect(await shown(bridge, '1002')).toEqual([400, 0]);
    const { owners } = (ledger.record('/bridges/blue') as Item).meta;
    for (const { by, intent: handle, custom } of ledger.reports) {
      expect([by]).toEqual(owners);
      expect(handle).toBe(intent.data.handle);
      expect(Object.keys(custom).sort()).toEqual(['coreId', 'handle', 'moment', 'status']);
    }
  });

  test('says line by line what was done', async () => {
    const bridge = await blue();
    const { debit, intent } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
    const about = `(${debit.handle} of ${intent.data.handle})`;
    await prepare(bridge, debit);
    await end(bridge, 'commit', debit);
    await prepare(bridge, debit);
    const { debit: other } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 5);
    await prepare(bridge, other);
    await end(bridge, 'abort', other);
    const { credit } = ledger.transfer('svgs:1@green', 'svgs:1002@blue', 7);
    await prepare(bridge, credit);
    await end(bridge, 'abort', credit);
    const { debit: missing } = ledger.transfer('svgs:1003@blue', 'svgs:1@green', 9);
    await end(bridge, 'abort', missing);
    await prepare(bridge, missing);
    const lines = said.filter((line) => /\(|status/.test(line));
    expect(lines.map((line) => line.replace(/ \((deb|cre)_.*$/, ''))).toEqual([
      'prepared   hold 400 usd on 1001',
      'committed  took 400 usd from 1001, which has 600',
      'prepared   as before',
      'prepared   hold 5 usd on 1001',
      'aborted    released 5 usd on 1001',
      'prepared   expect 7 usd for 1002',
      'aborted    no longer expect 7 usd for 1002',
      'aborted    an entry that never came',
      `failed     bridge.entry-aborted: The entry ${missing.handle} was aborted before it was prepared.`,
    ]);
    expect(lines[0]).toBe(`prepared   hold 400 usd on 1001 ${about}`);
  });

  test('that comes again is answered and reported again, and is done once', async () => {
    const bridge = await blue();
    const { debit } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
    for (let count = 1; count <= 3; count += 1) {
      expect(await prepare(bridge, debit)).toEqual(taken);
      await until('a report each time', () => ledger.attempts() === count);
    }
    for (let count = 4; count <= 6; count += 1) {
      expect(await end(bridge, 'commit', debit)).toEqual(taken);
      await until('a report each time', () => ledger.attempts() === count);
    }
    expect(await shown(bridge, '1001')).toEqual([600, 0]);
    // The same proof each time, so that the ledger keeps it once.
    expect(ledger.statusesOf(debit)).toEqual(['prepared', 'committed']);
  });

  test('that many make at once is done once', async () => {
    const bridge = await blue();
    const { debit } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
    const body = signedBy(ledger.key, debit);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sent(bridge.url, '/debits', body)),
    );
    expect(answers).toEqual(answers.map(() => taken));
    expect(await shown(bridge, '1001')).toEqual([1000, 400]);
    await reported(debit, 'prepared');
  });

  test('about money that is not there is answered, and reported as failed with the reason', async () => {
    const bridge = await blue();
    const asked = [
      ['svgs:1001@blue', 1001, 'bridge.account-insufficient-balance'],
      ['svgs:1003@blue', 1, 'bridge.account-not-found'],
      ['svgs:1009@blue', 1, 'bridge.account-inactive'],
    ] as const;
    for (const [source, amount, reason] of asked) {
      const { debit } = ledger.transfer(source, 'svgs:1@green', amount);
      expect(await prepare(bridge, debit)).toEqual(taken);
      await reported(debit, 'failed');
      const { custom } = ledger.reports.at(-1) ?? {};
      expect(custom).toMatchObject({ handle: debit.handle, reason });
      expect(custom?.['detail']).toMatch(/^.+\.$/);
      expect(await end(bridge, 'abort', debit)).toEqual(taken);
      await reported(debit, 'failed', 'aborted');
    }
    expect(await shown(bridge, '1001')).toEqual([1000, 0]);
  });

  test('about an account of another bank finds none here, though its number is the same', async () => {
    const bridge = await blue();
    const transfer = ledger.transfer('svgs:1001@green', 'svgs:1002@green', 1, {}, 'blue');
    for (const entry of [transfer.debit, transfer.credit]) {
      expect(await prepare(bridge, entry)).toEqual(taken);
      await reported(entry, 'failed');
      expect(ledger.reports.at(-1)?.custom['reason']).toBe('bridge.account-not-found');
    }
    const bare = ledger.transfer('1001', 'svgs:1002', 1, {}, 'blue');
    for (const entry of [bare.debit, bare.credit]) {
      expect(await prepare(bridge, entry)).toEqual(taken);
      await reported(entry, 'prepared');
    }
  });

  test('to abort what never came is remembered, also by the next process', async () => {
    const data = newFolder();
    const bridge = await blue({ data });
    const { debit } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
    expect(await end(bridge, 'abort', debit)).toEqual(taken);
    await bridge.stop();
    const again = await blue({ data });
    expect(await prepare(again, debit)).toEqual(taken);
    await reported(debit, 'aborted', 'failed');
    expect(ledger.reports.at(-1)?.custom['reason']).toBe('bridge.entry-aborted');
    expect(await shown(again, '1001')).toEqual([1000, 0]);
  });

  test('that contradicts what was decided is not taken', async () => {
    const bridge = await blue();
    const { debit, credit } = ledger.transfer('svgs:1001@blue', 'svgs:1002@blue', 400);
    const rejected = { status: 409, reason: 'bridge.entry-rejected' };
    expect(await end(bridge, 'commit', debit)).toEqual(rejected);
    await prepare(bridge, debit);
    await end(bridge, 'commit', debit);
    expect(await end(bridge, 'abort', debit)).toEqual(rejected);
    await prepare(bridge, credit);
    await end(bridge, 'abort', credit);
    expect(await end(bridge, 'commit', credit)).toEqual(rejected);
    expect(await shown(bridge, '1001')).toEqual([600, 0]);
    expect(await shown(bridge, '1002')).toEqual([0, 0]);
  });

  test('may tell how an intent stands', async () => {
    const bridge = await blue();
    const { intent } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
    const { handle } = intent.data;
    expect(await sent(bridge.url, `/intents/${handle}`, intent, 'PUT')).toEqual(taken);
    expect(said.at(-1)).toBe(`status     ${handle} is processing`);
    const bare = { ...signedBy(ledger.key, intent.data), luid: intent.luid };
    expect(await sent(bridge.url, `/intents/${handle}`, bare, 'PUT')).toEqual(taken);
    const other = await sent(bridge.url, '/intents/other', intent, 'PUT');
    expect(other).toEqual({ status: 422, reason: 'bridge.entry-mismatch' });
  });

  test('for what this bridge does not do is 501, so that nobody tries again', async () => {
    const bridge = await blue();
    const body = signedBy(ledger.key, { handle: 'x' });
    const refused = { status: 501, reason: 'bridge.unexpected-error' };
    for (const path of ['/', '/effects/x', '/debits/deb_1', '/debits/deb_1/status', '/debits/%'])
      expect(await sent(bridge.url, path, body)).toEqual(refused);
    expect(await sent(bridge.url, '/debits/deb_1/commit/x', body)).toEqual(refused);
    expect(await sent(bridge.url, '/debits', body, 'PUT')).toEqual(refused);
  });
});

describe('what is not to be believed', () => {
  let bridge: Bridge;
  let transfer: ReturnType<StandIn['transfer']>;

  beforeEach(async () => {
    bridge = await blue();
    transfer = ledger.transfer('svgs:1001@blue', 'svgs:1002@blue', 400);
  });

  /** Nothing happened, and nothing will be said of it. */
  async function expectNothing(entry: Json = transfer.debit): Promise<void> {
    expect(await shown(bridge, '1001')).toEqual([1000, 0]);
    expect(bridge.books.entries.has(String(entry['handle']))).toBe(false);
    expect(bridge.books.unsent.size).toBe(0);
  }

  test.each<[string, (good: Body) => unknown, number, string]>([
    ['no JSON', () => '{"hash":', 400, 'bridge.entry-schema-invalid'],
    ['no object', () => '[]', 400, 'bridge.entry-schema-invalid'],
    ['null', () => 'null', 400, 'bridge.entry-schema-invalid'],
    ['no proofs', ({ hash, data }) => ({ hash, data }), 400, 'bridge.entry-schema-invalid'],
    [
      'odd proofs',
      (good) => ({ ...good, meta: { proofs: [null] } }),
      400,
      'bridge.entry-schema-invalid',
    ],
    [
      'nobody’s',
      (good) => ({ ...good, meta: { proofs: [] } }),
      401,
      'bridge.entry-signature-missing',
    ],
    [
      'somebody else’s',
      ({ data }) => signedBy(newKey(), data),
      401,
      'bridge.entry-signature-missing',
    ],
    [
      'what was changed after it was signed',
      (good) => ({ ...good, data: { ...good.data, amount: 1 } }),
      400,
      'bridge.entry-hash-invalid',
    ],
    [
      'what was changed and hashed again',
      (good) => {
        const data = { ...good.data, amount: 1 };
        return { ...good, hash: hashOf(data), data };
      },
      401,
      'bridge.entry-signature-invalid',
    ],
    [
      'a proof in the ledger’s name by another key',
      (good) => {
        const proof = { ...proofOf(good.hash, newKey(), {}), public: ledger.key.public };
        return { ...good, meta: { proofs: [proof] } };
      },
      401,
      'bridge.entry-signature-invalid',
    ],
    [
      'what is nested beyond measure',
      () => `{"hash":"x","data":${'['.repeat(200_000)}${']'.repeat(200_000)},"meta":{"proofs":[]}}`,
      400,
      'bridge.entry-hash-invalid',
    ],
    [
      'more than anybody needs',
      () => 'x'.repeat(5 * 1024 * 1024),
      413,
      'bridge.entry-schema-invalid',
    ],
  ])('is %s', async (_, bodyOf, status, reason) => {
    const body = bodyOf(signedBy(ledger.key, transfer.debit));
    expect(await sent(bridge.url, '/debits', body)).toEqual({ status, reason });
    await expectNothing();
  });

  test.each<[string, (debit: Json) => Json, number, string]>([
    ['no handle', ({ handle: _, ...rest }) => rest, 400, 'bridge.entry-schema-invalid'],
    ['half a unit', (debit) => ({ ...debit, amount: 0.5 }), 400, 'bridge.entry-schema-invalid'],
    ['no account', ({ source: _, ...rest }) => rest, 400, 'bridge.entry-schema-invalid'],
    ['no intent', ({ intent: _, ...rest }) => rest, 400, 'bridge.entry-schema-invalid'],
    ['another amount', (debit) => ({ ...debit, amount: 401 }), 422, 'bridge.entry-mismatch'],
    [
      'another symbol',
      (debit) => ({ ...debit, symbol: { handle: 'eur' } }),
      422,
      'bridge.entry-mismatch',
    ],
    [
      'another account than is claimed',
      (debit) => ({ ...debit, source: { handle: 'svgs:1002@blue' } }),
      422,
      'bridge.entry-mismatch',
    ],
    ['another side', (debit) => ({ ...debit, schema: 'credit' }), 422, 'bridge.entry-mismatch'],
    [
      'an entry that the intent does not have',
      (debit) => ({ ...debit, handle: 'deb_other' }),
      422,
      'bridge.intent-unrelated',
    ],
    [
      'another intent',
      (debit) => ({ ...debit, intent: transferBy(ledger.key, ['a@blue', 'b@blue'], 400).intent }),
      422,
      'bridge.intent-unrelated',
    ],
    [
      'an intent that was changed',
      (debit) => {
        const intent = debit['intent'] as Item;
        return { ...debit, intent: { ...intent, data: { ...intent.data, custom: {} } } };
      },
      400,
      'bridge.intent-hash-invalid',
    ],
  ])(
    'is an entry with %s, even when the ledger has signed it',
    async (_, alter, status, reason) => {
      const debit = alter(transfer.debit);
      const answer = await sent(bridge.url, '/debits', signedBy(ledger.key, debit));
      expect(answer).toEqual({ status, reason });
      await expectNothing(debit);
    },
  );

  test('is a claim that its authors signed otherwise', async () => {
    const changes = [
      { amount: 399 },
      { amount: 400.5 },
      { symbol: 'eur' },
      { action: 'issue' },
      { source: 'svgs:1002@blue' },
    ];
    for (const change of changes) {
      const { debit } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400, change);
      const answer = await prepare(bridge, debit);
      expect(answer).toEqual({ status: 422, reason: 'bridge.entry-mismatch' });
      await expectNothing(debit);
    }
  });

  test('is an entry for another bridge, though it would fit', async () => {
    const { debit } = ledger.transfer('1001@green', 'svgs:1@blue', 400);
    const answer = await prepare(bridge, debit);
    expect(answer).toEqual({ status: 422, reason: 'bridge.intent-unrelated' });
    await expectNothing(debit);
  });

  test('is a word on the entry that the ledger’s key has not made', async () => {
    const { intent, debit } = transfer;
    const forger = newKey();
    const proofs = intent.meta.proofs.map((proof) =>
      proof.custom?.['status'] === 'resolved' ? proofOf(intent.hash, forger, proof.custom) : proof,
    );
    for (const forged of [
      proofs,
      proofs.map((proof) => ({ ...proof, public: ledger.key.public })),
    ]) {
      const entry = { ...debit, intent: { ...intent, meta: { ...intent.meta, proofs: forged } } };
      const answer = await prepare(bridge, entry);
      expect(answer).toEqual({ status: 422, reason: 'bridge.intent-unrelated' });
    }
    await expectNothing();
  });

  test('is a commit at the place of an abort, of another entry, or on the other side', async () => {
    const { intent, debit, credit } = transfer;
    await prepare(bridge, debit);
    const commit = signedBy(ledger.key, endOf('commit', debit, intent));
    const mismatch = { status: 422, reason: 'bridge.entry-mismatch' };
    for (const path of [placeOf(debit, 'abort'), placeOf(credit, 'commit')])
      expect(await sent(bridge.url, path, commit)).toEqual(mismatch);
    const across = await sent(bridge.url, `/credits/${debit.handle}/commit`, commit);
    expect(across).toEqual({ status: 422, reason: 'bridge.intent-unrelated' });
    const forged = signed(endOf('commit', debit, intent), newKey());
    expect((await sent(bridge.url, placeOf(debit, 'commit'), forged)).status).toBe(401);
    expect(await shown(bridge, '1001')).toEqual([1000, 400]);
  });

  test('is a call that was altered anywhere at all', async () => {
    const good = JSON.stringify(signedBy(ledger.key, transfer.debit));
    // All but the ledger's proof, around which there may be anything.
    const places = fc.nat(good.lastIndexOf(',"meta":') - 1);
    await fc.assert(
      fc.asyncProperty(places, fc.constantFrom(...'0aZ"{}[],:- é'), async (at, char) => {
        fc.pre(good[at] !== char);
        const { status } = await sent(
          bridge.url,
          '/debits',
          `${good.slice(0, at)}${char}${good.slice(at + 1)}`,
        );
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
    await expectNothing();
  });
});

describe('a report', () => {
  test('is sent until the ledger accepts it', async () => {
    const bridge = await blue();
    const { debit } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
    ledger.declineReports(503);
    await prepare(bridge, debit);
    await until('it tries again', () => ledger.attempts() >= 3);
    expect(ledger.statusesOf(debit)).toEqual([]);
    ledger.declineReports(undefined);
    await reported(debit, 'prepared');
    await until('it is done', () => bridge.books.unsent.size === 0);
  });

  test('that one intent refuses does not keep others back', async () => {
    const bridge = await blue();
    const strange = Array.from({ length: 10 }, () =>
      transferBy(ledger.key, ['svgs:1001@blue', 'svgs:1@green'], 1),
    );
    for (const { debit } of strange) await prepare(bridge, debit);
    const { debit } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
    await prepare(bridge, debit);
    await reported(debit, 'prepared');
    await until('it is noted', () => bridge.books.unsent.size === strange.length);
  });

  test('is still sent by the next process, and never again once it was accepted', async () => {
    const data = newFolder();
    const first = await blue({ data });
    const heard = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 1).debit;
    await prepare(first, heard);
    await reported(heard, 'prepared');
    await until('it is noted', () => first.books.unsent.size === 0);
    ledger.declineReports(503);
    const { debit } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
    await prepare(first, debit);
    await until('it is declined', () => said.some((line) => line.includes('retrying')));
    await first.stop();
    ledger.declineReports(undefined);
    const before = ledger.attempts();
    const second = await blue({ data });
    await reported(debit, 'prepared');
    await until('it is noted', () => second.books.unsent.size === 0);
    expect(ledger.attempts()).toBe(before + 1);
    expect(await shown(second, '1001')).toEqual([1000, 401]);
  });

  test('survives kill -9 of the bridge, as does all that was answered', async () => {
    const data = newFolder();
    const words = ['blue', '--port', '0', '--server', ledger.url, '--data', data];
    const first = await runBridge([...words, '--account', '1001=1000']);
    ledger.declineReports(503);
    const kept = Array.from({ length: 5 }, () =>
      ledger.transfer('svgs:1001@blue', 'svgs:1@green', 100),
    );
    for (const { debit } of kept) expect(await prepare(first, debit)).toEqual(taken);
    const [{ debit }] = kept as [ReturnType<StandIn['transfer']>];
    expect(await end(first, 'commit', debit)).toEqual(taken);
    await first.end('SIGKILL');
    ledger.declineReports(undefined);
    const second = await runBridge(words);
    await reported(debit, 'prepared', 'committed').catch(() =>
      reported(debit, 'committed', 'prepared'),
    );
    for (const { debit: other } of kept.slice(1)) await reported(other, 'prepared');
    expect(await shown(second, '1001')).toEqual([900, 400]);
    expect(await end(second, 'commit', debit)).toEqual(taken);
    expect(await shown(second, '1001')).toEqual([900, 400]);
    expect(await second.end('SIGTERM')).toBe(0);
  });
});

test('what could not be written was not done, and what was answered is there after a restart', async () => {
  const data = newFolder();
  const words = ['blue', '--port', '0', '--server', ledger.url, '--data', data];
  const first = await runBridge([...words, '--account', '1001=1000'], 4);
  const asked = Array.from({ length: 40 }, () =>
    ledger.transfer('svgs:1001@blue', 'svgs:1@green', 10),
  );
  const answers = [];
  for (const { debit } of asked) answers.push((await prepare(first, debit)).status);
  const done = answers.filter((status) => status === 202).length;
  expect(done).toBeGreaterThan(3);
  expect(answers).toEqual(answers.map((_, index) => (index < done ? 202 : 500)));
  expect(await shown(first, '1001')).toEqual([1000, done * 10]);
  // There is room again, but nobody knows what the last line looks like: so nothing comes behind it.
  execFileSync('bash', ['-c', `prlimit --pid ${first.pid} --fsize=unlimited`]);
  expect((await prepare(first, asked[done]?.debit ?? {})).status).toBe(500);
  await first.end('SIGTERM');
  const second = await runBridge(words);
  const [, held] = (await shown(second, '1001')) as [number, number];
  // The last one may have been written as a whole before it was found that it was not kept.
  expect([done * 10, done * 10 + 10]).toContain(held);
  for (const { debit } of asked) expect(await prepare(second, debit)).toEqual(taken);
  expect(await shown(second, '1001')).toEqual([1000, 400]);
  for (const { debit } of asked) await reported(debit, 'prepared');
  await second.end('SIGTERM');
});

describe('a bridge', () => {
  test('makes itself known once, and says so when it has moved', async () => {
    const data = newFolder();
    const first = await blue({ data });
    expect(said.filter((line) => /^(made|activated) /.test(line))).toEqual([
      'made signer blue',
      'made bridge blue',
      'activated bridge blue',
      'made wallet blue',
      'made symbol usd',
    ]);
    expect(ledger.record('/bridges/blue')?.data).toEqual({
      handle: 'blue',
      config: { server: first.url },
      traits: ['debits', 'credits', 'statuses'],
    });
    expect(ledger.record('/wallets/blue')?.data).toEqual({ handle: 'blue', bridge: 'blue' });
    await first.stop();
    said = [];
    const address = 'https://bridge.blue.example';
    await blue({ data, address });
    expect(said).toEqual([`moved bridge blue to ${address}`]);
    expect(ledger.record('/bridges/blue')?.data['config']).toEqual({ server: address });
    await bridges.at(-1)?.stop();
    said = [];
    await blue({ data, address });
    expect(said).toEqual([]);
  });

  test('does not take a name that somebody else has', async () => {
    await blue();
    await expect(blue()).rejects.toThrow('The ledger has another signer blue.');
  });

  test('keeps its key to itself, and refuses one that others may read', async () => {
    const data = newFolder();
    const bridge = await blue({ data });
    for (const name of readdirSync(data))
      expect([name, statSync(join(data, name)).mode & 0o077]).toEqual([name, 0]);
    const path = join(data, 'bridge.key');
    expect(said.join()).not.toContain(readFileSync(path, 'utf8').trim());
    await bridge.stop();
    chmodSync(path, 0o640);
    await expect(blue({ data })).rejects.toThrow(`chmod 600 ${path}`);
  });

  test('is one process for one folder', async () => {
    const data = newFolder();
    await blue({ data });
    await expect(blue({ data })).rejects.toThrow('Another bridge is running');
  });

  test('believes the key that the ledger showed at first, and no other', async () => {
    const data = newFolder();
    const bridge = await blue({ data });
    await bridge.stop();
    const other = await startStandIn();
    await expect(blue({ data, server: other.url })).rejects.toThrow('not signed by the ledger');
    const { debit } = other.transfer('svgs:1001@blue', 'svgs:1@green', 1);
    expect((await prepare(await blue({ data }), debit, other.key)).status).toBe(401);
    await expect(blue({ server: other.url, ledgerKey: ledger.key.public })).rejects.toThrow(
      'not signed by the ledger',
    );
    await other.stop();
  });

  test('goes on with the key that the one before has signed, and pins it', async () => {
    const data = newFolder();
    const bridge = await blue({ data });
    const next = ledger.rotate();
    const { debit } = transferBy(next, ['svgs:1001@blue', 'svgs:1@green'], 400);
    expect(await prepare(bridge, debit, next)).toEqual(taken);
    expect(readFileSync(join(data, 'ledger.pub'), 'utf8').trim()).toBe(next.public);
    const old = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 100);
    expect(await prepare(bridge, old.debit)).toEqual(taken);
    expect((await prepare(bridge, old.debit, newKey())).status).toBe(401);
  });

  test('looks once for the new key, and refuses none of the calls that wait for it', async () => {
    const bridge = await blue();
    const next = ledger.rotate();
    const answers = Array.from({ length: 5 }, () => {
      const { debit } = transferBy(next, ['svgs:1001@blue', 'svgs:1@green'], 10);
      return prepare(bridge, debit, next);
    });
    expect(await Promise.all(answers)).toEqual(answers.map(() => taken));
  });

  test('believes what a key said of an entry while it counted, when it counts no longer', async () => {
    const bridge = await blue();
    const transferOf = (amount: number) =>
      ledger.transfer('svgs:1001@blue', 'svgs:1@green', amount);
    const [early, lost] = [transferOf(10), transferOf(20)] as const;
    const next = ledger.rotate({ until: now() });
    await pause(5);
    const late = transferOf(40);
    expect(await prepare(bridge, early.debit, next)).toEqual(taken);
    expect(await end(bridge, 'commit', early.debit, next)).toEqual(taken);
    expect(await end(bridge, 'abort', lost.debit, next)).toEqual(taken);
    const unrelated = { status: 422, reason: 'bridge.intent-unrelated' };
    expect(await prepare(bridge, late.debit, next)).toEqual(unrelated);
    expect((await prepare(bridge, early.debit)).status).toBe(401);
    expect(await shown(bridge, '1001')).toEqual([990, 0]);
  });

  test('ends what it has prepared under a key that is no longer believed, and nothing else', async () => {
    const data = newFolder();
    const bridge = await blue({ data });
    const debitOf = (amount: number): Json =>
      ledger.transfer('svgs:1001@blue', 'svgs:1@green', amount).debit;
    const [bought, returned, unknown] = [debitOf(10), debitOf(20), debitOf(40)] as const;
    for (const debit of [bought, returned]) expect(await prepare(bridge, debit)).toEqual(taken);
    await bridge.stop();
    const next = newKey();
    const again = await blue({ data, ledgerKey: next.public, server: 'http://127.0.0.1:9' });
    expect(await end(again, 'commit', bought, next)).toEqual(taken);
    expect(await end(again, 'abort', returned, next)).toEqual(taken);
    const across = { ...returned, intent: unknown['intent'] };
    expect((await end(again, 'abort', across, next)).status).toBe(422);
    const unrelated = { status: 422, reason: 'bridge.intent-unrelated' };
    expect(await prepare(again, unknown, next)).toEqual(unrelated);
    expect(await end(again, 'abort', unknown, next)).toEqual(unrelated);
    expect(await shown(again, '1001')).toEqual([990, 0]);
  });

  test('needs the ledger at first, and goes on without it later', async () => {
    const gone = 'http://127.0.0.1:9';
    await expect(blue({ server: gone })).rejects.toThrow(`No ledger answers at ${gone}`);
    const data = newFolder();
    await (await blue({ data })).stop();
    said = [];
    const bridge = await blue({ data, server: gone });
    expect(said[0]).toMatch(/^No ledger answers at .* Trying again\.$/);
    const { debit } = ledger.transfer('svgs:1001@blue', 'svgs:1@green', 400);
    expect(await prepare(bridge, debit)).toEqual(taken);
    await bridge.stop();
    await blue({ data });
    await reported(debit, 'prepared');
  });

  test('makes itself known as soon as the ledger is there, when it has been told whom to believe', async () => {
    const port = Number(new URL(ledger.url).port);
    await ledger.stop();
    await blue({ ledgerKey: ledger.key.public });
    expect(ledger.record('/bridges/blue')).toBeUndefined();
    ledger = await startStandIn(ledger.key, port);
    await until('it is known', () => ledger.record('/wallets/blue') !== undefined);
  });

  test('lets go of its folder when it cannot start', async () => {
    const data = newFolder();
    const first = await blue();
    const port = Number(new URL(first.url).port);
    await expect(blue({ data, port, name: 'green' })).rejects.toThrow('EADDRINUSE');
    await blue({ data, name: 'green' });
  });

  test('is told what to do by flags, then by the environment', () => {
    const env = { PORT: '5000', LEDGER: 'main' };
    const optionsOf = (words: string[], env: Record<string, string>) =>
      bridgeOptionsOf(...parsedBy<[string, BridgeWords]>(bridgeCommand, words), env);
    expect(optionsOf(['blue'], {})).toMatchObject({
      name: 'blue',
      port: 4001,
      server: 'http://127.0.0.1:3000/v2',
      data: join('.countersign', 'bridge-blue'),
      symbol: 'usd',
      accounts: [],
    });
    expect(optionsOf(['blue'], env)).toMatchObject({
      port: 5000,
      ledger: 'main',
    });
    vi.stubEnv('SERVER', 'http://ledger.example/v2/');
    expect(optionsOf(['blue'], {}).server).toBe('http://ledger.example/v2');
    vi.unstubAllEnvs();
    const words = ['blue', '--port', '1', '--account', '1=5', '--account', '2=closed'];
    expect(optionsOf([...words, '--account', '3'], env)).toMatchObject({
      port: 1,
      accounts: [
        { account: '1', balance: 5 },
        { account: '2', balance: 'closed' },
        { account: '3', balance: 0 },
      ],
    });
    for (const wrong of [
      [],
      ['blue', 'green'],
      ['b@ue'],
      ['blue', '--port', '70000'],
      ['blue', '--account', '1@x=5'],
      ['blue', '--account', '1=-5'],
      ['blue', '--unknown'],
    ])
      expect(() => optionsOf(wrong, {}), String(wrong)).toThrow();
  });

  test('is refused in a line that names the option that it does not have', async () => {
    await expect(runBridge(['blue', '--colour', 'blue'])).rejects.toThrow(
      /^countersign bridge: unknown option '--colour'\. See: countersign bridge --help\n$/,
    );
  });
});

describe('at a ledger', async () => {
  const home = await sharedHome();

  test('a bridge registers, is found as it was, and may report', async () => {
    const key = newKey();
    const client = await newLedger(home, key);
    const own = { server: home.url, ledger: client.ledger, data: newFolder() };
    const bridge = await blue(own);
    const { body } = await client.get('/bridges/blue');
    expect(body.data['config']).toEqual({ server: bridge.url });
    expect((await client.get('/wallets/blue')).body.data['bridge']).toBe('blue');
    await client.make('wallets', { handle: 'alice' }, key);
    const issue = await client.settle(key, 'issue alice 5 usd');
    const custom = { handle: 'deb_none', status: 'prepared', moment: now() };
    const ownKey = keyIn(join(own.data, 'bridge.key'));
    expect(body.meta.owners).toEqual([ownKey.public]);
    const proof = proofOf(issue.hash, ownKey, custom);
    const reply = await client.post(`/intents/${issue.data.handle}/proofs`, proof);
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(reply.body.meta.proofs.at(-1)).toMatchObject({ custom, signer: 'blue' });
    await bridge.stop();
    said = [];
    await blue({ ...own, port: Number(new URL(bridge.url).port) });
    expect(said).toEqual([]);
  });

  // What is not there is forbidden to who may not read it. Ruling 71.
  test('a bridge registers where it may make what it needs, and reads its own', async () => {
    const makes = ['signer', 'bridge', 'wallet', 'symbol'];
    const access = makes.map((record) => ({ action: 'create', record }));
    const key = newKey();
    const client = await newOwnLedger(home, key, { access });
    const own = { server: home.url, ledger: client.ledger, data: newFolder() };
    const bridge = await blue(own);
    await bridge.stop();
    said = [];
    await blue({ ...own, port: Number(new URL(bridge.url).port) });
    expect(said).toEqual([noCredit]);
  });

  test('a bridge that a closed ledger does not know is told so, and lets go of its folder', async () => {
    const key = newKey();
    const client = await newOwnLedger(home, key);
    const own = { server: home.url, ledger: client.ledger, data: newFolder() };
    for (const _ of ['refused', 'and again'])
      await expect(blue(own)).rejects.toThrow('auth.forbidden: Cannot create signer.');
  });

  test('a bridge is let into a closed ledger by its owner, and has credit once it is activated', async () => {
    const key = newKey();
    const client = await newOwnLedger(home, key);
    const own = { server: home.url, ledger: client.ledger, data: newFolder() };
    const { public: bankKey } = keyIn(join(own.data, 'bridge.key'));
    const records = { $in: ['bridge', 'wallet', 'symbol'] };
    const access = [
      { action: 'read', record: 'any' },
      { action: 'create', record: records },
    ];
    await client.make('circles', { handle: 'banks', access }, key);
    await client.make('signers', { handle: 'blue', public: bankKey, format: 'ed25519-raw' }, key);
    await client.post('/circles/banks/signers', signed({ circle: 'banks', signer: 'blue' }, key));
    await blue(own);
    expect(said.filter((line) => line.includes('bridge blue'))).toEqual([
      'made bridge blue',
      noCredit,
    ]);
    const options = { ledger: String(client.ledger), trust: client.key, signer: signerOf(key) };
    const owner = await connect(home.url, options);
    const path = { id: 'blue' };
    await owner.post('/bridges/{id}/activate', {}, { path });
    expect((await owner.get('/bridges/{id}', { path })).meta.status).toBe('active');
  });
});
