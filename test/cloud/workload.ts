/** The workloads of the model: the records that each needs, and its intents. */
import { type Body, type Json, newKey, signed } from '../fixture/client.ts';
import type { Random } from './random.ts';

/** A request to a ledger. */
export interface Posted {
  readonly ledger: string;
  readonly path: string;
  readonly body: Body;
}

export interface Workload {
  readonly title: string;
  readonly ledgers: readonly string[];
  /** The posts that create the records; each inner list needs the ones before it. */
  readonly setting: readonly (readonly Posted[])[];
  /** The intent of a number; each moves 1 for each claim. */
  readonly intentOf: (number: number, random: Random) => Posted;
}

/** The money that each wallet begins with. */
export const issuedEach = 1_000_000;
const symbol = 'usd';
/** The claims of a payout. */
const payoutLength = 40;
const key = newKey();

/** The workloads by name, for so many wallets. */
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
  payouts,
  ledgers: manyLedgers,
} as const;

/** Transfers within one ledger, between the wallets of the numbers drawn. */
function transfers(
  title: string,
  walletCount: number,
  pairOf: (random: Random) => readonly [source: number, target: number],
): Workload {
  const ledger = 'main';
  return {
    title,
    ledgers: [ledger],
    setting: settingOf(ledger, walletCount),
    intentOf: (number, random) => {
      const [source, drawn] = pairOf(random);
      const target = drawn === source ? (drawn + 1) % walletCount : drawn;
      return transferOf(ledger, number, [[source, target]]);
    },
  };
}

/** Payouts from any wallet to many others. */
function payouts(walletCount: number): Workload {
  const ledger = 'main';
  return {
    title: `payouts of ${payoutLength} claims from any wallet`,
    ledgers: [ledger],
    setting: settingOf(ledger, walletCount),
    intentOf: (number, random) => {
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
    intentOf: (number, random) => {
      const source = pick(each, random);
      const target = (source + 1 + pick(each - 1, random)) % each;
      return transferOf(ledgers[pick(ledgers.length, random)] ?? '', number, [[source, target]]);
    },
  };
}

function settingOf(ledger: string, walletCount: number): Posted[][] {
  const posted = (path: string, data: Json) => ({ ledger, path, body: signed(data, key) });
  const wallets = Array.from({ length: walletCount }, (_, number) => walletOf(number));
  const issues = Array.from({ length: Math.ceil(walletCount / payoutLength) }, (_, part) => {
    const targets = wallets.slice(part * payoutLength, (part + 1) * payoutLength);
    const claims = targets.map((target) => ({
      ...{ action: 'issue', target, symbol, amount: issuedEach },
    }));
    return posted('/intents', { handle: `issue-${part}`, claims });
  });
  return [
    [
      posted('/signers', { handle: 'author', format: 'ed25519-raw', public: key.public }),
      posted('/symbols', { handle: symbol, factor: 100 }),
    ],
    wallets.map((handle) => posted('/wallets', { handle })),
    issues,
  ];
}

function transferOf(
  ledger: string,
  number: number,
  pairs: readonly (readonly [source: number, target: number])[],
): Posted {
  const claims = pairs.map(([source, target]) => ({
    ...{ action: 'transfer', source: walletOf(source), target: walletOf(target) },
    ...{ symbol, amount: 1 },
  }));
  const handle = `intent-${String(number).padStart(7, '0')}`;
  return { ledger, path: '/intents', body: signed({ handle, claims }, key) };
}

function walletOf(number: number): string {
  return `wallet-${String(number).padStart(5, '0')}`;
}

function pick(upTo: number, random: Random): number {
  return Math.floor(random() * upTo);
}
