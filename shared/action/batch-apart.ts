/**
 * The intents of an independent batch: each is judged by itself, in their order, and those that go together are stored in
 * one transaction. When that cannot be stored, half of them are judged anew, and at last each is created by itself.
 * Ruling 90, Decisions 102 and 128.
 */
import { laterSignatures } from '../crypto/later.ts';
import { runForMany } from '../crypto/pool.ts';
import type { SigningKey } from '../crypto/proof.ts';
import { batchMayFitTransaction, roomForIntents } from '../intent/thread.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Call } from '../port/action.ts';
import type { Store } from '../port/ports.ts';
import { draftOf } from '../record/author.ts';
import { joiningStore } from '../record/joining-store.ts';
import { withProofs } from '../record/sign.ts';
import { type CheckedElement, createAlone, isAlone, walletsIn } from './batch-alone.ts';
import type { BatchItem } from './batch-answer.ts';
import { checkedCall } from './batch-element.ts';
import { lineOfCreate, refusedLine } from './batch-line.ts';
import { readNamed } from './create-intent.ts';

/** The time after which no further intent of a batch is begun, in milliseconds. */
const budgetMs = 20_000;

interface Batch {
  readonly call: Call;
  /** By the clock of `performance.now()`, which nobody sets. Decision 87. */
  readonly endMs: number;
  /** The most elements to judge together: twice as many as were stored last, or half of those that could not be. */
  lengthMax: number;
}

/** A store that joins the commits of a run, and a key that signs later. */
interface Means {
  readonly store: Store;
  readonly key: SigningKey;
}

/** Creates each intent by itself; returns the lines of the answer in the order of the bodies. */
export async function createApart(call: Call, bodies: readonly unknown[]): Promise<BatchItem[]> {
  const batch = { call, endMs: performance.now() + budgetMs, lengthMax: bodies.length };
  const elements = await runForMany(() => Promise.all(bodies.map((body) => checked(call, body))));
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
  const run = likelyIn(from((one) => one instanceof LedgerError || !isAlone(one)));
  return (await createRun(batch, run)) ?? createAlone(call, run, endMs);
}

/** As many of the first elements as one transaction takes if they move what they name; more would be read in vain. */
function likelyIn(run: readonly CheckedElement[]): readonly CheckedElement[] {
  const wallets = new Set<string>();
  let count = 0;
  const end = run.findIndex((one, index) => {
    if (one instanceof LedgerError) return false;
    for (const name of walletsIn(one)) wallets.add(name);
    count += 1;
    return index > 0 && !batchMayFitTransaction(count, wallets.size);
  });
  return end < 0 ? run : run.slice(0, end);
}

/** Stores the first intents of a run in one transaction, fewer after each attempt; undefined when no two can be. */
async function createRun(
  batch: Batch,
  run: readonly CheckedElement[],
): Promise<BatchItem[] | undefined> {
  const { call } = batch;
  for (;;) {
    const { store, flush } = joiningStore(call.services, roomForIntents());
    const { key, made } = laterSignatures(call.ledger.key);
    const lines = await judged(batch, run.slice(0, batch.lengthMax), { store, key });
    if (lines.length === 0) return undefined;
    const signature = await made();
    const isStored = await flush((record) => withProofs(record, signature)).catch(refusalOf);
    if (isStored instanceof LedgerError) return lines.map(() => refusedLine(call, isStored));
    batch.lengthMax = Math.max(2, isStored ? 2 * lines.length : Math.ceil(lines.length / 2));
    if (isStored) return lines.map((line) => withProofs(line, signature));
    if (lines.length <= 2) return undefined;
  }
}

/** Judges intents in their order, up to the first that does not go together with those before it. */
async function judged(
  { call, endMs }: Batch,
  run: readonly CheckedElement[],
  means: Means,
): Promise<BatchItem[]> {
  const own = run.map((one) => (one instanceof LedgerError ? one : callWith(one, means)));
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

function callWith(call: Call, { store, key }: Means): Call {
  const { ledger, services } = call;
  return { ...call, ledger: { ...ledger, key }, services: { ...services, store } };
}

async function checked(call: Call, body: unknown): Promise<CheckedElement> {
  try {
    return await checkedCall(call, body);
  } catch (error) {
    return refusalOf(error);
  }
}

/** The API error; throws any other one. */
function refusalOf(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  throw error;
}
