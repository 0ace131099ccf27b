/**
 * What the ledger needs from outside: a store, a keyring, a clock and luids. Actions speak only to
 * these; DynamoDB, KMS and the memory of the tests stand behind them.
 */
import type { BridgeCall } from '../ledger/call.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Limits } from '../ledger/limit.ts';
import type { Version } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import type { Sealed } from '../ledger/seal.ts';
import type { Counters } from '../ledger/window.ts';

/** Where a record lives: the handle of its ledger, or the empty text for the server, which keeps the records of ledgers. */
export type Scope = string;

/** What `Store.load` can read, all in one round trip. */
export type Want =
  | { readonly what: 'record'; readonly scope: Scope; readonly kind: Kind; readonly handle: string }
  | { readonly what: 'pointer'; readonly scope: Scope; readonly kind: Kind; readonly luid: string }
  | {
      readonly what: 'balance';
      readonly scope: Scope;
      readonly wallet: string;
      readonly symbol: string;
    }
  | { readonly what: 'holder'; readonly scope: Scope; readonly public: string }
  | { readonly what: 'secret'; readonly scope: Scope }
  | { readonly what: 'secrets'; readonly scope: Scope; readonly luid: string }
  | { readonly what: 'client'; readonly scope: Scope; readonly id: string }
  | { readonly what: 'rulebook'; readonly scope: Scope };

/** Where the record of a luid is, also after its end. */
export interface Pointer {
  readonly kind: Kind;
  readonly luid: string;
  /** The current handle, or the last one. */
  readonly handle: string;
  /** Number of the last change of a dropped record; absent while it lives. */
  readonly dropped?: number;
}

/** What a wallet has of a symbol, in the symbol's smallest unit. */
export interface Balance {
  /** `$bal.…` */
  readonly luid: string;
  readonly wallet: string;
  readonly walletLuid: string;
  readonly symbol: string;
  readonly available: bigint;
  /** Whether it ever moved; one that was only opened is not shown. Ruling 40. */
  readonly isActive: boolean;
  /** Absent until anything was ever reserved. Ruling 40. */
  readonly reserved?: bigint;
  /** How many threads count on it; absent until one did. Decision 61. */
  readonly holds?: number;
  /** Absent until a limit is set; the transfers that count for daily ones. Ruling 41. */
  readonly limits?: Limits;
  readonly counters?: Counters;
  /** How often limits or counters were written; absent until a limit is set. Decision 59. */
  readonly limitsChange?: number;
}

/** The signer record that a public key belongs to. Decision 5. */
export interface Holder {
  readonly signer: string;
}

/** A ledger's signing key: the public half, and the seed as the keyring wrapped it. */
export interface Secret {
  readonly public: string;
  readonly wrapped: Uint8Array;
}

/** The secrets of a bridge by name, each as the keyring wrapped it. Decision 22. */
export type WrappedSecrets = Readonly<Record<string, Uint8Array>>;

/** Who may ask for tokens: the factor that says so, and how its secret is known. Decision 23. */
export interface Client {
  /** `clientId`: 22 characters. */
  readonly id: string;
  /** The name of the factor: its signer and its handle. */
  readonly factor: string;
  readonly luid: string;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

interface FoundBy {
  record: Version;
  pointer: Pointer;
  balance: Balance;
  holder: Holder;
  secret: Secret;
  secrets: WrappedSecrets;
  client: Client;
  rulebook: Rulebook;
}
/** What was found for a want; undefined where there is nothing. */
export type Found<W extends Want> = FoundBy[W['what']] | undefined;

/** A named fact to be told, committed with the change it tells. Ruling 58, Decision 14. */
export interface Signal {
  readonly signal: string;
  /** The change of the record that it tells. */
  readonly change: number;
  /** What the signal says beside the record (`balance-received`: wallet, symbol, amount as digits). */
  readonly custom?: Readonly<Record<string, string>>;
  /** The bridges that are to be called for it; they are no part of what is told. Ruling 54. */
  readonly calls?: readonly BridgeCall[];
}

/** One record's part of a commit: its next version, in place of the one that was read. */
export interface Write {
  readonly scope: Scope;
  readonly next: Version;
  /** What was read; absent for a create. The write fails as `stale` when it is no longer current. */
  readonly previous?: Version;
  /** The proofs of a create or a drop to remember, so that it cannot be replayed. Ruling 16. */
  readonly seals?: readonly Sealed[];
  readonly signals: readonly Signal[];
  /** The balances that end with a dropped wallet, as they were read; all must be empty. Ruling 44. */
  readonly closes?: readonly Balance[];
  /** Whether others may go on naming a record that ends: the anchors of a wallet. Ruling 44. */
  readonly abandons?: boolean;
  /** Keys that begin or cease to belong to this signer, or to that of this factor. */
  readonly holds?: readonly string[];
  readonly releases?: readonly string[];
  /** The luid of the record that this one hangs on: what takes its name meanwhile is another one. Ruling 70. */
  readonly hangsOn?: string;
  /** The secrets of a bridge in place of those before; with the bridge they end. Decision 22. */
  readonly secrets?: WrappedSecrets;
  /** The client that a factor makes, in place of the one before; with the factor it ends. Decision 23. */
  readonly client?: Client;
  /** When a worker is to look after a report, in milliseconds. Decision 25. */
  readonly workMs?: number;
}

/** A change of one balance. */
export interface Move {
  readonly scope: Scope;
  readonly wallet: string;
  /** Absent where a hold keeps the wallet that it was: Decision 61. */
  readonly walletLuid?: string;
  readonly symbol: string;
  /** What is added to the available amount; negative takes away. */
  readonly amount: bigint;
  /** The available amount must be at least this before the move; absent where that does not matter. Decision 13. */
  readonly needs?: bigint;
  /** The available and the reserved amount must be at most this before the move. Decision 59. */
  readonly most?: { readonly available: bigint; readonly reserved: bigint };
  /** `Balance.limitsChange` as it was read: by other limits the move has to be judged anew. */
  readonly limitsChange?: number;
  /** What takes the place of limits and counters. */
  readonly limits?: Limits;
  readonly counters?: Counters;
  /** What is added to the reserved amount; negative takes away, and never more than is there. */
  readonly reserve?: bigint;
  /** 1 when a thread begins to rely on it, -1 when it does no more: its wallet stays meanwhile. Decision 61. */
  readonly hold?: 1 | -1;
}

/** All of this happens, or none of it. */
export interface Commit {
  /** Names this commit to the database, so that sending it twice does it once. At most 36 characters. */
  readonly token: string;
  readonly writes: readonly Write[];
  readonly moves?: readonly Move[];
  /** Versions that must still be current, beside those that are replaced. */
  readonly unchanged?: readonly { readonly scope: Scope; readonly version: Version }[];
  readonly secrets?: readonly (Secret & { readonly scope: Scope })[];
}

/** Why a commit did not happen. Nothing of it was stored. */
export type Obstacle =
  /** The handle of a created or renamed record is taken. */
  | { readonly what: 'handle'; readonly write: number }
  /** The version that was read is not the current one. */
  | { readonly what: 'stale'; readonly write: number }
  /** A version that should have stayed is no longer current. */
  | { readonly what: 'changed'; readonly version: number }
  /** One of its proofs was accepted before, for the record of this luid and hash. */
  | {
      readonly what: 'replayed';
      readonly write: number;
      readonly luid: string;
      readonly hash: string;
    }
  /** A record that this one names is gone. */
  | { readonly what: 'relation'; readonly write: number }
  /** A record to be renamed or dropped is named by others, or has balances. */
  | { readonly what: 'used'; readonly write: number }
  /** A key belongs to another signer by now. */
  | { readonly what: 'holder'; readonly write: number }
  /** A balance to be closed changed, or a new one was opened. */
  | { readonly what: 'closing'; readonly write: number }
  /** A balance does not exist, belongs to an earlier wallet of that handle, holds too little or too much, or has other limits. */
  | { readonly what: 'balance'; readonly move: number };

/** A balance that is about to move for the first time. */
export interface Opening {
  readonly scope: Scope;
  /** `$bal.…` */
  readonly luid: string;
  readonly wallet: string;
  readonly walletLuid: string;
  readonly symbol: string;
  readonly symbolLuid: string;
}

/** One page: zero-based index and records per page. */
export interface Page {
  readonly index: number;
  readonly limit: number;
}

export interface Store {
  /** One strongly consistent read of everything wanted, in the order wanted. */
  load<const W extends readonly Want[]>(wants: W): Promise<{ [I in keyof W]: Found<W[I]> }>;
  /** A page of the current records of a kind, or of those within one record, newest data first. Ruling 19. */
  list(scope: Scope, kind: Kind, page: Page, within?: string): Promise<Version[]>;
  /** All current records of a kind whose indexed member has this value, by luid. */
  indexed(scope: Scope, kind: Kind, value: string): Promise<Version[]>;
  /** The superseded versions of a luid that hold any change from `first` to `last`, oldest first. */
  past(scope: Scope, luid: string, first: number, last: number): Promise<Version[]>;
  /** All balances of a wallet, by symbol. */
  balances(scope: Scope, wallet: string): Promise<Balance[]>;
  /**
   * Makes empty balances, so that a commit only ever moves what exists. Decision 12. Existing ones
   * stay as they are. False when a wallet or a symbol is not (or no longer) the one named.
   */
  open(openings: readonly Opening[]): Promise<boolean>;
  /** All or nothing. Returns what stood in the way; nothing means that it is stored. */
  commit(commit: Commit): Promise<readonly Obstacle[]>;
  /** Whether the database answers. */
  isReachable(): Promise<boolean>;
}

/** Wraps what must not be readable at rest. `context` (the ledger's handle) is needed again to unwrap. */
export interface Keyring {
  wrap(secret: Uint8Array, context: string): Promise<Uint8Array>;
  unwrap(wrapped: Uint8Array, context: string): Promise<Uint8Array>;
}

/** Milliseconds since 1970, UTC. */
export type Clock = () => number;

/** A new luid of the prefix, increasing with time. Ruling 10. */
export type Luids = (prefix: string, nowMs: number) => string;
