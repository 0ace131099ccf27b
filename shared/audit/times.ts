/**
 * Invariant 5: the times of an intent. The ledger states those that its author gave, nothing takes effect before its
 * moment, and each extension is what an author signed just before it. Rulings 88 and 89.
 */
import { isOfTimes, notBeforeOf, type Statement } from '../ledger/intent.ts';
import type { Version } from '../ledger/record.ts';
import { timesOf } from '../ledger/times.ts';
import { isAuthored, isOfLedger } from './proof.ts';
import { type Finding, type ViolationSubject, violationOf } from './violation.ts';
import { isForwarded, isOfStatus, wordsOf } from './word.ts';

/** The statuses by which an intent takes effect, or fails to. */
const beginnings: ReadonlySet<unknown> = new Set(['processing', 'prepared', 'failed']);

/** Checks the times of an intent. */
export function* checkTimes(version: Version, subject: ViolationSubject): Finding {
  const { record } = version;
  if (isForwarded(record)) return;
  const words = wordsOf(version);
  yield* checkStated(version, words, subject);
  const notBefore = notBeforeOf(record);
  const early = words.find(
    (word) => isBeginning(word) && notBefore !== undefined && String(word['moment']) < notBefore,
  );
  if (early)
    yield violationOf(5, subject, 'The intent took effect before its moment.', {
      expected: `${notBefore} or later`,
      found: early['moment'],
    });
  yield* checkExtensions(version, subject);
}

/** Checks that the first statement has the times in the data; an intent that need not wait has no expiry. */
function* checkStated(
  { record }: Version,
  [first = {}]: readonly Statement[],
  subject: ViolationSubject,
): Finding {
  const times = timesIn(record.data);
  if (!times) return yield violationOf(5, subject, 'The times of the intent cannot be read.');
  const { notBefore, expiry } = times;
  const isOther = (name: string, given: string | undefined): boolean =>
    given !== undefined && first[name] !== undefined && first[name] !== given;
  if (first['notBefore'] === notBefore && !isOther('expiry', expiry)) return;
  yield violationOf(5, subject, 'The ledger states other times than the intent.', {
    expected: times,
    found: { expiry: first['expiry'], notBefore: first['notBefore'] },
  });
}

/** Checks that each extension is later than the expiry before it, and was signed just before it was stated. */
function* checkExtensions({ record }: Version, subject: ViolationSubject): Finding {
  const { proofs } = record.meta;
  let expiry = '';
  for (const [place, proof] of proofs.entries()) {
    const word = proof.custom ?? {};
    if (!isOfLedger(proof) || word['expiry'] === undefined) continue;
    const before = proofs[place - 1];
    const isSigned =
      !isOfTimes(word) ||
      (before && isAuthored(before) && isSameMoment(before.custom?.['expiry'], word['expiry']));
    if (!isSigned || String(word['expiry']) <= expiry)
      yield violationOf(5, subject, 'Nobody extended the intent as the ledger states.', {
        expected: `a proof that extends it beyond ${expiry}`,
        found: before?.custom,
      });
    expiry = String(word['expiry']);
  }
}

function isBeginning(word: Statement): boolean {
  return isOfStatus(word) && beginnings.has(word['status']);
}

function isSameMoment(one: unknown, other: unknown): boolean {
  return Date.parse(String(one)) === Date.parse(String(other));
}

/** The times in the data; undefined for data that no request could have brought. */
function timesIn(data: Version['record']['data']) {
  try {
    return timesOf(data);
  } catch {
    return undefined;
  }
}
