/**
 * Labels that one record alone may have. Who has one is found in the catalog, which knows all that was written before
 * it is asked; whoever is about to give one says so first by a note, so that of two who ask at once one is refused.
 * Ruling 75, Decision 29.
 */
import { hashOf } from '../crypto/digest.ts';
import { LedgerError } from '../ledger/errors.ts';
import { isAbout, type LabelsValue, soleLabels, valuesOf } from '../ledger/policy.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import { judgedOr } from '../ledger/work.ts';
import type { Call } from '../port/action.ts';
import { search } from '../query/search.ts';
import { withExtended } from '../record/extension.ts';
import { scopeOf } from '../record/find.ts';
import { reachesTo } from '../record/lineage.ts';
import { domainOfRecord } from '../record/place.ts';

/** Longer than a request lasts: what was decided under a note is stored by then, or never. */
const noteMs = 60_000;

/** What a request has noted: it may decide anew, and is not in its own way. */
const notedBy = new WeakMap<Call, Set<string>>();

/**
 * Refuses labels of which a policy says that one record alone may have them, where another one of which it speaks has.
 * `about` are the policies that speak of the record, each of which may extend others.
 */
export async function assertSole(
  call: Call,
  previous: Version,
  labels: readonly string[],
  about: readonly Version[],
): Promise<void> {
  const before = previous.record.meta.labels ?? [];
  const sole = await solesIn(call, about, before, labels);
  for (const [label, policies] of sole) {
    if (labels.indexOf(label) !== labels.lastIndexOf(label))
      throw refused(label, `A record has the label '${label}' once.`);
    await assertNobodyHas(call, previous, label, policies);
    if (await isNoted(call, previous, label, policies))
      await assertNobodyHas(call, previous, label, policies);
    else
      throw refused(label, `The label '${label}' was given a moment ago; ask again in a minute.`);
  }
}

/** The labels that would come and that one record alone may have, each with the policies that say so. */
async function solesIn(
  call: Call,
  about: readonly Version[],
  before: readonly string[],
  labels: readonly string[],
): Promise<ReadonlyMap<string, readonly Version[]>> {
  const soles = new Map<string, readonly Version[]>();
  for (const policy of about.filter(({ record }) => record.data.schema === 'labels')) {
    const all = (await withExtended(call, [policy])).map(({ record }) => record);
    for (const label of soleLabels(valuesOf<LabelsValue>(all, 'labels'), before, labels))
      soles.set(label, [...(soles.get(label) ?? []), policy]);
  }
  return soles;
}

/** Notes that the label is about to be given, for each policy; false when somebody else has for the same. */
async function isNoted(
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

async function assertNobodyHas(
  call: Call,
  { kind, record }: Version,
  label: string,
  policies: readonly Version[],
): Promise<void> {
  const matches = ({ luid, meta }: LedgerRecord) =>
    luid !== record.luid && (meta.labels ?? []).includes(label);
  const filter = { path: 'meta.labels', operator: '$eq', operand: label };
  const wish = {
    listing: { scope: scopeOf(kind, call.ledger.handle), kind },
    filters: { all: [filter], matches },
    words: [],
  };
  const isMeant = async (other: LedgerRecord) => {
    const domain = await domainOfRecord(call, kind, other);
    const may = await Promise.all(
      policies.map(async ({ record: policy }) => {
        if (!(await reachesTo(call, policy.meta.domain, domain))) return false;
        return couldBeAbout(call, policy, other);
      }),
    );
    return may.some(Boolean);
  };
  const [holder] = await search(call, wish, { index: 0, limit: 1 }, isMeant);
  // Who has it is not told: it may be hidden from who asks.
  if (holder) throw refused(label, `Another record has the label '${label}'.`);
}

/** Whether a policy speaks of a record; also where it takes too much work to say, so that no label comes twice. */
function couldBeAbout(call: Call, policy: LedgerRecord, other: LedgerRecord): boolean {
  const { patternMaker } = call.work;
  return judgedOr(
    () => isAbout(policy, other, patternMaker),
    () => true,
  );
}

function refused(label: string, detail: string): LedgerError {
  return new LedgerError('record.labels-policy-violation', detail, { label });
}
