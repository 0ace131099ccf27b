/**
 * References from a record to other records of its ledger. A named record must exist. While others refer to it, it
 * keeps its handle and, where its kind can be dropped, cannot be dropped. Rulings 12 and 44.
 */
import type { Route } from '../shape/wallet.ts';
import { handleOf } from './address.ts';
import type { PlainObject } from './compare.ts';
import { type Kind, lineOf, withinOf } from './kind.ts';

/** A reference to another record. */
export interface Relation {
  readonly kind: Kind;
  readonly handle: string;
}

/** The references of each kind: the named kind, and the part of the data that names it. */
const namedBy: Readonly<
  Partial<Record<Kind, readonly (readonly [Kind, (data: PlainObject) => unknown])[]>>
> = {
  wallet: [
    ['bridge', (data) => data['bridge']],
    ['wallet', debitTargets],
  ],
  intent: [['intent', (data) => data['reverses']]],
  effect: [
    ['bridge', bridgeOfAction],
    ['wallet', (data) => (data['balance'] as PlainObject | undefined)?.['wallet']],
    ['symbol', (data) => (data['balance'] as PlainObject | undefined)?.['symbol']],
  ],
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

/** The references in data of this kind, each once, in order of appearance. */
export function relationsOf(kind: Kind, data: PlainObject): Relation[] {
  const named = (namedBy[kind] ?? []).flatMap(([of, read]) =>
    textsOf(read(data)).map((handle) => ({ kind: of, handle })),
  );
  return named.filter((one, index) => named.findIndex((other) => isSame(one, other)) === index);
}

/** The record whose domain this one shares: the one it belongs to, or the wallet of an anchor. Ruling 70. */
export function parentOf(kind: Kind, data: PlainObject): Relation | undefined {
  const { within } = lineOf(kind);
  if (within) return { kind: within, handle: String(withinOf(kind, data)) };
  return kind === 'anchor' ? relationsOf(kind, data)[0] : undefined;
}

/** The references that the named record counts: those to kinds that can be dropped or renamed. */
export function countedRelationsOf(kind: Kind, data: PlainObject): Relation[] {
  return relationsOf(kind, data).filter(({ kind: named }) => countsReferences(named));
}

export function countsReferences(kind: Kind): boolean {
  const { drops, renames } = lineOf(kind);
  const isNamed = Object.values(namedBy).some((lines) => lines.some(([named]) => named === kind));
  return isNamed && (drops || renames);
}

/** The kinds whose records may name those of this kind. */
export function referringKinds(kind: Kind): Kind[] {
  const all = Object.entries(namedBy) as [Kind, readonly (readonly [Kind, unknown])[]][];
  return all.flatMap(([of, lines]) => (lines.some(([named]) => named === kind) ? of : []));
}

/**
 * A changed member that balances depend on; undefined when it is unchanged. The former bridge of a wallet knows its
 * entries, and the factor of a symbol gives amounts their meaning. Decisions 10 and 53.
 */
export function changedDependency(
  next: KindData,
  previous: KindData,
): 'bridge' | 'factor' | undefined {
  const member = dependedOn[next.kind];
  const before = member && previous.record.data[member];
  return before === undefined || next.record.data[member as string] === before ? undefined : member;
}

const dependedOn: Readonly<Partial<Record<Kind, 'bridge' | 'factor'>>> = {
  wallet: 'bridge',
  symbol: 'factor',
};

interface KindData {
  readonly kind: Kind;
  readonly record: { readonly data: PlainObject };
}

function isSame(one: Relation, other: Relation): boolean {
  return one.kind === other.kind && one.handle === other.handle;
}

/** The handles in a member that holds none, one or several names. */
function textsOf(value: unknown): string[] {
  if (value === undefined) return [];
  const all = Array.isArray(value) ? value : [value];
  return all.map((one) => handleOf(one as string));
}

/** The wallets that are debited in place of this one. Decision 51. */
function debitTargets({ routes }: PlainObject): unknown {
  const all = (routes ?? []) as readonly Route[];
  return all.flatMap((route) => (route.action === 'debit' ? [route.target] : []));
}

function bridgeOfAction({ action }: PlainObject): unknown {
  const { schema, bridge } = (action ?? {}) as { schema?: string; bridge?: string };
  return schema === 'bridge' ? bridge : undefined;
}
