/**
 * Comparing balances while a ledger is running. A balance is read between two readings of the newest intents: it must
 * equal the sum of the intents, with or without those that came in between. A real difference stays; one that comes and
 * goes is due to the time that reading takes.
 */
import type { Scope } from '../port/ports.ts';
import { balanceKeyOf, nameOfItem, textOf } from '../store/keys.ts';
import { shardCountOf, shardKeysOf } from '../store/read-shards.ts';
import type { Item } from '../store/request.ts';
import { accountWaiting } from './histories.ts';
import type { HistoryCursor } from './history.ts';
import { heldIn, rowOf, type StoredBalance } from './home.ts';
import { auditCursors, auditIntents, tracesFrom } from './intents.ts';
import { type AuditRun, latenessMsMax, roundCountMax, waitFor } from './run.ts';
import { heldInShard } from './shards.ts';
import { type Additions, type BalanceMeasure, measureText, oddMeasure } from './sums.ts';
import { type AuditViolation, lineOfViolation } from './violation.ts';

/** The comparisons of a balance that moves while it is read. */
const comparisonCountMax = 16;
/** The comparisons in which the intents in between must explain a difference. */
const explainedCount = 2;
/** The comparisons with the same difference while nothing moves that make a violation. */
const unmovedCount = 2;
/** The time that the two readings of intents go back, in milliseconds. */
const glanceMs = 3_000;
/** The sums of entries in between that are tried. */
const sumCountMax = 100_000;

/** A balance that differs so far. */
interface Doubt {
  readonly balanceMeasure: BalanceMeasure;
  readonly explained: number;
  readonly unmoved: number;
  readonly violation?: AuditViolation;
}

/** Yields the balances that differ in every comparison. */
export async function* compareLive(
  run: AuditRun,
  balanceMeasures: readonly BalanceMeasure[],
): AsyncGenerator<AuditViolation, void, undefined> {
  let doubts: readonly Doubt[] = balanceMeasures.map((balanceMeasure) => ({
    balanceMeasure,
    explained: 0,
    unmoved: 0,
  }));
  let fromMs = run.startMs - latenessMsMax;
  for (let round = 0; round < comparisonCountMax && doubts.length > 0; round += 1) {
    await waitFor(Math.min(round, roundCountMax));
    const nowMs = run.options.nowMs();
    for (const scope of scopesOf(doubts)) yield* auditIntents(run, scope, fromMs);
    fromMs = nowMs - latenessMsMax;
    const comparison = await compare(run, doubts);
    yield* comparison.others;
    yield* violationsOf(comparison.doubts.filter(({ unmoved }) => unmoved >= unmovedCount));
    doubts = comparison.doubts.filter(({ unmoved }) => unmoved < unmovedCount);
  }
  yield* violationsOf(doubts);
}

/** The current values at these balance keys; balances that do not exist are left out. */
export async function heldBy(
  { source }: AuditRun,
  balanceMeasures: readonly BalanceMeasure[],
): Promise<ReadonlyMap<string, bigint>> {
  const keys = balanceMeasures.map(({ scope, wallet, symbol }) =>
    balanceKeyOf(scope, wallet, symbol),
  );
  const items = await source.at(keys);
  const rows = [...items.values()].flatMap((item) => {
    const name = nameOfItem(item);
    return name ? rowOf({ name, item }) : [];
  });
  const shards = await shardsBeside(source, rows, items);
  const held = new Map<string, bigint>();
  for (const [balanceMeasure, amount] of [...rows.flatMap(heldIn), ...shards]) {
    const text = measureText(balanceMeasure);
    held.set(text, (held.get(text) ?? 0n) + amount);
  }
  return held;
}

/** The values of the other shards of balances. */
async function shardsBeside(
  source: AuditRun['source'],
  rows: readonly StoredBalance[],
  items: ReadonlyMap<string, Item>,
): Promise<(readonly [BalanceMeasure, bigint])[]> {
  const keys = rows.flatMap((row) => {
    const item = items.get(textOf(balanceKeyOf(row.scope, row.wallet, row.symbol)));
    return shardKeysOf(row, shardCountOf(item)).slice(1);
  });
  const shards = keys.length > 0 ? await source.at(keys) : new Map<string, Item>();
  return [...shards.values()].flatMap((item) => {
    const name = nameOfItem(item);
    return name?.item === 'shard' ? heldInShard(name, item) : [];
  });
}

interface Comparison {
  /** The balances that differ so far. */
  readonly doubts: readonly Doubt[];
  /** Violations of the intents that were read meanwhile. */
  readonly others: readonly AuditViolation[];
}

async function compare(run: AuditRun, doubts: readonly Doubt[]): Promise<Comparison> {
  const balanceMeasures = doubts.map(({ balanceMeasure }) => balanceMeasure);
  const scopes = scopesOf(doubts);
  const before = await newest(run, scopes);
  await accountWaiting(run);
  const held = await heldBy(run, balanceMeasures);
  const after = await newest(run, scopes);
  const known = new Set(before.map(nameOfCursor));
  const since = run.sums.watch();
  const others = await collected(auditCursors(run, [before]));
  const expected = balanceMeasures.map((balanceMeasure) => run.sums.expectedOf(balanceMeasure));
  const between = run.sums.watch();
  const late = after.filter((cursor) => !known.has(nameOfCursor(cursor)));
  others.push(...(await collected(auditCursors(run, [late]))));
  await accountWaiting(run);
  const left = doubts.flatMap((doubt, index) => {
    const text = measureText(doubt.balanceMeasure);
    // Intents from before the reading of the balances may have gone on after it.
    const later = addedIn(since, text, ({ isOfBirth }) => !isOfBirth);
    const look = {
      expected: later.reduce((sum, amount) => sum - amount, expected[index] ?? 0n),
      found: held.get(text),
      entries: [...later, ...addedIn(between, text)],
    };
    return doubtAfter(doubt, look);
  });
  return { doubts: left, others };
}

function addedIn(
  additions: Additions,
  text: string,
  counts: (addition: { readonly isOfBirth: boolean }) => boolean = () => true,
): bigint[] {
  const found = (additions.get(text) ?? []).filter(counts);
  // Amounts of 0 make no difference, and there may be many.
  return found.map(({ amount }) => amount).filter((amount) => amount !== 0n);
}

interface Look {
  readonly expected: bigint;
  readonly found: bigint | undefined;
  readonly entries: readonly bigint[];
}

/** The doubt after another comparison; none when the balance agrees. */
function doubtAfter(doubt: Doubt, { expected, found, entries }: Look): Doubt[] {
  const { balanceMeasure, explained, unmoved } = doubt;
  if (isSumWith(expected, entries, found ?? 0n)) {
    const isSure = entries.length === 0 || explained + 1 >= explainedCount;
    return isSure ? [] : [{ balanceMeasure, explained: explained + 1, unmoved: 0 }];
  }
  const violation = oddMeasure(balanceMeasure, expected, found);
  const isSame =
    doubt.violation !== undefined &&
    lineOfViolation(doubt.violation) === lineOfViolation(violation);
  const isUnmoved = isSame && entries.length === 0;
  return [{ balanceMeasure, explained: 0, unmoved: isUnmoved ? unmoved + 1 : 0, violation }];
}

/** True when a balance is as expected, with any of the entries that came in meanwhile. */
function isSumWith(start: bigint, entries: readonly bigint[], found: bigint): boolean {
  let sums = new Set([start]);
  for (const entry of entries) {
    if (sums.size > sumCountMax) return isBetween(start, entries, found);
    sums = new Set([...sums, ...[...sums].map((sum) => sum + entry)]);
  }
  return sums.has(found);
}

/** True when the entries could explain a difference of this size; for more entries than can be tried. */
function isBetween(start: bigint, entries: readonly bigint[], found: bigint): boolean {
  const sumOf = (some: readonly bigint[]) => some.reduce((sum, entry) => sum + entry, start);
  const lowest = sumOf(entries.filter((entry) => entry < 0n));
  return found >= lowest && found <= sumOf(entries.filter((entry) => entry > 0n));
}

async function newest(run: AuditRun, scopes: readonly Scope[]): Promise<HistoryCursor[]> {
  const fromMs = run.options.nowMs() - glanceMs;
  const pages = scopes.map((scope) => collected(tracesFrom(run, scope, fromMs)));
  return (await Promise.all(pages)).flat(2);
}

function violationsOf(doubts: readonly Doubt[]): AuditViolation[] {
  return doubts.flatMap(({ violation }) => violation ?? []);
}

function scopesOf(doubts: readonly Doubt[]): Scope[] {
  return [...new Set(doubts.map(({ balanceMeasure }) => balanceMeasure.scope))];
}

function nameOfCursor({ scope, luid }: HistoryCursor): string {
  return `${scope}#${luid}`;
}

async function collected<Thing>(things: AsyncIterable<Thing>): Promise<Thing[]> {
  const all: Thing[] = [];
  for await (const thing of things) all.push(thing);
  return all;
}
