/** The record kinds. A new kind needs a line here, a shape, and a folder of endpoints. Rulings 10 and 18. */
import type { PlainObject } from './compare.ts';

interface KindLine {
  /** First three letters of its luids. */
  readonly prefix: string;
  /** The last segment of the path of its endpoints. */
  readonly group: string;
  /** The kind that its records belong to, and the member of their data that names the owner. */
  readonly within?: 'signer' | 'circle';
  /** The member of its data that names a record among its siblings; `handle` by default. Ruling 36. */
  readonly naming?: 'signer';
  /** The name of the kind in messages. */
  readonly title: string;
  /** True when an update may change the data. Intents change by proofs alone. Ruling 46. */
  readonly updates: boolean;
  /** True when a record can be dropped. */
  readonly drops: boolean;
  /** True when an update may change the handle. That of a ledger is part of every key of its table. */
  readonly renames: boolean;
  /** The value by which a commit itself makes records findable: a member of the data, or `outward`. */
  readonly indexed?: string;
  /** Paths in its data by which its lists can be filtered, beside the common ones. Ruling 21. */
  readonly filters?: readonly string[];
  /** As `filters`, for paths that name a wallet, symbol or bridge: by handle, or by `{handle}`, which match alike. */
  readonly namingPaths?: readonly string[];
  /** True when its records are found by full-text search. Ruling 23. */
  readonly searched?: true;
  /** True when no other kind has such data or scope, so that a replayed create cannot create another kind. */
  readonly apart?: true;
}

export const kinds = {
  ledger: {
    prefix: 'ldg',
    group: 'ledgers',
    title: 'Ledger',
    updates: true,
    drops: false,
    renames: false,
    apart: true,
  },
  signer: {
    prefix: 'snr',
    group: 'signers',
    title: 'Signer',
    updates: true,
    drops: false,
    renames: true,
    filters: ['public', 'format'],
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
    namingPaths: ['bridge'],
  },
  intent: {
    prefix: 'int',
    group: 'intents',
    title: 'Intent',
    updates: false,
    drops: false,
    renames: false,
    filters: ['claims', 'claims.action', 'claims.amount', 'reverses'],
    namingPaths: ['claims.source', 'claims.target', 'claims.symbol'],
    searched: true,
    apart: true,
    indexed: 'wait',
  },
  effect: {
    prefix: 'eff',
    group: 'effects',
    title: 'Effect',
    updates: true,
    drops: true,
    renames: true,
    indexed: 'signal',
    filters: ['signal'],
  },
  'signer-factor': {
    prefix: 'snf',
    group: 'factors',
    title: 'Signer factor',
    updates: true,
    drops: true,
    renames: true,
    within: 'signer',
  },
  circle: {
    prefix: 'crc',
    group: 'circles',
    title: 'Circle',
    updates: true,
    drops: false,
    renames: true,
    indexed: 'outward',
  },
  'circle-signer': {
    prefix: 'csn',
    group: 'signers',
    title: 'Circle signer',
    updates: false,
    drops: true,
    renames: false,
    within: 'circle',
    naming: 'signer',
    indexed: 'signer',
  },
  bridge: {
    prefix: 'brg',
    group: 'bridges',
    title: 'Bridge',
    updates: true,
    drops: true,
    renames: true,
  },
  domain: {
    prefix: 'dom',
    group: 'domains',
    title: 'Domain',
    updates: true,
    drops: false,
    renames: false,
  },
  anchor: {
    prefix: 'anc',
    group: 'anchors',
    title: 'Anchor',
    updates: true,
    drops: true,
    renames: true,
    indexed: 'wallet',
    namingPaths: ['wallet', 'target', 'source', 'symbol'],
  },
  schema: {
    prefix: 'sch',
    group: 'schemas',
    title: 'Schema',
    updates: true,
    drops: false,
    renames: false,
    indexed: 'record',
    filters: ['record'],
  },
  policy: {
    prefix: 'plc',
    group: 'policies',
    title: 'Policy',
    updates: true,
    drops: true,
    renames: true,
    indexed: 'record',
    filters: ['record'],
  },
  report: {
    prefix: 'rep',
    group: 'reports',
    title: 'Report',
    updates: false,
    drops: true,
    renames: false,
  },
} as const satisfies Record<string, KindLine>;

export type Kind = keyof typeof kinds;

export function lineOf(kind: Kind): KindLine {
  return kinds[kind];
}

/**
 * True when a drop or a rename can free a handle of this kind. Only then can a proof for one record of the kind be
 * replayed for another. Ruling 16, Decisions 7 and 44.
 */
export function freesHandles(kind: Kind): boolean {
  return kinds[kind].drops || kinds[kind].renames;
}

/** True when a replayed create of this kind cannot create a record of another kind in the same scope. Decision 7. */
export function isApart(kind: Kind): boolean {
  return lineOf(kind).apart === true;
}

/** True for the kinds whose records show the keys of signers. Ruling 63. */
export function hasKeys(kind: Kind): boolean {
  return kind === 'signer' || kind === 'signer-factor';
}

/** The value by which a record is found at once; undefined when there is none. */
export function indexedValueOf(kind: Kind, data: PlainObject): string | undefined {
  const { indexed } = lineOf(kind);
  const value = indexed === outward ? outwardOf(data) : indexed && data[indexed];
  return typeof value === 'string' ? value : undefined;
}

/** The index value of a circle with a rule for others than its members. Ruling 32. */
const outward = 'outward';

function outwardOf({ access }: PlainObject): string | undefined {
  const rules = (access ?? []) as readonly {
    readonly signer?: unknown;
    readonly bearer?: unknown;
    readonly policy?: unknown;
  }[];
  // A policy may name any principal.
  const isOutward = rules.some((rule) => (rule.signer ?? rule.bearer ?? rule.policy) !== undefined);
  return isOutward ? outward : undefined;
}

/** True when a record never moves in lists and never ends, so that its luid gives its place for ever. */
export function keepsPlace(kind: Kind): boolean {
  return !kinds[kind].updates && !kinds[kind].drops;
}

/** The name of the record that this one belongs to; undefined for records that belong to none. */
export function withinOf(kind: Kind, data: PlainObject): string | undefined {
  const { within } = lineOf(kind);
  return within && String(data[within]);
}

/**
 * The name of a record, unique in its kind. For a record that belongs to another it starts with the name of that one.
 * The separator `/` occurs only in handles of ledgers and domains.
 */
export function nameOf(kind: Kind, data: PlainObject): string {
  const own = String(data[lineOf(kind).naming ?? 'handle']);
  const within = withinOf(kind, data);
  return within === undefined ? own : nameWithin(within, own);
}

export function nameWithin(within: string, own: string): string {
  return `${within}/${own}`;
}
