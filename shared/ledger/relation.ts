/**
 * What a record refers to: the other records of its ledger that its data names. They must exist, and
 * one that others refer to keeps its handle and, where its kind says so, its life. Rulings 12 and 44.
 */
import type { Route } from '../shape/wallet.ts';
import { handleOf } from './address.ts';
import { type Kind, lineOf, withinOf } from './kind.ts';

/** One record that another one names. */
export interface Relation {
  readonly kind: Kind;
  readonly handle: string;
}

type Data = Readonly<Record<string, unknown>>;

/** Where each kind names others: the kind that is named, and what names it. */
const namedBy: Readonly<
  Partial<Record<Kind, readonly (readonly [Kind, (data: Data) => unknown])[]>>
> = {
  wallet: [
    ['bridge', (data) => data['bridge']],
    ['wallet', debitTargets],
  ],
  effect: [['bridge', bridgeOfAction]],
  'signer-factor': [['signer', (data) => data['signer']]],
  'circle-signer': [
    ['circle', (data) => data['circle']],
    ['signer', (data) => data['signer']],
  ],
  anchor: [['wallet', (data) => data['wallet']]],
  schema: [['schema', (data) => data['extend']]],
  policy: [['policy', (data) => data['extend']]],
  domain: [['domain', (data) => data['domain']]],
};

/** The records that data of this kind names, each once, in the order in which it names them. */
export function relationsOf(kind: Kind, data: Data): Relation[] {
  const named = (namedBy[kind] ?? []).flatMap(([of, read]) =>
    textsOf(read(data)).map((handle) => ({ kind: of, handle })),
  );
  return named.filter((one, index) => named.findIndex((other) => isSame(one, other)) === index);
}

/**
 * The record that one of this kind and data hangs on, whose domain is its own: what it belongs to, or the wallet that
 * an anchor names; undefined for what stands by itself. Ruling 70.
 */
export function parentOf(kind: Kind, data: Data): Relation | undefined {
  const { within } = lineOf(kind);
  if (within) return { kind: within, handle: String(withinOf(kind, data)) };
  return kind === 'anchor' ? relationsOf(kind, data)[0] : undefined;
}

/**
 * The relations that are counted at the record they name. The others name kinds that neither end nor
 * change their handles, so that nothing has to be kept for them.
 */
export function countedRelationsOf(kind: Kind, data: Data): Relation[] {
  return relationsOf(kind, data).filter(({ kind: named }) => isCounted(named));
}

/** Whether records of this kind count who refers to them. */
export function isCounted(kind: Kind): boolean {
  const { drops, renames } = lineOf(kind);
  const isNamed = Object.values(namedBy).some((lines) => lines.some(([named]) => named === kind));
  return isNamed && (drops || renames);
}

/** The kinds whose records may name those of this kind. */
export function kindsNaming(kind: Kind): Kind[] {
  const all = Object.entries(namedBy) as [Kind, readonly (readonly [Kind, unknown])[]][];
  return all.flatMap(([of, lines]) => (lines.some(([named]) => named === kind) ? of : []));
}

/**
 * What changes with a version that balances rest on: of a wallet, the bridge that knows of them, when it is left; of a
 * symbol, what the amounts mean. Undefined for all else. Decisions 10 and 53.
 */
export function restChanged(next: Line, previous: Line): 'bridge' | 'factor' | undefined {
  const rest = rests[next.kind];
  const before = rest && previous.record.data[rest];
  return before === undefined || next.record.data[rest as string] === before ? undefined : rest;
}

const rests: Readonly<Partial<Record<Kind, 'bridge' | 'factor'>>> = {
  wallet: 'bridge',
  symbol: 'factor',
};

/** A record of a kind, as far as it names others. */
interface Line {
  readonly kind: Kind;
  readonly record: { readonly data: Data };
}

function isSame(one: Relation, other: Relation): boolean {
  return one.kind === other.kind && one.handle === other.handle;
}

/** One text or party, several, or none. */
function textsOf(value: unknown): string[] {
  if (value === undefined) return [];
  const all = Array.isArray(value) ? value : [value];
  return all.map((one) => handleOf(one as string));
}

/** The wallets that pay in the place of this one, which takes from them. Decision 51. */
function debitTargets({ routes }: Data): unknown {
  const all = (routes ?? []) as readonly Route[];
  return all.flatMap((route) => (route.action === 'debit' ? [route.target] : []));
}

function bridgeOfAction({ action }: Data): unknown {
  const { schema, bridge } = (action ?? {}) as { schema?: string; bridge?: string };
  return schema === 'bridge' ? bridge : undefined;
}
