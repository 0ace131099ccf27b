/**
 * Goal: a misspelled query parameter is an error, and never a longer list than was meant. Method: every endpoint is
 * sent a parameter that it does not know; lists are sent misspelled ones too. Ruling 20.
 */
import { describe, expect, test } from 'vitest';
import { groups } from '../../infra/topology.ts';
import { clientOf, newLedger, newOwnLedger, proofOf, unique } from '../fixture/client.ts';
import { furnish, requestTo } from '../fixture/everywhere.ts';
import { ann, outcome, owner } from '../fixture/house.ts';
import { ownRuntime } from '../fixture/served.ts';

const runtime = await ownRuntime();
const home = clientOf(runtime.url, runtime.key);
const ledger = await newLedger(home, owner);
await furnish(ledger, owner, ['ledger']);

const all = Object.values(groups).flat() as string[];
/** RFC 6749 3.2: the token endpoint ignores what it does not know. */
const knowing = all.filter((endpoint) => endpoint !== 'POST /oauth/token');
const malformed = [400, 'api.query-malformed'];

async function sent(endpoint: string, query: string) {
  const { method, path, body } = await requestTo(ledger, endpoint, owner, owner);
  const own = path.replace('/ledgers/main', `/ledgers/${ledger.ledger}`);
  const options = endpoint === 'POST /ledgers' ? { signer: home.key } : {};
  const mark = own.includes('?') ? '&' : '?';
  return ledger.send(method, `${own}${mark}${query}`, body, options);
}

describe('a parameter that nobody knows is refused by name:', () => {
  test.each(knowing)('%s', async (endpoint) => {
    const reply = await sent(endpoint, 'at=2026-01-01');
    expect(outcome(reply), reply.text).toEqual(malformed);
    expect(reply.detail).toBe("Query parameter 'at' is not known.");
    expect(reply.custom).toEqual({ parameter: 'at' });
  });

  test.each([
    'color=red',
    'include=all',
    '__proto__=x',
    'a%00=1',
    'data=y',
    'luid=x',
    'PAGE.LIMIT=5',
  ])('in a list: %s', async (query) =>
    expect(outcome(await ledger.get(`/wallets?${query}`))).toEqual(malformed),
  );

  test('nothing is stored', async () => {
    const { path, body } = await requestTo(ledger, 'POST /wallets', owner, owner);
    expect(outcome(await ledger.post(`${path}?dryRun=true`, body as object))).toEqual(malformed);
    expect(outcome(await ledger.post(path, body as object))).toEqual([201]);
  });
});

describe('the nearest that is known is named:', () => {
  test.each([
    ['/wallets', 'pgae.limit', 'page.limit'],
    ['/wallets', 'page.indx', 'page.index'],
    ['/wallets/wallet-3/balances', 'page.cursr', 'page.cursor'],
    ['/wallets', 'dta.handle.$in', 'data.handle'],
    ['/wallets/wallet-3/changes', 'eta.change', 'meta.change'],
    ['/intents', '$plainTextQeury', '$plainTextQuery'],
    ['/wallets', 'page.limit[0]', 'page.limit'],
  ])('%s?%s', async (path, parameter, nearest) => {
    const { reason, detail, custom } = await ledger.get(`${path}?${parameter}=1`);
    expect(reason).toBe('api.query-malformed');
    expect(detail).toBe(
      `Query parameter '${parameter}' is not known; the nearest one is '${nearest}'.`,
    );
    expect(custom).toEqual({ parameter, nearest });
  });

  test('a long name is cut', async () => {
    const { custom } = await ledger.get(`/wallets?${'x'.repeat(3000)}=1`);
    expect(custom).toEqual({ parameter: 'x'.repeat(100) });
  });
});

describe('what comes before the query is refused first:', () => {
  test('a wrong signature', async () => {
    const { path, body } = await requestTo(ledger, 'POST /wallets', owner, owner);
    const { hash } = body as { readonly hash: string };
    const forged = { ...proofOf(hash, owner), public: ann.public };
    const reply = await ledger.post(`${path}?at=1`, { ...body, meta: { proofs: [forged] } });
    expect(outcome(reply)).toEqual([422, 'crypto.signature-invalid']);
  });

  test('but a permission comes after it', async () => {
    const closed = await newOwnLedger(home, owner);
    expect(outcome(await closed.get('/wallets?at=1'))).toEqual(malformed);
    expect(outcome(await closed.get(`/wallets/${unique('x')}`))).toEqual([
      401,
      'auth.unauthorized',
    ]);
  });
});

test('a list ignores the credentials that the public client repeats in its query', async () => {
  const query = 'authParams.aud=x&authParams.keyPair.public=y&page.index=0&page.limit=1';
  const { status, text } = await ledger.get(`/wallets?${query}`);
  expect([status, text.includes('authParams')]).toEqual([200, false]);
});

test('the token endpoint ignores what it does not know', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'grant_type=client_credentials&client_id=x&client_secret=y';
  const answers = ['', '?at=1'].map(async (query) => {
    const reply = await fetch(`${runtime.url}/oauth/token${query}`, {
      method: 'POST',
      headers,
      body,
    });
    return [reply.status, await reply.text()];
  });
  const [plain, more] = await Promise.all(answers);
  expect(more).toEqual(plain);
});
