/**
 * The table of record kinds. A new kind is a line here, a shape, and a folder of endpoints; nothing
 * else in the ledger enumerates kinds. Rulings 10 and 18.
 */

interface KindLine {
  /** First three letters of its luids. */
  readonly prefix: string;
  /** The path of its endpoints. */
  readonly group: string;
  /** How messages call it. */
  readonly title: string;
  /** Whether a record may be given new data. Intents only move by proofs. Ruling 46. */
  readonly updates: boolean;
  /** Whether a record may end. */
  readonly drops: boolean;
  /** Whether an update may change the handle. A ledger is named in every key of its table. */
  readonly renames: boolean;
  /** The member of its data by which its records are found in the very commit that wrote them. */
  readonly indexed?: string;
}

export const kinds = {
  ledger: {
    prefix: 'ldg',
    group: 'ledgers',
    title: 'Ledger',
    updates: true,
    drops: false,
    renames: false,
  },
  signer: {
    prefix: 'snr',
    group: 'signers',
    title: 'Signer',
    updates: true,
    drops: false,
    renames: true,
  },
  symbol: {
    prefix: 'sym',
    group: 'symbols',
    title: 'Symbol',
    updates: true,
    drops: false,
    renames: true,
  },
  wallet: {
    prefix: 'wlt',
    group: 'wallets',
    title: 'Wallet',
    updates: true,
    drops: true,
    renames: true,
  },
  intent: {
    prefix: 'int',
    group: 'intents',
    title: 'Intent',
    updates: false,
    drops: false,
    renames: false,
  },
  effect: {
    prefix: 'eff',
    group: 'effects',
    title: 'Effect',
    updates: true,
    drops: true,
    renames: true,
    indexed: 'signal',
  },
} as const satisfies Record<string, KindLine>;

/** The name of a record kind. */
export type Kind = keyof typeof kinds;

/** The kind's line of the table. */
export function lineOf(kind: Kind): KindLine {
  return kinds[kind];
}

/**
 * Whether a handle of this kind can be taken again by another record, after a drop or a rename. Only
 * then can a recorded create be replayed, and only then are its proofs remembered. Ruling 16,
 * Decision 7.
 */
export function freesHandles(kind: Kind): boolean {
  return kinds[kind].drops || kinds[kind].renames;
}
