/**
 * Names of wallets and symbols as conditions see them: every form in which an author may write a name, and the wallet
 * that an address means. A condition on any form matches, and a negative one holds only if no form matches. Rulings 21,
 * 42 and 45, Decision 42.
 */
import { candidatesOf, handleOf } from './address.ts';
import type { Entry } from './balance.ts';
import { isPlain } from './compare.ts';

/** The handle of the wallet that an address in a claim means; undefined where there is none. Ruling 42. */
export type MeaningOf = (address: string, side: Entry['schema']) => string | undefined;

/** An address in a claim, with the side of its entry. */
export interface SidedAddress {
  readonly address: string;
  readonly side: Entry['schema'];
}

type NamedData = Readonly<Record<string, unknown>>;

/** The members that name a wallet, with the side that decides what their addresses mean. Decision 81. */
const sides = { source: 'debit', wallet: 'debit', target: 'credit' } as const;
/** The kinds of which data itself names, and not claims in it. */
const namedOnTop: ReadonlySet<string> = new Set(['anchor', 'bridge-entry']);
const namePath = /(^|\.)(claims|source|target|wallet|symbol)(\.|$)/;

/** True for kinds whose data names wallets and symbols in several forms. */
export function hasForms(kind: string): boolean {
  return kind === 'intent' || namedOnTop.has(kind);
}

/** True when conditions could ask for a name. Others see the data as it was written. */
export function needsForms(conditions: NamedData = {}): boolean {
  return Object.keys(conditions).some((path) => namePath.test(path));
}

/**
 * Data as conditions see it: with every form of its names, and as it was written, for conditions on a whole claim.
 * Conditions test each element of an array.
 */
export function seenAs<Data extends NamedData>(
  kind: string,
  data: Data,
  meaningOf?: MeaningOf,
): readonly Data[] {
  if (namedOnTop.has(kind)) return [shownOf(data, meaningOf), data];
  const { claims } = data;
  if (kind !== 'intent' || !Array.isArray(claims)) return [data];
  return [{ ...data, claims: claims.map((claim) => shownOf(claim, meaningOf)) }, data];
}

/** A claim, or the data of an anchor, with every form of each name in place of the name. */
export function shownOf<Named extends object>(named: Named, meaningOf?: MeaningOf): Named {
  const { symbol } = named as NamedData;
  const shown = Object.entries(sides).flatMap(([role, side]) => {
    const name = (named as NamedData)[role];
    return name === undefined ? [] : [[role, formsOf(name, (of) => meaningOf?.(of, side))]];
  });
  return {
    ...named,
    ...Object.fromEntries(shown),
    ...(symbol !== undefined && { symbol: formsOf(symbol) }),
  };
}

/** The addresses that could mean a wallet of another name. Those of an anchor mean none. Ruling 42. */
export function addressesIn(kind: string, data: NamedData): SidedAddress[] {
  const { claims } = data;
  const named = Array.isArray(claims) ? claims : kind === 'bridge-entry' ? [data] : [];
  return named.flatMap((one: NamedData) =>
    Object.entries(sides).flatMap(([role, side]) => {
      const address = one[role] === undefined ? '' : handleOf(one[role] as string);
      return candidatesOf(address).length > 1 ? { address, side } : [];
    }),
  );
}

/** The name as text and as objects, and the same of the wallet that it means. What is no name stays as it is. */
function formsOf(name: unknown, meant: (handle: string) => string | undefined = () => undefined) {
  const handle = isPlain(name) ? name['handle'] : name;
  if (typeof handle !== 'string') return name;
  const handles = [...new Set([handle, meant(handle) ?? handle])];
  return [...handles.flatMap((one) => [one, { handle: one }]), ...(isPlain(name) ? [name] : [])];
}
