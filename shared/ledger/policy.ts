/** Decides whether a new status or new labels on a proof take effect. Ruling 66, Decisions 28 and 29. */

import { budgetOf, paidFrom, unitsFor } from './budget.ts';
import type { Labels } from './labels.ts';
import { type PatternMaker, parseConditions } from './match.ts';
import type { SignerMatcher } from './matcher.ts';
import type { LedgerRecord } from './record.ts';
import { inactive } from './vouching.ts';

/** The quorum of a value; without one, any signer suffices. */
interface WithQuorum {
  readonly quorum?: readonly SignerMatcher[];
}

/** A value of a policy for statuses; without `status`, it applies to all of them. */
export interface StatusValue extends WithQuorum {
  readonly status?: string | null | { readonly $in: readonly (string | null)[] };
}

/** A value of a policy for labels. */
export interface LabelsValue extends WithQuorum {
  readonly labels: string | readonly string[] | { readonly $in: readonly string[] };
  /** True when only one record at a time may carry each of these labels. Ruling 75. */
  readonly unique?: boolean;
}

/** True when the signers who asked for the same change complete the quorum. */
export type IsMet = (quorum: readonly SignerMatcher[]) => boolean;

export type PolicyVerdict = 'effective' | 'ineffective' | 'forbidden';

export type Aspect = 'status' | 'labels';

/** True when a policy applies to a record, by its `filter` on what it sees of it. Throws when that costs too much work (`resultOr`). */
export function appliesTo(
  { data, meta }: LedgerRecord,
  patternMaker: PatternMaker,
  subject: unknown,
): boolean {
  const filter = data['filter'] as Readonly<Record<string, unknown>> | undefined;
  if (meta.status === inactive) return false;
  if (filter === undefined) return true;
  const paid = paidFrom(budgetOf(unitsFor.policy), patternMaker);
  return parseConditions(filter, paid)(subject);
}

/** The values of policies for an aspect. An inactive policy adds none to those that extend it. */
export function valuesOf<Value extends WithQuorum>(
  policies: readonly LedgerRecord[],
  aspect: Aspect,
): Value[] {
  return policies
    .filter(({ data, meta }) => data.schema === aspect && meta.status !== inactive)
    .flatMap(({ data }) => data['values'] as Value[]);
}

/** The values that apply to a status; null stands for the initial one. */
export function valuesForStatus(
  values: readonly StatusValue[],
  wanted: string | null,
): StatusValue[] {
  return values.filter(({ status }) => {
    if (typeof status !== 'object' || status === null)
      return status === undefined || status === wanted;
    return status.$in.includes(wanted);
  });
}

export function statusVerdict(
  values: readonly StatusValue[],
  wanted: string | null,
  isMet: IsMet,
): PolicyVerdict {
  const admitted = valuesForStatus(values, wanted);
  if (admitted.length === 0) return 'forbidden';
  return admitted.some(({ quorum = [] }) => isMet(quorum)) ? 'effective' : 'ineffective';
}

/** The labels that are added or removed. A label may occur several times. */
export function changedLabels(before: Labels, after: Labels): string[] {
  const all = [...new Set([...before, ...after])];
  return all.filter((label) => countIn(after, label) !== countIn(before, label));
}

/** The values that apply to any of these labels. */
export function valuesForLabels(values: readonly LabelsValue[], labels: Labels): LabelsValue[] {
  return values.filter((value) => labelsIn(value).some((label) => labels.includes(label)));
}

/** An added label that no value names, which is refused. Removing a label is always allowed. */
export function forbiddenLabel(
  values: readonly LabelsValue[],
  before: Labels,
  after: Labels,
): string | undefined {
  const added = after.filter((label) => countIn(after, label) > countIn(before, label));
  return added.find((label) => valuesForLabels(values, [label]).length === 0);
}

/** The added labels that only one record at a time may carry. */
export function uniqueLabels(
  values: readonly LabelsValue[],
  before: Labels,
  after: Labels,
): readonly string[] {
  const sole = values.filter(({ unique }) => unique === true);
  const added = after.filter((label) => countIn(after, label) > countIn(before, label));
  return [...new Set(added)].filter((label) => valuesForLabels(sole, [label]).length > 0);
}

/** The verdict on a change of labels, which takes effect as a whole or not at all. */
export function labelsVerdict(
  values: readonly LabelsValue[],
  before: Labels,
  after: Labels,
  isMet: IsMet,
): PolicyVerdict {
  if (forbiddenLabel(values, before, after) !== undefined) return 'forbidden';
  const named = changedLabels(before, after)
    .map((label) => valuesForLabels(values, [label]))
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

/** The record as conditions see it: by `data.…` and `meta.…`, or by members of its data. */
export function subjectOf({ luid, hash, data, meta }: LedgerRecord): unknown {
  return { ...data, luid, hash, data, meta };
}
