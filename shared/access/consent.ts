/** Consent for what a record refers to: the routes and the bridge of a wallet, and the wallet of a statement. */
import type { RecordData, Version } from '../ledger/record.ts';
import { statementSubjectOf } from '../ledger/report.ts';
import type { Call } from '../port/action.ts';
import { reachesTo } from '../record/lineage.ts';
import { readerFor } from '../record/reader.ts';
import { relationNotFound } from '../record/relations.ts';
import { isAllowed } from './access.ts';
import { changedTargets } from './addressed.ts';
import { allow } from './allow.ts';

/** Refuses a new or changed route to a wallet that the caller may not spend from. Ruling 43, Decision 51. */
export async function allowRoutes(
  call: Call,
  after: RecordData,
  before?: RecordData,
): Promise<void> {
  for (const record of await changedTargets(call, after, before))
    await allow(call, { action: 'spend', kind: 'wallet', record });
}

/** Refuses a wallet at a new bridge that the caller may not update. */
export async function allowBridge(
  call: Call,
  after: RecordData,
  before: RecordData | undefined,
  found: readonly (Version | undefined)[],
): Promise<void> {
  const handle = after['bridge'];
  if (handle === before?.['bridge']) return;
  // A missing bridge is refused with the other references.
  const bridge = found.find((one) => one?.kind === 'bridge' && one.record.data.handle === handle);
  if (bridge) await allow(call, { action: 'update', kind: 'bridge', record: bridge.record });
}

/**
 * Refuses with `record.relation-not-found` the statement of a wallet or symbol that is missing, that the caller may not
 * read, or that the domain of the report does not reach. Ruling 84.
 */
export async function allowStatement(
  call: Call,
  data: RecordData,
  domain: string | undefined,
): Promise<void> {
  const subject = statementSubjectOf(data);
  if (!subject) return;
  for (const kind of ['wallet', 'symbol'] as const) {
    const handle = subject[kind];
    const found = await readerFor(call).record(kind, handle);
    const record = found?.record;
    // The entries are those of the wallet; the symbol lies where it lies.
    const isNear = kind === 'symbol' || (await reachesTo(call, domain, record?.meta.domain));
    if (!record || !isNear || !(await isAllowed(call, { action: 'read', kind, record })))
      throw relationNotFound(kind, handle);
  }
}
