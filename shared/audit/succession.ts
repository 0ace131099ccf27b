/**
 * Invariant 3, from a version to the next: authors signed their changes, all else is as before, and the ledger
 * countersigned. Rulings 8 and 12 to 16.
 */

import { hashOf } from '../crypto/digest.ts';
import { isLuid, timeOfLuid } from '../crypto/luid.ts';
import { isSame } from '../ledger/alteration.ts';
import { domainsSaid } from '../ledger/domain.ts';
import { handoverIn, predecessorsAfter } from '../ledger/handover.ts';
import { lineOf, withinOf } from '../ledger/kind.ts';
import { type Labels, labelsAfter } from '../ledger/labels.ts';
import {
  firstChangeOf,
  isDropped,
  type LedgerRecord,
  nameOfVersion,
  type Version,
} from '../ledger/record.ts';
import { parentOf } from '../ledger/relation.ts';
import { logSigner } from '../log/checkpoint.ts';
import type { Proof } from '../shape/proof.ts';
import { firstStatusOf } from './credit.ts';
import { handleOfHistory, type ItemHistory, isByLedger, systemSigner } from './history.ts';
import { isAuthored, isOfLedger, isSameProof } from './proof.ts';
import { checkRotation } from './rotation.ts';
import { beginningOf } from './thread.ts';
import type { AuditViolation, Finding, Say } from './violation.ts';
import { isForwarded } from './word.ts';

/** Checks the first version: its authors, its moment, and the statement of the ledger. Rulings 8, 10 and 13. */
export function* checkBirth(history: ItemHistory, version: Version, say: Say): Finding {
  const { luid, data, meta } = version.record;
  if (firstChangeOf(version) !== 1) return;
  if (data.parent !== undefined)
    yield say('The first version names a parent.', { expected: undefined, found: data.parent });
  if (meta.predecessors)
    yield say('The key of a new record has predecessors.', {
      expected: undefined,
      found: meta.predecessors,
    });
  const born = bornOf(history, version.record);
  if (meta.moment !== born || version.steps[0]?.moment !== born)
    yield say('The record was not made when its luid says.', {
      expected: born,
      found: meta.moment,
    });
  const created = meta.proofs.slice(0, version.steps[0]?.proofs);
  yield* checkOwners(history, version, created.filter(isAuthored), say);
  yield* checkDomain(version, created.filter(isAuthored), say);
  yield* checkLabels(version, undefined, undefined, say);
  // The statements of the ledger on an intent are its statuses; they are checked apart.
  if (version.kind === 'intent') return;
  const status = firstStatusOf(version, created.filter(isAuthored));
  yield* checkWord(history, version, 0, { luid, moment: meta.moment, status }, say);
}

/** The moment of a new record: the time of its luid, or a later one of the first intent of its thread. */
function bornOf(history: ItemHistory, record: LedgerRecord): string | undefined {
  const { luid } = record;
  if (!isLuid(luid)) return undefined;
  const own = new Date(timeOfLuid(luid)).toISOString();
  return [own, beginningOf(history, record) ?? own].sort().at(-1);
}

function* checkOwners(
  history: ItemHistory,
  { record }: Version,
  authored: readonly Proof[],
  say: Say,
): Finding {
  const { owners } = record.meta;
  const expected = [...new Set(authored.map((proof) => proof.public))];
  if (!isSame(owners, expected))
    yield say('The owners are not the keys of the creating proofs.', { expected, found: owners });
  if (expected.length === 0 && !isOfService(history, record))
    yield say('Nobody signed the first version.');
}

/**
 * True for records that the service makes: the default ledger, the signers of a ledger and of its log, a provider, which has no key of
 * its own, with its keys, and a forwarded intent. Rulings 24 and 43, Decision 34.
 */
function isOfService(history: ItemHistory, record: LedgerRecord): boolean {
  const { data } = record;
  if (history.kind === 'intent') return isForwarded(record);
  if (history.kind === 'signer') return isOwnSigner(history) || data['public'] === undefined;
  return history.kind === 'ledger' || data['format'] === 'rsa-2048';
}

/** True for the signers of a ledger and of its log. */
function isOwnSigner(history: ItemHistory): boolean {
  const handles: readonly unknown[] = [systemSigner, logSigner];
  return history.kind === 'signer' && handles.includes(handleOfHistory(history));
}

/** Checks a later version: a drop, new data, or one more proof. Rulings 12 to 14. */
export function* checkSuccession(
  history: ItemHistory,
  previous: Version,
  version: Version,
  say: Say,
): Finding {
  const [before, after] = [previous.record.meta, version.record.meta];
  if (!isSame(after.owners, before.owners) || after.domain !== before.domain)
    yield say('The owners or the domain changed.', {
      expected: [before.owners, before.domain],
      found: [after.owners, after.domain],
    });
  yield* checkPredecessors(history, previous, version, say);
  if (isDropped(previous)) yield say('A version follows a drop.');
  if (isDropped(version)) yield* checkDrop(history, previous, version, say);
  else if (version.record.hash === previous.record.hash)
    yield* checkProving(previous, version, say);
  else yield* checkRevision(history, previous, version, say);
}

/** Checks that a key owns by those keys alone that have signed so. Decision 157. */
function* checkPredecessors(
  { scope }: ItemHistory,
  previous: Version,
  version: Version,
  say: Say,
): Finding {
  const [before, after] = [previous.record, version.record];
  const handover = handoverIn(scope, version, previous);
  const change = { before: before.data, after: after.data };
  const expected = predecessorsAfter(change, before.meta, handover);
  const found = after.meta.predecessors;
  if (!isSame(found, expected))
    yield say('The predecessors are not the keys that have handed over.', { expected, found });
}

function* checkRevision(
  history: ItemHistory,
  previous: Version,
  version: Version,
  say: Say,
): Finding {
  const { luid, data, meta } = version.record;
  if (data.parent?.toLowerCase() !== previous.record.hash)
    yield say('The parent is not the hash of the version before.', {
      expected: previous.record.hash,
      found: data.parent,
    });
  if (!lineOf(version.kind).updates) yield say('The data changed of a record that keeps its data.');
  const [step] = version.steps;
  const before = previous.record;
  const expected = { moment: step?.moment, status: before.meta.status, labels: before.meta.labels };
  const found = { moment: meta.moment, status: meta.status, labels: meta.labels };
  if (!isSame(found, expected))
    yield say('New data brought another moment, status or labels.', { expected, found });
  if (!lineOf(version.kind).renames && nameOfVersion(version) !== nameOfVersion(previous))
    yield say('The handle changed of a record that keeps its handle.', {
      expected: nameOfVersion(previous),
      found: nameOfVersion(version),
    });
  yield* checkKept(previous, version, say);
  if (isOwnSigner(history)) yield* checkRotation(previous, version, say);
  else if (!meta.proofs.some(isAuthored)) yield say('Nobody signed the new data.');
  yield* checkWord(history, version, 0, { luid, moment: meta.moment }, say);
}

/** Checks that a record goes on belonging to the same record. Ruling 63. */
function* checkKept(previous: Version, version: Version, say: Say): Finding {
  const [expected, found] = [previous, version].map(({ kind, record }) =>
    withinOf(kind, record.data),
  );
  if (found !== expected)
    yield say(`The record belongs to another ${lineOf(version.kind).within} than before.`, {
      expected,
      found,
    });
}

function* checkProving(previous: Version, version: Version, say: Say): Finding {
  const added = yield* addedProofs(previous, version, say);
  const [before, after] = [previous.record.meta, version.record.meta];
  if (after.moment !== before.moment)
    yield say('A proof changed the moment of the data.', {
      expected: before.moment,
      found: after.moment,
    });
  const [wanted] = version.record.meta.proofs.slice(previous.record.meta.proofs.length);
  yield* checkLabels(version, before.labels, wanted?.custom?.['labels'], say);
  // Only the ledger changes the status of an intent, so its statuses are checked apart.
  if (version.kind === 'intent') return;
  const custom = added?.custom ?? {};
  // A proof that a policy ignores is stored and changes nothing. Ruling 66.
  const status = statusWantedBy(version, custom['status']) ?? before.status;
  if (![status, before.status].includes(after.status))
    yield say('The status is not the one that the proof asks for.', {
      expected: status,
      found: after.status,
    });
}

/**
 * Checks that the labels are those that a proof asks for, or those from before where a policy ignores it. Nothing but a
 * proof brings labels, also of an intent and of a record that ends. Rulings 14 and 75.
 */
function* checkLabels(
  { record }: Version,
  before: Labels | undefined,
  wanted: unknown,
  say: Say,
): Finding {
  const expected = labelsWanted(before, wanted);
  const found = record.meta.labels;
  if (![expected, before].some((some) => isSame(found, some)))
    yield say('The labels are not those that the proof asks for.', { expected, found });
}

/** The labels after a proof. What asks for none that there can be has no effect. */
function labelsWanted(before: Labels | undefined, wanted: unknown): Labels | undefined {
  try {
    return labelsAfter(before, wanted);
  } catch {
    return before;
  }
}

/** The status that a proof requests; null stands for the first one, but for reports. Decision 28. */
function statusWantedBy({ kind }: Version, status: unknown): string | undefined {
  if (status === null && kind !== 'report') return 'created';
  return typeof status === 'string' ? status : undefined;
}

function* checkDrop(history: ItemHistory, previous: Version, version: Version, say: Say): Finding {
  yield* addedProofs(previous, version, say);
  const { drop, record, steps } = version;
  if (!drop) return yield say('The author of the drop is not told.');
  if (record.hash !== previous.record.hash) yield say('A drop changed the data.');
  yield* checkLabels(version, previous.record.meta.labels, undefined, say);
  if (drop.data.parent !== previous.record.hash)
    yield say('The drop is of another version.', {
      expected: previous.record.hash,
      found: drop.data.parent,
    });
  if (drop.hash !== hashOf(drop.data))
    yield say('The hash of the drop is not that of its data.', {
      expected: hashOf(drop.data),
      found: drop.hash,
    });
  const saysDropped = drop.meta.proofs.every(({ custom }) => custom?.['status'] === 'dropped');
  if (drop.meta.proofs.length === 0 || !saysDropped) yield say('Nobody signed the drop.');
  const moment = steps.at(-1)?.moment;
  const statement = { luid: record.luid, moment, status: 'dropped' };
  yield* checkWord(history, version, previous.record.meta.proofs.length, statement, say);
}

/** Checks that the proofs of the version before stay and one follows; returns that one. */
function* addedProofs(
  previous: Version,
  version: Version,
  say: Say,
): Generator<AuditViolation, Proof | undefined, undefined> {
  const before = previous.record.meta.proofs;
  const after = version.record.meta.proofs;
  const kept = after.slice(0, before.length);
  if (!before.every((proof, index) => isSameProof(proof, kept[index])))
    yield say('A proof of the version before is gone or changed.', {
      expected: before.length,
      found: before.filter((proof, index) => isSameProof(proof, kept[index])).length,
    });
  // The proof for which an intent waited brings all statements of the ledger on its end.
  const more = after.slice(before.length + 1);
  const isEnd = version.kind === 'intent' && more.every(isOfLedger);
  if (after.length <= before.length || (more.length > 0 && !isEnd))
    yield say('The version has not one proof more than the one before.', {
      expected: before.length + 1,
      found: after.length,
    });
  return after.at(-1);
}

/**
 * Checks that the ledger countersigned: with the last proof, or beside other ledgers for the record of a ledger. No
 * other proof is in its name. Ruling 8.
 */
function* checkWord(
  history: ItemHistory,
  { record }: Version,
  start: number,
  statement: Readonly<Record<string, unknown>>,
  say: Say,
): Finding {
  // A ledger without a key is one violation, of its record.
  const { systemKeys } = history;
  if (systemKeys === undefined) return;
  const proofs = record.meta.proofs.slice(start);
  const isOwn = (proof: Proof): boolean => isByLedger(history, proof);
  const strange = proofs.find((proof) => isOfLedger(proof) && !isOwn(proof));
  if (history.kind !== 'ledger' && strange)
    return yield say("A proof of the ledger is not by the ledger's key.", {
      expected: systemKeys.at(-1)?.public,
      found: strange.public,
    });
  const places = history.kind === 'ledger' ? proofs.filter(isOwn) : proofs.slice(-1);
  if (!places.some((proof) => isOfLedger(proof) && isSame(proof.custom, statement)))
    yield say('The ledger did not sign it.', {
      expected: statement,
      found: places.map(({ custom }) => custom),
    });
}

/**
 * Checks that a record lies in a domain that its authors stated when it was made; earlier releases chose among several
 * statements differently. A record that hangs on another one, or is forwarded by one, lies where that one does. Rulings
 * 37 and 70, Decision 81.
 */
function* checkDomain(
  { kind, record }: Version,
  authored: readonly Proof[],
  say: Say,
): Generator<AuditViolation, void, undefined> {
  const { data, meta } = record;
  if (parentOf(kind, data) || isForwarded(record)) return;
  const said = kind === 'ledger' ? [] : domainsSaid(data, authored);
  const isSaid = meta.domain === undefined ? said.length === 0 : said.includes(meta.domain);
  if (!isSaid)
    yield say('The record lies in a domain that its authors did not say.', {
      expected: said,
      found: meta.domain,
    });
}
