/**
 * A typed reader that batches: all reads that are started in the same tick become one `Store.load`, each item once.
 * It caches what it read, so each new attempt of a decision takes a new reader.
 */
import DataLoader from 'dataloader';
import type { Kind } from '../ledger/kind.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import type { Call } from '../port/action.ts';
import type { Balance, Found, KeyHolder, Scope, Store, TokenClient, Want } from '../port/ports.ts';
import { type NamedRecords, namedPlaces, type RecordNames } from './relations.ts';

export interface Reader {
  readonly record: (kind: Kind, handle: string) => Promise<Version | undefined>;
  readonly records: (
    kind: Kind,
    handles: readonly string[],
  ) => Promise<readonly (Version | undefined)[]>;
  /** Records that many requests read, as they were at most a second ago. Decision 129. */
  readonly recent: (
    kind: Kind,
    handles: readonly string[],
  ) => Promise<readonly (Version | undefined)[]>;
  /** The record of the addressed ledger, as it was at most a second ago. */
  readonly home: () => Promise<LedgerRecord | undefined>;
  /** The rulebook, as it was at most a second ago. */
  readonly rulebook: () => Promise<Rulebook | undefined>;
  readonly balances: (
    walletSymbols: readonly Pick<Balance, 'wallet' | 'symbol'>[],
  ) => Promise<readonly (Balance | undefined)[]>;
  /** Throws `record.relation-not-found`, before any read, for a name that cannot be a handle. */
  readonly named: (named: RecordNames) => Promise<NamedRecords>;
  /** The signers of keys, by key; without keys that belong to none. */
  readonly signers: (publics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The items of keys, by key; none for a key that belongs to no signer and has not handed over. */
  readonly holders: (publics: readonly string[]) => Promise<ReadonlyMap<string, KeyHolder>>;
  readonly client: (id: string) => Promise<TokenClient | undefined>;
}

/** A reader for the addressed ledger. */
export function readerFor({ services, ledger }: Pick<Call, 'services' | 'ledger'>): Reader {
  return readerOf(services.store, ledger.handle, ledger.handle);
}

/** A reader for a scope; `ledger` is the ledger that `home` reads. */
export function readerOf(store: Pick<Store, 'load'>, scope: Scope, ledger = scope): Reader {
  const loader = new DataLoader<Want, unknown, string>((wants) => store.load(wants), {
    cacheKeyFn: (want) => JSON.stringify(want),
  });
  const one = <W extends Want>(want: W) => loader.load(want) as Promise<Found<W>>;
  const record = (kind: Kind, handle: string) => one({ what: 'record', scope, kind, handle });
  const recent = { mayBeRecent: true } as const;
  const holders = async (publics: readonly string[]) => {
    const found = publics.map(async (key): Promise<[string, KeyHolder][]> => {
      const holder = await one({ what: 'holder', scope, public: key });
      return holder ? [[key, holder]] : [];
    });
    return new Map((await Promise.all(found)).flat());
  };
  return {
    record,
    records: (kind, handles) => Promise.all(handles.map((handle) => record(kind, handle))),
    recent: (kind, handles) =>
      Promise.all(handles.map((handle) => one({ what: 'record', scope, kind, handle, ...recent }))),
    home: async () =>
      (await one({ what: 'record', scope: '', kind: 'ledger', handle: ledger, ...recent }))?.record,
    rulebook: () => one({ what: 'rulebook', scope, ...recent }),
    balances: (walletSymbols) =>
      Promise.all(
        walletSymbols.map(({ wallet, symbol }) => one({ what: 'balance', scope, wallet, symbol })),
      ),
    named: async (named) =>
      Promise.all(namedPlaces(named).map(({ kind, handle }) => record(kind, handle))),
    signers: async (publics) => signersOf(await holders(publics)),
    holders,
    client: (id) => one({ what: 'client', scope, id }),
  };
}

/** The signers that keys belong to, by key. */
export function signersOf(holders: ReadonlyMap<string, KeyHolder>): ReadonlyMap<string, string> {
  return new Map(
    [...holders].flatMap(([key, { signer }]) => (signer === undefined ? [] : [[key, signer]])),
  );
}
