/**
 * Reconciliation: compares rows of an external statement with rows of the ledger, one to one. Two rows can only be
 * about the same money when their keys are equal. Pure, and the same for the same rows.
 */

export interface ReconcileRow {
  /** The line of the file, or the number of the entry; it decides between rows that are otherwise alike. */
  readonly line: number;
  /** The values that must be equal on both sides. */
  readonly key: readonly string[];
  /** In the smallest unit of the symbol. */
  readonly amount: bigint;
  /** Days since 1970, UTC; absent where dates are not compared. */
  readonly day?: number;
  /** True for a row outside of the period: it can be a partner, and is not missed otherwise. */
  readonly isOutside?: boolean;
}

export interface ReconcileBounds {
  /** The greatest difference of amounts that still match, in the smallest unit; 0 or more. */
  readonly tolerance: bigint;
  /** The greatest difference of dates that still match, in days; 0 or more. */
  readonly days: number;
}

export interface ReconcilePair<Row extends ReconcileRow = ReconcileRow> {
  readonly external: Row;
  readonly ledger: Row;
}

/** Every row is in exactly one group. */
export interface Reconciliation<Row extends ReconcileRow = ReconcileRow> {
  readonly matched: readonly ReconcilePair<Row>[];
  /** Pairs with the same key that differ by more than the bounds in amount or date. */
  readonly different: readonly ReconcilePair<Row>[];
  /** External rows without a row of the ledger, and the other way round. */
  readonly externalOnly: readonly Row[];
  readonly ledgerOnly: readonly Row[];
  /** Rows outside of the period that have no partner within it. */
  readonly outside: { readonly external: readonly Row[]; readonly ledger: readonly Row[] };
}

interface Sides<Row> {
  external: Row[];
  ledger: Row[];
}

/**
 * Reconciles two sides. Among rows of one key, equal amounts are paired first, then amounts within the tolerance, each
 * with the nearest date within the bound; then what is left is paired in the order of dates, as different.
 */
export function reconcile<Row extends ReconcileRow>(
  external: readonly Row[],
  ledger: readonly Row[],
  { tolerance, days }: ReconcileBounds,
): Reconciliation<Row> {
  const groups = byKey(external, ledger);
  const exact = groups.flatMap((sides) => pairsIn(sides, { tolerance: 0n, days }));
  const near = groups.flatMap((sides) => pairsIn(sides, { tolerance, days }));
  const matched = [...exact, ...near];
  const different = groups.flatMap(leftPairsIn);
  const rest: Sides<Row> = {
    external: groups.flatMap((sides) => sides.external),
    ledger: groups.flatMap((sides) => sides.ledger),
  };
  const isWithin = (pair: ReconcilePair<Row>) => !(isOut(pair.external) && isOut(pair.ledger));
  const beyond = [...matched, ...different].filter((pair) => !isWithin(pair));
  return {
    matched: matched.filter(isWithin),
    different: different.filter(isWithin),
    externalOnly: rest.external.filter((row) => !isOut(row)),
    ledgerOnly: rest.ledger.filter((row) => !isOut(row)),
    outside: {
      external: [...beyond.map(({ external }) => external), ...rest.external.filter(isOut)],
      ledger: [...beyond.map(({ ledger }) => ledger), ...rest.ledger.filter(isOut)],
    },
  };
}

/** The rows of each key, each side in the order of dates and lines. */
function byKey<Row extends ReconcileRow>(
  external: readonly Row[],
  ledger: readonly Row[],
): Sides<Row>[] {
  const groups = new Map<string, Sides<Row>>();
  const place = (side: keyof Sides<Row>, rows: readonly Row[]) => {
    for (const row of rows.toSorted(inOrder)) {
      const name = JSON.stringify(row.key);
      const group = groups.get(name) ?? { external: [], ledger: [] };
      group[side].push(row);
      groups.set(name, group);
    }
  };
  place('external', external);
  place('ledger', ledger);
  return [...groups.values()];
}

/** Takes the pairs within the bounds out of a group. */
function pairsIn<Row extends ReconcileRow>(
  sides: Sides<Row>,
  bounds: ReconcileBounds,
): ReconcilePair<Row>[] {
  const free = new Candidates(sides.ledger);
  const pairs = sides.external.flatMap((external) => {
    const ledger = free.takeNearest(external, bounds);
    return ledger === undefined ? [] : [{ external, ledger }];
  });
  const taken = new Set<ReconcileRow>(pairs.flatMap(({ external, ledger }) => [external, ledger]));
  sides.external = sides.external.filter((row) => !taken.has(row));
  sides.ledger = sides.ledger.filter((row) => !taken.has(row));
  return pairs;
}

/** Takes pairs out of a group in its order, whatever their amounts and dates. */
function leftPairsIn<Row extends ReconcileRow>(sides: Sides<Row>): ReconcilePair<Row>[] {
  const count = Math.min(sides.external.length, sides.ledger.length);
  const [external, ledger] = [sides.external.splice(0, count), sides.ledger.splice(0, count)];
  return external.flatMap((row, index) => {
    const other = ledger[index];
    return other === undefined ? [] : [{ external: row, ledger: other }];
  });
}

/** The free rows of the ledger, by amount. */
class Candidates<Row extends ReconcileRow> {
  readonly #rows: Row[];

  constructor(rows: readonly Row[]) {
    this.#rows = rows.toSorted((one, other) => signOf(one.amount - other.amount));
  }

  /** Takes the row within the bounds that is nearest in amount, then in date, then in order. */
  takeNearest(to: Row, { tolerance, days }: ReconcileBounds): Row | undefined {
    let found: number | undefined;
    let least: Distance | undefined;
    for (let at = this.#firstFrom(to.amount - tolerance); at < this.#rows.length; at += 1) {
      const row = this.#rows[at] as Row;
      if (row.amount > to.amount + tolerance) break;
      const distance = distanceOf(row, to);
      if (distance.days > days || (least && !isLess(distance, least))) continue;
      [found, least] = [at, distance];
    }
    return found === undefined ? undefined : this.#rows.splice(found, 1)[0];
  }

  /** The index of the first row whose amount is no less. */
  #firstFrom(amount: bigint): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#rows[middle] as Row).amount < amount) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Distance {
  readonly amount: bigint;
  readonly days: number;
}

function distanceOf(one: ReconcileRow, other: ReconcileRow): Distance {
  const amount = one.amount - other.amount;
  return { amount: amount < 0n ? -amount : amount, days: daysBetween(one, other) };
}

/** The days between two rows; 0 where dates are not compared. */
function daysBetween(one: ReconcileRow, other: ReconcileRow): number {
  return one.day === undefined || other.day === undefined ? 0 : Math.abs(one.day - other.day);
}

function isLess(one: Distance, other: Distance): boolean {
  return one.amount < other.amount || (one.amount === other.amount && one.days < other.days);
}

function inOrder(one: ReconcileRow, other: ReconcileRow): number {
  return (one.day ?? 0) - (other.day ?? 0) || one.line - other.line;
}

function signOf(difference: bigint): number {
  return difference < 0n ? -1 : Number(difference > 0n);
}

function isOut(row: ReconcileRow): boolean {
  return row.isOutside ?? false;
}
