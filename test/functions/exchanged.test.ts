/**
 * Goal: a client believes an answer of the ledger only where it is one to what was asked, whatever else the ledger has
 * signed, and refuses no honest one. Method: whoever stands between changes no byte, and answers with another answer.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../infra/topology.ts';
import {
  connect,
  type Ledger,
  LedgerRefused,
  LedgerUntrusted,
  newKey as newSigner,
  transfer,
} from '../../shared/client/client.ts';
import { keepsNames, prefixesByPath } from '../../shared/client/expected.ts';
import { type Kind, kinds, lineOf } from '../../shared/ledger/kind.ts';
import { clientOf, newKey, newLedger, revision, unique } from '../fixture/client.ts';
import { furnish } from '../fixture/everywhere.ts';
import { ownRuntime } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const runtime = await ownRuntime();
const home = clientOf(runtime.url, runtime.key);
const [owner, signer] = [newKey(), newSigner()];

/** Answers in place of the ledger; undefined lets a request pass. */
type Swap = (path: string, init: RequestInit) => Promise<Response> | undefined;

/** A client whose requests pass by somebody. */
function over(swap: Swap, ledger?: string): Promise<Ledger> {
  const between: typeof fetch = (input, init = {}) =>
    swap(String(input).slice(home.url.length), init) ?? fetch(input, init);
  return connect(home.url, {
    signer,
    trust: home.key,
    fetch: between,
    attempts: 2,
    ...(ledger && { ledger }),
  });
}

const asking = (path: string, init: RequestInit = {}) => fetch(`${home.url}${path}`, init);
/** What is asked at one path is answered with what is at another one. */
const instead = (from: string, to: string): Swap => {
  return (path, init) => (path === from ? asking(to, init) : undefined);
};
/** The same answer with another status of HTTP. */
const as = (answer: Response, status = answer.status) => new Response(answer.body, { status });
const read = (ledger: Ledger, path: string) => ledger.get(path as '/ledger');
const untrusted = (asked: string, came: string) => ({
  name: 'LedgerUntrusted',
  message: expect.stringMatching(new RegExp(`asked, .*${asked}.* it is .*${came}`)),
});

beforeAll(async () => {
  await furnish(home, owner);
  for (const handle of ['wallet-2', 'wallet-3']) {
    await home.submit(owner, [`issue ${handle} 5 symbol-3`], { handle: `to-${handle}` });
    await home.submit(owner, [`limit ${handle} maxBalance 100 symbol-3`], {
      handle: `limit-${handle}`,
    });
  }
}, 60_000);

/** The endpoints that answer with signed JSON. */
const endpoints = (Object.values(groups).flat() as string[])
  .filter((one) => one.startsWith('GET '))
  .map((one) => one.slice('GET '.length))
  .filter((path) => !/^\/(console|docs|openapi|oauth)|tile|checkpoint|assets/.test(path));

const nameOf = (group: string, n: number) => {
  const [kind] = Object.entries(kinds).find((entry) => entry[1].group === group) ?? ['ledger'];
  return `${kind}-${n}`;
};

/** The path of an endpoint for the nth record of its kind, by handle or by luid. */
async function pathOf(endpoint: string, n: number, byLuid: boolean): Promise<string> {
  const [, group = ''] = endpoint.split('/');
  const own = nameOf(group, n);
  const nested = /\{signer\}|\{link\}/.test(endpoint);
  const record = byLuid ? (await home.get(`/${group}/${own}`)).body?.luid : own;
  const owned = nested ? nameOf(group, 3) : record;
  const sub = group === 'circles' ? `signer-${n}` : `signer-factor-${n}`;
  const part =
    group === 'circles' ? `/circles/circle-3/signers/${sub}` : `/signers/signer-3/factors/${sub}`;
  const inner = nested && byLuid ? (await home.get(part)).body?.luid : sub;
  const values: Record<string, unknown> = { id: owned, change: 1, signer: owned, link: inner };
  if (endpoint.startsWith('/signers/{signer}')) values['id'] = inner;
  if (endpoint.includes('{delivery}')) {
    const { items } = await home.get(`/${group}/${own}/events`);
    values['delivery'] = items[0]?.luid ?? '$evd.00000000000000000';
  }
  const path = endpoint.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  const query: Record<string, string> = {
    '/wallets/{id}/entries': '?symbol=symbol-3',
    '/log/proof': `?luid=${encodeURIComponent((await home.get('/symbols/symbol-3')).body.luid ?? '')}&change=1`,
    '/log/consistency': '?from=0',
    '/balances': '?symbol=symbol-3',
  };
  return path + (query[endpoint] ?? '');
}

/** The paths of all endpoints for the nth records, each that was answered. */
async function answeredPaths(n: number, byLuid: boolean) {
  const found: { readonly endpoint: string; readonly path: string }[] = [];
  for (const endpoint of endpoints) {
    const path = await pathOf(endpoint, n, byLuid);
    const { status } = await home.get(path);
    if (status === 200) found.push({ endpoint, path });
  }
  return found;
}

test('the client knows the kinds of records, and which of them keep their names', () => {
  const all = Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][];
  const pathOfKind = (kind: Kind) => {
    const { group, within } = lineOf(kind);
    return within ? `${lineOf(within).group}/${group}` : group;
  };
  const prefixes = all.map(([kind, { prefix }]) => [pathOfKind(kind), prefix]);
  expect(prefixesByPath).toEqual(Object.fromEntries(prefixes));
  const keeping = all.filter((entry) => !entry[1].renames).map((entry) => entry[1].prefix);
  expect([...keepsNames].sort()).toEqual(keeping.sort());
});

/** Endpoints of which nothing tells whose they are: rows that name no owner, and lists without rows. */
const empty = ['/wallets/{id}/anchors', '/wallets/{id}/domains', '/circles/{id}/signers'];
const unnamed = [...empty, '/effects/{id}/events', '/bridges/{id}/events'];

describe('what is read', () => {
  test.each([false, true])('is believed where it was asked for, by luid: %s', async (byLuid) => {
    const ledger = await over(() => undefined);
    const paths = await answeredPaths(3, byLuid);
    expect(paths.length).toBeGreaterThan(80);
    for (const { path } of paths) expect(await read(ledger, path), path).toBeDefined();
  });

  test.each([false, true])('is not where it is of another record, by luid: %s', async (byLuid) => {
    const [paths, others] = await Promise.all([answeredPaths(3, byLuid), answeredPaths(2, byLuid)]);
    const believed: string[] = [];
    for (const { endpoint, path } of paths) {
      const other = others.find((one) => one.endpoint === endpoint);
      if (!other || other.path === path) continue;
      const ledger = await over(instead(path, other.path));
      const error = await read(ledger, path).catch((one: unknown) => one);
      if (!(error instanceof LedgerUntrusted)) believed.push(endpoint);
    }
    expect(believed.filter((one) => !unnamed.includes(one))).toEqual([]);
  });

  test.each([
    ['/intents/intent-3', '/intents/intent-2', 'intent-2'],
    ['/intents/intent-3', '/wallets/wallet-3', 'wallet-3'],
    ['/intents/intent-3', '/intents', 'a list'],
    ['/intents', '/wallets', 'a list of'],
    ['/intents', '/intents/intent-3', 'intent-3'],
    ['/wallets/wallet-3/balances', '/wallets/wallet-2/balances', 'of wallet wallet-2'],
    ['/wallets/wallet-3/balances', '/wallets/wallet-3/limits', 'a list of'],
    ['/wallets/wallet-3/changes/1', '/wallets/wallet-3', 'wallet-3'],
    ['/wallets/wallet-3/changes', '/wallets/wallet-2/changes', 'wallet-2'],
    ['/intents/intent-3', '/wallets/nobody', 'record.not-found', 200],
    ['/', '/wallets/wallet-3', 'wallet-3'],
    ['/', '/wallets/nobody', 'record.not-found', 200],
    ['/signers/system', '/signers/signer-3', 'signer-3'],
  ])('%s is not answered with %s', async (asked, other, came, status?: number) => {
    const ledger = await over((path) =>
      path === asked ? asking(other).then((one) => as(one, status)) : undefined,
    );
    await expect(read(ledger, asked)).rejects.toMatchObject(untrusted(asked, came));
  });

  test('the addressed ledger is not another one that it has signed', async () => {
    const { headers = {} } = bearing(owner);
    const other = () => asking('/ledgers/ledger-3', { headers });
    const ledger = await over((path) => (path === '/ledger' ? other() : undefined), 'main');
    await expect(ledger.get('/ledger')).rejects.toMatchObject(untrusted('/ledger', 'ledger-3'));
    const { luid } = (await home.get('/ledger')).body;
    const byLuid = await over(() => undefined, luid);
    expect((await byLuid.get('/ledger')).data.handle).toBe('main');
  });

  test('a record has the names that it had, and its rows the one that it has', async () => {
    const before = await home.make('wallets', { handle: unique('before') }, owner);
    const after = unique('after');
    await home.put(`/wallets/${before.luid}`, revision(before, { handle: after }, owner));
    await home.submit(owner, [`issue ${after} 5 symbol-3`], {});
    const ledger = await over(() => undefined);
    for (const id of [after, before.luid]) {
      const path = { id };
      const change = await ledger.get('/wallets/{id}/changes/{change}', {
        path: { ...path, change: '1' },
      });
      expect(change.data.handle).toBe(before.data['handle']);
      const rows = await ledger.get('/wallets/{id}/changes', { path });
      expect(rows.data.map(({ data }) => data.handle)).toEqual([after, before.data['handle']]);
      expect((await ledger.get('/wallets/{id}/balances', { path })).data).toHaveLength(1);
    }
  });
});

describe('what was sent', () => {
  const posted = (path: string, answer: () => Promise<Response>): Swap => {
    return (asked, { method }) => (method !== 'GET' && asked === path ? answer() : undefined);
  };
  const made = async () =>
    (await over(() => undefined)).create('/wallets', { handle: unique('w') });

  test('is not made where the answer is of something else', async () => {
    const old = () => asking('/intents/intent-3').then((one) => as(one, 201));
    const ledger = await over(posted('/intents', old));
    const claim = transfer('wallet-3', 'wallet-2', { symbol: 'symbol-3', amount: 1 });
    const handle = unique('order');
    const intent = ledger.pay(claim, { handle });
    await expect(intent).rejects.toMatchObject(untrusted('/intents', 'intent-3'));
    expect((await home.get(`/intents/${handle}`)).status).toBe(404);
    const preview = ledger.post('/intents/!preview', { handle, claims: [claim] });
    expect((await preview)?.data.handle).toBe(handle);
  });

  test('is not made where the answer has the same data, and not this proof', async () => {
    const wallet = await made();
    const same = () => asking(`/wallets/${wallet.luid}`).then((one) => as(one, 201));
    const ledger = await over(posted('/wallets', same));
    const again = ledger.create('/wallets', { handle: wallet.data.handle });
    await expect(again).rejects.toMatchObject(untrusted('/wallets', wallet.data.handle));
  });

  test('is not changed or proved where the answer is what was there before', async () => {
    const wallet = await made();
    const path = `/wallets/${wallet.data.handle}`;
    for (const end of ['', '/proofs']) {
      const ledger = await over(posted(`${path}${end}`, () => asking(path)));
      const change =
        end === ''
          ? ledger.update('/wallets/{id}', wallet, { custom: { tier: 'gold' } })
          : ledger.prove('/wallets/{id}/proofs', wallet, { status: 'inactive' });
      await expect(change).rejects.toMatchObject(untrusted(path, wallet.data.handle));
    }
  });

  test('is not previewed where the answer is of another intent', async () => {
    const claims = [transfer('wallet-3', 'wallet-2', { symbol: 'symbol-3', amount: 1 })];
    const other = (await over(() => undefined)).post('/intents/!preview', { handle: 'o', claims });
    const answer = JSON.stringify(await other);
    const path = '/intents/!preview';
    for (const text of [answer, '']) {
      const ledger = await over(posted(path, async () => new Response(text || null)));
      await expect(ledger.post(path, { handle: 'p', claims })).rejects.toThrow(LedgerUntrusted);
    }
  });

  test('is not followed where another intent comes in its place', async () => {
    const { body: held } = await home.get('/intents/intent-2');
    const ledger = await over(
      instead(`/intents/${encodeURIComponent(held.luid)}`, '/intents/to-wallet-2'),
    );
    const pending = { ...held, meta: { ...held.meta, status: 'pending' } };
    const end = ledger.settled(pending as never, 5_000);
    await expect(end).rejects.toMatchObject(untrusted('/intents/', 'to-wallet-2'));
  });
});

describe('an end', () => {
  const nothing: Swap = (path) =>
    path.endsWith('/drop') ? Promise.resolve(new Response(null, { status: 204 })) : undefined;

  test('is believed where the ledger shows it', async () => {
    const ledger = await over(nothing);
    const wallet = await ledger.create('/wallets', { handle: unique('w') });
    await expect(ledger.drop('/wallets/{id}/drop', wallet)).rejects.toThrow('says otherwise');
    const honest = await over(() => undefined);
    await honest.drop('/wallets/{id}/drop', wallet);
    expect((await home.get(`/wallets/${wallet.data.handle}`)).status).toBe(404);
  });

  test('of a member of a circle is its absence', async () => {
    const path = { id: 'circle-3', link: 'signer-1' };
    const link = await (await over(() => undefined)).get('/circles/{id}/signers/{link}', { path });
    const dropping = '/circles/{id}/signers/{link}/drop';
    await expect((await over(nothing)).drop(dropping, link, { path })).rejects.toThrow(
      'says otherwise',
    );
    const honest = await over(() => undefined);
    // Whoever may not drop it is told so.
    await honest.drop(dropping, link, { path });
    await expect(read(honest, '/circles/circle-3/signers/signer-1')).rejects.toThrow(LedgerRefused);
  });
});

describe('a refusal', () => {
  const refusal = (reason: string, status: number, proofs: unknown[] = []): Swap => {
    const body = JSON.stringify({ data: { reason, detail: 'No.' }, meta: { proofs } });
    return () => Promise.resolve(new Response(body, { status, headers: { 'retry-after': '0' } }));
  };

  test('is signed by the ledger', async () => {
    const ledger = await over(() => undefined);
    const refused = { name: 'LedgerRefused', reason: 'record.not-found', isSigned: true };
    await expect(read(ledger, '/wallets/nobody')).rejects.toMatchObject(refused);
  });

  test.each(['record.not-found', 'auth.forbidden', 'record.invalid', 'api.query-malformed'])(
    'for %s is not believed where it is not',
    async (reason) => {
      const ledger = await over(refusal(reason, 404));
      const error = await read(ledger, '/wallets/wallet-3').catch((one: unknown) => one);
      expect(error).toBeInstanceOf(LedgerUntrusted);
      expect(String(error)).toContain(`The refusal ${reason} of get /wallets/wallet-3`);
    },
  );

  test('of a gateway is told as one that nobody signed', async () => {
    const ledger = await over(refusal('api.rate-limit-exceeded', 429));
    const refused = { name: 'LedgerRefused', status: 429, isSigned: false };
    await expect(read(ledger, '/wallets/wallet-3')).rejects.toMatchObject(refused);
  });

  test('of a ledger that the server does not host, or may not make, is the server’s', async () => {
    const { key } = (await newLedger(home, owner)) as { readonly key: string };
    const nowhere = await connect(home.url, { signer, trust: key, ledger: unique('nowhere') });
    const refused = { reason: 'api.route-not-found', isSigned: false };
    await expect(nowhere.get('/ledger')).rejects.toMatchObject(refused);
    const { ledger: handle = '', key: trust } = await newLedger(home, owner);
    const other = await connect(home.url, { signer, trust, ledger: handle });
    const taken = other.create('/ledgers', { handle: 'main' });
    await expect(taken).rejects.toMatchObject({ name: 'LedgerRefused', isSigned: false });
  });
});
