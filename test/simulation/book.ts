/**
 * What must hold after each single commit, by somebody who reads only what was written: who has decided what, and
 * how much there is. It shares no code with what settles intents.
 */

import { type ResolvedEntry, resolvedIn } from '../../shared/ledger/intent.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Commit } from '../../shared/port/ports.ts';
import type { Json } from '../fixture/client.ts';
import type { MemoryStore } from '../fixture/memory.ts';
import { bridgedWallets, main, symbols, unfreeWallets, walletNames } from './ledger.ts';

/** Which status may follow which. Ruling 46. */
const following: Readonly<Record<string, readonly string[]>> = {
  '': ['pending'],
  pending: ['processing', 'prepared', 'failed', 'aborted'],
  processing: ['prepared', 'failed', 'aborted'],
  prepared: ['committed', 'failed', 'aborted'],
  committed: ['completed'],
  failed: ['aborted'],
  aborted: ['rejected'],
};
export const decidedStatuses = ['committed', 'completed'];
const reservedStatuses = ['processing', 'prepared'];
export const finalStatuses = ['completed', 'rejected'];

export type Book = ReturnType<typeof newBook>;

/** A book in which nothing is written yet; moments in it are of a clock that nobody sets. */
export function newBook(now: () => number) {
  /** The intents as they stand, by handle, and the statuses that each has gone through. */
  const intents = new Map<string, Version>();
  const courses = new Map<string, string[]>();
  const faults: string[] = [];
  /** Each change of an intent that somebody asked to be told of, and when it was. */
  const toTell = new Map<string, number>();

  const note = ({ next, signals }: Commit['writes'][number]): void => {
    if (next.kind !== 'intent') return;
    noteCourse(next);
    intents.set(next.record.data.handle, next);
    for (const { signal, change } of signals)
      if (signal === 'intent-updated') toTell.set(changeName(next.record.luid, change), now());
    if (isFree(next) && !isAhead(next) && next.record.meta.status === 'pending')
      faults.push(`${next.record.data.handle} waits for somebody, and has all that it needs`);
  };

  const noteCourse = ({ record, steps }: Version): void => {
    const { handle } = record.data;
    const course = courses.get(handle) ?? [];
    for (const { status } of steps) {
      const before = course.at(-1) ?? '';
      if (status === before) continue;
      if (!following[before]?.includes(status))
        faults.push(`${handle} was '${before}' and became ${status}`);
      course.push(status);
    }
    courses.set(handle, course);
  };

  return {
    intents,
    courses,
    toTell,
    faults,
    /** Checks the books after a commit. */
    committed: async (commit: Commit, memory: MemoryStore): Promise<void> => {
      faults.push(...tornBatches(commit, intents));
      for (const write of commit.writes) note(write);
      faults.push(...unlikeThreads(intents), ...forgottenIn(intents));
      faults.push(...wrongReversals(intents));
      faults.push(...(await wrongBalances(intents, memory)));
    },
  };
}

/** Names a change of a record. */
export function changeName(luid: string, change: number): string {
  return `${luid} ${change}`;
}

/** True for an intent that needs no other signature: it goes on as soon as it is stored. */
function isFree({ record }: Version): boolean {
  const { handle, claims } = record.data as { readonly handle: string; readonly claims: Json[] };
  const named = claims.flatMap(({ source, target, wallet }) => [source, target, wallet]);
  return handle.startsWith('i-') && !named.some((one) => unfreeWallets.includes(one));
}

/** True for an intent for later at which the ledger has not looked in vain. Ruling 89. */
function isAhead({ record }: Version): boolean {
  const { config } = record.data as { readonly config?: Json };
  const isDue = record.meta.proofs.some(({ custom }) => custom?.['status'] === 'due');
  return config?.['notBefore'] !== undefined && !isDue;
}

/** Intents that are to be stored together, and are not. Ruling 90. */
function tornBatches({ writes }: Commit, before: ReadonlyMap<string, Version>): string[] {
  const stored = writes.flatMap(({ next: { kind, record } }) => {
    const { batch, size } = (record.data['custom'] ?? {}) as Json;
    const isNew = kind === 'intent' && !before.has(record.data.handle);
    return isNew && batch !== undefined ? [{ batch, size }] : [];
  });
  const isTorn = stored.some(({ size }) => size !== stored.length);
  return isTorn ? [`of batch ${String(stored[0]?.batch)} ${stored.length} were stored`] : [];
}

/** The intents of a thread are always in the same status. */
function unlikeThreads(intents: ReadonlyMap<string, Version>): string[] {
  return [...intents.values()].flatMap(({ record, together = [] }) => {
    const others = together.map((handle) => intents.get(handle)?.record.meta.status);
    const isAlike = others.every((status) => status === record.meta.status);
    return isAlike ? [] : [`the thread of ${record.data.handle} is ${others.join(', ')}`];
  });
}

/** The reports that a thread needs before it goes on by itself. */
const awaited: Readonly<Record<string, string>> = {
  processing: 'prepared',
  committed: 'committed',
};

/** Threads that wait although all has been said that they wait for. Ruling 55. */
function forgottenIn(intents: ReadonlyMap<string, Version>): string[] {
  return threadsIn(intents).flatMap((thread) => {
    const [first] = thread;
    const status = first?.record.meta.status ?? '';
    const report = awaited[status];
    const entries = thread.flatMap(({ record }) => resolvedIn(record));
    const said = new Set(thread.flatMap((one) => reportsIn(one, report)));
    const isSaid = entries.every(({ handle, bridge }) => bridge === undefined || said.has(handle));
    if (!first || report === undefined || !isSaid) return [];
    return [`${first.record.data.handle} is ${status}, and every bank is ${report}`];
  });
}

/** The entries of which a report counts. */
function reportsIn({ record, accepted = [] }: Version, report: string | undefined): unknown[] {
  const counted = accepted.map((place) => record.meta.proofs[place]?.custom ?? {});
  return counted.filter((custom) => custom['status'] === report).map((custom) => custom['handle']);
}

interface Cell {
  readonly net: bigint;
  readonly reserved: bigint;
}
const nothing: Cell = { net: 0n, reserved: 0n };

/** The balances that follow from the intents. */
function cellsOf(intents: ReadonlyMap<string, Version>): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const thread of threadsIn(intents)) {
    const status = thread[0]?.record.meta.status ?? '';
    const isDecided = decidedStatuses.includes(status);
    const isReserved = reservedStatuses.includes(status);
    for (const [name, volumes] of turnoversOf(thread)) {
      const { net, reserved } = cells.get(name) ?? nothing;
      cells.set(name, {
        net: net + (isDecided ? volumes.moved : 0n),
        reserved: reserved + (isReserved ? volumes.needs : 0n),
      });
    }
  }
  return cells;
}

/** The intents of each thread, the first one first. */
function threadsIn(intents: ReadonlyMap<string, Version>): Version[][] {
  return [...intents.values()].flatMap(({ record, together = [record.data.handle] }) => {
    if (together[0] !== record.data.handle) return [];
    return [together.flatMap((handle) => intents.get(handle) ?? [])];
  });
}

/** What a thread moves, and the most that its debits and credits, one after the other, need on the way. */
function turnoversOf(thread: readonly Version[]) {
  const turnovers = new Map<string, { net: bigint; moved: bigint; needs: bigint }>();
  for (const { record } of thread) {
    const entries = resolvedIn(record);
    const taken = takenOf(record);
    const names = new Set(entries.map(({ wallet, symbol }) => `${wallet} ${symbol}`));
    for (const name of names) {
      const own = entries.filter(({ wallet, symbol }) => `${wallet} ${symbol}` === name);
      const sum = (schema: string, amountOf = ({ amount }: ResolvedEntry) => amount) =>
        own.reduce((all, one) => all + (one.schema === schema ? BigInt(amountOf(one)) : 0n), 0n);
      const isPart = ({ inputs }: ResolvedEntry) => inputs.length === 1;
      const takenBy = (one: ResolvedEntry) =>
        isPart(one) ? Number(taken[one.inputs[0] as number]) : one.amount;
      const { net, moved, needs } = turnovers.get(name) ?? { net: 0n, moved: 0n, needs: 0n };
      const needed = sum('debit') - net;
      turnovers.set(name, {
        net: net + sum('credit') - sum('debit'),
        moved: moved + sum('credit', takenBy) - sum('debit', takenBy),
        needs: needed > needs ? needed : needs,
      });
    }
  }
  return turnovers;
}

/** Balances that are not what the intents come to, or that are beyond what bounds them; and money out of nothing. */
async function wrongBalances(
  intents: ReadonlyMap<string, Version>,
  memory: MemoryStore,
): Promise<string[]> {
  const cells = cellsOf(intents);
  const held = (await Promise.all(walletNames.map((one) => memory.balances(main, one)))).flat();
  const wrong = held.flatMap(({ wallet, symbol, available, reserved = 0n, limits = {} }) => {
    const cell = cells.get(`${wallet} ${symbol}`) ?? nothing;
    const floor = limits.minBalance?.amount ?? (bridgedWallets.has(wallet) ? undefined : 0);
    const ceiling = limits.maxBalance?.amount;
    const isRight =
      available + reserved === cell.net &&
      reserved === cell.reserved &&
      (floor === undefined || available >= BigInt(floor)) &&
      (ceiling === undefined || available + reserved <= BigInt(ceiling));
    const found = `${available} and ${reserved} reserved`;
    const expected = `${cell.net - cell.reserved} and ${cell.reserved}, ${floor} to ${ceiling}`;
    return isRight ? [] : [`${wallet} has ${symbol} ${found}, and should have ${expected}`];
  });
  for (const symbol of symbols) {
    const rows = held.filter((row) => row.symbol === symbol);
    const sum = rows.reduce((all, row) => all + row.available + (row.reserved ?? 0n), 0n);
    const issued = issuedOf([...intents.values()], symbol);
    if (sum !== issued) wrong.push(`there are ${sum} ${symbol}, and ${issued} were issued`);
  }
  return wrong;
}

/** The supply of a symbol, issued and not destroyed, by the claims of the decided intents. */
function issuedOf(intents: readonly Version[], symbol: string): bigint {
  return intents
    .filter(({ record }) => decidedStatuses.includes(record.meta.status))
    .flatMap(({ record }) => movedBy(record))
    .filter((claim) => claim['symbol'] === symbol)
    .reduce((sum, { action, amount }) => {
      if (action === 'issue') return sum + BigInt(Number(amount));
      return action === 'destroy' ? sum - BigInt(Number(amount)) : sum;
    }, 0n);
}

/** The amounts that a decision took of the claims: what it captured of some, and the whole of the others. Ruling 87. */
export function takenOf({ meta, data }: Version['record']): number[] {
  const said = meta.proofs.find(
    ({ origin, custom }) => origin === undefined && custom?.['captured'] !== undefined,
  );
  const captured = (said?.custom?.['captured'] ?? []) as readonly Json[];
  return (data['claims'] as Json[]).map(({ amount }, index) => {
    const part = captured.find(({ claim }) => claim === index);
    return Number(part ? part['amount'] : amount);
  });
}

/** The claims with the amounts that were taken. */
function movedBy(record: Version['record']): Json[] {
  const taken = takenOf(record);
  return (record.data['claims'] as Json[]).map((one, index) => ({ ...one, amount: taken[index] }));
}

/** Each claim by what it moves and from whom to whom, with the sum of the amounts. */
function sumsOf(claims: readonly Json[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { action, source, target, symbol, amount } of claims) {
    const name = `${symbol} from ${source ?? 'nobody'} to ${target ?? 'nobody'}`;
    if (action !== 'limit') sums.set(name, (sums.get(name) ?? 0) + Number(amount));
  }
  return sums;
}

/** Reversals that took more than there was, or that the undone intent does not tell of as they are. Ruling 92. */
function wrongReversals(intents: ReadonlyMap<string, Version>): string[] {
  const all = [...intents.values()].map(({ record }) => record);
  const undone = new Set(all.flatMap(({ data }) => (data['reverses'] as string | undefined) ?? []));
  return [...undone].flatMap((handle) => {
    const own = intents.get(handle)?.record;
    if (!own) return [`${handle} is undone, and is not there`];
    const reversals = all.filter(({ data }) => data['reverses'] === handle);
    return [...overdone(own, reversals), ...reversals.flatMap((one) => wronglyTold(own, one))];
  });
}

function overdone(own: Version['record'], reversals: readonly Version['record'][]): string[] {
  const counted = reversals.filter(({ meta }) => shareOf[meta.status] !== undefined);
  if (counted.length === 0) return [];
  const { handle } = own.data;
  if (!decidedStatuses.includes(own.meta.status)) return [`${handle} is undone and has not moved`];
  const moved = sumsOf(movedBy(own));
  const back = sumsOf(
    counted.flatMap(movedBy).map((one) => ({
      ...one,
      ...{ source: one['target'], target: one['source'] },
    })),
  );
  return [...back].flatMap(([name, sum]) => {
    const most = moved.get(name) ?? 0;
    return sum > most ? [`of ${handle} ${sum} ${name} are undone, and it moved ${most}`] : [];
  });
}

/** The last word of an undone intent on a reversal in each status. */
const shareOf: Readonly<Record<string, string>> = {
  processing: 'reversing',
  prepared: 'reversing',
  committed: 'reversed',
  completed: 'reversed',
};

function wronglyTold(own: Version['record'], { data, meta }: Version['record']): string[] {
  const told = own.meta.proofs.findLast(
    ({ origin, custom }) => origin === undefined && custom?.['by'] === data.handle,
  )?.custom?.['status'];
  const expected = shareOf[meta.status] ?? (told === undefined ? undefined : 'reinstated');
  if (told === expected) return [];
  return [`${own.data.handle} tells of ${data.handle}, which is ${meta.status}, as ${told}`];
}
