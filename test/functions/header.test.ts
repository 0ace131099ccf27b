/** Goal: of a header that is repeated no value is passed over, so that nobody judges a request by another than the ledger. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { newKey, newLedger } from '../fixture/client.ts';
import { sharedHome } from '../fixture/served.ts';
import { tokenOf } from '../fixture/token.ts';

const key = newKey();
const home = await sharedHome();
const own = String((await newLedger(home, key)).ledger);
const good = `Bearer ${tokenOf(key)}`;
const bad = 'Bearer a.b.c';

/** The status of an answer and the reason of a refusal. `headers` are names and values, in this order. */
async function statusOf(...headers: readonly string[]) {
  const all = ['host', new URL(home.url).host, ...headers];
  const [answer] = (await once(get(`${home.url}/ledger`, { headers: all }), 'response')) as [
    IncomingMessage,
  ];
  const { data } = (await json(answer)) as { data: { reason?: string } };
  return [answer.statusCode, data.reason];
}

const others = Array.from({ length: 2_100 }, () => ['h', '']).flat();

test.each([
  ['one ledger', ['x-ledger', own], [200, undefined]],
  ['one token', ['x-ledger', own, 'authorization', good], [200, undefined]],
  ['two ledgers', ['x-ledger', own, 'x-ledger', 'other'], [404, 'api.route-not-found']],
  ['two spellings of it', ['X-Ledger', 'other', 'x-ledger', own], [404, 'api.route-not-found']],
  ['the same ledger twice', ['x-ledger', own, 'x-ledger', own], [404, 'api.route-not-found']],
  [
    'a good token before a bad one',
    ['x-ledger', own, 'authorization', good, 'Authorization', bad],
    [401, 'auth.unauthorized'],
  ],
  [
    'a good token behind a bad one',
    ['x-ledger', own, 'authorization', bad, 'authorization', good],
    [401, 'auth.unauthorized'],
  ],
  [
    'a ledger behind 2,100 other headers',
    [...others, 'x-ledger', 'other'],
    [404, 'api.route-not-found'],
  ],
])('%s', async (_, headers, answer) => expect(await statusOf(...headers)).toEqual(answer));
