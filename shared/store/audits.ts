/** The note of the last audit of a ledger, as one item. It is no part of an archive: that is audited anew. Decision 121. */
import type { NotedAudit } from '../port/audits.ts';
import type { Scope } from '../port/ports.ts';
import { put } from './item-action.ts';
import { auditKeyOf, textOf } from './keys.ts';
import { itemsAt } from './read.ts';
import type { Item, Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { tryTo } from './try-to.ts';

export async function lastAudit(table: Table, scope: Scope): Promise<NotedAudit | undefined> {
  const key = auditKeyOf(scope);
  const found = await itemsAt(table, [key], deadlineIn(table.deadlineMs));
  const item = found.get(textOf(key));
  return item && unpackAudit(item);
}

/** Stores an audit in place of an earlier one; false when a later one is stored. */
export async function noteAudit(table: Table, scope: Scope, audit: NotedAudit): Promise<boolean> {
  const isLater = 'attribute_not_exists(pk) OR startMs <= :startMs';
  const values = { ':startMs': audit.startMs };
  return tryTo(table, [put(table.tableName, auditKeyOf(scope), audit, isLater, values)]);
}

function unpackAudit({ startMs, findings, isPartial, records, proofs, semver }: Item): NotedAudit {
  return {
    startMs: Number(startMs),
    findings: Number(findings),
    isPartial: isPartial === true,
    records: Number(records),
    proofs: Number(proofs),
    semver: String(semver),
  };
}
