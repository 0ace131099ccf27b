/** Goal: whatever is answered, and however it went, browsers are told the same. */
import { describe, expect, test } from 'vitest';
import { refuse, reply } from '../../shared/http/reply.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { Answer, Services } from '../../shared/port/action.ts';
import { openDesk } from '../fixture/desk.ts';

const { services } = await openDesk();
const at = (server: string): Services => ({
  ...services,
  settings: { ...services.settings, servers: [server] },
});
const secure = at('https://ledger.example/v2');
const state = { request: 'request-1', startedMs: 0 };
const protection = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'request-1',
};
const said: Answer = { status: 400, body: { error: 'no' } };

describe('what browsers are told is on', () => {
  test.each<[string, Answer]>([
    ['a record', { status: 200, body: { data: {} } }],
    ['an empty answer', { status: 204 }],
    ['a text', { status: 200, document: { type: 'text/plain', text: 'a,b' } }],
  ])('%s', (_, answer) => {
    expect(reply(secure, answer, 'request-1').headers).toMatchObject(protection);
  });

  test.each<[string, unknown, object]>([
    ['a refusal', new LedgerError('record.not-found', 'Wallet not found'), state],
    ['a failure of ours', new Error('boom'), state],
    ['a refusal in other words', new Error('boom'), { ...state, refuse: () => said }],
  ])('%s', async (_, error, known) => {
    const { headers } = await refuse(secure, error, known as typeof state);
    expect(headers).toMatchObject(protection);
  });
});

test('a document may be kept, and may have a style of its own, when it says so', () => {
  const headers = { 'cache-control': 'public, max-age=300' };
  const document = { type: 'application/json', text: '{}', headers };
  const answered = reply(secure, { status: 200, document }, 'request-1').headers;
  expect(answered).toMatchObject({ ...protection, ...headers });
});

test('without TLS nobody is told to come by TLS', () => {
  const { headers } = reply(at('http://127.0.0.1:3000/v2'), { status: 204 }, 'request-1');
  expect(headers).not.toHaveProperty('strict-transport-security');
});

// The body lies in a JSON string, with its quotes around it.
test.each([
  ['letters', 'x', 1],
  ['quotes, which are escaped in the body and again', '"', 4],
  ['control characters', '\u0001', 7],
  ['letters of three bytes', '€', 3],
])(
  'an answer of %s is refused by its bytes as they are carried, and no shorter one',
  (_, one, bytes) => {
    const frame = JSON.stringify(JSON.stringify({ data: '' })).length;
    const most = Math.floor((6_000_000 - frame) / bytes);
    const answered = (count: number) =>
      reply(secure, { status: 200, body: { data: one.repeat(count) } }, 'request-1');
    expect(JSON.parse(answered(most).body)).toEqual({ data: one.repeat(most) });
    const told = frame + (most + 1) * bytes;
    const detail = `The answer would take ${told} bytes; at most 6000000 can be carried.`;
    expect(() => answered(most + 1)).toThrow(
      new LedgerError('api.query-malformed', detail, { bytes: told }),
    );
  },
);
