/**
 * Group commit: transactions that meet in this process share one transaction of the database, and so one sync of its
 * disk. None waits for company: it goes at once when no group is under way, and otherwise with the next one. For a
 * database that takes one write at a time; on AWS joined transactions would only conflict more often. Decision 122.
 */
import { randomUUID } from 'node:crypto';
import { groupRead } from './group-read.ts';
import { keyOfAction } from './item-action.ts';
import { textOf } from './keys.ts';
import { batchGet, type GroupCommit, type ItemAction, type Table, transact } from './request.ts';
import { deadlineIn, natureOf, pause, reasonsOf } from './retry.ts';

/** DynamoDB takes so many actions in one transaction. */
export const actionCountMax = 100;
/** The most bytes of a group; DynamoDB takes 4 MB. A transaction that has more goes alone. */
export const bytesMax = 3 * 1024 * 1024;
/** The bytes of a number, at most. */
const numberBytes = 21;

/** A transaction that waits for its group, or is under way with it. */
interface Joining {
  readonly token: string;
  readonly actions: readonly ItemAction[];
  readonly keys: readonly string[];
  /** Counted once it meets others. */
  bytes?: number;
  /** True after a group that failed for no reason that names a member. */
  isAlone: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

type CommitGroup = readonly Joining[];

/**
 * Joins the transactions that are handed in while another one is under way, and the reads; `table` is that of each
 * group's request, and joins nothing.
 */
export function groupCommit(table: Table): GroupCommit {
  let waiting: Joining[] = [];
  let isBusy = false;

  const pump = (): void => {
    if (isBusy || waiting.length === 0) return;
    const { group, left } = nextGroup(waiting);
    [waiting, isBusy] = [left, true];
    let hasTurn = true;
    const passOn = (): void => {
      if (!hasTurn) return;
      [hasTurn, isBusy] = [false, false];
      pump();
    };
    // A group in doubt gives its turn away, so that others do not wait until it is resolved.
    void settle(table, group, passOn).then((again) => {
      waiting = [...again, ...waiting];
      passOn();
      pump();
    });
  };

  return {
    transact: (token, actions) =>
      new Promise((done, failed) => {
        waiting.push({ token, actions, keys: actions.map(nameOf), isAlone: false, done, failed });
        pump();
      }),
    read: groupRead((keys) => batchGet(table, keys)),
  };
}

/** Hands on at once: for a database whose own commits are shared by the writes that meet. */
export function sharedCommit(table: Table): GroupCommit {
  return {
    transact: (token, actions) => transact(table, token, actions),
    read: (keys) => batchGet(table, keys),
  };
}

/** The first that waits, and of the others those that fit: DynamoDB takes one action of an item in a transaction. */
function nextGroup(waiting: CommitGroup): {
  readonly group: CommitGroup;
  readonly left: Joining[];
} {
  if (waiting.length === 1) return { group: waiting, left: [] };
  const group: Joining[] = [];
  const left: Joining[] = [];
  const keys = new Set<string>();
  let bytes = 0;
  for (const one of waiting) {
    one.bytes ??= bytesOf(one.actions);
    const isFirst = group.length === 0;
    const isFitting =
      !(one.isAlone || group[0]?.isAlone) &&
      keys.size + one.keys.length <= actionCountMax &&
      bytes + one.bytes <= bytesMax &&
      one.keys.every((key) => !keys.has(key));
    if (!(isFirst || isFitting)) {
      left.push(one);
      continue;
    }
    group.push(one);
    for (const key of one.keys) keys.add(key);
    bytes += one.bytes;
  }
  return { group, left };
}

/** Sends a group and tells its members; returns those that go again. */
async function settle(table: Table, group: CommitGroup, inDoubt: () => void): Promise<CommitGroup> {
  try {
    const error = await refusalOf(table, group, inDoubt);
    if (error !== undefined) return leftBy(group, error);
    for (const one of group) one.done();
  } catch (error) {
    for (const one of group) one.failed(error);
  }
  return [];
}

/**
 * Sends a group; returns the error that refused it. After a lost answer it is sent again by its own token, until it is
 * known to be stored or not: a later transaction with the token of a member could not tell. Throws when that fails.
 */
async function refusalOf(table: Table, group: CommitGroup, inDoubt: () => void): Promise<unknown> {
  const token = tokenOf(group);
  const actions = group.flatMap((one) => one.actions);
  const deadline = deadlineIn(table.deadlineMs);
  let lost: unknown;
  for (let attempt = 0; ; attempt += 1) {
    const error = await errorOf(transact(table, token, actions));
    if (error === undefined) return undefined;
    const nature = natureOf(error);
    if (nature === 'unknown') lost = error;
    else if (lost === undefined) return error;
    // The reason may be what the lost answer was about. Each member looks for itself.
    else if (nature !== 'busy') throw lost;
    inDoubt();
    await pause(attempt, deadline);
  }
}

function tokenOf([first, ...others]: CommitGroup): string {
  return first && others.length === 0 ? first.token : randomUUID();
}

function errorOf(sent: Promise<void>): Promise<unknown> {
  return sent.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Tells the members that are the reason of an error; returns the others. */
function leftBy(group: CommitGroup, error: unknown): CommitGroup {
  const reasons = reasonsOf(error);
  // An overloaded database refuses them all.
  const isOfAll = reasons.length === 0 && natureOf(error) === 'busy';
  if (group.length === 1 || isOfAll) {
    for (const one of group) one.failed(error);
    return [];
  }
  const left: Joining[] = [];
  let end = 0;
  for (const one of group) {
    const own = reasons.slice(end, end + one.actions.length);
    end += one.actions.length;
    if (own.some(({ Code = 'None' }) => Code !== 'None')) one.failed(cancelledFor(error, own));
    else left.push(one);
  }
  // No member is named, so each is tried by itself.
  if (left.length === group.length) for (const one of left) one.isAlone = true;
  return left;
}

/** The error of a cancelled transaction, with the reasons of one member alone. */
function cancelledFor(error: unknown, reasons: ReturnType<typeof reasonsOf>): unknown {
  const codes = reasons.map(({ Code = 'None' }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return Object.create(error as object, {
    message: { value: message },
    CancellationReasons: { value: reasons, enumerable: true },
  });
}

function nameOf(action: ItemAction): string {
  return textOf(keyOfAction(action));
}

/** The bytes of all texts, numbers and binaries, as DynamoDB counts them, or more. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return numberBytes;
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + name.length + bytesOf(member),
    0,
  );
}
