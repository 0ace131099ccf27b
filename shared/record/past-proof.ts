/** Earlier versions of a record, and what they tell of a proof that is sent for it. Decisions 41 and 43. */
import { isDigestOf } from '../crypto/proof.ts';
import { firstChangeOf, type Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { SentProof } from '../shape/proof.ts';
import { holdsProof } from './author.ts';
import { scopeOf } from './find.ts';

/** A lost answer is asked for again within this time, in milliseconds. */
const repeatMsMax = 300_000;
/** The number of changes whose data an outdated proof may sign, beside the data just before the current one. */
const pastCountMax = 20;

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

/** True when a proof signs data that the record had before. */
export async function signsEarlier(
  call: Call,
  version: Version,
  proof: SentProof,
): Promise<boolean> {
  const { parent } = version.record.data;
  if (parent === undefined) return false;
  if (isDigestOf(parent.toLowerCase(), proof)) return true;
  const past = await pastOf(call, version, pastCountMax);
  return past.some(({ record }) => isDigestOf(record.hash, proof));
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
