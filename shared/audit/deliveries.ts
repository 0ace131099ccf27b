/**
 * Invariant 3, for the deliveries of busy ledgers: each lies in a partition that the layout has, or no list shows it. Memory
 * grows with the ledgers. Decision 138.
 */
import { keyOfItem, rulebookKeyOf, textOf } from '../store/keys.ts';
import { layoutIn } from '../store/known-layouts.ts';
import { isOfName } from '../store/pack-delivery.ts';
import type { AuditRun } from './run.ts';
import type { NamedItem } from './source.ts';
import { type AuditViolation, violationOf } from './violation.ts';

/** Notes the delivery of each ledger whose partition has the highest number. */
export function noteDelivery({ farthest }: AuditRun, { name }: NamedItem): void {
  if (name.item !== 'delivery' || name.spread === undefined) return;
  const { scope, luid, spread } = name;
  if (spread > (farthest.get(scope)?.spread ?? 0)) farthest.set(scope, { luid, spread });
}

/** The violation of a content that is not what its key names it: its deliveries are not shown, or show something else. */
export function damagedContentOf({ name, item }: NamedItem): AuditViolation[] {
  // Contents of earlier releases are not part of an outline.
  if (name.item !== 'brought' || item['content'] === undefined) return [];
  if (isOfName(item, name.name)) return [];
  const fact = `The content at '${textOf(keyOfItem(item))}' is not what was brought.`;
  return [violationOf(3, { scope: name.scope }, fact)];
}

/** Checks these against the layouts, which only grow. */
export async function auditDeliveries({ source, farthest }: AuditRun): Promise<AuditViolation[]> {
  const rulebooks = await source.at([...farthest.keys()].map(rulebookKeyOf));
  return [...farthest].flatMap(([scope, { luid, spread }]) => {
    const { count } = layoutIn(rulebooks.get(textOf(rulebookKeyOf(scope))));
    if (spread < count) return [];
    const fact = 'The delivery is in a partition in which nobody looks for it.';
    return [violationOf(3, { scope, luid }, fact, { expected: count, found: spread })];
  });
}
