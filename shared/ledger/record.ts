/**
 * Records and their versions. Each version of a record is hashed, signed and numbered. Several changes in one commit
 * share one version, as when an intent is created and completed at once. Its `steps` hold the status and the number of
 * proofs after each change.
 */
import type { Proof } from '../shape/proof.ts';
import { assert } from './assert.ts';
import { type Kind, nameOf } from './kind.ts';

/** The part that authors write and sign. Every kind adds its own members. */
export interface RecordData {
  readonly handle: string;
  readonly parent?: string;
  readonly schema?: string;
  readonly custom?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

export interface Meta {
  readonly proofs: readonly Proof[];
  readonly status: string;
  /** When the data last changed, ISO 8601 UTC. Ruling 13. */
  readonly moment: string;
  /** The keys of the creating proofs. Ruling 13. */
  readonly owners: readonly string[];
  /** Of a signer or a factor: the keys that have handed over to its key, the last one first. Decision 157. */
  readonly predecessors?: readonly string[];
  readonly labels?: readonly string[];
  readonly domain?: string;
  /** Of an intent in a thread of several: the handle of the first of them. Ruling 43. */
  readonly thread?: string;
  /** Of a factor with client credentials: the id of the client that uses it. Decision 23. */
  readonly clientId?: string;
}

/** Luid, hash, data and meta under one identity. */
export interface LedgerRecord {
  readonly luid: string;
  readonly hash: string;
  readonly data: RecordData;
  readonly meta: Meta;
}

export type ChangeAction = 'create' | 'update' | 'drop';

/** One change, with the status and the proofs after it. */
export interface ChangeStep {
  readonly action: ChangeAction;
  readonly status: string;
  /** ISO 8601 UTC. */
  readonly moment: string;
  /** The number of the version's proofs after the change, counted from the first. */
  readonly proofs: number;
}

/** The author's signed request for a drop, kept whole: `{hash, data: {parent}, meta: {proofs}}`. */
export interface SignedDrop {
  readonly hash: string;
  readonly data: { readonly parent: string };
  readonly meta: { readonly proofs: readonly Proof[] };
}

/** The number of proofs before the last change of status, or labels; they count towards no quorum. Decision 28. */
export interface Counted {
  readonly status?: number;
  readonly labels?: number;
}

/** Facts about an intent that pass from version to version beside the record; none of them is shown to callers. */
export interface IntentAttachment {
  /** Indexes of the proofs, from 0, that were accepted as reports of bridges. Ruling 56. */
  readonly accepted?: readonly number[];
  /** In a thread of several: the handles of all intents, the first one first. Ruling 43. */
  readonly together?: readonly string[];
  /** The keys of the owners of each bridge when the intent was signed, by handle. */
  readonly bridgeOwners?: Readonly<Record<string, readonly string[]>>;
  /** The luids of these bridges, by the same handles; absent where an earlier release stored the intent. */
  readonly bridgeLuids?: Readonly<Record<string, string>>;
  /** The wallets of its limit claims, claim by claim, as they were found when it was signed. Ruling 42. */
  readonly limitedWallets?: readonly string[];
  /** True when a balance that its thread moves had limits, or was marked by a freeze, when the intent was signed. Decision 59. */
  readonly isLimited?: true;
  /**
   * The number of the partitions with its list and outbox entries, where its ledger was busy when it was made: also 0, the
   * partitions that a quiet ledger has. Decision 124.
   */
  readonly spread?: number;
}

export interface Version extends IntentAttachment {
  readonly kind: Kind;
  readonly record: LedgerRecord;
  /** The number of its last change, from 1; `steps` are the changes up to this one. */
  readonly change: number;
  readonly steps: readonly ChangeStep[];
  /** Present on the last version of a dropped record. */
  readonly drop?: SignedDrop;
  /** Absent until a proof over this data changes the status or the labels. */
  readonly counted?: Counted;
  /**
   * The number of the partition with its list entry, and of those with its index entries, where its list was busy when the
   * version was stored; absent for the partitions of a quiet list. An intent has `spread`. Decision 159.
   */
  readonly part?: number;
}

/** One line of a history: the record after a change, with the change. */
export interface Change extends Omit<LedgerRecord, 'meta'> {
  readonly meta: Meta & {
    readonly action: ChangeAction;
    readonly change: number;
    readonly drop?: SignedDrop;
  };
}

/** Leaves out absent facts, so that they take no room in storage. */
export function attachmentOf(carried: IntentAttachment): IntentAttachment {
  const { accepted, together, bridgeOwners, bridgeLuids, limitedWallets } = carried;
  const { isLimited, spread } = carried;
  return {
    ...(accepted && accepted.length > 0 && { accepted }),
    ...(together && { together }),
    ...(bridgeOwners && { bridgeOwners }),
    ...(bridgeLuids && { bridgeLuids }),
    ...(limitedWallets && { limitedWallets }),
    ...(isLimited && { isLimited }),
    ...(spread !== undefined && { spread }),
  };
}

export function nameOfVersion({ kind, record }: Version): string {
  return nameOf(kind, record.data);
}

export function firstChangeOf(version: Version): number {
  return version.change - version.steps.length + 1;
}

export function isDropped(version: Version): boolean {
  return version.steps.at(-1)?.action === 'drop';
}

/** The changes that a version holds, oldest first, each as a complete snapshot. Ruling 15. */
export function changesOf(version: Version): Change[] {
  const { record, steps } = version;
  const first = firstChangeOf(version);
  return steps.map((step, index) => ({
    ...record,
    meta: {
      ...record.meta,
      proofs: record.meta.proofs.slice(0, step.proofs),
      status: step.status,
      moment: step.moment,
      action: step.action,
      change: first + index,
      ...(version.drop && { drop: version.drop }),
    },
  }));
}

/** Builds the next version, or the first; asserts that steps and proofs agree. */
export function versionOf(
  kind: Kind,
  record: LedgerRecord,
  steps: readonly ChangeStep[],
  previous?: Version,
): Version {
  assert(steps.length > 0, 'a version holds at least one change');
  assert(
    steps.at(-1)?.proofs === record.meta.proofs.length,
    'the last step of a version has all of its proofs',
  );
  const counted = countedIn(record, previous);
  const change = (previous?.change ?? 0) + steps.length;
  return { kind, record, steps, change, ...(counted && { counted }) };
}

/** Counts the used proofs. New data start again at none. */
function countedIn({ hash, meta }: LedgerRecord, previous?: Version): Counted | undefined {
  if (previous?.record.hash !== hash) return undefined;
  const { record, counted } = previous;
  const count = meta.proofs.length;
  const hasStatus = meta.status !== record.meta.status;
  // A changed list of labels is a new array.
  const hasLabels = meta.labels !== record.meta.labels;
  if (!hasStatus && !hasLabels) return counted;
  return { ...counted, ...(hasStatus && { status: count }), ...(hasLabels && { labels: count }) };
}
