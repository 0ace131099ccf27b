/** In which order an archive is imported: what workers and callers look for comes when all else is there. */
import type { Scope } from '../port/ports.ts';
import { secretKeyOf } from '../store/keys.ts';

/** Records and all that is beside them; what makes the ledger one of the server; its key; what workers are to do. */
export const stages = ['records', 'ledger', 'key', 'work'] as const;
export type Stage = (typeof stages)[number];

const families: ReadonlySet<string | undefined> = new Set(['due', 'expiry', 'work', 'outbox']);

/** The stage in which the items of a partition come. */
export function stageOf(pk: string, ledger: Scope): Stage {
  const [scope, family] = pk.split('#');
  if (families.has(family)) return 'work';
  // With it the ledger is in use, so all else must be there for sure.
  if (pk === secretKeyOf(ledger).pk) return 'key';
  return scope === '' ? 'ledger' : 'records';
}
