/**
 * Goal: no record is stored whose access rules cannot be judged: they would grant nothing, and a ledger of such rules
 * would be open to its owners alone. Method: every endpoint that stores data is sent such rules, and once the same
 * data without them. Rulings 30 and 34.
 */
import { describe, expect, test } from 'vitest';
import { groups } from '../../infra/topology.ts';
import { clientOf, type Json, newOwnLedger, signed } from '../fixture/client.ts';
import { furnish, requestTo } from '../fixture/everywhere.ts';
import { outcome, owner } from '../fixture/house.ts';
import { ownRuntime } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const runtime = await ownRuntime();
const home = clientOf(runtime.url, runtime.key);
const ledger = await newOwnLedger(home, owner);
await furnish(ledger, owner, ['ledger']);

const all = Object.values(groups).flat() as string[];
const storing = all.filter(
  (endpoint) =>
    (endpoint.startsWith('PUT ') || /^POST [^!]*\/(\w+)$/.test(endpoint)) &&
    !/\/(proofs|sign|drop|retry|activate|token)$/.test(endpoint),
);

/** Conditions of the right shape that cannot be judged. */
const unjudged: readonly (readonly [string, Json])[] = [
  ['a filter without a path', { filter: { 'a..b': 1 } }],
  ['an unknown operator', { filter: { a: { $near: 1 } } }],
  ['an operator in the place of a path', { filter: { $or: [{ handle: 'a' }] } }],
  ['the same in a change', { change: { $not: { handle: 'a' } } }],
  ['a filter on what no record has', { filter: { 'data.handle': { $ne: 'a' } } }],
  ['a change of what none has', { change: { 'meta.labels': { $ne: 'a' } } }],
  ['a change by a broken pattern', { change: { a: { $regex: '(' } } }],
  ['a bearer by a broken pattern', { bearer: { sub: { $regex: '(' } } }],
];

/** Sends the request of an endpoint with those rules; the ledger changes its own record. */
async function sent(endpoint: string, access: readonly Json[] | undefined) {
  const isLedger = endpoint === 'PUT /ledgers/{id}';
  const like = isLedger ? 'PUT /ledger' : endpoint;
  const { method, path, body } = await requestTo(ledger, like, owner, owner);
  const { data } = body as { readonly data: Json };
  const to = isLedger ? `/ledgers/${ledger.ledger}` : path;
  const request = signed({ ...data, ...(access && { access }) }, owner);
  // A refused creation of a ledger is signed by the server. Ruling 8.
  const isServers = endpoint === 'POST /ledgers' && access;
  return ledger.send(method, to, request, isServers ? { signer: home.key } : {});
}

test('these endpoints store data', () => {
  expect(storing.length).toBeGreaterThan(25);
  expect(storing).toEqual(
    expect.arrayContaining(['POST /ledgers', 'POST /intents', 'PUT /ledger']),
  );
});

describe.each(storing)('%s', (endpoint) => {
  test.each(unjudged)('refuses %s', async (_, condition) => {
    const reply = await sent(endpoint, [{ action: 'read', ...condition }]);
    expect(outcome(reply), reply.text).toEqual([422, 'record.invalid']);
  });

  test('stores the same without rules', async () => {
    const reply = await sent(endpoint, undefined);
    expect([200, 201], reply.text).toContain(reply.status);
  });
});

test('a list of intents stays readable', async () => {
  const { status, text } = await ledger.get('/intents', bearing(owner));
  expect(status, text).toBe(200);
});
