/**
 * What policies say of a proof that asks for another status or for other labels: it takes effect, it
 * is kept without effect, or it asks for what nobody may have. Ruling 66, Decisions 28 and 29.
 */
import { type PatternMaker, parseConditions } from './match.ts';
import type { SignerMatcher } from './matcher.ts';
import type { LedgerRecord } from './record.ts';
import { inactive } from './vouching.ts';
import { pricedBy, purseOf, unitsFor } from './work.ts';

/** Who may bring what: without a quorum, everyone. */
interface Grant {
  readonly quorum?: readonly SignerMatcher[];
}

/** A value of a policy for statuses; without `status`, it speaks of every one. */
export interface StatusValue extends Grant {
  readonly status?: string | null | { readonly $in: readonly (string | null)[] };
}

/** A value of a policy for labels. */
export interface LabelsValue extends Grant {
  readonly labels: string | readonly string[] | { readonly $in: readonly string[] };
  /** Whether one record alone may have each of them, once. Ruling 75. */
  readonly unique?: boolean;
}

/** Whether enough have asked for the same. */
export type IsMet = (quorum: readonly SignerMatcher[]) => boolean;

/** What becomes of what a proof asks for. */
export type Verdict = 'effective' | 'ineffective' | 'forbidden';

/** What policies speak of. */
export type Aspect = 'status' | 'labels';

/**
 * Whether a policy speaks of this record, as it stands. A filter is a condition on it. Throws when that takes too much
 * work to judge (`judgedOr`).
 */
export function isAbout(
  { data, meta }: LedgerRecord,
  record: LedgerRecord,
  patternMaker: PatternMaker,
): boolean {
  const filter = data['filter'] as Readonly<Record<string, unknown>> | undefined;
  if (meta.status === inactive) return false;
  if (filter === undefined) return true;
  const paid = pricedBy(purseOf(unitsFor.policy), patternMaker);
  return parseConditions(filter, paid)(subjectOf(record));
}

/** The values that a policy has for an aspect; an inactive one adds none to those that extend it. */
export function valuesOf<Value extends Grant>(
  policies: readonly LedgerRecord[],
  aspect: Aspect,
): Value[] {
  return policies
    .filter(({ data, meta }) => data.schema === aspect && meta.status !== inactive)
    .flatMap(({ data }) => data['values'] as Value[]);
}

/** The values that speak of a status; null asks for the first one again. */
export function admitting(values: readonly StatusValue[], asked: string | null): StatusValue[] {
  return values.filter(({ status }) => {
    if (typeof status !== 'object' || status === null)
      return status === undefined || status === asked;
    return status.$in.includes(asked);
  });
}

/** What becomes of a status that a proof asks for. */
export function statusVerdict(
  values: readonly StatusValue[],
  asked: string | null,
  isMet: IsMet,
): Verdict {
  const admitted = admitting(values, asked);
  if (admitted.length === 0) return 'forbidden';
  return admitted.some(({ quorum = [] }) => isMet(quorum)) ? 'effective' : 'ineffective';
}

type Labels = readonly string[];

/** The labels that come or go. The same one may be there several times. */
export function changedLabels(before: Labels, after: Labels): string[] {
  const all = [...new Set([...before, ...after])];
  return all.filter((label) => countIn(after, label) !== countIn(before, label));
}

/** The values that speak of any of these labels. */
export function naming(values: readonly LabelsValue[], labels: Labels): LabelsValue[] {
  return values.filter((value) => labelsIn(value).some((label) => labels.includes(label)));
}

/** A label that a proof would set and that no value names. One that only goes is in nobody's way. */
export function forbiddenLabel(
  values: readonly LabelsValue[],
  before: Labels,
  after: Labels,
): string | undefined {
  const added = after.filter((label) => countIn(after, label) > countIn(before, label));
  return added.find((label) => naming(values, [label]).length === 0);
}

/** The labels that would come to a record, and that one record alone may have. */
export function soleLabels(
  values: readonly LabelsValue[],
  before: Labels,
  after: Labels,
): readonly string[] {
  const sole = values.filter(({ unique }) => unique === true);
  const added = after.filter((label) => countIn(after, label) > countIn(before, label));
  return [...new Set(added)].filter((label) => naming(sole, [label]).length > 0);
}

/** What becomes of labels that a proof asks for: all of them, or none. */
export function labelsVerdict(
  values: readonly LabelsValue[],
  before: Labels,
  after: Labels,
  isMet: IsMet,
): Verdict {
  if (forbiddenLabel(values, before, after) !== undefined) return 'forbidden';
  const named = changedLabels(before, after)
    .map((label) => naming(values, [label]))
    .filter((some) => some.length > 0);
  const isGranted = named.every((some) => some.some(({ quorum = [] }) => isMet(quorum)));
  return isGranted ? 'effective' : 'ineffective';
}

function countIn(labels: Labels, label: string): number {
  return labels.filter((other) => other === label).length;
}

function labelsIn({ labels }: LabelsValue): Labels {
  if (typeof labels === 'string') return [labels];
  return '$in' in labels ? labels.$in : labels;
}

/** A record as conditions see it: by `data.…` and `meta.…`, or by what is in its data. */
export function subjectOf({ luid, hash, data, meta }: LedgerRecord): unknown {
  return { ...data, luid, hash, data, meta };
}
