/**
 * The intents of an independent batch: each is judged by itself, in their order, and those that go together are stored in
 * one transaction. While that cannot be stored, all of them are judged anew; at last each is created by itself.
 * Ruling 90, Decisions 102 and 128.
 */
import { fitsAtOnce, memberCountMax } from '../intent/thread.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Call } from '../port/action.ts';
import type { Commit, Store } from '../port/ports.ts';
import { draftOf } from '../record/author.ts';
import { joiningStore } from '../record/joining-store.ts';
import { excessOf } from '../record/size.ts';
import { type CheckedElement, createAlone, isAlone } from './batch-alone.ts';
import type { BatchItem } from './batch-answer.ts';
import { checkedCall } from './batch-element.ts';
import { lineOfCreate, refusedLine } from './batch-line.ts';
import { readNamed } from './create-intent.ts';

/** The time after which no further intent of a batch is begun, in milliseconds. */
const budgetMs = 20_000;
/** Intents are judged together this often when other requests were faster. */
const attemptCountMax = 3;

interface Batch {
  readonly call: Call;
  readonly endMs: number;
}

/** Creates each intent by itself; returns the lines of the answer in the order of the bodies. */
export async function createApart(call: Call, bodies: readonly unknown[]): Promise<BatchItem[]> {
  const batch = { call, endMs: call.services.clock() + budgetMs };
  const elements = bodies.map((body) => checked(call, body));
  const lines: BatchItem[] = [];
  while (lines.length < elements.length)
    lines.push(...(await nextLines(batch, elements.slice(lines.length))));
  return lines;
}

/** The lines of the first elements: of as many as go together. */
async function nextLines(batch: Batch, rest: readonly CheckedElement[]): Promise<BatchItem[]> {
  const { call, endMs } = batch;
  const from = (isMeant: (one: CheckedElement) => boolean) => {
    const end = rest.findIndex((one) => !isMeant(one));
    return rest.slice(0, end < 0 ? rest.length : end);
  };
  const apart = from((one) => !(one instanceof LedgerError) && isAlone(one));
  if (apart.length > 0) return createAlone(call, apart, endMs);
  const run = from((one) => one instanceof LedgerError || !isAlone(one)).slice(0, memberCountMax);
  return (await createRun(batch, run)) ?? createAlone(call, run, endMs);
}

/** Stores the first intents of a run in one transaction; undefined when none can be stored so. */
async function createRun(
  { call, endMs }: Batch,
  run: readonly CheckedElement[],
): Promise<BatchItem[] | undefined> {
  for (let attempt = 0; attempt < attemptCountMax; attempt += 1) {
    const { store, flush } = joiningStore(call.services.store, fits);
    const lines = await judged({ call, endMs }, run, store);
    if (lines.length === 0) return undefined;
    const isStored = await flush().catch(refusalOf);
    if (isStored instanceof LedgerError) return lines.map(() => refusedLine(call, isStored));
    if (isStored) return lines;
  }
  return undefined;
}

/** Judges intents in their order, up to the first that does not go together with those before it. */
async function judged(
  { call, endMs }: Batch,
  run: readonly CheckedElement[],
  store: Store,
): Promise<BatchItem[]> {
  const own = run.map((one) => (one instanceof LedgerError ? one : withStore(one, store)));
  // Judging meets the errors of these reads again.
  await Promise.allSettled(own.map(async (one) => one instanceof LedgerError || readAhead(one)));
  const lines: BatchItem[] = [];
  for (const one of own) {
    const judging =
      one instanceof LedgerError
        ? Promise.resolve(refusedLine(call, one))
        : lineOfCreate(one, endMs);
    // An error of the service is met again when the intent is created by itself.
    const line = await judging.catch(() => undefined);
    if (!line) break;
    lines.push(line);
  }
  return lines;
}

/** Reads what judging an intent will ask for. */
async function readAhead(call: Call): Promise<void> {
  await readNamed(call, draftOf(call));
}

function withStore(call: Call, store: Store): Call {
  return { ...call, services: { ...call.services, store } };
}

function fits(commit: Omit<Commit, 'token'>): boolean {
  return fitsAtOnce(commit) && excessOf(commit) === undefined;
}

function checked(call: Call, body: unknown): CheckedElement {
  try {
    return checkedCall(call, body);
  } catch (error) {
    return refusalOf(error);
  }
}

/** The API error; throws any other one. */
function refusalOf(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  throw error;
}
