/**
 * Labels that one record alone may have. Who has one is found in the catalog, which knows all that was written before
 * it is asked; whoever is about to give one says so first by a note, so that of two who ask at once one is refused.
 * Ruling 75, Decision 29.
 */
import { hashOf } from '../crypto/digest.ts';
import { LedgerError } from '../ledger/errors.ts';
import { isAbout, type LabelsValue, soleLabels, valuesOf } from '../ledger/policy.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { Call } from './action.ts';
import { scopeOf } from './find.ts';
import { search } from './search.ts';

/** Longer than a request lasts: what was decided under a note is stored by then, or never. */
const noteMs = 60_000;

/** What a request has noted: it may decide anew, and is not in its own way. */
const notedBy = new WeakMap<Call, Set<string>>();

/** Refuses labels of which a policy says that one record alone may have them, where another one has. */
export async function assertSole(
  call: Call,
  previous: Version,
  labels: readonly string[],
  policies: readonly LedgerRecord[],
): Promise<void> {
  const before = previous.record.meta.labels ?? [];
  const values = valuesOf<LabelsValue>(policies, 'labels');
  for (const label of soleLabels(values, before, labels)) {
    if (labels.indexOf(label) !== labels.lastIndexOf(label))
      throw refused(label, `A record has the label '${label}' once.`);
    await assertNobodyHas(call, previous, label, policies);
    if (await isNoted(call, previous, label))
      await assertNobodyHas(call, previous, label, policies);
    else
      throw refused(label, `The label '${label}' was given a moment ago; ask again in a minute.`);
  }
}

/** Notes that the label is about to be given; false when somebody else has. */
async function isNoted(call: Call, { kind }: Version, label: string): Promise<boolean> {
  const { services, ledger } = call;
  const name = hashOf(['label', kind, label]);
  const noted = notedBy.get(call) ?? new Set();
  if (noted.has(name)) return true;
  notedBy.set(call, noted.add(name));
  const nowMs = services.clock();
  return services.notes.use(ledger.handle, name, nowMs + noteMs, nowMs);
}

async function assertNobodyHas(
  call: Call,
  { kind, record }: Version,
  label: string,
  policies: readonly LedgerRecord[],
): Promise<void> {
  const { patternMaker } = call.services;
  const matches = ({ luid, meta }: LedgerRecord) =>
    luid !== record.luid && (meta.labels ?? []).includes(label);
  const filter = { path: 'meta.labels', operator: '$eq', operand: label };
  const wish = {
    listing: { scope: scopeOf(kind, call.ledger.handle), kind },
    filters: { all: [filter], matches },
    words: [],
  };
  const isMeant = async (other: LedgerRecord) =>
    policies.some((policy) => isAbout(policy, other, patternMaker));
  const [holder] = await search(call, wish, { index: 0, limit: 1 }, isMeant);
  // Who has it is not told: it may be hidden from who asks.
  if (holder) throw refused(label, `Another record has the label '${label}'.`);
}

function refused(label: string, detail: string): LedgerError {
  return new LedgerError('record.labels-policy-violation', detail, { label });
}
