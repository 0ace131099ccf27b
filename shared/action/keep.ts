/** Which kinds keep something beside their records, and who says what. */
import type { Kind } from '../ledger/kind.ts';
import type { Version } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import type { Kept } from '../port/kept.ts';
import { keepSecrets } from '../record/bridge-secret.ts';
import { keepWork } from '../record/report-work.ts';
import { keepClient } from './client.ts';

type Keeper = (call: Call, next: Version, previous?: Version) => Promise<Kept>;

const keepers: Readonly<Partial<Record<Kind, Keeper>>> = {
  bridge: keepSecrets,
  'signer-factor': keepClient,
  report: keepWork,
};

/** What is to be kept beside a new version, once everything else allows it. */
export async function keptBeside(call: Call, next: Version, previous?: Version): Promise<Kept> {
  const keep = keepers[next.kind];
  return keep ? keep(call, next, previous) : { version: next, write: {} };
}
