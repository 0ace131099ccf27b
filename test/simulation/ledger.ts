/**
 * The ledger of a simulation: its store in memory, with all that was written to it in order, so that the same can be
 * written to a table; and what is in it at the beginning.
 */

import { perform } from '../../shared/access/perform.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { foundDefaultLedger } from '../../shared/action/found-ledger.ts';
import { updateOwnLedger } from '../../shared/action/update.ts';
import { luidMaker } from '../../shared/crypto/luid.ts';
import { schemaMaker } from '../../shared/json-schema/maker.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Action, Call, Services } from '../../shared/port/action.ts';
import type { Logs, StoredCheckpoint } from '../../shared/port/logs.ts';
import type { Commit, Conflict } from '../../shared/port/ports.ts';
import { newWork } from '../../shared/port/request-budget.ts';
import { identities } from '../../shared/record/identity.ts';
import { checkpoints } from '../../shared/record/log-signer.ts';
import { patternMaker } from '../../shared/signal/pattern.ts';
import { claimOf, type Json, newKey, revision, signed } from '../fixture/client.ts';
import { dearTraits, hostileData, patternable } from '../fixture/hostile.ts';
import { type MemoryStore, memoryStore } from '../fixture/memory.ts';
import { memoryNotes } from '../fixture/memory-notes.ts';

/** The address of the webhook that receives every intent. */
export const webhookHost = 'ear.example';
/** The address of hostile effects, to which no event is ever sent. */
export const thiefHost = 'thief.example';
/** The ledger that everything happens in. */
export const main = 'main';
export const symbols = ['usd', 'eur'] as const;

/** The keys of the client, of the co-signer of the vault, and of a stranger. */
export const [alice, second, stranger] = [newKey(), newKey(), newKey()];
/** The key that made the wallets and does nothing more. */
const keeper = newKey();
/** The key of a hostile client. */
export const mallory = newKey();

/** One call of a port that may have written something, with what it answered. */
export interface Written {
  readonly port: 'store' | 'deliveries' | 'outbox' | 'catalog' | 'books';
  readonly method: string;
  readonly values: readonly unknown[];
  readonly answer: unknown;
}

const writing: Readonly<Record<Written['port'], readonly string[]>> = {
  store: ['open', 'commit', 'watch'],
  deliveries: ['add', 'save'],
  outbox: ['told', 'setAside'],
  catalog: ['keep'],
  books: ['keep'],
};

export interface Ledger {
  readonly memory: MemoryStore;
  readonly services: Services;
  readonly written: readonly Written[];
  /** Every checkpoint that somebody could have kept, in the order in which they were stored. */
  readonly checkpoints: readonly StoredCheckpoint[];
  /** Signs a checkpoint of all that the log has, as the sweeper does. */
  readonly sign: (scope: string) => Promise<void>;
  /** Runs an action; a path of one parameter is its `id`. */
  readonly run: (services: Services, action: Action, call: Partial<Call>) => Promise<LedgerRecord>;
}

/** The ledger with its wallets, as nothing has happened yet; `committed` hears of each commit. */
export async function newLedger(
  { clock, random }: { readonly clock: () => number; readonly random: () => number },
  banks: readonly { readonly name: string; readonly key: ReturnType<typeof newKey> }[],
  committed: (commit: Commit, ledger: MemoryStore) => Promise<void>,
): Promise<Ledger> {
  const written: Written[] = [];
  const memory = remembering(memoryStore(), written);
  const store = {
    ...memory,
    commit: async (commit: Commit): Promise<readonly Conflict[]> => {
      const obstacles = await memory.commit(commit);
      if (obstacles.length === 0) await committed(commit, memory);
      return obstacles;
    },
  };
  // The audit wants what is wrapped to be longer.
  const wrap = async (secret: Uint8Array) => Buffer.concat([Buffer.alloc(1), secret]);
  const keyring = { wrap, unwrap: async (wrapped: Uint8Array) => wrapped.slice(1) };
  const services: Services = {
    ...{ store, keyring, clock, patternMaker, schemaMaker },
    ...{
      catalog: memory.catalog,
      books: memory.books,
      deliveries: memory.deliveries,
      reports: memory.reports,
      logs: memory.logs,
    },
    luids: luidMaker((size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256))),
    identityOf: identities(store, keyring),
    settings: { defaultLedger: main, servers: [], semver: '0', startedMs: 0 },
    assertEndpoint: () => undefined,
    notes: memoryNotes(),
  };
  const home = await foundDefaultLedger(services);
  const run: Ledger['run'] = async (own, action, call) => {
    const empty = { path: {}, query: {}, body: undefined, work: newWork(own) };
    const whole = { services: own, ledger: home, ...empty, ...call };
    const { body } = await perform(action, whole);
    return body as LedgerRecord;
  };
  const kept: StoredCheckpoint[] = [];
  const keep: Logs['keep'] = async (scope, checkpoint) => {
    kept.push(checkpoint);
    await memory.logs.keep(scope, checkpoint);
  };
  const sign = checkpoints({ logs: { ...memory.logs, keep }, store, keyring });
  const own = { memory: { ...memory, ...store }, services, written };
  const ledger: Ledger = { ...own, checkpoints: kept, sign, run };
  await furnish(ledger, banks);
  return ledger;
}

/** The store, of which all that may write is noted with its answer. */
function remembering(memory: MemoryStore, written: Written[]): MemoryStore {
  const noting = <Port extends object>(port: Written['port'], methods: Port): Port => {
    const noted = Object.entries(methods).map(([method, does]) => [
      method,
      writing[port].includes(method)
        ? async (...values: unknown[]) => {
            const answer: unknown = await does(...values);
            written.push({ port, method, values, answer });
            return answer;
          }
        : does,
    ]);
    return Object.fromEntries(noted) as Port;
  };
  const { outbox, deliveries, catalog, books, reports, expiries, ...store } = memory;
  return {
    ...noting('store', store),
    ...{ reports, expiries },
    outbox: noting('outbox', outbox),
    deliveries: noting('deliveries', deliveries),
    catalog: noting('catalog', catalog),
    books: noting('books', books),
  };
}

const anybody = (record: string) => ({ action: 'any', record });
const reading = { action: 'read' };
/** With a pattern that costs next to nothing, and for which nothing would be left if others could take it. */
const spending = { action: 'spend', filter: { handle: { $regex: '^[a-z0-9]+$' } } };
/** In which patterns are looked for, as long as they are at all. */
const note = 'x'.repeat(patternable);
/** Records of a hostile client: a wallet, one at a bank, a bank, a domain, and a circle that every request reads. */
export const hostileName = 'mal';
const hostileBase = { handle: hostileName, author: mallory.public, target: '' };
const hostileWallet = hostileData('wallet', false, hostileBase);

/** Wallets of the ledger and at banks, some of which pass on what comes to them. */
const wallets: readonly Json[] = [
  { handle: 'ann', custom: { note } },
  { handle: 'bob' },
  {
    handle: 'vault',
    access: [reading, { ...spending, signer: { public: second.public } }],
    custom: { note },
  },
  { handle: 'b1', bridge: 'blue' },
  { handle: 'blue', bridge: 'blue' },
  { handle: 'g1', bridge: 'green' },
  { handle: 'g2', bridge: 'green' },
  { handle: 'half', bridge: 'teal' },
  { handle: 'door', routes: [{ action: 'credit', target: 'ann' }] },
  { handle: 'pass', routes: [{ action: 'forward', target: 'g1' }] },
  { handle: 'step', bridge: 'blue', routes: [{ action: 'forward', target: 'bob' }] },
  {
    handle: 'fork',
    routes: [
      { action: 'forward', target: 'pass', filter: { amount: { $lt: 5 } } },
      { action: 'credit', target: 'b1' },
    ],
  },
  { handle: 'loop', routes: [{ action: 'forward', target: 'step' }] },
  { handle: 'draw', routes: [{ action: 'debit', target: 'b1' }] },
  { ...hostileWallet, access: [...(hostileWallet['access'] as Json[]), spending] },
  { handle: 'm1', bridge: hostileName },
];
/** Wallets of which somebody else has to agree, or that somebody hostile has a say in. */
export const unfreeWallets: readonly unknown[] = ['vault', hostileName, 'm1'];
export const walletNames = wallets.map(({ handle }) => String(handle));
const beginnings = [
  ...['ann', 'bob', 'vault', 'pass', 'fork'].map((wallet) => `issue ${wallet} 60 usd`),
  ...['ann', 'bob', 'draw'].map((wallet) => `issue ${wallet} 25 eur`),
];
/** The names of wallets in claims, also addresses that resolve to one. */
export const parties = [...walletNames, '17@blue', 'savings:18@blue'];
/** The wallets that have a bank. */
export const bridgedWallets: ReadonlySet<string> = new Set(
  wallets.flatMap(({ handle, bridge }) => (bridge === undefined ? [] : String(handle))),
);

const bridgeData: Readonly<Record<string, Json>> = {
  blue: {},
  green: { 'debits.claims.groupBy': 'address' },
  teal: {},
  [hostileName]: {},
};
const traits: Readonly<Record<string, Json>> = {
  teal: { traits: ['debits', 'statuses'] },
  [hostileName]: { traits: dearTraits },
};
export const bankNames = Object.keys(bridgeData);

async function furnish(
  { services, run }: Ledger,
  banks: readonly { readonly name: string; readonly key: ReturnType<typeof newKey> }[],
): Promise<void> {
  const said = { moment: new Date(services.clock()).toISOString(), status: 'created' };
  const make = (kind: Kind, data: Json, key = alice, status = 'created') =>
    run(services, create(kind), { body: signed(data, key, { ...said, status }) });
  for (const { name, key } of banks) {
    const config = { server: `https://${name}.example/core`, ...bridgeData[name] };
    await make('bridge', { handle: name, config, ...traits[name] }, key, 'active');
  }
  for (const handle of symbols) await make('symbol', { handle, factor: 100 });
  for (const data of wallets)
    await make('wallet', { access: [reading, spending], ...data }, keeper);
  const action = { schema: 'webhook', endpoint: `https://${webhookHost}/hook` };
  await make('effect', { handle: 'ear', signal: 'intent-updated', action });
  const claims = beginnings.map(claimOf);
  const first = { handle: 'i-0', claims };
  await run(services, createIntent, { body: signed(first, alice, said) });
  const [home] = await services.store.load([
    { what: 'record', scope: '', kind: 'ledger', handle: main },
  ]);
  if (!home) throw new Error('The ledger has no record.');
  const access = [
    ...['symbol', 'bridge', 'intent'].map(anybody),
    ...['create', 'update', 'limit'].map((action) => ({ action, record: 'wallet' })),
    // A list shows one of the wallets by a rule of the ledger, and the others by rules of their own.
    { action: 'read', record: 'wallet', filter: { handle: 'ann' } },
    ...['circle', 'domain', 'effect'].map((record) => ({
      ...{ action: 'create', record, signer: { public: mallory.public } },
    })),
  ];
  const body = revision(home.record as never, { access }, alice);
  await run(services, updateOwnLedger, { body });
  // The first rule of any domain would govern the ledger.
  await make('domain', hostileData('domain', false, hostileBase), mallory);
  // Equal data would be that of the domain, which was signed once.
  const ring = { ...hostileBase, handle: 'ring' };
  await make('circle', hostileData('circle', false, ring), mallory);
}
