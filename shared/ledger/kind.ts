/**
 * The table of record kinds. A new kind is a line here, a shape, and a folder of endpoints; nothing
 * else in the ledger enumerates kinds. Rulings 10 and 18.
 */

interface KindLine {
  /** First three letters of its luids. */
  readonly prefix: string;
  /** The last segment of the path of its endpoints. */
  readonly group: string;
  /** The kind that its records belong to, which is also the member of their data that names whose. */
  readonly within?: 'signer' | 'circle';
  /** The member of its data that names a record among its own; `handle` unless said. Ruling 36. */
  readonly naming?: 'signer';
  /** How messages call it. */
  readonly title: string;
  /** Whether a record may be given new data. Intents only move by proofs. Ruling 46. */
  readonly updates: boolean;
  /** Whether a record may end. */
  readonly drops: boolean;
  /** Whether an update may change the handle. A ledger is named in every key of its table. */
  readonly renames: boolean;
  /** By what its records are found in the very commit that wrote them: a member of the data, or `outward`. */
  readonly indexed?: string;
  /** What its lists can be filtered by beside what is common to all: paths in its data. Ruling 21. */
  readonly filters?: readonly string[];
  /** The same, where another record is named: by its handle or by `{handle}`, which mean the same. */
  readonly parties?: readonly string[];
  /** Whether its records are found by words. Ruling 23. */
  readonly searched?: true;
  /** Whether it has data, or a scope, like no other kind, so that what makes one makes nothing else there. */
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
    parties: ['bridge'],
  },
  intent: {
    prefix: 'int',
    group: 'intents',
    title: 'Intent',
    updates: false,
    drops: false,
    renames: false,
    filters: ['claims', 'claims.action', 'claims.amount'],
    parties: ['claims.source', 'claims.target', 'claims.symbol'],
    searched: true,
    apart: true,
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
    parties: ['wallet', 'target', 'source', 'symbol'],
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

/** The name of a record kind. */
export type Kind = keyof typeof kinds;

/** The kind's line of the table. */
export function lineOf(kind: Kind): KindLine {
  return kinds[kind];
}

/**
 * Whether a handle of this kind can be taken again by another record, after a drop or a rename. Only
 * then can what was signed for one record of the kind fit another one. Ruling 16, Decisions 7 and 44.
 */
export function freesHandles(kind: Kind): boolean {
  return kinds[kind].drops || kinds[kind].renames;
}

/** Whether a recorded create of this kind could make no record of another kind in the same scope. Decision 7. */
export function isApart(kind: Kind): boolean {
  return lineOf(kind).apart === true;
}

/** The value by which a record is found at once; undefined for one that is not. */
export function indexedValueOf(kind: Kind, data: Named): string | undefined {
  const { indexed } = lineOf(kind);
  const value = indexed === outward ? outwardOf(data) : indexed && data[indexed];
  return typeof value === 'string' ? value : undefined;
}

/** A circle is outward when a rule of it names others than its members. Ruling 32. */
const outward = 'outward';

function outwardOf({ access }: Named): string | undefined {
  const rules = (access ?? []) as readonly {
    readonly signer?: unknown;
    readonly bearer?: unknown;
    readonly policy?: unknown;
  }[];
  // A policy may name anybody.
  const isOutward = rules.some((rule) => (rule.signer ?? rule.bearer ?? rule.policy) !== undefined);
  return isOutward ? outward : undefined;
}

/** Whether its records lie where their luids put them for as long as they live, and live for ever. */
export function keepsPlace(kind: Kind): boolean {
  return !kinds[kind].updates && !kinds[kind].drops;
}

/** The name of the record that one of this kind belongs to; undefined for records of their own. */
export function withinOf(kind: Kind, data: Named): string | undefined {
  const { within } = lineOf(kind);
  return within && String(data[within]);
}

/**
 * What names a record among all of its kind. What belongs to another record is named together with it;
 * `/` is in no handle but those of ledgers and domains.
 */
export function nameOf(kind: Kind, data: Named): string {
  const own = String(data[lineOf(kind).naming ?? 'handle']);
  const within = withinOf(kind, data);
  return within === undefined ? own : nameWithin(within, own);
}

/** The name of what belongs to the record `within`. */
export function nameWithin(within: string, own: string): string {
  return `${within}/${own}`;
}

/** Data as far as it names a record. */
type Named = Readonly<Record<string, unknown>>;
