/** The workloads of the model: the records that each needs, and its intents. */
import { banks } from '../bench/payment-scene.ts';
import { type Body, type Json, type Key, newKey, signed } from '../fixture/client.ts';
import type { Batch } from './ledger.ts';
import type { Random } from './random.ts';

/** A request to a ledger. */
export interface Posted {
  readonly ledger: string;
  readonly path: string;
  readonly body: Body | Batch;
}

export interface Workload {
  readonly title: string;
  readonly ledgers: readonly string[];
  /** The posts that create the records; each inner list needs the ones before it. */
  readonly setting: readonly (readonly Posted[])[];
  /** The request of a number; each claim moves 1 unless the title says so. */
  readonly requestOf: (number: number, random: Random) => Posted;
  /** The intents of a request. */
  readonly intentsEach: number;
  /** True when an intent is done only once its banks have done their parts. */
  readonly isBridged?: true;
  /** A wallet that has not enough for all, and what it begins with. */
  readonly dry?: { readonly wallet: string; readonly funds: number };
  /** The requests that warm it up, if others than it is made of. */
  readonly warmedBy?: Workload['requestOf'];
}

/** The money that each wallet begins with. */
const issuedEach = 1_000_000;
export const symbol = 'usd';
/** The claims of a payout. */
const payoutLength = 40;
/** The transfers of a batch. */
const batchLength = 20;
/** Enough that no key of the workload is hot. */
const keys: readonly Key[] = Array.from({ length: 100 }, newKey);
const personCount = 10_000;
/** The one who makes the symbol, and issues of it. */
const issuer = keys[0] as Key;

/** The workloads by name, for so many wallets; `funds` is what one has that is to run dry. */
export const workloads = {
  spread: (walletCount: number) =>
    transfers('spread: any wallet to any other', walletCount, (random) => [
      pick(walletCount, random),
      pick(walletCount, random),
    ]),
  source: (walletCount: number) =>
    transfers('one hot source', walletCount, (random) => [0, pick(walletCount, random)]),
  target: (walletCount: number) =>
    transfers('one hot target', walletCount, (random) => [pick(walletCount, random), 0]),
  both: (walletCount: number) =>
    transfers('one hot wallet, both ways', walletCount, (random) => {
      const other = pick(walletCount, random);
      return random() < 0.5 ? [0, other] : [other, 0];
    }),
  dry: (walletCount: number, funds: number): Workload => {
    const title = `one hot source that runs dry: it has ${funds}`;
    const pairOf = (random: Random): Pair => [0, pick(walletCount, random)];
    const { requestOf } = workloads.both(walletCount);
    return { ...transfers(title, walletCount, pairOf, funds), warmedBy: requestOf };
  },
  ebb: (walletCount: number, funds: number): Workload =>
    transfers(
      `one hot wallet, both ways, asked for twice what comes in: it has ${funds}`,
      walletCount,
      (random) => {
        const other = pick(walletCount, random);
        return random() < 0.5 ? [0, other, 2] : [other, 0, 1];
      },
      funds,
    ),
  payouts,
  payments,
  till: (walletCount: number) => till(walletCount),
  'dry-till': till,
  batches,
  ledgers: manyLedgers,
  wallets: newWallets,
} as const;

/** Transfers within one ledger, between the wallets of the numbers drawn; the first has `funds`, if they are given. */
function transfers(
  title: string,
  walletCount: number,
  pairOf: (random: Random) => Pair,
  funds?: number,
): Workload {
  const ledger = 'main';
  return {
    title,
    ledgers: [ledger],
    setting: settingOf(ledger, walletCount, funds),
    intentsEach: 1,
    ...(funds !== undefined && { dry: { wallet: walletOf(0), funds } }),
    requestOf: (number, random) =>
      transferOf(ledger, number, [distinct(pairOf(random), walletCount)]),
  };
}

/** New wallets, each of a signer of its own. */
function newWallets(): Workload {
  const ledger = 'main';
  return {
    title: 'new wallets of one ledger',
    ledgers: [ledger],
    setting: settingOf(ledger, 1),
    intentsEach: 1,
    requestOf: (number) => {
      const key = keys[number % keys.length] as Key;
      return postedBy(ledger, '/wallets', { handle: `new-${number}` }, key);
    },
  };
}

/** Batches of transfers between any wallets. */
function batches(walletCount: number): Workload {
  const ledger = 'main';
  return {
    title: `batches of ${batchLength} transfers, each by itself`,
    ledgers: [ledger],
    setting: settingOf(ledger, walletCount),
    intentsEach: batchLength,
    requestOf: (number, random) => {
      const data = Array.from({ length: batchLength }, (_, index) => {
        const pair = distinct([pick(walletCount, random), pick(walletCount, random)], walletCount);
        return bodyOf(number * batchLength + index, [pair]);
      });
      return { ledger, path: '/intents/!batch', body: { mode: 'independent', data } };
    },
  };
}

/** Payments from any wallet at one bank to any at another. */
function payments(walletCount: number): Workload {
  const ledger = 'main';
  const each = Math.ceil(walletCount / 2);
  return {
    title: 'payments between two bridges',
    ledgers: [ledger],
    setting: bankedSettingOf(ledger, each),
    intentsEach: 1,
    isBridged: true,
    requestOf: (number, random) => {
      const [source, target] = banks.map((bank) => accountOf(bank, each, random)) as [
        string,
        string,
      ];
      return paymentOf(ledger, number, source, target, keyOf(number));
    },
  };
}

/** Payments between a hot wallet of the ledger and any at two banks: one takes what it pays in, the other what it pays out. */
function till(walletCount: number, funds?: number): Workload {
  const ledger = 'main';
  const each = Math.ceil(walletCount / 2);
  const hot = walletOf(0);
  const claim = { action: 'issue', target: hot, symbol, amount: funds ?? issuedEach };
  const made = bankedSettingOf(ledger, each);
  return {
    title: `one hot wallet, both ways, through two bridges${funds === undefined ? '' : `; it has ${funds}, and pays out 2`}`,
    ledgers: [ledger],
    setting: [
      ...made,
      [postedBy(ledger, '/wallets', { handle: hot })],
      [postedBy(ledger, '/intents', { handle: 'issue-till', claims: [claim] })],
    ],
    intentsEach: 1,
    isBridged: true,
    ...(funds !== undefined && { dry: { wallet: hot, funds } }),
    requestOf: (number, random) => {
      const [inward, outward] = banks.map((bank) => accountOf(bank, each, random)) as [
        string,
        string,
      ];
      return random() < 0.5
        ? paymentOf(ledger, number, inward, hot, keyOf(number))
        : paymentOf(ledger, number, hot, outward, issuer, funds === undefined ? 1 : 2);
    },
  };
}

function paymentOf(
  ledger: string,
  number: number,
  source: string,
  target: string,
  key: Key,
  amount = 1,
): Posted {
  const claims = [{ action: 'transfer', source, target, symbol, amount }];
  return postedBy(ledger, '/intents', { handle: `payment-${numbered(number)}`, claims }, key);
}

/** The records of payments through two banks, with so many wallets at each. */
function bankedSettingOf(ledger: string, each: number): Posted[][] {
  const signers = [...keys.map((key, at) => ({ name: `payer-${padded(at)}`, key })), ...banks];
  const numbers = Array.from({ length: each }, (_, number) => number);
  return [
    [
      ...signers.map(({ name, key }) => signerOf(ledger, name, key)),
      postedBy(ledger, '/symbols', { handle: symbol, factor: 100 }),
    ],
    banks.map(({ name, key }) =>
      postedBy(
        ledger,
        '/bridges',
        { handle: name, config: { server: `https://${name}.example/core` } },
        key,
      ),
    ),
    banks.flatMap(({ name, key }) =>
      numbers.map((number) =>
        postedBy(ledger, '/wallets', { handle: `${name}-${padded(number)}`, bridge: name }, key),
      ),
    ),
  ];
}

function signerOf(ledger: string, handle: string, key: Key): Posted {
  return postedBy(ledger, '/signers', { handle, format: 'ed25519-raw', public: key.public }, key);
}

function postedBy(ledger: string, path: string, data: Json, key: Key = issuer): Posted {
  return { ledger, path, body: signed(data, key) };
}

/** Payouts from any wallet to many others. */
function payouts(walletCount: number): Workload {
  const ledger = 'main';
  return {
    title: `payouts of ${payoutLength} claims from any wallet`,
    ledgers: [ledger],
    setting: settingOf(ledger, walletCount),
    intentsEach: 1,
    requestOf: (number, random) => {
      const source = pick(walletCount, random);
      const first = pick(walletCount, random);
      const targets = Array.from(
        { length: payoutLength + 1 },
        (_, at) => (first + at) % walletCount,
      )
        .filter((target) => target !== source)
        .slice(0, payoutLength);
      return transferOf(
        ledger,
        number,
        targets.map((target) => [source, target]),
      );
    },
  };
}

/** Transfers in many ledgers of ten wallets each. */
function manyLedgers(walletCount: number): Workload {
  const each = 10;
  const ledgers = Array.from({ length: Math.ceil(walletCount / each) }, (_, at) => `ledger-${at}`);
  const settings = ledgers.map((ledger) => settingOf(ledger, each));
  return {
    title: `${ledgers.length} ledgers of ${each} wallets`,
    ledgers,
    setting: (settings[0] ?? []).map((_, step) => settings.flatMap((all) => all[step] ?? [])),
    intentsEach: 1,
    requestOf: (number, random) => {
      const source = pick(each, random);
      const target = (source + 1 + pick(each - 1, random)) % each;
      return transferOf(ledgers[pick(ledgers.length, random)] ?? '', number, [[source, target]]);
    },
  };
}

/** The records of transfers, and the money of each wallet; `funds` is that of the first. */
function settingOf(ledger: string, walletCount: number, funds = issuedEach): Posted[][] {
  const numbers = Array.from({ length: walletCount }, (_, number) => number);
  const issues = Array.from({ length: Math.ceil(walletCount / payoutLength) }, (_, part) => {
    const targets = numbers.slice(part * payoutLength, (part + 1) * payoutLength);
    const claims = targets.map((target) => ({
      ...{ action: 'issue', target: walletOf(target), symbol },
      amount: target === 0 ? funds : issuedEach,
    }));
    return postedBy(ledger, '/intents', { handle: `issue-${part}`, claims });
  });
  return [
    [
      ...keys.slice(0, walletCount).map((key, at) => signerOf(ledger, `author-${padded(at)}`, key)),
      postedBy(ledger, '/symbols', { handle: symbol, factor: 100 }),
    ],
    numbers.map((number) =>
      postedBy(ledger, '/wallets', { handle: walletOf(number) }, keyOf(number)),
    ),
    issues,
  ];
}

type Pair = readonly [source: number, target: number, amount?: number];

function transferOf(ledger: string, number: number, pairs: readonly Pair[]): Posted {
  return { ledger, path: '/intents', body: bodyOf(number, pairs) };
}

/** The body of transfers out of one wallet, signed by its owner. */
function bodyOf(number: number, pairs: readonly Pair[]): Body {
  const claims = pairs.map(([source, target, amount = 1]) => ({
    ...{ action: 'transfer', source: walletOf(source), target: walletOf(target) },
    ...{ symbol, amount },
  }));
  const handle = `intent-${numbered(number)}`;
  return signed({ handle, claims }, keyOf(pairs[0]?.[0] ?? 0));
}

/** The key of the owner of a wallet, or of the one who makes a payment. */
function keyOf(number: number): Key {
  return keys[number % keys.length] as Key;
}

/** The account of somebody in any of the wallets at a bank. */
function accountOf(
  { name }: { readonly name: string },
  walletCount: number,
  random: Random,
): string {
  const wallet = `${name}-${padded(pick(walletCount, random))}`;
  return `person-${padded(pick(personCount, random))}@${wallet}`;
}

function walletOf(number: number): string {
  return `wallet-${padded(number)}`;
}

function padded(number: number): string {
  return String(number).padStart(5, '0');
}

/** The number of an intent as its handle has it. */
function numbered(number: number): string {
  return String(number).padStart(7, '0');
}

function distinct([source, target, amount = 1]: Pair, walletCount: number): Pair {
  return [source, target === source ? (target + 1) % walletCount : target, amount];
}

function pick(upTo: number, random: Random): number {
  return Math.floor(random() * upTo);
}
