/**
 * Records and their versions. A record lives through versions; each is hashed, signed and numbered.
 * Several changes may be made at once (an intent that is created and completed in one commit): they
 * share one stored version, whose `steps` say how far the proofs and the status stood at each.
 */
import type { Proof } from '../shape/proof.ts';
import { assert } from './assert.ts';
import { type Kind, nameOf } from './kind.ts';

/** What authors write and sign. Every kind adds its own members. */
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
  readonly labels?: readonly string[];
  readonly domain?: string;
  /** Of an intent that commits or fails together with others: the handle of the first of them. Ruling 43. */
  readonly thread?: string;
  /** Of a factor for client credentials: who asks for tokens with it. Decision 23. */
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

/** One change: what it was, and what stood after it. */
export interface Step {
  readonly action: ChangeAction;
  readonly status: string;
  /** When it was made, ISO 8601 UTC. */
  readonly moment: string;
  /** How many of the version's proofs stood, counted from the first. */
  readonly proofs: number;
}

/** The author's own words for a drop, kept whole: `{hash, data: {parent}, meta: {proofs}}`. */
export interface SignedDrop {
  readonly hash: string;
  readonly data: { readonly parent: string };
  readonly meta: { readonly proofs: readonly Proof[] };
}

/**
 * How many of its proofs are used up: those that stood when its status, or its labels, last changed. They
 * count towards no quorum again. Decision 28.
 */
export interface Counted {
  readonly status?: number;
  readonly labels?: number;
}

/** What an intent carries from version to version beside its record; none of it is shown. */
export interface Carried {
  /** Which of its proofs, counted from 0, were accepted as reports of bridges. Ruling 56. */
  readonly accepted?: readonly number[];
  /** In a thread of several: the handles of all of them, the first one first. Ruling 43. */
  readonly together?: readonly string[];
  /** The keys of the owners of each bridge, as they were when the intent was signed, by handle. */
  readonly voices?: Readonly<Record<string, readonly string[]>>;
  /** The wallets that its limit claims are about, claim by claim, as they were found when it was signed. Ruling 42. */
  readonly limitedWallets?: readonly string[];
  /** Whether a balance that its thread moves had limits when it was signed. Decision 59. */
  readonly isLimited?: true;
}

/** A stored version of a record. */
export interface Version extends Carried {
  readonly kind: Kind;
  readonly record: LedgerRecord;
  /** The number of the last change it holds; its steps are the changes up to this one. From 1. */
  readonly change: number;
  readonly steps: readonly Step[];
  /** Present on the last version of a dropped record. */
  readonly drop?: SignedDrop;
  /** Absent until a proof over this data changes anything. */
  readonly counted?: Counted;
}

/** One line of a history: the record as it stood, with what was done to it. */
export interface Change extends Omit<LedgerRecord, 'meta'> {
  readonly meta: Meta & {
    readonly action: ChangeAction;
    readonly change: number;
    readonly drop?: SignedDrop;
  };
}

/** What is carried, without what is not there. */
export function carriedOf(carried: Carried): Carried {
  const { accepted, together, voices, limitedWallets, isLimited } = carried;
  return {
    ...(accepted && accepted.length > 0 && { accepted }),
    ...(together && { together }),
    ...(voices && { voices }),
    ...(limitedWallets && { limitedWallets }),
    ...(isLimited && { isLimited }),
  };
}

/** What names the version's record among all of its kind. */
export function nameOfVersion({ kind, record }: Version): string {
  return nameOf(kind, record.data);
}

/** The number of the first change that a version holds. */
export function firstChangeOf(version: Version): number {
  return version.change - version.steps.length + 1;
}

/** Whether the record has ended. */
export function isDropped(version: Version): boolean {
  return version.steps.at(-1)?.action === 'drop';
}

/** The changes that a version holds, oldest first, each a complete snapshot. Ruling 15. */
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

/** The version after the one given, or the first; asserts that numbers stay dense. */
export function versionOf(
  kind: Kind,
  record: LedgerRecord,
  steps: readonly Step[],
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

/** Which proofs are used up; with new data, all begin anew. */
function countedIn({ hash, meta }: LedgerRecord, previous?: Version): Counted | undefined {
  if (previous?.record.hash !== hash) return undefined;
  const { record, counted } = previous;
  const count = meta.proofs.length;
  const hasStatus = meta.status !== record.meta.status;
  // Whoever changes labels hands in a new array.
  const hasLabels = meta.labels !== record.meta.labels;
  if (!hasStatus && !hasLabels) return counted;
  return { ...counted, ...(hasStatus && { status: count }), ...(hasLabels && { labels: count }) };
}
