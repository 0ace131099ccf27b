/**
 * Goal: a payment between two banks happens once or not at all, whatever ends in the middle of it. Method: `kill -9`
 * of the ledger at any moment of load, and now and then of a bank, again and again on the same data. In the end every
 * intent is as it should be, and both banks' books and the ledger's are what the intents say. `CRASH_PAYMENTS` sets
 * how many payments are made. Rulings 46 and 55 to 57.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBridge, type ServerProcess } from '../fixture/bridge.ts';
import {
  type Body,
  type Client,
  claimOf,
  clientOf,
  type Json,
  newKey,
  newLedger,
  outcomeOf,
  type Reply,
  signed,
  unique,
} from '../fixture/client.ts';
import { lastingPort } from '../fixture/lasting-port.ts';
import { pause } from '../fixture/receiver.ts';
import { assertSilent, audit, newDataFolder, type Runtime, start } from '../fixture/runtime.ts';
import { type BankBooks, everyIntent, expectAgreement, openToAll } from '../fixture/two-banks.ts';

const paymentCount = Number(process.env['CRASH_PAYMENTS'] || 20);
const clientCount = 8;
/** How many payments end in a life of the ledger at most, and how long it goes on then, in milliseconds. */
const [lifePaymentMax, lifeMsMax] = [12, 1_000];
/** Every which life is cut short, whether any payment has ended in it or not; every which crash takes a bank along. */
const [shortEvery, bankEvery] = [4, 3];
const pollMs = 100;
const paymentMsGuess = 4_000;

const data = newDataFolder();
const folder = mkdtempSync(join(tmpdir(), 'countersign-banks-'));
const key = newKey();
const names = ['blue', 'green'] as const;
type Name = (typeof names)[number];
const opened = { 1001: 5_000_000, 1002: 5_000_000, 1003: 0 };

let runtime: Runtime;
let ledger: Client;
let port: number;
const ports = {} as Record<Name, number>;
const banks = {} as Record<Name, ServerProcess>;
/** What banks said in the lives that are over. */
const said: string[] = [];
const crashes = { ledger: 0, bank: 0 };
/** How many payments have ended. */
let endedCount = 0;

beforeAll(async () => {
  port = await lastingPort();
  runtime = await begun();
  ledger = await newLedger(clientOf(runtime.url, runtime.key), key, { access: openToAll });
  for (const name of names) {
    ports[name] = await lastingPort();
    const accounts = Object.entries(opened).map(([account, amount]) => `${account}=${amount}`);
    banks[name] = await bank(
      name,
      [...accounts, '9=closed'].flatMap((one) => ['--account', one]),
    );
  }
  await ledger.make('wallets', { handle: 'own' }, key);
  const routes = [{ action: 'forward', target: 'svgs:1003@green' }];
  await ledger.make('wallets', { handle: 'hub', routes }, key);
  expect(outcomeOf(await ledger.settle(key, 'issue own 1000000 usd'))).toBe('completed');
});
afterAll(async () => {
  await Promise.all([runtime.stop(), ...names.map((name) => banks[name].end('SIGTERM'))]);
  for (const path of [data, folder]) rmSync(path, { recursive: true });
});

const begun = () => start({ data, env: { PORT: String(port) } });

/** The bank as its users start it, on the same port and folder as before. */
function bank(name: Name, more: readonly string[] = []): Promise<ServerProcess> {
  const place = ['--port', String(ports[name]), '--data', join(folder, name)];
  const at = ['--server', runtime.url, '--ledger', String(ledger.ledger)];
  return runBridge([name, ...place, ...at, '--ledger-key', ledger.key, ...more]);
}

const pick = (count: number) => Math.floor(Math.random() * count);
const anyOf = <One>(items: readonly One[]) => items[pick(items.length)] as One;

/** A payment, and how it must end. */
interface Payment {
  readonly body: Body;
  readonly end: 'completed' | 'rejected';
}

/** Any payment between the banks, most of them good: from one to the other, through the ledger, and in several claims. */
function anyPayment(): Payment {
  const account = (name: Name) => `svgs:${anyOf([1001, 1002])}@${name}`;
  const [one, other] = pick(2) === 0 ? names : ([...names].reverse() as [Name, Name]);
  const ways = [
    ...Array.from({ length: 6 }, () => [account(one), account(other)]),
    ['own', account(one)],
    [account(one), 'own'],
    [account(one), 'hub'],
    [account(one), anyOf([`svgs:9@${other}`, `svgs:404@${other}`])],
  ] as const;
  const chosen = Array.from({ length: pick(5) === 0 ? 2 : 1 }, () => anyOf(ways));
  const isBad = chosen.some(([, target]) => /:(9|404)@/.test(String(target)));
  const claims = chosen.map(([source, target]) =>
    claimOf(`transfer ${source} ${target} ${1 + pick(99)} usd`),
  );
  const body = signed({ handle: unique('pay'), claims }, key);
  return { body, end: isBad ? 'rejected' : 'completed' };
}

/** The answer to a request that is made until there is one. */
async function answerTo(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      // The ledger is gone; anything else is a finding.
      if (!(error instanceof TypeError)) throw error;
      await pause(pollMs);
    }
  }
}

/** Makes a payment and looks at it until it has ended. */
async function pay({ body, end }: Payment): Promise<void> {
  const path = `/intents/${String(body.data['handle'])}`;
  const reply = await answerTo(() => ledger.post('/intents', body));
  if (reply.status === 409) expect(reply.custom['hash']).toBe(body.hash);
  else expect(reply.status).toBe(201);
  for (;;) {
    const { meta } = (await answerTo(() => ledger.get(path))).body;
    if (meta.status === 'completed' || meta.status === 'rejected') {
      expect([path, meta.status]).toEqual([path, end]);
      endedCount += 1;
      return;
    }
    await pause(pollMs);
  }
}

/** Ends the ledger, and now and then a bank, and begins again on what is left. */
async function crash(): Promise<void> {
  crashes.ledger += 1;
  const isShort = crashes.ledger % shortEvery === 0;
  const enough = endedCount + (isShort ? 0 : 1 + pick(lifePaymentMax));
  while (endedCount < Math.min(enough, paymentCount)) await pause(pollMs);
  await pause(pick(lifeMsMax));
  const isWithBank = crashes.ledger % bankEvery === 0;
  const restarts = isWithBank ? [restartBank(anyOf(names))] : [];
  await runtime.kill9(crashes.ledger % 2 === 0 ? 'with its database' : 'runtime');
  assertSilent(runtime.complaints);
  runtime = await begun();
  await Promise.all(restarts);
}

async function restartBank(name: Name): Promise<void> {
  await pause(pick(lifeMsMax));
  crashes.bank += 1;
  await banks[name].end();
  said.push(banks[name].said());
  banks[name] = await bank(name);
}

async function booksOf(name: Name): Promise<BankBooks> {
  const rows = (await (await fetch(`${banks[name].url}/accounts`)).json()) as readonly {
    readonly account: string;
    readonly balance: number;
    readonly held: number;
  }[];
  const accounts = Object.fromEntries(
    rows.map(({ account, balance, held }) => [account, { balance, held }]),
  );
  return { name, opened: { ...opened, 9: 0 }, accounts };
}

const payments = Array.from({ length: paymentCount }, anyPayment);

test(
  `each of ${paymentCount} payments ends once, as it should, through crashes of the ledger and the banks`,
  async () => {
    const startMs = Date.now();
    const left = [...payments];
    const work = async () => {
      for (let next = left.pop(); next; next = left.pop()) await pay(next);
    };
    const clients = Promise.all(Array.from({ length: clientCount }, work));
    let isOver = false;
    const killer = (async () => {
      while (!isOver) await crash();
    })();
    await clients.finally(() => {
      isOver = true;
    });
    await killer;
    const good = payments.filter(({ end }) => end === 'completed').length;
    const seconds = Math.round((Date.now() - startMs) / 1000);
    process.stdout.write(
      `${paymentCount} payments, ${good} to complete, in ${seconds} s with ${crashes.ledger} crashes of the ledger and ${crashes.bank} of a bank\n`,
    );
    expect(crashes.ledger).toBeGreaterThan(0);
  },
  600_000 + paymentCount * paymentMsGuess,
);

test('no payment is there twice, and none but those that were made', async () => {
  const intents = await everyIntent(ledger);
  const beginning = (text: string) => intents.filter(({ data }) => data.handle.startsWith(text));
  const hashes = beginning('pay-').map(({ hash }) => hash);
  expect(hashes.sort()).toEqual(payments.map(({ body }) => body.hash).sort());
  const claims = payments.flatMap(({ body }) => body.data['claims'] as Json[]);
  // Each claim to the wallet that forwards made one intent more. Decision 64.
  const forwarded = claims.filter(({ target }) => target === 'hub');
  expect(beginning('fwd_')).toHaveLength(forwarded.length);
});

test('both banks and the ledger say the same of all money', async () => {
  await expectAgreement(ledger, await Promise.all(names.map(booksOf)));
});

test('no bank was ever asked for what contradicts what it did', () => {
  const all = [...said, ...names.map((name) => banks[name].said())];
  expect(all.flatMap((one) => one.split('\n').filter((line) => / refused /.test(line)))).toEqual(
    [],
  );
});

test('the audit finds nothing after all of that', async () => {
  assertSilent(runtime.complaints);
  const { code, said: found } = await audit(data);
  expect([code, code === 0 ? '' : found]).toEqual([0, '']);
});
