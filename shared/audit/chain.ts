/**
 * Invariant 3, within a history: change numbers are 1, 2, 3 … without gaps, each version follows from the one before,
 * and the history ends where the pointer says. Signatures are checked apart (`signature.ts`), because that takes time.
 */
import { hashOf } from '../crypto/digest.ts';
import { type ChangeStep, firstChangeOf, isDropped, type Version } from '../ledger/record.ts';
import {
  handleOfHistory,
  type ItemHistory,
  type StoredVersion,
  systemSigner,
  versionsOf,
} from './history.ts';
import { isOfLedger } from './proof.ts';
import { checkBirth, checkSuccession } from './succession.ts';
import { type Finding, type Say, violationOf } from './violation.ts';

/** Checks the versions of a history. */
export function* checkChain(history: ItemHistory): Finding {
  const stored = history.head ? [...history.pasts, history.head] : history.pasts;
  let previous: Version | undefined;
  for (const one of stored) {
    const say = sayOf(history, one);
    if ('unreadable' in one) {
      yield say(one.unreadable);
      continue;
    }
    yield* checkPlace(history, one, say);
    yield* checkHash(one.version, say);
    yield* checkSpeaker(one.version, say);
    yield* checkNumbers(one.version, previous, say);
    yield* checkSteps(one.version, previous, say);
    yield* previous
      ? checkSuccession(history, previous, one.version, say)
      : checkBirth(history, one.version, say);
    previous = one.version;
  }
  yield* checkEnd(history, previous);
}

function sayOf(history: ItemHistory, stored: StoredVersion): Say {
  const handle = handleOfHistory(history);
  const change = 'version' in stored ? stored.version.change : stored.change;
  const { scope, kind, luid } = history;
  const subject = {
    scope,
    kind,
    luid,
    ...(handle !== undefined && { handle }),
    ...(change !== undefined && { change }),
  };
  return (fact, difference) => violationOf(3, subject, fact, difference);
}

/** Checks that a version lies at the key of its luid and number. */
function* checkPlace(
  history: ItemHistory,
  { change, version }: StoredVersion & { readonly version: Version },
  say: Say,
): Finding {
  const { luid } = version.record;
  if (luid !== history.luid)
    yield say('A version lies with those of another record.', {
      expected: history.luid,
      found: luid,
    });
  if (change !== undefined && change !== version.change)
    yield say('A version lies at the place of another change.', {
      expected: change,
      found: version.change,
    });
}

/** Checks the hash against the data: proofs sign the hash alone, so they would not show a wrong one. Ruling 1. */
function* checkHash({ record }: Version, say: Say): Finding {
  const expected = hashOf(record.data);
  if (record.hash !== expected)
    yield say('The hash of the record is not that of its data.', { expected, found: record.hash });
}

/** Checks the signer in proofs of the ledger: no signature covers that name. Ruling 24. */
function* checkSpeaker({ record }: Version, say: Say): Finding {
  const odd = record.meta.proofs.find(
    (proof) => isOfLedger(proof) && proof.signer !== systemSigner,
  );
  if (odd)
    yield say('A proof of the ledger names another signer.', {
      expected: systemSigner,
      found: odd.signer,
    });
}

function* checkNumbers(version: Version, previous: Version | undefined, say: Say): Finding {
  const expected = (previous?.change ?? 0) + 1;
  const found = firstChangeOf(version);
  if (found === expected) return;
  const missing = found > expected ? `Change ${expected} is missing.` : 'Changes overlap.';
  yield say(missing, { expected: `a version from change ${expected}`, found });
}

/** Checks that the steps of a version agree with each other, with the version before and with the record. */
function* checkSteps(version: Version, previous: Version | undefined, say: Say): Finding {
  const { steps, record } = version;
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1] ?? previous?.steps.at(-1);
    const known = steps[index - 1]?.proofs ?? 0;
    if (!isFitting(step, firstChangeOf(version) + index, steps.length))
      yield say(`Change ${firstChangeOf(version) + index} cannot be a ${step.action}.`);
    // ISO 8601 UTC texts of equal length sort as the times they name.
    if (before && step.moment < before.moment)
      yield say('A change is older than the one before it.', {
        expected: `${before.moment} or later`,
        found: step.moment,
      });
    if (step.proofs <= known)
      yield say('A change has no proof of its own.', {
        expected: `more than ${known}`,
        found: step.proofs,
      });
  }
  const last = steps.at(-1);
  if (last?.proofs !== record.meta.proofs.length)
    yield say('The last change does not have all proofs of its version.', {
      expected: record.meta.proofs.length,
      found: last?.proofs,
    });
  if (last?.status !== record.meta.status)
    yield say('The status of the record is not that of its last change.', {
      expected: last?.status,
      found: record.meta.status,
    });
}

/** True when the first change creates, no other one does, and a drop is alone in its version. */
function isFitting({ action }: ChangeStep, change: number, stepCount: number): boolean {
  if ((action === 'create') !== (change === 1)) return false;
  return action !== 'drop' || stepCount === 1;
}

/** Checks the end of a history: the head, or a drop that the pointer knows. Ruling 15. */
function* checkEnd(history: ItemHistory, last: Version | undefined): Finding {
  const { pointer, head, scope, kind, luid } = history;
  const handle = handleOfHistory(history);
  const subject = { scope, kind, luid, ...(handle !== undefined && { handle }) };
  const isEnded = last !== undefined && isDropped(last);
  if (isEnded && head) yield violationOf(3, subject, 'A record that ended is still at its handle.');
  if (!pointer) return;
  if (pointer.dropped === undefined && !head)
    yield violationOf(3, subject, 'There is no current version at its handle.', {
      expected: luid,
      found: history.occupant,
    });
  if (pointer.dropped !== undefined && pointer.dropped !== last?.change)
    yield violationOf(3, subject, 'The last change is missing.', {
      expected: `change ${pointer.dropped}`,
      found: last?.change,
    });
  const wordOf = (hasEnded: boolean): string => (hasEnded ? 'dropped' : 'not dropped');
  if (last && isEnded !== (pointer.dropped !== undefined))
    yield violationOf(3, subject, 'The pointer and the last version do not agree on its end.', {
      expected: wordOf(isEnded),
      found: wordOf(pointer.dropped !== undefined),
    });
}

/** The versions of a history, each with the one before. */
export function pairsOf(
  history: ItemHistory,
): readonly (readonly [version: Version, previous: Version | undefined])[] {
  const versions = versionsOf(history);
  return versions.map((version, index) => [version, versions[index - 1]] as const);
}
