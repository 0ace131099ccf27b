/**
 * The wallets of the bench, which all have a balance, and the pairs that transfers go between. Both sides of the bench
 * use the same.
 */
import type { SigningKey } from '../../shared/crypto/proof.ts';
import { type Body, type Json, signed } from '../fixture/client.ts';

/** Source and target of a transfer. */
export type Pair = readonly [source: string, target: string];

/** Every pair of a workload is taken in turn. */
export const workloads = ['uniform', 'hot'] as const;
export type Workload = (typeof workloads)[number];

/** A body and the endpoint that it is sent to. */
export interface Post {
  readonly path: string;
  readonly body: Body;
}

const walletCount = 100;
const pairCount = 200;
const claimCountMax = 40;
const issuedEach = 1_000_000_000;
const symbol = 'usd';

export const wallets: readonly string[] = Array.from(
  { length: walletCount },
  (_, index) => `wallet-${String(index).padStart(3, '0')}`,
);

/** The sum of all balances, at any time. */
export const issuedTotal = walletCount * issuedEach;

/** Random wallets, or all transfers out of one wallet. */
export const pairsOf: Readonly<Record<Workload, readonly Pair[]>> = {
  uniform: Array.from({ length: pairCount }, () => pairBut(any(wallets))),
  hot: Array.from({ length: pairCount }, () => pairBut(wallets[0] as string)),
};

/** The posts that create the records; each inner list needs the ones before it. */
export function settingOf(key: SigningKey): Post[][] {
  const post = (path: string, data: Json) => ({
    path,
    body: signed(data, key),
  });
  const issues = chunksOf(wallets, claimCountMax).map((targets, index) =>
    post('/intents', {
      handle: `issue-${index}`,
      claims: targets.map((target) => ({ action: 'issue', target, symbol, amount: issuedEach })),
    }),
  );
  return [
    [
      post('/signers', { handle: 'author', format: 'ed25519-raw', public: key.public }),
      post('/symbols', { handle: symbol, factor: 100 }),
    ],
    wallets.map((handle) => post('/wallets', { handle })),
    issues,
  ];
}

/** One transfer. Numbers have seven digits, so that all handles are of one length. */
export function transferOf([source, target]: Pair, number: number, key: SigningKey): Body {
  const claims = [{ action: 'transfer', source, target, symbol, amount: 1 }];
  return signed({ handle: handleOf(number), claims }, key);
}

export function handleOf(number: number): string {
  return `transfer-${String(number).padStart(7, '0')}`;
}

function pairBut(source: string): Pair {
  return [source, any(wallets.filter((wallet) => wallet !== source))];
}

function any<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

function chunksOf<Item>(items: readonly Item[], length: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / length) }, (_, index) =>
    items.slice(index * length, (index + 1) * length),
  );
}
