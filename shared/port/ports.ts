/**
 * Everything that the ledger needs from outside: store, keyring, clock and luids. DynamoDB and KMS implement them,
 * or the memory store of the tests.
 */
import type { BridgeCall } from '../ledger/call.ts';
import type { KeyOwnership } from '../ledger/handover.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Limits } from '../ledger/limit.ts';
import type { Version } from '../ledger/record.ts';
import type { GuardedProof } from '../ledger/replay-guard.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import type { SeenShards } from '../ledger/shards.ts';
import type { Counters } from '../ledger/window.ts';

/** The handle of a ledger, or the empty text for the server, which holds the records of all ledgers. */
export type Scope = string;

/** Everything that `Store.load` reads in one round trip. */
export type Want =
  | {
      readonly what: 'record';
      readonly scope: Scope;
      readonly kind: Kind;
      readonly handle: string;
      /** True where what was read within the last second is enough. Decision 129. */
      readonly mayBeRecent?: true;
    }
  | { readonly what: 'pointer'; readonly scope: Scope; readonly kind: Kind; readonly luid: string }
  | {
      readonly what: 'balance';
      readonly scope: Scope;
      readonly wallet: string;
      readonly symbol: string;
      /** To read all shards of a busy balance, one after the other, or as they are at one moment. Decision 125. */
      readonly whole?: 'rough' | 'exact';
    }
  | { readonly what: 'holder'; readonly scope: Scope; readonly public: string }
  | { readonly what: 'secret'; readonly scope: Scope }
  | { readonly what: 'secrets'; readonly scope: Scope; readonly luid: string }
  | { readonly what: 'client'; readonly scope: Scope; readonly id: string }
  | { readonly what: 'rulebook'; readonly scope: Scope; readonly mayBeRecent?: true };

/** The location of a record by its luid. It stays after the record has ended. */
export interface Pointer {
  readonly kind: Kind;
  readonly luid: string;
  /** The current handle, or the last one. */
  readonly handle: string;
  /** Number of the last change of a dropped record; absent while it lives. */
  readonly dropped?: number;
}

/** A wallet's balance of a symbol, in the smallest unit of the symbol. */
export interface Balance {
  /** `$bal.…` */
  readonly luid: string;
  readonly wallet: string;
  readonly walletLuid: string;
  readonly symbol: string;
  readonly available: bigint;
  /** False until the first move; a balance that was only opened is hidden. Ruling 40. */
  readonly isActive: boolean;
  /** Absent until something was reserved. Ruling 40. */
  readonly reserved?: bigint;
  /** The number of threads that rely on this balance; absent until there was one. Decision 61. */
  readonly holds?: number;
  /** Absent until a limit is set. The counters hold the transfers that count for daily limits. Ruling 41. */
  readonly limits?: Limits;
  readonly counters?: Counters;
  /** The number of writes to limits or counters, and of freezes; absent until the first. Decisions 59 and 109. */
  readonly limitsChange?: number;
  /** True while its wallet is frozen, or about to be: moves then depend on the version of the wallet, too. Decision 109. */
  readonly isWatched?: true;
  /** The last millisecond that was answered as final: a move states a later one. Decision 92. */
  readonly fencedMs?: number;
  /** Shards of a busy balance. Its amounts are the sums of those that were read, perhaps not all. Decision 125. */
  readonly shards?: SeenShards;
}

/** A public key in a ledger: it belongs to a signer, or has handed over. Decisions 5 and 157. */
export interface KeyHolder extends KeyOwnership {
  /** Absent once the key has handed over. */
  readonly signer?: string | undefined;
  /** The record of the signer that has the key, or has handed over by it; absent in what earlier releases stored. */
  readonly luid?: string | undefined;
}

/** A signing key: the public half, and the seed wrapped by the keyring. */
interface WrappedKey {
  readonly public: string;
  readonly wrapped: Uint8Array;
}

/** A ledger's signing key; after a rotation with the key before, which signs answers up to a time. Ruling 99. */
export interface Secret extends WrappedKey {
  /** `untilMs` is in milliseconds since 1970. */
  readonly former?: WrappedKey & { readonly untilMs: number };
}

/** The secrets of a bridge by name, each wrapped by the keyring. Decision 22. */
export type WrappedSecrets = Readonly<Record<string, Uint8Array>>;

/** A client that may request tokens: its factor, and the salted hash of its secret. Decision 23. */
export interface TokenClient {
  /** `clientId`: 22 characters. */
  readonly id: string;
  /** The full name of the factor, signer and handle. */
  readonly factor: string;
  readonly luid: string;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

interface FoundBy {
  record: Version;
  pointer: Pointer;
  balance: Balance;
  holder: KeyHolder;
  secret: Secret;
  secrets: WrappedSecrets;
  client: TokenClient;
  rulebook: Rulebook;
}
/** The result of a `Want`; undefined where there is nothing. */
export type Found<W extends Want> = FoundBy[W['what']] | undefined;

/** A named fact to publish, committed with the change that it reports. Ruling 58, Decision 14. */
export interface Signal {
  readonly signal: string;
  /** The number of that change. */
  readonly change: number;
  /** Details beside the record (`balance-received`: wallet, symbol, amount as digits). */
  readonly custom?: Readonly<Record<string, string>>;
  /** The bridges to call for this signal. They are not published. Ruling 54. */
  readonly calls?: readonly BridgeCall[];
}

/** One record's part of a commit: its next version in place of the one that was read. */
export interface Write {
  readonly scope: Scope;
  readonly next: Version;
  /** Absent for a create. The write fails as `stale` when this version is no longer current. */
  readonly previous?: Version;
  /** Replay guards: the proofs of a create or a drop, stored so that it cannot be accepted twice. Ruling 16. */
  readonly replayGuards?: readonly GuardedProof[];
  readonly signals: readonly Signal[];
  /** The balances that end with a dropped wallet, as they were read. All must be empty. Ruling 44. */
  readonly closes?: readonly Balance[];
  /** The number of balances of a wallet that is frozen, all of them watched. Fails when one more was opened. */
  readonly watches?: number;
  /**
   * Watched balances of a wallet that is active again, as they were read: they are watched no more. Fails when the limits of
   * one have changed.
   */
  readonly unwatches?: readonly Balance[];
  /** True when references to a dropped record may remain, as from the anchors of a wallet. Ruling 44. */
  readonly abandons?: boolean;
  /** Keys that begin or cease to belong to this signer, or to the signer of this factor. */
  readonly holds?: readonly string[];
  readonly releases?: readonly string[];
  /** The luid of the parent record. The write fails when another record has taken the parent's name. Ruling 70. */
  readonly hangsOn?: string;
  /** New secrets of a bridge, in place of those before. They end with the bridge. Decision 22. */
  readonly secrets?: WrappedSecrets;
  /** New client of a factor, in place of the one before. It ends with the factor. Decision 23. */
  readonly client?: TokenClient;
  /** The time at which a worker looks at a report, in milliseconds. Decision 25. */
  readonly workMs?: number;
}

export interface Move {
  readonly scope: Scope;
  readonly wallet: string;
  /** Absent where a hold guarantees that the wallet is still the same. Decision 61. */
  readonly walletLuid?: string;
  readonly symbol: string;
  /** Added to the available amount; negative to take away. */
  readonly amount: bigint;
  /** Lower bound of the available amount before the move; absent where there is none. Decision 13. */
  readonly needs?: bigint;
  /** The moment that the ledger states for the move, in milliseconds. The move fails where that is fenced. Decision 92. */
  readonly statedMs: number;
  /** Upper bounds of the available and the reserved amount before the move. Decision 59. */
  readonly most?: { readonly available: bigint; readonly reserved: bigint };
  /** `Balance.limitsChange` as it was read. The move fails when limits or counters have changed since. */
  readonly limitsChange?: number;
  /** New limits and counters. */
  readonly limits?: Limits;
  readonly counters?: Counters;
  /** Added to the reserved amount; negative to take away, never below zero. */
  readonly reserve?: bigint;
  /**
   * The threads that begin to rely on the balance, more than one where they are stored together, or -1 when one ends;
   * meanwhile the wallet stays. Decisions 61 and 128.
   */
  readonly hold?: number;
  /** Present where entries of the balance add up to 0: with a hold or new limits, nothing else tells that it moved. */
  readonly isBooked?: true;
  /** `Balance.shards` as they were read. */
  readonly shards?: SeenShards;
}

/** The key of a new ledger, or one in place of the wrapped one that was read. */
export interface KeyWrite extends Secret {
  readonly scope: Scope;
  /** `wrapped` as it was read. The commit fails as `stale` when there is another key by now. */
  readonly replaces?: Uint8Array;
}

/** One transaction: all of it is stored, or nothing. */
export interface Commit {
  /** The idempotency token of the transaction, at most 36 characters. Sending it twice stores it once. */
  readonly token: string;
  readonly writes: readonly Write[];
  readonly moves?: readonly Move[];
  /** Versions that must still be current although they are not replaced. */
  readonly unchanged?: readonly { readonly scope: Scope; readonly version: Version }[];
  readonly secrets?: readonly KeyWrite[];
  /** Present where the writes can also be stored in parts: then the commit fails soon where it meets others. Decision 128. */
  readonly isDivisible?: true;
  /** Present for a batch: its new intents share items. Decision 142. */
  readonly isBatch?: true;
}

/** The failed condition of a commit, of which nothing was stored. */
export type Conflict =
  /** The handle of a created or renamed record is taken. */
  | { readonly what: 'handle'; readonly write: number }
  /** The version that was read is no longer current. */
  | { readonly what: 'stale'; readonly write: number }
  /** A version in `unchanged` is no longer current. */
  | { readonly what: 'changed'; readonly version: number }
  /** A proof was accepted before, for the record of this luid and hash. */
  | {
      readonly what: 'replayed';
      readonly write: number;
      readonly luid: string;
      readonly hash: string;
    }
  /** A referenced record is gone. */
  | { readonly what: 'relation'; readonly write: number }
  /** The record to rename or drop is referenced by others, or has balances. */
  | { readonly what: 'used'; readonly write: number }
  /** A key belongs to another signer by now. */
  | { readonly what: 'holder'; readonly write: number }
  /** A balance that is closed, or watched no more, has changed; or one was opened beside those that are closed or watched. */
  | { readonly what: 'closing'; readonly write: number }
  /** The balance does not exist, belongs to an earlier wallet of this handle, violates a bound, has other limits, or is fenced. */
  | { readonly what: 'balance'; readonly move: number }
  /** No condition: what can be divided meets others again and again, or is too much at once. */
  | { readonly what: 'crowded' };

/** A balance to create before its first move. */
export interface BalanceOpening {
  readonly scope: Scope;
  /** `$bal.…` */
  readonly luid: string;
  readonly wallet: string;
  readonly walletLuid: string;
  /** The change of the wallet as it was read; a wallet that was frozen since gets no balance. */
  readonly walletChange: number;
  /** True where that wallet is frozen: its balance is watched from the first. */
  readonly isWatched?: true;
  readonly symbol: string;
  readonly symbolLuid: string;
}

/** A wallet by its handle, as long as it is the one with this luid. */
export interface FencedWallet {
  readonly handle: string;
  readonly luid: string;
}

/** The zero-based index of a page, and its number of records. */
export interface Page {
  readonly index: number;
  readonly limit: number;
}

export interface Store {
  /** One strongly consistent read of everything wanted, in the order wanted; of what `mayBeRecent`, up to a second old. */
  load<const W extends readonly Want[]>(wants: W): Promise<{ [I in keyof W]: Found<W[I]> }>;
  /** A page of current records of a kind, or of those within one record, the last changed first. Ruling 19. */
  list(scope: Scope, kind: Kind, page: Page, within?: string): Promise<Version[]>;
  /** All current records of a kind whose indexed member has this value, by luid; `recent` ones up to a second old. */
  indexed(scope: Scope, kind: Kind, value: string, how?: 'recent'): Promise<Version[]>;
  /** The superseded versions of a luid with any change from `first` to `last`, oldest first. */
  past(scope: Scope, luid: string, first: number, last: number): Promise<Version[]>;
  /**
   * All balances of a wallet, by symbol. The shards of a busy balance are read as they were at one moment, which refuses
   * with `api.request-timeout` where it moves too fast; a `rough` reading may have them of several.
   */
  balances(scope: Scope, wallet: string, how?: 'rough'): Promise<Balance[]>;
  /**
   * Creates empty balances, so that a commit only ever moves what exists. Decision 12. Existing balances stay as
   * they are. False when a wallet has changed, or a symbol is no longer the one named.
   */
  open(openings: readonly BalanceOpening[]): Promise<boolean>;
  /**
   * Marks balances as watched. A move that was decided before fails, as if their limits had changed. Balances that have
   * ended are left out.
   */
  watch(scope: Scope, balances: readonly Pick<Balance, 'wallet' | 'symbol'>[]): Promise<void>;
  /**
   * Fences the balances of a wallet at a millisecond: from now on no move of them, nor of one that is opened later, is
   * stored that states it or an earlier one. Returns all balances of the wallet, by symbol; those that have moved until
   * then are active.
   */
  fence(scope: Scope, wallet: FencedWallet, atMs: number): Promise<Balance[]>;
  /**
   * Resolves once a version that was read is in force everywhere: its own change may not be answered yet. Absent where no
   * process uses what it has read of late. Decision 129.
   */
  inForce?(version: Pick<Version, 'kind' | 'steps'>): Promise<void>;
  /** Stores the commit, or returns the conditions that failed; an empty list means that it is stored. */
  commit(commit: Commit): Promise<readonly Conflict[]>;
  /** True when the database answers. */
  isReachable(): Promise<boolean>;
}

/** Encrypts keys and secrets at rest. Unwrapping needs the same `context`, such as the handle of the ledger. */
export interface Keyring {
  wrap(secret: Uint8Array, context: string): Promise<Uint8Array>;
  unwrap(wrapped: Uint8Array, context: string): Promise<Uint8Array>;
}

/** Milliseconds since 1970, UTC. */
export type Clock = () => number;

/** A new luid with this prefix, increasing with time. Ruling 10. */
export type Luids = (prefix: string, nowMs: number, share?: number) => string;
