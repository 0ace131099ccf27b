/** Goal: the log of a running ledger says what became of requests, intents and deliveries, and keeps secrets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, newKey, newOwnLedger, signed } from '../fixture/client.ts';
import { startReceiver, until } from '../fixture/receiver.ts';
import { type Runtime, start } from '../fixture/runtime.ts';
import { tokenOf } from '../fixture/token.ts';

interface Line {
  readonly [name: string]: unknown;
}

const key = newKey();
const receiver = await startReceiver();
let runtime: Runtime;
beforeAll(async () => {
  runtime = await start({ env: { LEDGER_LOG: 'info' } });
});
afterAll(async () => {
  await runtime.stop();
  await receiver.stop();
});

const lines = (): Line[] => runtime.complaints.map((line) => JSON.parse(line) as Line);
/** The line of a request or of a worker, once it is written. */
async function lineWhere(what: string, isMeant: (line: Line) => boolean): Promise<Line> {
  await until(`no line of ${what}`, () => lines().some(isMeant));
  return lines().find(isMeant) as Line;
}

test('intents have status and reason, deliveries their outcome, and no line a secret', async () => {
  const ledger = await newOwnLedger(clientOf(runtime.url, runtime.key), key);
  const action = { schema: 'webhook', endpoint: receiver.at('/private-path') };
  const effect = await ledger.make(
    'effects',
    { handle: 'hook', signal: 'intent-updated', action },
    key,
  );
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
  await ledger.make('wallets', { handle: 'jane-doe' }, key);
  const claims = [{ action: 'issue', target: 'jane-doe', symbol: 'usd', amount: 2550 }];
  const send = async (handle: string, change: object) => {
    const reply = await ledger.post(
      '/intents',
      signed({ handle, claims: [{ ...claims[0], ...change }] }, key),
    );
    const request = reply.headers.get('x-request-id');
    return { reply, line: await lineWhere(handle, (line) => line['request'] === request) };
  };
  const paid = await send('salary-of-jane', {});
  expect(paid.line).toMatchObject({
    ...{ level: 'info', endpoint: 'POST /intents', status: 201, ledger: ledger.ledger },
    intent: { luid: paid.reply.body.luid, status: 'completed' },
  });
  const failed = await send('salary-of-nobody', { target: 'nobody' });
  expect(failed.line).toMatchObject({
    ...{ endpoint: 'POST /intents', status: 201 },
    intent: {
      ...{ luid: failed.reply.body.luid, status: 'rejected' },
      reason: expect.stringMatching(/^core\./),
    },
  });
  const token = tokenOf(key, { aud: runtime.url });
  const headers = { authorization: `Bearer ${token}` };
  expect((await ledger.get('/wallets/jane-doe', { headers })).status).toBe(200);
  const delivered = await lineWhere('a delivery', ({ where }) => where === 'delivery');
  expect(delivered).toMatchObject({
    ...{ level: 'info', ledger: ledger.ledger, target: effect.luid, what: 'intent-updated' },
    ...{ attempt: 1, status: 'delivered', answer: 204, ms: expect.any(Number) },
  });
  const text = runtime.complaints.join('\n');
  for (const secret of [token, key.public, 'jane-doe', 'salary', 'private-path', '2550'])
    expect(text).not.toContain(secret);
  for (const { time, level } of lines())
    expect([level, Date.parse(String(time))]).toEqual(['info', expect.any(Number)]);
});

test('for people a line begins with the time of the day and the endpoint', async () => {
  const own = await start({ env: { LEDGER_LOG: 'info', LEDGER_LOG_FORMAT: 'text' } });
  await clientOf(own.url, own.key).get('/wallets/none');
  await until('no line', () => own.complaints.length > 0);
  await own.stop();
  expect(own.complaints[0]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} GET \/wallets\/\{id\} 404 \d+ ms ledger=main reason=record.not-found request=\S+$/,
  );
});
