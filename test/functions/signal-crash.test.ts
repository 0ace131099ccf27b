/**
 * Goal: whatever was stored is told, at least once and in the order of its record, through any crash.
 * Method: `kill -9` at any moment of load, again and again on the same data, with a receiver that fails
 * now and then. Then every change of every record is read, and its signal is looked for in what arrived.
 * `CRASH_ROUNDS` sets how often. Ruling 58.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Client,
  claimOf,
  clientOf,
  farewell,
  type Item,
  type Json,
  newKey,
  newLedger,
  now,
  proofOf,
  revision,
  unique,
} from '../fixture/client.ts';
import {
  type Arrival,
  assertWebhook,
  pause,
  type Receiver,
  startReceiver,
  until,
} from '../fixture/receiver.ts';
import { assertSilent, audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';

const roundCount = Number(process.env['CRASH_ROUNDS'] || 5);
const clientCount = 12;
const failureShare = 0.1;
/** A round lasts at most this long after the first request, in milliseconds. */
const loadMsMax = 1_200;
const startMsGuess = 12_000;
/** How long the receiver thinks at most, and for how many wallets more may happen in a later life. */
const answerMsMax = 80;
const livelyCountMax = 12;

const data = newDataFolder();
const key = newKey();
const wallets = ['ann', 'bob', 'cat'];
const signals = [
  ...['created', 'updated', 'proofs-added', 'dropped'].map((word) => `wallet-${word}`),
  ...['created', 'updated', 'proofs-added'].map((word) => `intent-${word}`),
  'balance-received',
];

let runtime: Runtime;
let ledger: Client;
let receiver: Receiver;
/** Every record that was ever answered. */
const luids = new Set<string>();
/** Wallets that take more proofs, the oldest first. */
const lively: Item[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  runtime = await start({ data });
  ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
  for (const signal of signals) {
    const endpoint = receiver.at(`/${signal}`);
    receiver.behave(`/${signal}`, () => ({
      status: Math.random() < failureShare ? 503 : 204,
      afterMs: pick(answerMsMax),
    }));
    const action = { schema: 'webhook', endpoint };
    await ledger.make('effects', { handle: signal, signal, action }, key);
  }
  await ledger.make('symbols', { handle: 'usd', factor: 1 }, key);
  for (const handle of wallets) await ledger.make('wallets', { handle }, key);
});
afterAll(async () => {
  await runtime.stop();
  await receiver.stop();
  rmSync(data, { recursive: true });
});

const pick = (count: number) => Math.floor(Math.random() * count);
const anyOf = <Item>(items: readonly Item[]) => items[pick(items.length)] as Item;

/** The pieces of work of a round that are answered at least, however slow the machine. */
const answeredCountMin = 4;

/** The life of a wallet: each of its signals, as far as it gets. */
async function liveWallet(): Promise<void> {
  const made = await ledger.make('wallets', { handle: unique('wallet') }, key);
  luids.add(made.luid);
  const path = `/wallets/${made.luid}`;
  const { body: updated } = await ledger.put(path, revision(made, { custom: { n: 1 } }, key));
  const prove = (step: number) =>
    ledger.post(`${path}/proofs`, proofOf(updated.hash, key, { moment: now(), step }));
  await Promise.all([prove(1), prove(2), prove(3)]);
  if (pick(2) === 0) await ledger.post(`${path}/drop`, farewell(updated, key));
  else lively.push(updated);
  if (lively.length > livelyCountMax) lively.shift();
}

/** One more proof for a wallet that may have been made before the last crash. */
async function proveAgain(): Promise<void> {
  const wallet = lively[pick(lively.length)];
  if (!wallet) return liveWallet();
  await ledger.prove('wallets', wallet, key, { step: unique('step') });
}

/** An intent, some of them with a proof that comes after. */
async function settleSome(): Promise<void> {
  const claims = [`issue ${anyOf(wallets)} ${1 + pick(9)} usd`, 'transfer ann bob 1 usd'];
  const intent = await ledger.make(
    'intents',
    { handle: unique('intent'), claims: claims.slice(0, 1 + pick(2)).map(claimOf) },
    key,
  );
  luids.add(intent.luid);
  if (pick(2) === 0) await ledger.prove('intents', intent, key);
}

/** The pieces of work that were answered. */
let answeredCount = 0;

/** Loads the ledger until it is gone. */
async function load(): Promise<void> {
  for (;;) {
    try {
      await anyOf([liveWallet, settleSome, proveAgain])();
      answeredCount += 1;
    } catch (error) {
      if (error instanceof TypeError) return;
      // A busy ledger answers 408, and may have done it: then it is found and must have been told, too; or 429.
      if (!/: (408|429) /.test(String(error))) throw error;
    }
  }
}

/** Kills at any moment of load, once some of it is answered, and starts again on what is left. */
async function crash(round: number): Promise<void> {
  const enough = answeredCount + answeredCountMin;
  const clients = Array.from({ length: clientCount }, load);
  await pause(pick(loadMsMax));
  while (answeredCount < enough) await pause(5);
  await runtime.kill9(round % 2 === 0 ? 'with its database' : 'runtime');
  await Promise.all(clients);
  assertSilent(runtime.complaints);
  runtime = await start({ data });
  ledger = clientOf(runtime.url, ledger.key, ledger.ledger);
}

async function everyItem(path: string): Promise<Item[]> {
  const found: Item[] = [];
  for (let index = 0; ; index += 1) {
    const { items } = await ledger.get(`${path}?page.limit=100&page.index=${index}`);
    found.push(...items);
    if (items.length < 100) return found;
  }
}

/** What must have been told of a record: by signal and change, and by who received what. */
async function tellingsOf(group: string, luid: string): Promise<string[]> {
  const changes = (await everyItem(`/${group}/${luid}/changes`)).sort(
    (one, other) => Number(one.meta.change) - Number(other.meta.change),
  );
  const kind = group.slice(0, -1);
  return changes.flatMap((change, index) => [
    `${kind}-${wordOf(change, changes[index - 1])} ${luid} ${change.meta.change}`,
    ...(kind === 'intent' && isCompletion(change, changes[index - 1]) ? receiptsOf(change) : []),
  ]);
}

function wordOf({ hash, meta }: Item, before: Item | undefined): string {
  if (meta.action === 'create') return 'created';
  if (meta.action === 'drop') return 'dropped';
  const isOfLedger = meta.proofs.at(-1)?.signer === 'system';
  return hash !== before?.hash || isOfLedger ? 'updated' : 'proofs-added';
}

function isCompletion({ meta }: Item, before: Item | undefined): boolean {
  return meta.status === 'completed' && before?.meta.status !== 'completed';
}

function receiptsOf({ luid, data: intent, meta }: Item): string[] {
  const claims = intent['claims'] as Json[];
  const targets = new Set(claims.map(({ target }) => target));
  return [...targets].map((target) => `balance-received ${luid} ${meta.change} ${target}`);
}

/** What an arrival tells, as above. */
function tellingOf({ signal, data: event }: Arrival): string {
  const { luid } = event[recordNameOf(signal)] as Item;
  const end = signal === 'balance-received' ? ` ${(event['wallet'] as Item).data.handle}` : '';
  return `${signal} ${luid} ${event['change']}${end}`;
}

function recordNameOf(signal: string): string {
  return signal.startsWith('wallet') ? 'wallet' : 'intent';
}

async function everyTelling(): Promise<string[]> {
  for (const group of ['wallets', 'intents'])
    for (const { luid } of await everyItem(`/${group}`)) luids.add(luid);
  const tellings: string[] = [];
  for (const luid of luids)
    tellings.push(...(await tellingsOf(luid.startsWith('$wlt') ? 'wallets' : 'intents', luid)));
  return tellings;
}

const untold = (tellings: readonly string[]) => {
  const taken = receiver.arrivals().filter(({ status }) => status === 204);
  const told = new Set(taken.map(tellingOf));
  return tellings.filter((telling) => !told.has(telling));
};

test(
  `every stored change is told after ${roundCount} crashes`,
  async () => {
    for (let round = 1; round <= roundCount; round += 1) await crash(round);
    const tellings = await everyTelling();
    expect(tellings.length).toBeGreaterThan(roundCount * 3);
    const what = () => `all told, but ${untold(tellings).length} of ${tellings.length}`;
    const startMs = Date.now();
    await until(what, () => untold(tellings).length === 0);
    process.stdout.write(
      `${roundCount} crashes: ${tellings.length} changes, ${receiver.arrivals().length} arrivals, the last one ${Date.now() - startMs} ms after they were read\n`,
    );
    const expected = new Set(tellings);
    expect(receiver.arrivals().filter((one) => !expected.has(tellingOf(one)))).toEqual([]);
  },
  roundCount * (startMsGuess + loadMsMax) + 300_000,
);

test('each of them with one handle, however often, and word for word the same', () => {
  const handles = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const arrival of receiver.arrivals()) {
    assertWebhook(arrival, ledger.key);
    const telling = tellingOf(arrival);
    expect(handles.get(telling) ?? arrival.handle).toBe(arrival.handle);
    handles.set(telling, arrival.handle);
    expect(texts.get(arrival.handle) ?? arrival.text).toBe(arrival.text);
    texts.set(arrival.handle, arrival.text);
  }
  expect(new Set(handles.values()).size).toBe(handles.size);
});

test('the first arrivals keep the order of each record', () => {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  const overtaken: string[] = [];
  for (const arrival of receiver.arrivals()) {
    if (seen.has(arrival.handle)) continue;
    seen.add(arrival.handle);
    const { luid } = arrival.data[recordNameOf(arrival.signal)] as Item;
    const line = `${arrival.path} ${luid}`;
    const change = Number(arrival.data['change']);
    const before = last.get(line) ?? 0;
    if (change < before) overtaken.push(`${line}: ${change} after ${before}`);
    last.set(line, Math.max(before, change));
  }
  expect(overtaken).toEqual([]);
});

test('the audit finds nothing after all of that', async () => {
  expect(await audit(data)).toMatchObject({ code: 0 });
});
