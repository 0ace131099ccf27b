/**
 * Labels that a policy allows on one record only. The catalog finds the current holder and knows all earlier writes. A
 * note taken first makes sure that of two simultaneous requests one is refused. Ruling 75, Decision 29.
 */
import { companions } from '../crypto/companions.ts';
import { hashOf } from '../crypto/digest.ts';
import { resultOr } from '../ledger/budget.ts';
import { LedgerError } from '../ledger/errors.ts';
import { appliesTo, type LabelsValue, uniqueLabels, valuesOf } from '../ledger/policy.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { search } from '../query/search.ts';
import { withExtended } from '../record/extension.ts';
import { scopeOf } from '../record/find.ts';
import { reachesTo } from '../record/lineage.ts';
import { domainOfRecord } from '../record/place.ts';
import { wholeFor } from './seen.ts';

/** A note outlives its request, so the decision is stored by then or never. */
const noteMs = 60_000;

/** The notes of a request, which may decide several times. */
const notedBy = companions<Call, Set<string>>();

/**
 * Refuses with `record.labels-policy-violation` a unique label that another record covered by the same policy has.
 * `about` are the policies that apply to the record.
 */
export async function assertUnique(
  call: Call,
  previous: Version,
  labels: readonly string[],
  about: readonly Version[],
): Promise<void> {
  const before = previous.record.meta.labels ?? [];
  const sole = await uniqueLabelsIn(call, about, before, labels);
  for (const [label, policies] of sole) {
    if (labels.indexOf(label) !== labels.lastIndexOf(label))
      throw refused(label, `A record has the label '${label}' once.`);
    await assertNoHolder(call, previous, label, policies);
    if (await takesNote(call, previous, label, policies))
      await assertNoHolder(call, previous, label, policies);
    else
      throw refused(label, `The label '${label}' was given a moment ago; ask again in a minute.`);
  }
}

/** The new unique labels, each with the policies that make it unique. */
async function uniqueLabelsIn(
  call: Call,
  about: readonly Version[],
  before: readonly string[],
  labels: readonly string[],
): Promise<ReadonlyMap<string, readonly Version[]>> {
  const soles = new Map<string, readonly Version[]>();
  for (const policy of about.filter(({ record }) => record.data.schema === 'labels')) {
    const all = (await withExtended(call, [policy])).map(({ record }) => record);
    for (const label of uniqueLabels(valuesOf<LabelsValue>(all, 'labels'), before, labels))
      soles.set(label, [...(soles.get(label) ?? []), policy]);
  }
  return soles;
}

/** Takes a note for the label under each policy; false when another request holds one. */
async function takesNote(
  call: Call,
  { kind }: Version,
  label: string,
  policies: readonly Version[],
): Promise<boolean> {
  const { services, ledger } = call;
  const noted = notedBy.get(call) ?? new Set();
  const names = policies.map(({ record }) => hashOf(['label', kind, label, record.luid]));
  const fresh = names.filter((name) => !noted.has(name));
  notedBy.set(call, new Set([...noted, ...fresh]));
  const nowMs = services.clock();
  const use = (name: string) => services.notes.use(ledger.handle, name, nowMs + noteMs, nowMs);
  return (await Promise.all(fresh.map(use))).every(Boolean);
}

async function assertNoHolder(
  call: Call,
  { kind, record }: Version,
  label: string,
  policies: readonly Version[],
): Promise<void> {
  const matches = ({ luid, meta }: LedgerRecord) =>
    luid !== record.luid && (meta.labels ?? []).includes(label);
  const filter = { path: 'meta.labels', operator: '$eq', operand: label };
  const criteria = {
    listing: { scope: scopeOf(kind, call.ledger.handle), kind },
    filters: { all: [filter], matches },
    words: [],
    isExact: true as const,
  };
  const isMeant = async (other: LedgerRecord) => {
    const domain = await domainOfRecord(call, kind, other);
    const may = await Promise.all(
      policies.map(async ({ record: policy }) => {
        if (!(await reachesTo(call, policy.meta.domain, domain))) return false;
        const whole = await wholeFor(call, kind, other, [policy]);
        return couldBeAbout(call, policy, whole);
      }),
    );
    return may.some(Boolean);
  };
  const [holder] = await search(call, criteria, { index: 0, limit: 1 }, isMeant);
  // The error does not name the holder, which the caller may not be allowed to read.
  if (holder) throw refused(label, `Another record has the label '${label}'.`);
}

/** True when the policy applies, or costs too much work to judge: so no label is given twice. */
function couldBeAbout(call: Call, policy: LedgerRecord, other: unknown): boolean {
  const { patternMaker } = call.work;
  return resultOr(
    () => appliesTo(policy, patternMaker, other),
    () => true,
  );
}

function refused(label: string, detail: string): LedgerError {
  return new LedgerError('record.labels-policy-violation', detail, { label });
}
