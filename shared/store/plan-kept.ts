/** What a write does to what is kept beside its record: it is stored, changed and ended together with it. */

import { isDropped, nameOfVersion } from '../ledger/record.ts';
import type { Write } from '../port/ports.ts';
import { noProgress } from '../port/reports.ts';
import { type PlannedAction, put, remove } from './item-action.ts';
import { clientKeyOf, expiryKeyOf, secretsKeyOf, workKeyOf } from './keys.ts';
import { packWork } from './reports.ts';

/** Stores and removes what is kept beside a record. Decisions 22, 23, 25, 34 and 39. */
export function planOfKept(tableName: string, write: Write): PlannedAction[] {
  const plan = [planOfSecrets, planOfClient, planOfWork, planOfExpiry];
  return plan.flatMap((one) => one(tableName, write));
}

function planOfSecrets(tableName: string, { scope, next, secrets }: Write): PlannedAction[] {
  const key = secretsKeyOf(scope, next.record.luid);
  const isGone = secrets ? Object.keys(secrets).length === 0 : isDropped(next);
  const hasSecrets = next.kind === 'bridge' || next.record.data['format'] === 'rsa-2048';
  if (hasSecrets && isGone) return [{ action: remove(tableName, key) }];
  return secrets ? [{ action: put(tableName, key, { secrets }) }] : [];
}

function planOfClient(tableName: string, { scope, next, client }: Write): PlannedAction[] {
  const { clientId } = next.record.meta;
  if (clientId !== undefined && isDropped(next))
    return [{ action: remove(tableName, clientKeyOf(scope, clientId)) }];
  if (!client) return [];
  const { id, ...kept } = client;
  return [{ action: put(tableName, clientKeyOf(scope, id), kept) }];
}

function planOfWork(tableName: string, { scope, next, workMs }: Write): PlannedAction[] {
  if (workMs === undefined) return [];
  const { luid } = next.record;
  const handle = nameOfVersion(next);
  const work = { scope, luid, handle, failures: 0, progress: noProgress, version: 1 };
  const key = workKeyOf(scope, luid, workMs);
  return [{ action: put(tableName, key, packWork({ ...work, dueMs: workMs })) }];
}

/** An intent is marked until it ends: whoever ends it takes the marker away with the same commit. Decision 70. */
function planOfExpiry(tableName: string, { scope, next, previous }: Write): PlannedAction[] {
  const from = previous && expiryKeyOf(scope, previous);
  const to = expiryKeyOf(scope, next);
  if (from && !to) return [{ action: remove(tableName, from) }];
  return to && !from ? [{ action: put(tableName, to, { handle: nameOfVersion(next) }) }] : [];
}
