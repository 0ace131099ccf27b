/**
 * Invariant 5: the resolved entries follow from the claims. The routes of that time are not stored, so wallets are not
 * compared: symbols, amounts, sides and order are. Rulings 42, 43, 48 and 53.
 */
import { canonicalOf } from '../crypto/canonical.ts';
import { handleOf } from '../ledger/address.ts';
import type { Entry } from '../ledger/balance.ts';
import { capturedIn } from '../ledger/capture.ts';
import type { Statement } from '../ledger/intent.ts';
import type { LedgerRecord, RecordData, Version } from '../ledger/record.ts';
import { type Claim, IntentData } from '../shape/intent.ts';
import {
  type AuditViolation,
  type Finding,
  type ViolationSubject,
  violationOf,
} from './violation.ts';
import { isOfStatus, isResolving, wordsOf } from './word.ts';

/** One side of a claim: an entry has one of them, or several that a bridge gets as one. */
interface Side {
  readonly schema: Entry['schema'];
  readonly input: number;
  readonly claim: Claim;
}

const entryHandle = /^(deb|cre)_[-\w]{17}$/;
/** The statuses with which resolved entries begin. */
const begun: ReadonlySet<unknown> = new Set(['processing', 'prepared']);

/** The claims of an intent; undefined when the data has no valid ones. */
export function claimsIn(data: RecordData): readonly Claim[] | undefined {
  const { success, data: claims } = IntentData.shape.claims.safeParse(data['claims']);
  return success ? claims : undefined;
}

/** The amounts that the claims issue, less those that they destroy: of what was captured, when it was decided. */
export function issuedBy(record: LedgerRecord): { symbol: string; amount: bigint }[] {
  const captured = capturedIn(record);
  return (claimsIn(record.data) ?? []).flatMap(({ action, symbol, amount }, index) => {
    if (action !== 'issue' && action !== 'destroy') return [];
    const part = captured.find(({ claim }) => claim === index);
    const size = BigInt(part?.amount ?? amount);
    return [{ symbol: handleOf(symbol), amount: action === 'issue' ? size : -size }];
  });
}

/** Checks the entries of an intent. */
export function* checkEntries(version: Version, subject: ViolationSubject): Finding {
  const claims = claimsIn(version.record.data);
  if (!claims) return yield violationOf(5, subject, 'The claims of the intent cannot be read.');
  const words = wordsOf(version);
  const found = words.filter(isResolving);
  yield* checkPlace(words, subject);
  // An intent that ends while it is pending has no entries.
  if (found.length === 0 && !words.some(isBeginning)) return;
  yield* checkSides(claims, found, subject);
  const handles = found.map(({ handle }) => String(handle));
  const areGood = handles.every((handle) => entryHandle.test(handle));
  if (!areGood || new Set(handles).size < handles.length)
    yield violationOf(5, subject, 'The entries of the intent have no handles of their own.', {
      expected: 'deb_… and cre_…, each once',
      found: handles.join(', '),
    });
}

/** Checks that all entries were resolved at once, when the intent left `pending`. */
function* checkPlace(words: readonly Statement[], subject: ViolationSubject): Finding {
  const last = words.findLastIndex(isResolving);
  if (last < 0) return;
  const first = words.findIndex(isResolving);
  const isTogether = words.slice(first, last).every(isResolving);
  const next = words[last + 1];
  if (isTogether && next && isBeginning(next) && words.findIndex(isBeginning) === last + 1) return;
  yield violationOf(5, subject, 'The entries were not resolved when the intent began.', {
    expected: 'all of them before processing or prepared',
    found: words.map(({ status }) => status).join(', '),
  });
}

function isBeginning(word: Statement): boolean {
  return isOfStatus(word) && begun.has(word['status']);
}

/** Checks that each side of each claim is in one entry: debit before credit, claim by claim. */
function* checkSides(
  claims: readonly Claim[],
  found: readonly Statement[],
  subject: ViolationSubject,
): Finding {
  let left = claims.flatMap(sidesOf);
  for (const [index, word] of found.entries()) {
    const sides = sidesIn(word, left);
    const expected = saidOf(sides);
    const { schema, symbol, amount, inputs } = word;
    if (canonicalOf([expected]) !== canonicalOf([{ schema, symbol, amount, inputs }]))
      return yield unlike(index, subject, expected, { schema, symbol, amount, inputs });
    if (word['bridge'] !== undefined && sides.some(({ claim }) => claim.action !== 'transfer'))
      yield violationOf(5, subject, `Entry ${index} calls a bridge, which only transfers do.`);
    left = left.filter((side) => !sides.includes(side));
  }
  const [missing] = left;
  if (missing) yield unlike(found.length, subject, saidOf([missing]), undefined);
}

function unlike(
  index: number,
  subject: ViolationSubject,
  expected: unknown,
  found: unknown,
): AuditViolation {
  const fact = `Entry ${index} of the intent is not what its claims say.`;
  return violationOf(5, subject, fact, { expected, found });
}

/** The debit and the credit of a claim; the supply of a symbol has no entry, and a limit moves nothing. */
function sidesOf(claim: Claim, input: number): Side[] {
  if (claim.action === 'limit') return [];
  const debit = claim.action === 'issue' ? [] : [{ schema: 'debit', input, claim } as const];
  const credit = claim.action === 'destroy' ? [] : [{ schema: 'credit', input, claim } as const];
  return [...debit, ...credit];
}

/** The sides of an entry: the next one, and those that its bridge gets with it. */
function sidesIn({ inputs, bridge }: Statement, left: readonly Side[]): readonly Side[] {
  const [next] = left;
  if (!next) return [];
  if (bridge === undefined || !Array.isArray(inputs)) return [next];
  const others = left.filter(
    ({ schema, input, claim }) =>
      schema === next.schema &&
      input > next.input &&
      handleOf(claim.symbol) === handleOf(next.claim.symbol) &&
      inputs.includes(input),
  );
  return [next, ...others];
}

/** The entry that these sides make; undefined when there are none left. */
function saidOf(sides: readonly Side[]) {
  const [first] = sides;
  if (!first) return undefined;
  return {
    schema: first.schema,
    symbol: handleOf(first.claim.symbol),
    amount: sides.reduce((sum, { claim }) => sum + claim.amount, 0),
    inputs: sides.map(({ input }) => input),
  };
}
