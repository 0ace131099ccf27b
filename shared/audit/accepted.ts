/**
 * Invariant 5: the accepted reports of bridges. A report names an entry of its intent and a status that reports may
 * have. It counts once, and goes on counting. Rulings 56 and 57, Decision 69.
 */
import { isLuid } from '../crypto/luid.ts';
import { isSame } from '../ledger/alteration.ts';
import { bridgedIn, type Statement } from '../ledger/intent.ts';
import { lineOf } from '../ledger/kind.ts';
import { attachmentOf, type Version } from '../ledger/record.ts';
import { type BridgeReport, reports } from '../ledger/thread.ts';
import type { Proof } from '../shape/proof.ts';
import { isOfLedger } from './proof.ts';
import { type Finding, type ViolationSubject, violationOf } from './violation.ts';
import { isResolving } from './word.ts';

const unsupported = 'core.bridge-unsupported-operation';

/** Checks the accepted reports. */
export function* checkAccepted(version: Version, subject: ViolationSubject): Finding {
  const { record, accepted = [] } = version;
  const { proofs } = record.meta;
  yield* checkBridgeOwners(version, subject);
  const entries = new Set<unknown>(
    bridgedIn({ ...version, accepted: [] }).map(({ handle }) => handle),
  );
  const isInOrder = accepted.every((place, index) => place > (accepted[index - 1] ?? -1));
  if (!isInOrder)
    yield violationOf(5, subject, 'Reports of bridges do not count in their order, each once.', {
      expected: accepted.toSorted((one, other) => one - other).join(', '),
      found: accepted.join(', '),
    });
  for (const place of accepted) {
    const proof = proofs[place];
    if (proof && entries.has(proof.custom?.['handle']) && reportIn(proof)) continue;
    yield violationOf(5, subject, `Proof ${place} counts as a report of a bridge and is none.`, {
      expected: `one of ${reports.join(', ')} of an entry at a bridge`,
      found: proof?.custom,
    });
  }
  const counted = new Set(accepted);
  const idle = proofs.findIndex((proof, index) => isOfEntry(proof) && !counted.has(index));
  if (idle >= 0)
    yield violationOf(5, subject, 'What the ledger says of an entry does not count.', {
      expected: 'a word that ends something',
      found: proofs[idle]?.custom,
    });
}

/** Checks that each called bridge is stored with its owners: without them no report could count. */
function* checkBridgeOwners(version: Version, subject: ViolationSubject): Finding {
  const bridges = new Set(bridgedIn(version).map(({ bridge }) => bridge));
  const expected = [...bridges].sort();
  const { bridgeOwners = {}, bridgeLuids = bridgeOwners } = version;
  const found = Object.keys(bridgeOwners).sort();
  const areNamed =
    isSame(Object.keys(bridgeLuids).sort(), expected) &&
    Object.values(version.bridgeLuids ?? {}).every((luid) => isLuid(luid, lineOf('bridge').prefix));
  if (!isSame(found, expected) || !areNamed)
    yield violationOf(5, subject, 'The intent does not say who speaks for its bridges.', {
      expected: expected.join(', '),
      found: found.join(', '),
    });
}

/** Checks that the attachments of an intent are never lost: accepted reports only become more. */
export function* checkCarried(
  version: Version,
  previous: Version,
  subject: ViolationSubject,
): Finding {
  const { accepted: before = [], bridgeLuids, ...carried } = attachmentOf(previous);
  const { accepted: after = [], ...found } = attachmentOf(version);
  // An earlier release, which may run while this one is deployed, leaves out the luids of bridges.
  const luids = found.bridgeLuids && bridgeLuids && { bridgeLuids };
  // These members are added when the intent is signed.
  const kept = { ...found, ...carried, ...luids };
  const isLost = !isSame(after.slice(0, before.length), before) || !isSame(found, kept);
  const { thread } = previous.record.meta;
  const hasLeft = thread !== undefined && version.record.meta.thread !== thread;
  if (!isLost && !hasLeft) return;
  yield violationOf(5, subject, 'The thread of an intent, or what was reported of it, was lost.', {
    expected: { thread, accepted: before, ...carried, ...luids },
    found: { thread: version.record.meta.thread, accepted: after, ...found },
  });
}

/** The report in a proof; undefined for none. Only the ledger itself reports `unsupported`. */
export function reportIn({ origin, custom = {} }: Proof): BridgeReport | undefined {
  const { status, reason } = custom;
  if (origin !== undefined) return reports.find((one) => one === status);
  return status === 'failed' && reason === unsupported ? 'unsupported' : undefined;
}

/** True for a statement of the ledger about an entry, beside that it is resolved. */
function isOfEntry(proof: Proof): boolean {
  const word: Statement = proof.custom ?? {};
  return isOfLedger(proof) && word['handle'] !== undefined && !isResolving(word);
}
