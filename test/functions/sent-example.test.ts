/**
 * Goal: the examples of events and of calls to bridges in the reference are what the ledger sends, and each is as its schema
 * says. Method: an effect for each signal, two banks, and a change of each sort; what arrives is shortened as a page shows
 * it. `UPDATE_DOCS=1` writes the examples anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi } from '../../functions/openapi.ts';
import { kinds } from '../../shared/ledger/kind.ts';
import { nameOfRef, type Schema } from '../../shared/reference/openapi.ts';
import { ownMembersOf, postedEvent, sentCalls } from '../../shared/reference/sent.ts';
import { signalNames, signalsOf } from '../../shared/shape/signal-name.ts';
import { subjects } from '../../shared/shape/subject.ts';
import {
  active,
  type Client,
  claimOf,
  clientOf,
  farewell,
  type Item,
  type Json,
  newKey,
  now,
  open,
  proofOf,
  type Reply,
  revision,
  signed,
} from '../fixture/client.ts';
import { entriesOf } from '../fixture/payment.ts';
import { type Arrival, startReceiver, until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { blurred, shortened, textOf } from '../fixture/shortened.ts';

const path = 'shared/reference/sent-examples.json';
const handle = 'side-street';
const [owner, bank] = [newKey(), newKey()];

const home = await sharedHome();
const receiver = await startReceiver();
afterAll(() => receiver.stop());

/** The record of each kind whose events are the examples, by the member that names it. */
const shown: Readonly<Record<string, string>> = {
  ledger: handle,
  signer: 'ann',
  symbol: 'usd',
  wallet: 'till',
  intent: 'rent-1',
  effect: 'large-receipts',
  'signer-factor': 'ann-phone',
  circle: 'tellers',
  'circle-signer': 'ann',
  bridge: 'blue-bank',
  domain: 'branch-1',
  anchor: '+41791234567',
  schema: 'invoice',
  policy: 'known-labels',
  report: 'january',
};

/** Nothing subscribes to a ledger before it is there. */
const unheard = ['ledger-created'];
const heard = signalNames.filter((signal) => !unheard.includes(signal));
const pathOf = (signal: string) => `/hooks/${signal}`;

async function fine(reply: Promise<Reply>): Promise<Item> {
  const { status, text, body } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
}

async function newHouse(): Promise<Client> {
  await home.make('ledgers', { handle, access: open }, owner);
  const response = await fetch(`${home.url}/signers/system`, { headers: { 'x-ledger': handle } });
  const system = (await response.json()) as Item;
  return clientOf(home.url, String(system.data['public']), handle);
}

/** An effect for each signal, whose events arrive at a path of its own. */
async function subscribed(ledger: Client): Promise<void> {
  for (const wallet of ['alice', 'bob']) await ledger.make('wallets', { handle: wallet }, owner);
  await ledger.make('symbols', { handle: 'eur', factor: 100 }, owner);
  const balance = { wallet: 'alice', symbol: 'eur', threshold: 1000, direction: 'above' };
  for (const signal of heard) {
    const action = { schema: 'webhook', endpoint: receiver.at(pathOf(signal)) };
    const watch = signal === 'balance-crossed' ? { balance } : {};
    await ledger.make('effects', { handle: `on-${signal}`, signal, action, ...watch }, owner);
  }
}

/** A record that is made, changed, proved and dropped, where its kind allows it. */
async function lived(ledger: Client, kind: keyof typeof kinds, data: Json, base?: string) {
  const { group, updates, drops } = kinds[kind];
  const at = base ?? group;
  let item = await fine(ledger.post(`/${at}`, signed(data, owner)));
  const own = `/${at}/${item.luid}`;
  if (updates) item = await fine(ledger.put(own, revision(item, { custom: { note: 'x' } }, owner)));
  if (signalNames.includes(`${kind}-proofs-added`))
    await fine(ledger.prove(at, item, owner, { labels: ['seen'] }));
  if (drops) await fine(ledger.post(`${own}/drop`, farewell(item, owner)));
}

async function recorded(ledger: Client): Promise<void> {
  const pair = () => ({ public: newKey().public, format: 'ed25519-raw' });
  const { body: ledgerNow } = await ledger.get('/ledger');
  const changed = await fine(
    ledger.put('/ledger', revision(ledgerNow, { custom: { town: 'Bern' } }, owner)),
  );
  const seen = proofOf(changed.hash, owner, { moment: now(), labels: ['seen'] });
  await fine(ledger.post('/ledger/proofs', seen));
  await lived(ledger, 'signer', { handle: 'ann', ...pair() });
  const factor = { handle: 'ann-phone', signer: 'ann', schema: 'key-pair', ...pair() };
  await lived(ledger, 'signer-factor', factor, 'signers/ann/factors');
  await lived(ledger, 'circle', { handle: 'tellers' });
  const link = { circle: 'tellers', signer: 'ann' };
  await lived(ledger, 'circle-signer', link, 'circles/tellers/signers');
  await lived(ledger, 'symbol', { handle: 'usd', factor: 100 });
  await lived(ledger, 'wallet', { handle: 'till' });
  await lived(ledger, 'domain', { handle: 'branch-1' });
  const config = { server: 'https://bank.example/v1' };
  await lived(ledger, 'bridge', { handle: 'blue-bank', config });
  await lived(ledger, 'anchor', { handle: '+41791234567', target: 'alice', wallet: 'alice' });
  const webhook = { schema: 'webhook', endpoint: 'https://hooks.example/ledger' };
  const filter = { 'symbol.data.handle': 'usd', amount: { $gte: 100_000 } };
  const subscription = { handle: 'large-receipts', signal: 'balance-received', filter };
  await lived(ledger, 'effect', { ...subscription, action: webhook });
  await lived(ledger, 'report', { handle: 'january', custom: { month: '2026-01' } });
  const labels = { schema: 'labels', record: 'anchor', values: [{ labels: 'known' }] };
  await lived(ledger, 'policy', { handle: 'known-labels', ...labels });
  const schema = { properties: { custom: { required: ['invoice'] } } };
  const about = { record: 'report', format: 'json-schema', schema };
  await lived(ledger, 'schema', { handle: 'invoice', ...about });
}

/** Payments in the ledger, and a limit. */
async function paid(ledger: Client): Promise<void> {
  const pay = (name: string, claim: string) =>
    ledger.make('intents', { handle: name, claims: [claimOf(claim)] }, owner);
  await pay('deposit-1', 'issue alice 10000 eur');
  const rent = await pay('rent-1', 'transfer alice bob 2550 eur');
  await fine(ledger.prove('intents', rent, owner, { labels: ['seen'] }));
  await pay('limit-1', 'limit alice dailyAmount 150000 eur');
}

/** Two banks, an event for one of them, and two payments between them. */
async function between(ledger: Client): Promise<void> {
  for (const name of ['blue', 'green']) {
    const body = signed(
      { handle: name, config: { server: receiver.at(`/${name}`) } },
      bank,
      active(),
    );
    await fine(ledger.post('/bridges', body));
    await ledger.make('wallets', { handle: `vault-${name}`, bridge: name }, bank);
  }
  const action = { schema: 'bridge', bridge: 'blue' };
  await ledger.make('effects', { handle: 'tell-blue', signal: 'wallet-created', action }, owner);
  await ledger.make('wallets', { handle: 'kiosk' }, owner);
  await decided(ledger, 'between-1', 'committed');
  await decided(ledger, 'between-2', 'aborted');
}

/** A payment between the banks, which do and report what they are called for: a report before its call makes it unnecessary. */
async function decided(ledger: Client, name: string, status: 'committed' | 'aborted') {
  const claims = [claimOf('transfer vault-blue vault-green 500 eur')];
  const data = { handle: name, claims, config: { commit: 'manual' } };
  const intent = await ledger.make('intents', data, owner);
  const entries = Object.entries(entriesOf(intent));
  const reported = async (side: string, call: string, said: string) => {
    const [, entry] = entries.find(([which]) => which.startsWith(side)) ?? [];
    const isCalled = (one: Arrival) => callPatterns[call]?.test(one.path) && one.handle === entry;
    await until(`${call} of ${name}`, () => receiver.arrivals().some(isCalled));
    await fine(ledger.prove('intents', intent, bank, { handle: entry, status: said }));
  };
  await reported('debit', 'prepareDebit', 'prepared');
  await reported('credit', 'prepareCredit', 'prepared');
  await fine(ledger.prove('intents', intent, owner, { status }));
  const verb = status === 'committed' ? 'commit' : 'abort';
  await reported('debit', `${verb}Debit`, status);
  await reported('credit', `${verb}Credit`, status);
}

/** The event of a signal that is the example. */
function eventOf(signal: string): Arrival | undefined {
  const isShown = ({ data }: Arrival) => {
    const kind = subjects.find((one) => signalsOf(one).includes(signal));
    if (signal.startsWith('bridge-entry-'))
      return (data['bridge-entry'] as Item).data['schema'] === 'debit';
    const record = data[kind ?? ''] as Item | undefined;
    if (!kind || !record) return true;
    return (kind === 'circle-signer' ? record.data['signer'] : record.data.handle) === shown[kind];
  };
  const own = receiver.arrivals(pathOf(signal)).filter(isShown);
  return own.sort((one, other) => Number(one.data['change']) - Number(other.data['change']))[0];
}

/** The pattern of the paths at which a call arrives. */
const callPatterns: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    sentCalls.map(({ name, path: below }) => [
      name,
      new RegExp(`^/(blue|green)${below.replace('{handle}', '[^/]+')}$`),
    ]),
  ),
};

/** The call that is the example. A relay that is late tells the bank of wallets made before its effect, too. */
function callOf(name: string): Arrival | undefined {
  const isShown = ({ data }: Arrival) =>
    name !== 'sendEvent' || (data['wallet'] as Item | undefined)?.data['handle'] === 'kiosk';
  const isCalled = ({ path }: Arrival) => callPatterns[name]?.test(path);
  return receiver.arrivals().find((one) => isCalled(one) && isShown(one));
}

/** The request that was sent of a signal, or as a call. */
const arrivalOf = (name: string) => (heard.includes(name) ? eventOf(name) : callOf(name));

const names = [...heard, ...sentCalls.map(({ name }) => name)];
const bodies = new Map<string, Item>();
const methods = new Map<string, string>();
beforeAll(async () => {
  const ledger = await newHouse();
  await subscribed(ledger);
  await recorded(ledger);
  await paid(ledger);
  await between(ledger);
  const missing = () => names.filter((name) => !arrivalOf(name));
  await until(
    () => `there are ${missing().join(', ')}`,
    () => missing().length === 0,
  );
  for (const name of names) {
    const { text, method } = arrivalOf(name) as Arrival;
    bodies.set(name, JSON.parse(text));
    methods.set(name, method);
  }
});

/** A body as a page shows it: without proofs, and with addresses that stay. */
function exampleOf(name: string): unknown {
  const text = JSON.stringify(bodies.get(name), (member, value) =>
    member === 'proofs' ? ['…'] : value,
  )
    .replaceAll(receiver.at('/blue'), 'https://blue.example/v1')
    .replaceAll(receiver.at('/hooks'), 'https://hooks.example');
  return shortened(JSON.parse(text));
}

const stored = () => JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>;

test('there is an example of each event and each call, and nothing else', () => {
  const examples = names.map((name) => [name, exampleOf(name)] as const);
  const isSame = (old: Readonly<Record<string, unknown>>) =>
    JSON.stringify(Object.keys(old)) === JSON.stringify(names) &&
    examples.every(([name, one]) => same(blurred(old[name]), blurred(one)));
  if (process.env['UPDATE_DOCS'] && !isSame(stored())) {
    const lines = examples.map(([name, one]) => `  ${JSON.stringify(name)}: ${textOf(one, '  ')}`);
    writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`);
  }
  expect(Object.keys(stored())).toEqual(names);
});

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

test.each(names)('the example of %s is what is sent', (name) => {
  expect(blurred(stored()[name])).toEqual(blurred(exampleOf(name)));
});

const ajv = addFormats.default(new Ajv2020({ strict: false }));
ajv.addSchema({ $id: 'document', components: openApi.components });

test.each(names)('%s is as it is declared', (name) => {
  const { webhooks = {}, components } = openApi;
  const body = bodies.get(name);
  const key = heard.includes(name) ? postedEvent : name;
  const [[method, sent] = []] = Object.entries(webhooks[key] ?? {});
  const schema = sent?.requestBody.content['application/json']?.schema ?? {};
  expect(method?.toUpperCase()).toBe(methods.get(name));
  const forms = (schema.anyOf ?? [schema]).map(({ $ref = '' }) => `document${$ref}`);
  const fitting = forms.filter(($ref) => ajv.compile({ $ref })(body));
  expect(fitting).toHaveLength(1);
  const declared: Schema = components.schemas[nameOfRef({ $ref: fitting[0] ?? '' })] ?? {};
  const { $ref: ofData = '' } = declared.properties?.['data'] ?? {};
  const members = [declared, components.schemas['Event'], ownMembersOf(declared)].flatMap((one) =>
    Object.keys(one?.properties?.['data']?.properties ?? {}),
  );
  members.push(...Object.keys(components.schemas[nameOfRef({ $ref: ofData })]?.properties ?? {}));
  expect(Object.keys(body?.data ?? {}).filter((one) => !members.includes(one))).toEqual([]);
});
