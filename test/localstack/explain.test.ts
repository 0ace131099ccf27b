/**
 * Goal: `countersign explain` says what the endpoints do: the same refusals in the same words, and nothing is
 * changed by asking. Method: everything is explained first and done then, by callers with and without rights.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../infra/topology.ts';
import { pageOf } from '../../localstack/cli/explain-page.ts';
import type { ExplainRequest } from '../../localstack/cli/explain-request.ts';
import { type Explanation, explain } from '../../localstack/cli/explanation.ts';
import {
  type Client,
  clientOf,
  type Json,
  type Key,
  newKey,
  newOwnLedger,
  now,
  proofOf,
  type Reply,
  revision,
  signed,
} from '../fixture/client.ts';
import { furnish, type Request, requestTo } from '../fixture/everywhere.ts';
import { ann, bob, byKey, byToken, owner, owners, signer } from '../fixture/house.ts';
import {
  assertSilent,
  audit,
  command,
  newDataFolder,
  type Runtime,
  start,
} from '../fixture/runtime.ts';
import { bearing } from '../fixture/token.ts';
import { type Wired, wiredTo } from '../fixture/wired.ts';

const data = newDataFolder();
const stranger = newKey();
let runtime: Runtime;
let home: Client;
let wired: Wired;

const anything = { action: 'any', record: 'any' };
/** What bob may do, and what not quite. */
const access: Json[] = [
  { ...anything, ...byKey(owner) },
  { ...anything, ...byToken(owner) },
  { action: 'create', record: 'wallet', ...byKey(bob) },
  { action: 'read', record: 'wallet', bearer: { $signer: { handle: 'bob' } } },
  { action: 'query', record: 'symbol', ...byToken(bob) },
  { action: 'update', record: 'circle', ...byKey(bob), change: { handle: 'circle-x' } },
  { action: 'drop', record: 'anchor', ...byKey(bob), filter: { handle: 'anchor-2' } },
  { action: 'create', record: 'symbol-proof', ...byKey(bob) },
  { action: 'activate', record: 'effect', ...byKey(bob) },
  { action: 'remove-signer', record: 'circle', ...byKey(bob) },
  { action: 'issue', record: 'symbol', ...byKey(bob) },
  { action: 'read', record: 'signer-factor', ...byToken(bob) },
];

beforeAll(async () => {
  runtime = await start({ data });
  home = clientOf(runtime.url, runtime.key);
  await furnish(home, owner);
  for (const [name, key] of [['ann', ann] as const, ['bob', bob] as const])
    await signer(home, name, key);
  const { body } = await home.get('/ledger');
  const governed = await home.put('/ledger', revision(body, { access }, owner));
  expect(governed.status, governed.text).toBe(200);
  wired = await wiredTo(data);
});
afterAll(async () => {
  await runtime.stop();
  rmSync(data, { recursive: true });
  assertSilent(runtime.complaints);
});

const asking = (Object.values(groups).flat() as string[]).filter(
  (endpoint) => !/^(GET|POST) \/(openapi\.json|docs.*|oauth\/\w+|.*!check)?$/.test(endpoint),
);

/** The wish to hear about a request before it is sent by a key. */
function wishOf({ method, path, body }: Request, key?: Key): ExplainRequest {
  const [pathname = ''] = path.split('?');
  return {
    ...{ method, path: pathname, query: {}, signers: [], claims: {}, isAll: false },
    publics: key && !body ? [key.public] : [],
    ...(body && { body: body as Json }),
  };
}

/** Whether what was said has happened. */
function assertSo(
  { error: refusal, whenEmpty }: Explanation,
  { reason, detail, status, text }: Reply,
): void {
  const refused = refusal ?? (status === 200 ? undefined : whenEmpty);
  if (refused) expect([reason, detail], text).toEqual([refused.reason, refused.detail]);
  // What rules have let through may still not be there, or name what is not.
  else if (!/^(Event|Asset) not found$/.test(String(detail)))
    expect([undefined, 'record.relation-not-found'], text).toContain(reason);
}

describe.each([
  ['a stranger', stranger, false],
  ['a signer without rights', ann, true],
  ['a signer with some', bob, true],
] as const)('what is said of %s is what happens:', (_, key, hasToken) => {
  test.each(asking)('%s', async (endpoint) => {
    const request = await requestTo(home, endpoint, key, owner);
    const { method, path, body } = request;
    const explained = await explain(
      wired.services,
      wired.actions,
      wishOf(request, hasToken ? key : undefined),
    );
    expect(pageOf(explained, true).at(0)).toBe(`${method} ${path.split('?')[0]}, ledger main`);
    const reply = await home.send(method, path, body, body || !hasToken ? {} : bearing(key));
    assertSo(explained, reply);
  });
});

/** What the command says, and how it ends. */
async function explaining(line: string, input = '', env: Json = {}) {
  const own = { DYNAMODB_ENDPOINT: '', ...(env as Readonly<Record<string, string>>) };
  const words = line.split(' ').filter(Boolean);
  const { code, said } = await command('explain', data, { words, input, env: own });
  return { code, text: said };
}

const claims = [
  { action: 'transfer', source: 'wallet-3', target: 'wallet-2', symbol: 'symbol-3', amount: 1 },
  { action: 'issue', target: 'wallet-3', symbol: 'symbol-3', amount: 1 },
];

describe('the command', () => {
  test('ends with 0 for what is granted, and names the rule', async () => {
    const { code, text } = await explaining('GET /wallets/wallet-3 --signer bob');
    expect([code, text.trim().split('\n').at(-1)]).toEqual([0, 'Granted: ledger main, rule 4.']);
    expect(text).toContain('✓ rule 4: grants it');
    expect(text).toContain('· rule 3: grants create on wallet');
    expect(text).toContain(`with a token of bob, key ${bob.public}`);
  });

  test('ends with 1 for what is refused, and says what is missing of each rule', async () => {
    const { code, text } = await explaining('PUT /circles/circle-3 --signer bob');
    expect(code).toBe(1);
    expect(text).toContain('✗ rule 6: what changes is not as it says');
    expect(text).toContain("Refused: 403 auth.forbidden, 'Cannot update circle.'");
    expect(text).toContain('It is there, which the caller may not know.');
  });

  test('takes a body that says what changes', async () => {
    const { code, text } = await explaining(
      'PUT /v2/circles/circle-3 --signer bob --body -',
      '{"handle": "circle-x"}',
    );
    expect([code, text.includes('Granted: ledger main, rule 6.')], text).toEqual([0, true]);
  });

  test('tells which rights the claims of an intent need', async () => {
    const body = JSON.stringify(signed({ handle: 'i', claims }, [bob, owner]));
    const { code, text } = await explaining('POST /intents --body -', body);
    expect(code, text).toBe(0);
    expect(text).toContain('The claims of the intent need:');
    expect(text).toContain('✓ spend wallet wallet-3: the server, rule 1');
    expect(text).not.toContain('The intent waits');
  });

  test('says of a preview what it says of the create, and of a batch to ask for each intent', async () => {
    const body = JSON.stringify(signed({ handle: 'i', claims }, [bob, owner]));
    const [create, preview] = await Promise.all(
      ['/intents', '/intents/!preview'].map((path) => explaining(`POST ${path} --body -`, body)),
    );
    const [, ...lines] = create?.text.split('\n') ?? [];
    expect(preview?.text.split('\n')).toEqual(['POST /intents/!preview, ledger main', ...lines]);
    const batch = await explaining('POST /intents/!batch');
    expect([batch.code, batch.text]).toEqual([
      0,
      expect.stringContaining('judged by itself, by the permission of its own create.'),
    ]);
  });

  test('says that an intent waits', async () => {
    const { code, text } = await explaining('POST /intents/intent-3/proofs --signer bob');
    expect(code, text).toBe(0);
    expect(text).toContain('✓ issue symbol symbol-3: ledger main, rule 11');
  });

  test('asks for another action when it is told to', async () => {
    const { code, text } = await explaining('GET /symbols/symbol-3 --signer ann --action issue');
    expect([code, text.includes('✗ issue symbol symbol-3')]).toEqual([1, true]);
  });

  test('says why an endpoint asks nothing', async () => {
    const { code, text } = await explaining('GET /');
    expect([code, text.includes('Granted: no rule is asked.')]).toEqual([0, true]);
  });

  test('says that a ledger is open', async () => {
    const ledger = await newOwnLedger(home, owner, { access: [] });
    const { code, text } = await explaining(`POST /wallets --ledger ${ledger.ledger}`);
    expect([code, text.includes('it is open')], text).toEqual([0, true]);
  });

  test('tells whose rules decide about another ledger', async () => {
    const { ledger = '' } = await newOwnLedger(home, owner, { access: owners });
    const { code, text } = await explaining(`GET /ledgers/${ledger} --signer bob`);
    expect(code).toBe(1);
    expect(text).toContain(`read ledger ${ledger}, by the rules of ledger ${ledger}`);
  });

  test('says that the token of an inactive signer is refused', async () => {
    const { body } = await home.get('/signers/signer-1', bearing(owner));
    const proof = proofOf(body.hash, owner, { moment: now(), status: 'inactive' });
    expect((await home.post('/signers/signer-1/proofs', proof)).status).toBe(200);
    const { code, text } = await explaining('GET /wallets --signer signer-1');
    expect([code, text.includes("Refused: 401 auth.unauthorized, 'Invalid token.'")]).toEqual([
      1,
      true,
    ]);
  });

  test.each([
    ['', "missing required argument 'method'"],
    ['GET /nothing', 'There is no GET /nothing.'],
    ['GET /wallets/%FF', 'The path is not a valid URL encoding.'],
    ['GET /wallets --ledger nowhere', "There is no ledger 'nowhere' here."],
    ['GET /wallets --signer nobody', "There is no signer 'nobody' in the ledger main."],
    ['GET /wallets --claim sub=x', 'say whose it is'],
    ['POST /wallets/wallet-3/proofs --signer ann --signer bob', 'A proof is signed by one'],
  ])('refuses what nobody can explain: %s', async (words, why) => {
    const { code, text } = await explaining(words);
    expect([code, text.includes(why)], text).toEqual([2, true]);
  });

  test.each(['{', '{"claims": [1]}', '{"claims": {}}'])(
    'refuses a body that cannot be one: %s',
    async (body) => {
      const { code, text } = await explaining(
        `POST /intents --body - --public ${owner.public}`,
        body,
      );
      expect([code, text.trim().split('\n')], text).toEqual([2, [expect.any(String)]]);
    },
  );

  test('needs a folder with a ledger', async () => {
    const { code, text } = await explaining('GET /', '', { LEDGER_DATA: '/nowhere' });
    expect([code, text]).toEqual([
      2,
      'There is no ledger in /nowhere. Name the folder of one by --data or LEDGER_DATA.\n',
    ]);
  });
});

// The last one: the ledger is stopped.
test('the command says the same whether the ledger runs or not, and leaves it in order', async () => {
  const words = 'DELETE /anchors/anchor-3 --signer bob --all';
  const live = await explaining(words);
  expect(live.code, live.text).toBe(1);
  await runtime.stop();
  expect(await explaining(words)).toEqual(live);
  const { code, said: order } = await audit(data);
  expect(code, order).toBe(0);
});
