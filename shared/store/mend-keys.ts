/**
 * Marking keys that were taken away from their signers before ledgers did so, beside a ledger that runs, and noting of
 * those that are held that they are proven. A key that somebody else holds by now stays theirs. Decision 157.
 */
import { kindOfLuid } from '../ledger/address.ts';
import type { Kind } from '../ledger/kind.ts';
import { nameOfVersion, type Version } from '../ledger/record.ts';
import type { Scope } from '../port/ports.ts';
import { type KeyPast, keyPastsOf } from './key-past.ts';
import { headKeyOf, holderKeyOf, type ItemName, keyOfItem, textOf } from './keys.ts';
import { type PagedItem, recordsOn, versionsBehind } from './mend-log.ts';
import { packHolder, signerOf } from './projection.ts';
import { itemsAt } from './read.ts';
import type { Table } from './request.ts';
import { deadlineIn } from './retry.ts';
import { putNew, updateOne } from './try-to.ts';

/** Mends the keys of the signers and factors on a page, living or dropped. */
export async function mendKeys(table: Table, page: readonly PagedItem[]): Promise<void> {
  for (const { name, item } of recordsOn(page)) {
    const kind = kindOn(name);
    if (!name || (kind !== 'signer' && kind !== 'signer-factor')) continue;
    const key = keyOfItem(item);
    const whole = (await itemsAt(table, [key], deadlineIn(table.deadlineMs))).get(textOf(key));
    const versions = await versionsBehind(table, name.scope, whole ?? item);
    for (const past of keyPastsOf(name.scope, versions))
      if (past.isProven) await mendKey(table, name.scope, versions, past);
  }
}

function kindOn(name: ItemName | undefined): Kind | undefined {
  if (name?.item === 'head') return name.kind;
  return name?.item === 'pointer' ? kindOfLuid(name.luid) : undefined;
}

async function mendKey(
  table: Table,
  scope: Scope,
  versions: readonly Version[],
  { key, isShown }: KeyPast,
): Promise<void> {
  const last = versions.at(-1) as Version;
  const at = holderKeyOf(scope, key);
  const deadline = deadlineIn(table.deadlineMs);
  if (isShown) {
    const action = {
      TableName: table.tableName,
      Key: at,
      UpdateExpression: 'SET proven = :true',
      ConditionExpression: 'signer = :signer',
      ExpressionAttributeValues: { ':true': true, ':signer': signerOf(last) },
    };
    await updateOne(table, action, deadline);
    return;
  }
  const former = await signerLuidOf(table, scope, last);
  const { luid } = last.record;
  if (former !== undefined) await putNew(table, at, packHolder({ former, luid }), deadline);
}

/** The luid of the signer; undefined for that of a factor, unless the signer of its name had that name back then. */
async function signerLuidOf(
  table: Table,
  scope: Scope,
  last: Version,
): Promise<string | undefined> {
  if (last.kind === 'signer') return last.record.luid;
  const key = headKeyOf(scope, 'signer', signerOf(last));
  const head = (await itemsAt(table, [key], deadlineIn(table.deadlineMs))).get(textOf(key));
  if (!head) return undefined;
  const endMs = Date.parse(last.steps.at(-1)?.moment ?? '');
  const versions = await versionsBehind(table, scope, head);
  const then = versions.findLast(({ steps }) => Date.parse(steps[0]?.moment ?? '') <= endMs);
  return then && nameOfVersion(then) === signerOf(last) ? then.record.luid : undefined;
}
