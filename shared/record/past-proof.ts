/** Earlier versions of a record, and what they tell of a proof that is sent for it. Decision 43. */
import { firstChangeOf, type Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { SentProof } from '../shape/proof.ts';
import { holdsProof } from './author.ts';
import { scopeOf } from './find.ts';

/** A lost answer is asked for again within this time, in milliseconds. */
const repeatMsMax = 300_000;

/**
 * The version that took a proof which the record has, as it was answered then; undefined when that is not a moment ago.
 * The ledger's clock decides, since a proof may state any moment or none.
 */
export async function takenWith(
  call: Call,
  version: Version,
  proof: SentProof,
): Promise<Version | undefined> {
  const nowMs = call.services.clock();
  for (let at = version; isRecent(at, nowMs); ) {
    const [before] = await pastOf(call, at, 1);
    if (!before || !holdsProof(before.record, proof)) return at;
    at = before;
  }
  return undefined;
}

function isRecent({ steps }: Version, nowMs: number): boolean {
  return Math.abs(nowMs - Date.parse(steps.at(-1)?.moment ?? '')) <= repeatMsMax;
}

/** The versions with the changes just before those of a version. */
function pastOf(
  { services, ledger }: Call,
  version: Version,
  count: number,
): Promise<readonly Version[]> {
  const last = firstChangeOf(version) - 1;
  const { kind, record } = version;
  const first = Math.max(1, last - count + 1);
  if (last < first) return Promise.resolve([]);
  return services.store.past(scopeOf(kind, ledger.handle), record.luid, first, last);
}
