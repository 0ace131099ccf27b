/**
 * Goal: a runtime answers alike, whether its functions have the thread of the gateway or threads of their own, and an
 * error that no request catches loses nothing that was answered. Decision 137.
 */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, claimOf, clientOf, newKey, signed, unique } from '../fixture/client.ts';
import { samplesIn } from '../fixture/exposition.ts';
import { until } from '../fixture/receiver.ts';
import { audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';

const key = newKey();
const folder = newDataFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** The trace of a request behind which an error is thrown beside all requests, in the thread that answers it. */
const fatalTrace = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
const fatal = { headers: { traceparent: fatalTrace } };
const faults = {
  'an error that is thrown': `throw new Error('nobody catches this')`,
  'a promise that is rejected': `Promise.reject(new Error('nobody catches this'))`,
};
/** A module that makes the fault, for the runtime to load. */
function hookOf(fault: string): Readonly<Record<string, string>> {
  const path = join(folder, `${randomBytes(4).toString('hex')}.cjs`);
  writeFileSync(
    path,
    `require('node:diagnostics_channel')
       .channel('tracing:countersign:request:asyncEnd')
       .subscribe(({ headers }) => {
         if (headers.traceparent === '${fatalTrace}') setTimeout(() => { ${fault} }, 20);
       });`,
  );
  return { NODE_OPTIONS: `--require ${path}` };
}

/** Sends the request behind which the error is thrown. It may come before the answer. */
const provoke = (ledger: Client) => ledger.get('/wallets/bob', fatal).catch(() => {});

const payment = (text: string) => signed({ handle: unique('i'), claims: [claimOf(text)] }, key);

async function furnished({ url, key: publicKey }: Runtime): Promise<Client> {
  const ledger = clientOf(url, publicKey);
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, key);
  for (const handle of ['ann', 'bob']) await ledger.make('wallets', { handle }, key);
  expect((await ledger.post('/intents', payment('issue ann 1000 usd'))).status).toBe(201);
  return ledger;
}

describe.each([
  ['the thread of the gateway', '1'],
  ['threads of their own', '2'],
])('functions in %s', (_, threads) => {
  const data = newDataFolder();
  let runtime: Runtime;
  let ledger: Client;
  beforeAll(async () => {
    runtime = await start({ data, env: { LEDGER_THREADS: threads, LEDGER_LOG: 'info' } });
    ledger = await furnished(runtime);
  });
  afterAll(() => rmSync(data, { recursive: true }));

  test('answer, refuse, and log each request by the id of its answer', async () => {
    const [paid, refused, lost] = await Promise.all([
      ledger.post('/intents', payment('transfer ann bob 1 usd')),
      ledger.post('/intents', { ...payment('transfer ann bob 1 usd'), hash: '0'.repeat(64) }),
      ledger.get('/wallets/nobody'),
    ]);
    expect([paid.status, refused.status, lost.status]).toEqual([201, 422, 404]);
    for (const { headers, status } of [paid, refused, lost]) {
      const id = headers.get('x-request-id');
      await until(`no line of ${id}`, () =>
        runtime.complaints.some((line) => {
          const { request, status: logged } = JSON.parse(line) as Record<string, unknown>;
          return request === id && logged === status;
        }),
      );
    }
  });

  test('are counted as soon as they have answered', async () => {
    const countOf = async () => {
      const page = await (await fetch(new URL('/metrics', runtime.url))).text();
      const samples = samplesIn(page).filter(
        ({ name, labels }) =>
          name === 'http_server_request_duration_seconds_count' &&
          labels['http_route'] === '/v2/wallets/{id}',
      );
      return samples.reduce((sum, { value }) => sum + value, 0);
    };
    const before = await countOf();
    await Promise.all([1, 2, 3].map(() => ledger.get('/wallets/ann')));
    expect(await countOf()).toBe(before + 3);
  });

  test('answer what was asked before a signal to stop, and the end is clean', async () => {
    const before = Number((await ledger.balances('bob'))['usd']);
    const open = Array.from({ length: 8 }, () =>
      ledger.post('/intents', payment('transfer ann bob 1 usd')).then(
        ({ status }) => status,
        () => 'not taken',
      ),
    );
    const first = await Promise.race(open);
    await runtime.stop();
    const ends = await Promise.all(open);
    expect(first).toBe(201);
    expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
    const next = await start({ data, env: { LEDGER_THREADS: threads } });
    const now = Number((await clientOf(next.url, next.key).balances('bob'))['usd']);
    expect(now - before).toBeGreaterThanOrEqual(ends.filter((end) => end === 201).length);
    await next.stop();
  });
});

test.each(Object.entries(faults))(
  '%s in the thread of the gateway ends the runtime with its stack and a code; nothing answered is lost',
  async (_, fault) => {
    const data = newDataFolder();
    const env = { LEDGER_THREADS: '1' };
    const runtime = await start({ data, env: { ...env, ...hookOf(fault) } });
    const ledger = await furnished(runtime);
    const paid = await ledger.post('/intents', payment('transfer ann bob 7 usd'));
    expect(paid.status).toBe(201);
    await provoke(ledger);
    const { code, said } = await runtime.ended;
    expect(code).toBe(1);
    expect(said).toMatch(
      /^The ledger failed and ends\. All that it has answered is stored: Error: nobody catches this\n +at /m,
    );
    const next = await start({ data, env });
    expect(await clientOf(next.url, next.key).balances('bob')).toEqual({ usd: '7' });
    await next.stop();
    expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
    rmSync(data, { recursive: true });
  },
);

test.each(Object.entries(faults))(
  '%s in a thread of its own ends this thread alone, which comes back',
  async (_, fault) => {
    const runtime = await start({ env: { LEDGER_THREADS: '2', ...hookOf(fault) } });
    const ledger = await furnished(runtime);
    for (let round = 1; round <= 3; round += 1) {
      const paid = await ledger.post('/intents', payment('transfer ann bob 7 usd'));
      expect(paid.status).toBe(201);
      await provoke(ledger);
      await until('no thread has failed', () => failuresOf(runtime) === round);
      await until('no thread has come back', () =>
        ledger.get('/wallets/bob').then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
    }
    expect(await ledger.balances('bob')).toEqual({ usd: '21' });
    await runtime.stop();
  },
);

test('an answer that cannot be passed to another thread ends its request alone', async () => {
  const path = join(folder, 'unsendable.cjs');
  writeFileSync(
    path,
    `const { parentPort } = require('node:worker_threads');
     const postMessage = parentPort?.postMessage;
     if (parentPort) parentPort.postMessage = (message) =>
       postMessage.call(parentPort, message.result?.statusCode === 404 ? { ...message, of: () => {} } : message);`,
  );
  const env = { LEDGER_THREADS: '2', NODE_OPTIONS: `--require ${path}` };
  const runtime = await start({ env });
  const ledger = await furnished(runtime);
  const paths = ['nobody', 'bob', 'nobody', 'ann', 'nobody', 'nobody', 'bob', 'ann'];
  const statuses = await Promise.all(
    paths.map((one) =>
      ledger.get(`/wallets/${one}`).then(
        ({ status }) => status,
        () => 'closed',
      ),
    ),
  );
  const [no, ok] = ['closed', 200];
  expect(statuses).toEqual([no, ok, no, ok, no, no, ok, ok]);
  expect(failuresOf(runtime)).toBe(0);
  await runtime.stop();
});

test('a thread that fails under load ends after its writes, so that the others go on', async () => {
  const data = newDataFolder();
  const fault = faults['an error that is thrown'];
  const runtime = await start({ data, env: { LEDGER_THREADS: '2', ...hookOf(fault) } });
  const ledger = await furnished(runtime);
  let [paidCount, isOver] = [0, false];
  const pay = async (): Promise<void> => {
    while (!isOver) {
      // What a thread had not answered when it failed gets no answer.
      paidCount += await ledger.post('/intents', payment('transfer ann bob 1 usd')).then(
        ({ status }) => Number(status === 201),
        () => 0,
      );
    }
  };
  const payers = Array.from({ length: 6 }, pay);
  for (let round = 1; round <= 8; round += 1) {
    const failures = failuresOf(runtime);
    await until('no thread has failed', async () => {
      await provoke(ledger);
      return failuresOf(runtime) > failures;
    });
    const before = paidCount;
    await until('nobody goes on', () => paidCount > before + 3);
  }
  isOver = true;
  await Promise.all(payers);
  // The last failure may be yet to come.
  let usd: string | undefined;
  await until('nobody answers', async () => {
    usd = await ledger.balances('bob').then(
      (balances) => balances['usd'],
      () => undefined,
    );
    return usd !== undefined;
  });
  expect(Number(usd)).toBeGreaterThanOrEqual(paidCount);
  await runtime.stop();
  expect(await audit(data)).toEqual({ code: 0, said: expect.any(String) });
  rmSync(data, { recursive: true });
});

const failuresOf = ({ complaints }: Runtime): number =>
  complaints.filter((line) =>
    line.startsWith(
      'A thread of the functions failed and is restarted: Error: nobody catches this',
    ),
  ).length;
