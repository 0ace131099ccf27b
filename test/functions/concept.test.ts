/**
 * Goal: the example of each concept page is what the service answers. Method: the records of the pages are made, and each
 * answer is shortened as a page shows it; keys, hashes and moments differ from run to run, everything else does not.
 * `UPDATE_DOCS=1` writes the answers into the pages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import {
  connect,
  destroy,
  hashOf,
  issue,
  money,
  newKey,
  prove,
  transfer,
} from '../../shared/client/client.ts';
import { cosignatureType, vkeyOf } from '../../shared/log/note.ts';
import { concepts } from '../../shared/reference/guide.ts';
import { newKey as plainKey } from '../fixture/client.ts';
import { until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { blurred, shortened, textOf } from '../fixture/shortened.ts';

const home = await sharedHome();
const usd = money('usd', 100);
const [owner, annsKey] = [newKey(), newKey()];

type Answers = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: the parts of answers that the pages show.
type Answered = any;

async function newHouse() {
  const handle = 'main-street';
  const access = [{ action: 'any', record: 'any' }];
  await home.make('ledgers', { handle, access }, plainKey());
  const ledger = await connect(home.url, { signer: owner, ledger: handle });
  const at = async (path: string, query?: object): Promise<Answered> => {
    const url = `${home.url}${path}?${new URLSearchParams({ ...query })}`;
    return (await fetch(url, { headers: { 'x-ledger': handle } })).json();
  };
  return { ledger, handle, at };
}

type House = Awaited<ReturnType<typeof newHouse>>;

/** Wallets, money, and what becomes of it. */
async function paid({ ledger, at, handle }: House): Promise<Answers> {
  const symbol = await ledger.create('/symbols', { handle: 'usd', factor: 100 });
  for (const wallet of ['alice', 'bob']) await ledger.create('/wallets', { handle: wallet });
  const shop = await ledger.create('/wallets', {
    handle: 'shop',
    routes: [{ action: 'forward', target: 'bob', filter: { symbol: 'eur' } }, { action: 'accept' }],
  });
  await ledger.pay(issue('alice', usd('100')), { handle: 'deposit-1' });
  const intent = await ledger.pay(transfer('alice', 'bob', usd('25.50')), { handle: 'rent-1' });
  const resolved = intent.meta.proofs.flatMap(({ custom }) =>
    custom?.['status'] === 'resolved' ? [custom] : [],
  );
  const hold = await ledger.pay(transfer('alice', 'shop', usd('50')), {
    handle: 'order-1',
    config: { commit: 'manual' },
  });
  const capture = [{ claim: 0, amount: 3200 }];
  const taken = await ledger.prove('/intents/{id}/proofs', hold, { status: 'committed', capture });
  await ledger.pay(transfer('bob', 'alice', usd('5.50')), {
    handle: 'refund-1',
    reverses: 'rent-1',
  });
  const undone = await at('/intents/rent-1');
  await ledger.pay(
    { action: 'limit', wallet: 'alice', metric: 'dailyAmount', ...usd('1500') } as never,
    { handle: 'limit-1' },
  );
  const wallet = await at('/wallets/alice');
  return {
    ledger: await at('/ledger'),
    symbol: withoutProofs(symbol),
    wallet,
    record: await at('/wallets/alice/changes/1'),
    proof: wallet.meta.proofs.at(-1),
    balance: withoutProofs((await at('/wallets/alice/balances')).data[0]),
    intent,
    claim: { claims: intent.data.claims, resolved },
    hold: taken.meta.proofs.slice(-3).map(({ custom }) => custom),
    reversal: undone.meta.proofs.at(-1).custom,
    batch: await lineOfBatch(handle),
    limit: withoutProofs((await at('/wallets/alice/limits')).data[0]),
    route: shop.data,
  };
}

/** The first line of the answer to a batch. */
async function lineOfBatch(ledger: string): Promise<unknown> {
  const data = { handle: 'payout-1', claims: [destroy('bob', usd('10'))] };
  const hash = hashOf(data);
  const proofs = [
    await prove(hash, { moment: new Date().toISOString(), status: 'created' }, owner),
  ];
  const answer = await fetch(`${home.url}/intents/!batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ledger': ledger },
    body: JSON.stringify({ mode: 'independent', data: [{ hash, data, meta: { proofs } }] }),
  });
  const [line] = ((await answer.json()) as Answered).data;
  return withoutProofs(line);
}

/** A record as the pages show most of them: its proofs are on the page of records. */
function withoutProofs({ meta, ...record }: Answered): unknown {
  return { ...record, meta: { ...meta, proofs: ['…'] } };
}

/** A receipt of the wallet's first change, and its proof in the log. */
async function logged({ at }: House): Promise<Answers> {
  const { luid } = await at('/wallets/alice');
  const there = async (path: string, query?: object) => {
    await until(`${path} is in the log`, async () => !(await at(path, query)).data.reason);
    return at(path, query);
  };
  const proof = await there('/log/proof', { luid, change: '1' });
  const receipt = await there('/intents/rent-1/receipt');
  const { record, signers, ...data } = receipt.data;
  const shortOf = ({ luid: own, hash }: Answered) => ({ luid: own, hash, '…': '…' });
  return {
    log: { ...proof.data, path: [proof.data.path[0], '…'] },
    receipt: {
      ...data,
      record: shortOf(record),
      signers: { system: shortOf(signers.system), log: shortOf(signers.log) },
    },
  };
}

/** Records beside money, at last those that rule over others. */
async function arranged({ ledger }: House): Promise<Answers> {
  const signer = await ledger.create('/signers', {
    handle: 'ann',
    public: annsKey.public,
    format: 'ed25519-raw',
  });
  const bridge = await ledger.create('/bridges', {
    handle: 'blue-bank',
    config: { server: 'https://bank.example/v1' },
    traits: ['debits', 'credits'],
  });
  const anchor = await ledger.create('/anchors', {
    handle: '+41791234567',
    target: 'alice',
    wallet: 'alice',
    symbol: 'usd',
  });
  const webhook = { schema: 'webhook', endpoint: 'https://hooks.example/ledger' } as const;
  const effect = await ledger.create('/effects', {
    handle: 'large-receipts',
    signal: 'balance-received',
    filter: { 'symbol.data.handle': 'usd', amount: { $gte: 100_000 } },
    action: webhook,
  });
  const monitor = await ledger.create('/effects', {
    handle: 'low-cash',
    signal: 'balance-crossed',
    balance: { wallet: 'alice', symbol: 'usd', threshold: 10_000, direction: 'below' },
    action: webhook,
  });
  const report = await ledger.create('/reports', {
    handle: 'statement-alice',
    schema: 'wallet_statement_rep',
    custom: {
      wallet: 'alice',
      symbol: 'usd',
      start_timestamp: '2026-11-01T00:00:00.000Z',
      end_timestamp: '2026-12-01T00:00:00.000Z',
      letterhead: ['The Market Ltd', '1 Main Street'],
    },
  });
  const schema = await ledger.create('/schemas', {
    handle: 'invoice',
    record: 'intent',
    format: 'json-schema',
    schema: { properties: { custom: { required: ['invoice'] } }, required: ['custom'] },
  });
  const policy = await ledger.create('/policies', {
    handle: 'large-payments',
    schema: 'status',
    record: 'intent',
    filter: { 'amounts.usd': { $gte: 1_000_000 } },
    values: [{ status: 'committed', quorum: [{ $circle: 'tellers' }, { $circle: 'managers' }] }],
  });
  const circle = await ledger.create('/circles', { handle: 'tellers' });
  const member = { circle: 'tellers', signer: 'ann' };
  const link = await ledger.create('/circles/{id}/signers', member, { path: { id: 'tellers' } });
  const domain = await ledger.create('/domains', { handle: 'branch-1' });
  const ruled = await ledger.update('/circles/{id}', circle, {
    access: [
      { action: { $in: ['read', 'query'] }, record: 'wallet' },
      { action: 'create', record: 'intent' },
    ],
  });
  return {
    signer: withoutProofs(signer),
    bridge: withoutProofs(bridge),
    circle: withoutProofs(link),
    domain: withoutProofs(domain),
    rule: ruled.data.access,
    ...{ policy: policy.data, schema: schema.data, anchor: anchor.data, effect: effect.data },
    ...{ monitor: monitor.data, report: report.data },
  };
}

/** The public key of RFC 8032 7.1, test 1. */
const ofRfc = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

/** The settings of a ledger with a witness, whose key is a fixed one. */
async function witnessed(): Promise<Answers> {
  const key = {
    name: 'auditor.example/w1',
    public: Uint8Array.from(Buffer.from(ofRfc, 'base64')),
    type: cosignatureType,
  };
  const witnesses = [{ key: vkeyOf(key), url: 'https://auditor.example/log' }];
  const data = { handle: 'witnessed-street', config: { 'log.witnesses': witnesses } };
  const { data: made } = await home.make('ledgers', data, plainKey());
  return { witness: made['config'] };
}

let answers: Answers = {};
beforeAll(async () => {
  const house = await newHouse();
  const money = await paid(house);
  const log = await logged(house);
  answers = { ...money, ...log, ...(await arranged(house)), ...(await witnessed()) };
});

const block = /(\n## Example\n.*?```json\n)(.*?)\n```/s;

test.each(concepts.map(({ name }) => name))('the example of %s is what is answered', (name) => {
  const path = `shared/reference/concepts/${name}.md`;
  const answer = shortened(answers[name]);
  expect(answer).toBeDefined();
  const page = readFileSync(path, 'utf8');
  const [, , shown = ''] = block.exec(page) ?? [];
  const isShown = JSON.stringify(blurred(JSON.parse(shown))) === JSON.stringify(blurred(answer));
  if (process.env['UPDATE_DOCS'] && !isShown)
    return writeFileSync(
      path,
      page.replace(block, (_, before: string) => `${before}${textOf(answer)}\n\`\`\``),
    );
  expect(blurred(JSON.parse(shown))).toEqual(blurred(answer));
});
