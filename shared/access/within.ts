/** The owner of a nested record is named twice, in the path and in the body. Ruling 63. */
import { isLuidText } from '../ledger/address.ts';
import { LedgerError } from '../ledger/errors.ts';
import { type Kind, withinOf } from '../ledger/kind.ts';
import type { RecordData } from '../ledger/record.ts';
import type { Call } from '../port/action.ts';
import { findHead, parentIn } from '../record/find.ts';
import { findReadable } from './allow.ts';

/**
 * Refuses with `record.invalid` a body that names another owner than the path. A caller who may not read the owner
 * learns neither its handle nor whether it exists. Rulings 63 and 71.
 */
export async function assertWithin(call: Call, kind: Kind, data: RecordData): Promise<void> {
  const parent = parentIn(call, kind);
  if (!parent) return;
  const { kind: within, name } = parent;
  const named = withinOf(kind, data);
  const differs = (path: string | undefined) =>
    new LedgerError(
      'record.invalid',
      `The body names the ${within} ${named}, and the path ${path}.`,
    );
  if (!isLuidText(name) && name !== named) throw differs(name);
  const head = await findHead(call, within, name).catch(() => undefined);
  if (head?.current?.record.data.handle === named) return;
  const { record } = await findReadable(call, within, (of) => findHead(of, within, name));
  throw differs(record.data.handle);
}
