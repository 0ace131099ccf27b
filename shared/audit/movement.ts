/**
 * What an intent, or a thread of them, does to balances in the course of its life: it reserves what it needs of
 * each and is counted there, and once it is decided, it moves them or lets go. Decisions 61 and 68.
 */
import { entriesOfResolved } from '../ledger/intent.ts';
import { settingsOfIntent } from '../ledger/limit.ts';
import { movesOfIntents, type NetMove } from '../ledger/net-move.ts';
import { firstChangeOf, type Version } from '../ledger/record.ts';
import { claimsIn, issuedBy } from './claimed.ts';
import { type Life, versionsOf } from './life.ts';
import { membersOf } from './thread.ts';
import { entriesIn, isForwarded, statusesOf } from './word.ts';

/** What is known of a balance: all that is there, what of it is reserved, and how many threads count on it. */
export const measures = ['amount', 'reserved', 'holds'] as const;
export type Measure = (typeof measures)[number];

/** What is added to one measure of a balance. */
interface Change {
  readonly wallet: string;
  readonly symbol: string;
  readonly measure: Measure;
  readonly amount: bigint;
}

/** What one step of a thread does to balances, and to the supply of symbols. */
export interface Movement {
  readonly changes: readonly Change[];
  /** What the claims issue, less what they destroy. */
  readonly supplies: readonly { readonly symbol: string; readonly amount: bigint }[];
  /** Whether the first version of the intent made it: whoever sees the intent sees it. */
  readonly isOfBirth: boolean;
}

/** While these stand, what is needed is reserved. */
const holding: ReadonlySet<string> = new Set(['processing', 'prepared']);
const moving: ReadonlySet<string> = new Set(['committed', 'completed']);
const ending: ReadonlySet<string> = new Set(['failed', 'aborted', 'rejected']);

/** What a thread did so far, step by step, by the life of its first intent; the others do nothing by themselves. */
export function movementsOf(life: Life): Movement[] {
  const versions = versionsOf(life);
  const last = versions.at(-1);
  if (life.kind !== 'intent' || !last || isForwarded(last.record)) return [];
  const held = versions.findIndex((version) => holding.has(statusOf(version)));
  const decided = versions.findIndex(isDecided);
  const hasMoved = versions.some(isMoved);
  const members = membersOf(life);
  const net = netMovesOf(members);
  const own = { isOfBirth: false, supplies: [] };
  const [reserved, released] = [net.flatMap(reserving(1n)), net.flatMap(reserving(-1n))];
  const steps: Movement[] = [];
  if (held >= 0) steps.push({ ...own, changes: reserved, isOfBirth: isBirth(versions[held]) });
  if (decided < 0) return steps;
  const changes = [...(held >= 0 ? released : []), ...(hasMoved ? net.map(moved) : [])];
  const supplies = hasMoved ? members.flatMap(({ record }) => issuedBy(record.data)) : [];
  if (changes.length + supplies.length === 0) return steps;
  return [...steps, { changes, supplies, isOfBirth: isBirth(versions[decided]) }];
}

/** Whether an intent moves nothing any more. */
export function isDecided(version: Version): boolean {
  const status = statusOf(version);
  return moving.has(status) || ending.has(status);
}

/** The balances that the intents of a thread touch together, also those that only get a limit. */
function netMovesOf(members: readonly Version[]): NetMove[] {
  const readable = members.filter(({ record }) => claimsIn(record.data));
  const intents = members.map((one) => ({
    claims: [],
    entries: entriesOfResolved(entriesIn(one)),
  }));
  return movesOfIntents(intents, readable.flatMap(settingsOfIntent));
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

function reserving(sign: bigint): (move: NetMove) => Change[] {
  return ({ wallet, symbol, needs }) => [
    { wallet, symbol, measure: 'reserved', amount: sign * needs },
    { wallet, symbol, measure: 'holds', amount: sign },
  ];
}

function moved({ wallet, symbol, amount }: NetMove): Change {
  return { wallet, symbol, measure: 'amount', amount };
}
