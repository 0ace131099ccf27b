/**
 * Invariant 5: an intent goes through its statuses in order and reaches one end, once; what the ledger
 * resolved is what the claims say, entry for entry. Rulings 46 to 48.
 */
import { canonicalOf } from '../crypto/canonical.ts';
import { type Entry, entriesOf } from '../ledger/balance.ts';
import { expiryOf, finalStatuses, isPending, type Words } from '../ledger/intent.ts';
import { changesOf, type RecordData, type Version } from '../ledger/record.ts';
import { IntentData } from '../shape/intent.ts';
import { currentOf, type Life, versionsOf } from './life.ts';
import { subjectOf } from './place.ts';
import { isOfLedger } from './proof.ts';
import { type Subject, type Violation, violationOf } from './violation.ts';

type Finding = Generator<Violation, void, undefined>;

/** Which statuses may follow which. Ruling 46. */
const following: Readonly<Record<string, readonly string[]>> = {
  '': ['pending'],
  pending: ['processing', 'prepared', 'failed'],
  processing: ['prepared', 'failed'],
  prepared: ['committed', 'failed'],
  committed: ['completed'],
  failed: ['aborted'],
  aborted: ['rejected'],
};

/** How long after its time an intent is ended at the latest, in milliseconds: some rounds of the sweeper. */
const sweepMsMax = 10 * 60_000;

const resolved = 'resolved';
const entryHandle = /^(deb|cre)_[-\w]{17}$/;

/** What is wrong with the statuses and entries of an intent. */
export function* checkIntent(life: Life): Finding {
  const last = versionsOf(life).at(-1);
  if (!last || life.kind !== 'intent') return;
  const subject = subjectOf(life);
  const words = wordsOf(last);
  const statuses = statusesIn(words);
  const ends = statuses.filter(isFinal);
  if (ends.length > 1)
    yield violationOf(5, subject, 'The intent reaches an end more than once.', {
      expected: 'one final status',
      found: ends.join(', '),
    });
  else yield* checkOrder(statuses, subject);
  yield* checkVoice(life, last, subject);
  if (words[0]?.['luid'] !== life.luid)
    yield violationOf(5, subject, 'The first word of the ledger is about another intent.', {
      expected: life.luid,
      found: words[0]?.['luid'],
    });
  if (isPending(last.record) && expiryOf(last.record) === undefined)
    yield violationOf(5, subject, 'The intent waits, and nothing says until when.');
  for (const version of versionsOf(life)) yield* checkChanges(version, subject);
  yield* checkEntries(last, words, statuses, subject);
}

/** An intent that has waited for too long, and still waits. Ruling 50. */
export function* checkExpiry(life: Life, nowMs: number): Finding {
  const last = life.kind === 'intent' ? currentOf(life) : undefined;
  const expiry = last && expiryOf(last.record);
  if (expiry === undefined || Date.parse(expiry) + sweepMsMax > nowMs) return;
  const fact = 'The intent has waited for too long, and nobody ends it.';
  yield violationOf(5, subjectOf(life), fact, {
    expected: `an end soon after ${expiry}`,
    found: last?.record.meta.status,
  });
}

/** What an intent does to the balances, and to the supply of symbols. */
export interface Effect {
  /** The entries on wallets, once the intent is completed. */
  readonly entries: readonly {
    readonly wallet: string;
    readonly symbol: string;
    readonly amount: bigint;
  }[];
  /** What the claims issue, less what they destroy. */
  readonly supplies: readonly { readonly symbol: string; readonly amount: bigint }[];
}

/** What a completed intent did, by the proofs that resolved it and by its claims; others did nothing. */
export function effectOf(version: Version): Effect {
  const words = wordsOf(version);
  if (statusesIn(words).find(isFinal) !== 'completed') return { entries: [], supplies: [] };
  const claimed = entriesOfIntent(version.record.data) ?? [];
  return {
    entries: words.filter(({ status }) => status === resolved).flatMap(movementOf),
    supplies: claimed.flatMap(({ holder, symbol, amount }) =>
      holder === 'supply' ? [{ symbol, amount: -amount }] : [],
    ),
  };
}

/** Whether the intent still may move something. */
export function isUnfinished(version: Version): boolean {
  return !statusesIn(wordsOf(version)).some(isFinal);
}

/** The entries of the claims; undefined when these are not claims. */
export function entriesOfIntent(data: RecordData): readonly Entry[] | undefined {
  const { success, data: claims } = IntentData.shape.claims.safeParse(data['claims']);
  return success ? claims.flatMap(entriesOf) : undefined;
}

/** Only the ledger speaks of the statuses of its intents. */
function* checkVoice({ systemKey }: Life, { record }: Version, subject: Subject): Finding {
  const strange = record.meta.proofs.find(
    (proof) => isOfLedger(proof) && proof.public !== systemKey,
  );
  if (strange && systemKey !== undefined)
    yield violationOf(3, subject, "A proof of the ledger is not by the ledger's key.", {
      expected: systemKey,
      found: strange.public,
    });
}

function* checkOrder(statuses: readonly string[], subject: Subject): Finding {
  let before = '';
  for (const status of statuses) {
    if (!following[before]?.includes(status)) {
      yield violationOf(5, subject, `The intent cannot become ${status}.`, {
        expected: following[before]?.join(' or '),
        found: statuses.join(', '),
      });
      return;
    }
    before = status;
  }
  if (statuses.length === 0) yield violationOf(5, subject, 'The ledger never said anything.');
}

/** Each change has the status that the ledger said last. */
function* checkChanges(version: Version, subject: Subject): Finding {
  for (const { meta } of changesOf(version)) {
    const said = statusesIn(meta.proofs.filter(isOfLedger).map(customOf)).at(-1);
    if (meta.status !== said)
      yield violationOf(
        5,
        { ...subject, change: meta.change },
        'The status of the change is not what the ledger said.',
        { expected: said, found: meta.status },
      );
  }
}

/** What was resolved are the entries of the claims, in order: debit before credit, claim by claim. */
function* checkEntries(
  { record }: Version,
  words: readonly Words[],
  statuses: readonly string[],
  subject: Subject,
): Finding {
  const entries = entriesOfIntent(record.data);
  if (!entries) return yield violationOf(5, subject, 'The claims of the intent cannot be read.');
  const found = words.filter(({ status }) => status === resolved);
  // A refused intent may end before anything is resolved.
  if (found.length === 0 && !statuses.includes('prepared')) return;
  const expected = entries.flatMap(({ holder, schema, symbol, amount, inputs }) =>
    holder === 'supply'
      ? []
      : [
          partsOf({
            schema,
            wallet: holder.wallet,
            symbol,
            amount: sizeOf(amount),
            inputs,
          }),
        ],
  );
  const parts = found.map(partsOf);
  for (let index = 0; index < Math.max(expected.length, parts.length); index += 1) {
    if (expected[index] === parts[index]) continue;
    yield violationOf(5, subject, `Entry ${index} of the intent is not what its claims say.`, {
      expected: expected[index],
      found: parts[index],
    });
    return;
  }
  const handles = found.map(({ handle }) => String(handle));
  const areGood = handles.every((handle) => entryHandle.test(handle));
  if (!areGood || new Set(handles).size < handles.length)
    yield violationOf(5, subject, 'The entries of the intent have no handles of their own.', {
      expected: 'deb_… and cre_…, each once',
      found: handles.join(', '),
    });
}

function wordsOf({ record }: Version): Words[] {
  return record.meta.proofs.filter(isOfLedger).map(customOf);
}

function customOf({ custom }: { readonly custom?: Words }): Words {
  return custom ?? {};
}

function statusesIn(words: readonly Words[]): string[] {
  return words.map(({ status }) => String(status)).filter((status) => status !== resolved);
}

function isFinal(status: string): boolean {
  return (finalStatuses as readonly string[]).includes(status);
}

function partsOf({ schema, wallet, symbol, amount, inputs }: Words): string {
  return canonicalOf({ schema, wallet, symbol, amount, inputs });
}

function movementOf({ schema, wallet, symbol, amount }: Words): Effect['entries'] {
  if (!Number.isSafeInteger(amount)) return [];
  const size = BigInt(amount as number);
  return [
    {
      wallet: String(wallet),
      symbol: String(symbol),
      amount: schema === 'debit' ? -size : size,
    },
  ];
}

function sizeOf(amount: bigint): number {
  return Number(amount < 0n ? -amount : amount);
}
