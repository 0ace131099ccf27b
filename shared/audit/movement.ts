/**
 * The effects of a thread on balances: it reserves what it needs and holds each balance, and once it is decided, it
 * moves the balances or releases them. Decisions 61 and 68.
 */
import { capturedEntries, capturedIn } from '../ledger/capture.ts';
import { entriesOfResolved, type ResolvedEntry } from '../ledger/intent.ts';
import { settingsOfIntent } from '../ledger/limit.ts';
import { movesOfIntents, type NetMove } from '../ledger/net-move.ts';
import { firstChangeOf, type Version } from '../ledger/record.ts';
import { claimsIn, issuedBy } from './claimed.ts';
import { type ItemHistory, versionsOf } from './history.ts';
import { membersOf } from './members.ts';
import { entriesIn, isForwarded, statusesOf } from './word.ts';

/** The measures of a balance: its whole amount, the reserved part, and the number of threads that hold it. */
export const measures = ['amount', 'reserved', 'holds'] as const;
export type Measure = (typeof measures)[number];

/** An addition to one measure of a balance. */
interface MeasureChange {
  readonly wallet: string;
  readonly symbol: string;
  readonly measure: Measure;
  readonly amount: bigint;
}

/** The effect of one step of a thread on balances and supplies. */
export interface Movement {
  readonly changes: readonly MeasureChange[];
  /** The issued amounts, less the destroyed ones. */
  readonly supplies: readonly { readonly symbol: string; readonly amount: bigint }[];
  /** True for the first version: a reader that sees the intent sees this effect. */
  readonly isOfBirth: boolean;
}

/** The statuses in which needed amounts are reserved. */
const holding: ReadonlySet<string> = new Set(['processing', 'prepared']);
const moving: ReadonlySet<string> = new Set(['committed', 'completed']);
const ending: ReadonlySet<string> = new Set(['failed', 'aborted', 'rejected']);

/**
 * The effects of a thread so far, step by step, from the history of its first intent; the others have none of their
 * own.
 */
export function movementsOf(history: ItemHistory): Movement[] {
  const versions = versionsOf(history);
  const last = versions.at(-1);
  if (history.kind !== 'intent' || !last || isForwarded(last.record)) return [];
  const held = versions.findIndex((version) => holding.has(statusOf(version)));
  const decided = versions.findIndex(isDecided);
  const hasMoved = versions.some(isMoved);
  const members = membersOf(history);
  const net = netMovesOf(members, entriesIn);
  const taken = netMovesOf(members, movedIn);
  const own = { isOfBirth: false, supplies: [] };
  const [reserved, released] = [net.flatMap(reserving(1n)), net.flatMap(reserving(-1n))];
  const steps: Movement[] = [];
  if (held >= 0) steps.push({ ...own, changes: reserved, isOfBirth: isBirth(versions[held]) });
  if (decided < 0) return steps;
  const changes = [...(held >= 0 ? released : []), ...(hasMoved ? taken.map(moved) : [])];
  const supplies = hasMoved ? members.flatMap(({ record }) => issuedBy(record)) : [];
  if (changes.length + supplies.length === 0) return steps;
  return [...steps, { changes, supplies, isOfBirth: isBirth(versions[decided]) }];
}

/** True when an intent has no further effect. */
export function isDecided(version: Version): boolean {
  const status = statusOf(version);
  return moving.has(status) || ending.has(status);
}

/** The balances that the intents of a thread touch together, also those that only get a limit. */
function netMovesOf(
  members: readonly Version[],
  entriesOf: (version: Version) => readonly ResolvedEntry[],
): NetMove[] {
  const readable = members.filter(({ record }) => claimsIn(record.data));
  const intents = members.map((one) => ({
    claims: [],
    entries: entriesOfResolved(entriesOf(one)),
  }));
  return movesOfIntents(intents, readable.flatMap(settingsOfIntent));
}

/** The entries that move once the intent is committed: of what was captured in part, the part. */
export function movedIn(version: Version): ResolvedEntry[] {
  return capturedEntries(entriesIn(version), capturedIn(version.record));
}

function isMoved(version: Version): boolean {
  return statusesOf(version).some((status) => moving.has(status));
}

function statusOf(version: Version): string {
  return statusesOf(version).at(-1) ?? '';
}

function isBirth(version: Version | undefined): boolean {
  return version !== undefined && firstChangeOf(version) === 1;
}

function reserving(sign: bigint): (move: NetMove) => MeasureChange[] {
  return ({ wallet, symbol, needs }) => [
    { wallet, symbol, measure: 'reserved', amount: sign * needs },
    { wallet, symbol, measure: 'holds', amount: sign },
  ];
}

function moved({ wallet, symbol, amount }: NetMove): MeasureChange {
  return { wallet, symbol, measure: 'amount', amount };
}
