/**
 * Goal: a preview tells what a create with the same body would do, by the same rules, and leaves nothing behind.
 * Ruling 91.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  active,
  type Body,
  type Client,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  type Reply,
  unique,
} from '../fixture/client.ts';
import { ann, bob, byKey, forbidden, houseOf, outcome, owner, wallet } from '../fixture/house.ts';
import { intentBody } from '../fixture/payment.ts';
import { nowhere } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const home = await sharedHome();
const [key, stranger] = [newKey(), newKey()];

const bodyOf = (claims: readonly string[], more: Json = {}, keys = [key]): Body =>
  intentBody(claims, keys, more);
const preview = (ledger: Client, body: Body, options = {}) =>
  ledger.post('/intents/!preview', body, options);
const withoutProofs = (body: Body): Body => ({ ...body, meta: { proofs: [] } });

/** A ledger with usd, wallets, one that forwards to another, one at a bridge, and one with a limit. */
async function bank(): Promise<Client> {
  const ledger = await newLedger(home, key);
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
  await ledger.make('bridges', { handle: 'far', config: { server: nowhere } }, key, active());
  const routes = [{ action: 'forward', target: 'b' }];
  const wallets: Json[] = [{ handle: 'a' }, { handle: 'b' }, { handle: 'c', routes }];
  for (const data of [...wallets, { handle: 'd', bridge: 'far' }, { handle: 'e' }])
    await ledger.make('wallets', data, key);
  await ledger.settle(key, 'issue a 1000 usd', 'limit e maxBalance 50 usd');
  return ledger;
}

/** What a create has done, in the words of a preview. */
function doneBy({ data, meta }: Item): Json {
  const words = meta.proofs.flatMap(({ origin, custom }) =>
    origin === undefined && custom ? [custom] : [],
  );
  const failed = words.find(({ status }) => status === 'failed');
  const entries = words
    .filter(({ status }) => status === 'resolved')
    .map(({ handle: _handle, status: _status, moment: _moment, ...entry }) => entry);
  return {
    handle: data.handle,
    status: meta.status,
    statuses: words.flatMap(({ status }) => (status === 'resolved' ? [] : [status])),
    entries,
    ...(failed && { reason: failed['reason'], detail: failed['detail'] }),
  };
}

/** The rows of a preview that the ledger answers by now. */
async function balancesNow(ledger: Client, rows: readonly Json[]): Promise<Json[]> {
  const lists = await Promise.all(
    rows.map(({ wallet: of }) => ledger.get(`/wallets/${String(of)}/balances`)),
  );
  return rows.map((row, index) => {
    const found = lists[index]?.items.find(
      ({ data }) => data['symbol'] === row['symbol'] && data['schema'] === row['schema'],
    );
    return { ...row, amount: found?.data['amount'] };
  });
}

describe('a preview', () => {
  test('tells statuses, entries and balances, signed by the ledger', async () => {
    const ledger = await bank();
    const body = bodyOf(['transfer a b 25 usd']);
    const { status, body: told } = await preview(ledger, body);
    expect(status).toBe(200);
    const row = (of: string, amount: number) => ({
      ...{ wallet: of, symbol: 'usd', schema: 'available', amount },
    });
    expect(told.data).toEqual({
      handle: body.data['handle'],
      status: 'completed',
      statuses: ['pending', 'prepared', 'committed', 'completed'],
      entries: [
        { schema: 'debit', wallet: 'a', symbol: 'usd', amount: 25, inputs: [0] },
        { schema: 'credit', wallet: 'b', symbol: 'usd', amount: 25, inputs: [0] },
      ],
      balances: [row('a', 975), row('b', 25)],
    });
  });

  test('leaves no intent, no handle, no balance and no signal behind', async () => {
    const ledger = await bank();
    const body = bodyOf(['transfer a b 25 usd']);
    for (const _ of [1, 2]) expect((await preview(ledger, body)).status).toBe(200);
    const handle = String(body.data['handle']);
    expect(outcome(await ledger.get(`/intents/${handle}`))).toEqual([404, 'record.not-found']);
    expect(await ledger.balances('a')).toEqual({ usd: '1000' });
    expect(await ledger.balances('b')).toEqual({});
    // An opened balance would keep the wallet from a new handle.
    const { body: unused } = await ledger.get('/wallets/b');
    expect((await ledger.post('/wallets/b/drop', farewell(unused, key))).status).toBe(204);
    await ledger.make('wallets', { handle: 'b' }, key);
    expect((await ledger.post('/intents', body)).status).toBe(201);
  });

  test('tells why an intent would fail', async () => {
    const ledger = await bank();
    const { data } = (await preview(ledger, bodyOf(['transfer a b 1001 usd']))).body;
    expect(data).toMatchObject({
      status: 'rejected',
      reason: 'core.insufficient-balance',
      statuses: ['pending', 'failed', 'aborted', 'rejected'],
      ...{ entries: [], balances: [] },
    });
  });

  test('tells what bridges are asked for, and what would be reserved', async () => {
    const ledger = await bank();
    const { data } = (await preview(ledger, bodyOf(['transfer a d 10 usd']))).body;
    expect(data).toMatchObject({
      statuses: ['pending', 'processing'],
      entries: [{ wallet: 'a' }, { wallet: 'd', bridge: 'far' }],
      balances: [
        { wallet: 'a', schema: 'available', amount: 990 },
        { wallet: 'a', schema: 'reserved', amount: 10 },
      ],
    });
  });

  test('tells the intents that routes would add', async () => {
    const ledger = await bank();
    const { data } = (await preview(ledger, bodyOf(['transfer a c 10 usd']))).body;
    expect(data['forwarded']).toMatchObject([
      { claims: [{ source: 'c', target: 'b', amount: 10 }], entries: [{}, {}] },
    ]);
  });

  test.each([
    [
      'a taken handle',
      409,
      'record.duplicated',
      async (ledger: Client) => {
        const body = bodyOf(['transfer a b 1 usd']);
        await ledger.post('/intents', body);
        return preview(ledger, body);
      },
    ],
    [
      'an unknown domain',
      422,
      'record.relation-not-found',
      async (ledger: Client) => {
        await ledger.make('domains', { handle: 'there' }, key);
        return preview(ledger, bodyOf(['transfer a b 1 usd'], { domain: 'nowhere' }));
      },
    ],
    [
      'another hash',
      422,
      'crypto.hash-invalid',
      (ledger: Client) =>
        preview(ledger, { ...bodyOf(['transfer a b 1 usd']), hash: '0'.repeat(64) }),
    ],
    [
      'a forged proof',
      422,
      'crypto.signature-invalid',
      (ledger: Client) => {
        const [one, other] = [bodyOf(['transfer a b 1 usd']), bodyOf(['transfer a b 2 usd'])];
        return preview(ledger, { ...one, meta: other.meta });
      },
    ],
    [
      'too large data',
      413,
      'api.body-malformed',
      (ledger: Client) =>
        preview(ledger, bodyOf(['transfer a b 1 usd'], { custom: { note: 'x'.repeat(400_000) } })),
    ],
    [
      'an amount of zero',
      422,
      'record.schema-invalid',
      (ledger: Client) => preview(ledger, bodyOf(['transfer a b 0 usd'])),
    ],
  ] as const)('refuses %s as a create does', async (_, status, reason, request) => {
    expect(outcome(await request(await bank()))).toEqual([status, reason]);
  });
});

describe('rights in a preview', () => {
  const spends = { action: 'spend', record: 'wallet', ...byKey(ann), filter: { handle: 'own' } };
  const creates = { action: 'create', record: 'intent' };

  async function house(...more: Json[]): Promise<Client> {
    const ledger = await houseOf(home, spends, creates, ...more);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, owner);
    for (const handle of ['own', 'other']) await wallet(ledger, { handle });
    await ledger.settle(owner, 'issue own 100 usd', 'issue other 7 usd');
    return ledger;
  }
  const both = ['transfer own other 5 usd', 'transfer other own 1 usd', 'transfer other own 1 usd'];

  test('that are missing are named with the claims that need them, and nothing else is told', async () => {
    const ledger = await house();
    // Of a policy about money hears nobody who may not spend it.
    const values = [{ status: 'committed', quorum: [{ public: newKey().public }] }];
    const policy = { handle: 'four-eyes', schema: 'status', record: 'intent', values };
    await ledger.make('policies', policy, owner);
    const { data } = (await preview(ledger, bodyOf(both, {}, [ann]))).body;
    expect(data).toEqual({
      handle: expect.any(String),
      ...{ status: 'pending', statuses: ['pending'], entries: [], balances: [] },
      missing: [{ action: 'spend', record: 'wallet', handle: 'other', claims: [1, 2] }],
    });
  });

  test('may come from several signers', async () => {
    const ledger = await house();
    const { data } = (await preview(ledger, bodyOf(both, {}, [ann, owner]))).body;
    expect(data).toMatchObject({ status: 'completed' });
    expect(data).not.toHaveProperty('missing');
  });

  test('of a body without proofs are those of everybody', async () => {
    const ledger = await house();
    const body = withoutProofs(bodyOf(['transfer own other 5 usd'], {}, [ann]));
    expect((await preview(ledger, body)).body.data).toMatchObject({
      missing: [{ action: 'spend', handle: 'own', claims: [0] }],
    });
    const strict = await houseOf(home, spends);
    expect(outcome(await preview(strict, body))).toEqual(forbidden);
  });

  test('to read decide which balances are shown', async () => {
    const claims = ['transfer own other 5 usd'];
    const shownTo = async (ledger: Client, options = {}) => {
      const { data } = (await preview(ledger, bodyOf(claims, {}, [ann]), options)).body;
      return (data['balances'] as Json[]).map(({ wallet: of, amount }) => [of, amount]);
    };
    const reads = { action: 'read', record: 'wallet', filter: { handle: 'own' } };
    expect(await shownTo(await house())).toEqual([]);
    expect(await shownTo(await house({ ...reads, ...byKey(ann) }))).toEqual([['own', 95]]);
    const byBearer = { action: 'read', record: 'wallet', bearer: { $signer: { handle: 'bob' } } };
    const ledger = await house(byBearer);
    expect(await shownTo(ledger, bearing(bob))).toEqual([
      ['own', 95],
      ['other', 12],
    ]);
    expect(await shownTo(ledger, bearing(stranger))).toEqual([]);
  });

  test('do not tell which wallet lies behind an address', async () => {
    const ledger = await house();
    await ledger.make('domains', { handle: 'shop' }, owner);
    await wallet(ledger, { handle: 'shop' });
    const { data } = (await preview(ledger, bodyOf(['transfer x@shop own 1 usd'], {}, [ann]))).body;
    expect(data['missing']).toMatchObject([{ handle: 'x@shop' }]);
  });
});

describe('a single-use token', () => {
  test('is still good after a preview, and no good in one after its use', async () => {
    const ledger = await bank();
    const token = bearing(key, { jti: unique('jti') });
    const body = bodyOf(['transfer a b 1 usd']);
    for (const _ of [1, 2]) expect(outcome(await preview(ledger, body, token))).toEqual([200]);
    expect(outcome(await ledger.post('/intents', body, token))).toEqual([201]);
    expect(outcome(await preview(ledger, body, token))).toEqual([401, 'auth.unauthorized']);
  });
});

const named = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'nobody');
const amount = fc.constantFrom(1, 20, 60, 500, 1001);
const claim = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(named, named, amount).map((all) => `transfer ${all.join(' ')} usd`),
  },
  { weight: 2, arbitrary: fc.tuple(named, amount).map((all) => `issue ${all.join(' ')} usd`) },
  fc.tuple(named, amount).map((all) => `destroy ${all.join(' ')} usd`),
  fc.tuple(named, amount).map(([of, some]) => `limit ${of} dailyAmount ${some} usd`),
  fc.constant('issue a 1 eur'),
);
const command = fc.record({
  claims: fc.array(claim, { minLength: 1, maxLength: 4 }),
  isManual: fc.boolean(),
});

test('whatever a preview tells, a create with the same body does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 6 }), async (commands) => {
      const ledger = await bank();
      for (const { claims, isManual } of commands) {
        const config = isManual ? { config: { commit: 'manual' } } : {};
        const body = bodyOf(claims, config);
        const told: Reply = await preview(ledger, body);
        const done = await ledger.post('/intents', body);
        if (done.status !== 201) {
          expect(outcome(told)).toEqual(outcome(done));
          continue;
        }
        const {
          balances,
          forwarded = [],
          ...rest
        } = told.body.data as unknown as Json & {
          balances: Json[];
          forwarded?: Json[];
        };
        expect(rest).toEqual(doneBy(done.body));
        expect(balances).toEqual(await balancesNow(ledger, balances));
        const { items } = await ledger.get(`/intents?page.limit=100`);
        const own = items.filter(
          ({ data, meta }) =>
            (meta as { thread?: string }).thread === rest['handle'] &&
            data.handle !== rest['handle'],
        );
        expect(forwarded.map(({ claims: some }) => some).toSorted(byText)).toEqual(
          own.map(({ data }) => data['claims']).toSorted(byText),
        );
      }
    }),
    { numRuns: 20, interruptAfterTimeLimit: 30_000 },
  );
});

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
