/**
 * Creating an intent, which settles it: one read, one transaction, and the answer says how it ended.
 * A failure of business is no refusal: the intent is stored as `rejected`. Rulings 46 to 48.
 */
import { timeOfLuid } from '../crypto/luid.ts';
import { cellOf, type Sheet, type Turnover, turnoversOf } from '../ledger/balance.ts';
import { domainOf } from '../ledger/domain.ts';
import { advancesOf, stepsOf } from '../ledger/intent.ts';
import { type Version, versionOf } from '../ledger/record.ts';
import type { Rulebook } from '../ledger/rulebook.ts';
import { cellsOf, type NetMove, namesOf, type Outcome, settle } from '../ledger/settle.ts';
import { createBody } from '../shape/body.ts';
import type { IntentData } from '../shape/intent.ts';
import type { Proof } from '../shape/proof.ts';
import type { Action, Call } from './action.ts';
import {
  acceptedProofs,
  assertFresh,
  type Draft,
  draftOf,
  holderWants,
  publicsOf,
  signersOf,
} from './author.ts';
import { commitDecided, type Decided, duplicated, newToken } from './commit.ts';
import { assertFits } from './fitting.ts';
import type { Balance, Move, Opening, Scope, Signal, Want } from './ports.ts';
import { namedBy, namedWants } from './relations.ts';
import { countersign, momentOf } from './sign.ts';

/** Creates an intent and settles it. */
export const createIntent: Action = {
  body: createBody('intent'),
  signed: 'record',
  run: async (call) => {
    const draft = draftOf(call);
    const version = await commitDecided(call.services, () => decide(call, draft));
    return { status: 201, body: version.record };
  },
};

/** What the ledger knows of the wallets, symbols and balances that an intent names. */
interface Scene {
  readonly wallets: ReadonlyMap<string, Version>;
  readonly symbols: ReadonlyMap<string, Version>;
  readonly balances: ReadonlyMap<string, Balance>;
  readonly signers: ReadonlyMap<string, string>;
}

/** Undefined when a wallet or a symbol has ended, or was renamed, since it was read. */
async function decide(call: Call, draft: Draft): Promise<Decided<Version> | undefined> {
  const { services, ledger } = call;
  const intent = draft.data as unknown as IntentData;
  const scene = await loadScene(call, draft, intent);
  const facts = {
    wallets: new Set(scene.wallets.keys()),
    symbols: new Set(scene.symbols.keys()),
    bridged: bridgedIn(scene.wallets),
    sheet: sheetOf(scene.balances),
  };
  const { outcomes, moves } = settle(facts, [intent]);
  const [outcome] = outcomes as [Outcome];
  const openings = openingsOf(call, scene, moves);
  if (openings.length > 0 && !(await services.store.open(openings))) return undefined;
  const authored = acceptedProofs(draft.proofs, scene.signers);
  const version = settledVersion(call, draft, authored, outcome);
  const commit = {
    token: newToken(),
    writes: [{ scope: ledger.handle, next: version, signals: signalsOf(version, outcome) }],
    moves: moves.map((move) => moveOf(ledger.handle, scene, move)),
  };
  return { commit, result: version };
}

/** Reads everything that the intent names, in one round trip. */
async function loadScene(call: Call, draft: Draft, intent: IntentData): Promise<Scene> {
  const { services, ledger } = call;
  const scope = ledger.handle;
  const names = namesOf(intent.claims);
  const wallets = [...names.wallets];
  const symbols = [...names.symbols];
  const cells = [...cellsOf(intent.claims).values()];
  const publics = publicsOf(draft.proofs);
  const named = namedBy('intent', draft.data, domainOf(draft.data, draft.proofs));
  const namedCount = namedWants(scope, named).length;
  const found = await services.store.load([
    { what: 'record', scope: '', kind: 'ledger', handle: scope },
    { what: 'record', scope, kind: 'intent', handle: draft.data.handle },
    { what: 'rulebook', scope },
    ...namedWants(scope, named),
    ...wallets.map((handle) => recordWant(scope, 'wallet', handle)),
    ...symbols.map((handle) => recordWant(scope, 'symbol', handle)),
    ...cells.map(({ wallet, symbol }) => balanceWant(scope, wallet, symbol)),
    ...holderWants(scope, publics),
  ] as readonly Want[]);
  const rest = found.slice();
  const [home, holder] = rest.splice(0, 2) as (Version | undefined)[];
  const [rulebook] = rest.splice(0, 1) as (Rulebook | undefined)[];
  assertFresh(draft.proofs, home?.record, services.clock());
  if (holder) throw duplicated(holder);
  const records = rest.splice(0, namedCount) as (Version | undefined)[];
  await assertFits(call, { kind: 'intent', data: draft.data, named }, records, rulebook);
  return {
    wallets: present(wallets, rest.splice(0, wallets.length) as (Version | undefined)[]),
    symbols: present(symbols, rest.splice(0, symbols.length) as (Version | undefined)[]),
    balances: present(cells.map(cellName), rest.splice(0, cells.length) as (Balance | undefined)[]),
    signers: signersOf(publics, rest as { signer: string }[]),
  };
}

/** The wallets whose money a bridge keeps. */
function bridgedIn(wallets: ReadonlyMap<string, Version>): ReadonlySet<string> {
  const bridged = [...wallets].filter(([, { record }]) => record.data['bridge'] !== undefined);
  return new Set(bridged.map(([handle]) => handle));
}

function recordWant(scope: Scope, kind: 'wallet' | 'symbol', handle: string): Want {
  return { what: 'record', scope, kind, handle };
}

function balanceWant(scope: Scope, wallet: string, symbol: string): Want {
  return { what: 'balance', scope, wallet, symbol };
}

function cellName({ wallet, symbol }: Pick<Turnover, 'wallet' | 'symbol'>): string {
  return cellOf(wallet, symbol);
}

/** What was found, by name. */
function present<Item>(
  names: readonly string[],
  items: readonly (Item | undefined)[],
): ReadonlyMap<string, Item> {
  const byName = new Map<string, Item>();
  for (const [index, name] of names.entries()) {
    const item = items[index];
    if (item !== undefined) byName.set(name, item);
  }
  return byName;
}

function sheetOf(balances: ReadonlyMap<string, Balance>): Sheet {
  return new Map([...balances].map(([cell, { available }]) => [cell, available]));
}

function luidOf(versions: ReadonlyMap<string, Version>, handle: string): string {
  const luid = versions.get(handle)?.record.luid;
  if (luid === undefined) throw new Error(`An intent that settles names ${handle}, which exists.`);
  return luid;
}

/** The balances that will move and do not exist yet. */
function openingsOf(call: Call, scene: Scene, moves: readonly NetMove[]): Opening[] {
  const { services, ledger } = call;
  return moves
    .filter((move) => !scene.balances.has(cellName(move)))
    .map(({ wallet, symbol }) => ({
      scope: ledger.handle,
      luid: services.luids('bal', services.clock()),
      wallet,
      walletLuid: luidOf(scene.wallets, wallet),
      symbol,
      symbolLuid: luidOf(scene.symbols, symbol),
    }));
}

function moveOf(scope: Scope, scene: Scene, move: NetMove): Move {
  return { scope, walletLuid: luidOf(scene.wallets, move.wallet), ...move };
}

/** The only version of an intent that ends inside its own commit, with all of its changes. */
function settledVersion(
  { services, ledger }: Call,
  draft: Draft,
  authored: readonly Proof[],
  outcome: Outcome,
): Version {
  const { hash, data } = draft;
  const nowMs = services.clock();
  const luid = services.luids('int', nowMs);
  const moment = momentOf(timeOfLuid(luid));
  const advances = advancesOf(outcome, luid, moment, (schema) =>
    services.luids(schema === 'debit' ? 'deb' : 'cre', nowMs).replace(/^\$(...)\./, '$1_'),
  );
  const words = advances.flatMap((advance) => advance.words);
  const proofs = [...authored, ...words.map((said) => countersign(ledger, hash, said))];
  const owners = publicsOf(authored);
  const status = advances.at(-1)?.status ?? 'pending';
  const domain = domainOf(data, authored);
  const meta = { proofs, status, moment, owners, ...(domain !== undefined && { domain }) };
  return versionOf(
    'intent',
    { luid, hash, data, meta },
    stepsOf(advances, authored.length, moment),
  );
}

/** One signal for each change, one for each balance that received. Ruling 58, Decision 6. */
function signalsOf(version: Version, outcome: Outcome): Signal[] {
  const changes = version.steps.map((step, index) => ({
    signal: step.action === 'create' ? 'intent-created' : 'intent-updated',
    change: index + 1,
  }));
  const received = outcome.settles ? receiptsOf(outcome, version.change) : [];
  return [...changes, ...received];
}

function receiptsOf(outcome: Outcome & { settles: true }, change: number): Signal[] {
  return [...turnoversOf(outcome.entries).values()]
    .filter(({ credits }) => credits > 0n)
    .map(({ wallet, symbol, credits }) => ({
      signal: 'balance-received',
      change,
      custom: { wallet, symbol, amount: String(credits) },
    }));
}
