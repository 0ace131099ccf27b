/**
 * Invariant 2: no credit without a guarantor. A wallet below zero lies at a bridge for which a signer has vouched, or
 * has a limit that permits it. Debts of a bridge from the time before its ledger was governed are valid. Ruling 69,
 * Decision 79.
 */
import type { Version } from '../ledger/record.ts';
import { active, isVouchedFor } from '../ledger/vouching.ts';
import type { Proof } from '../shape/proof.ts';
import { headKeyOf, textOf } from '../store/keys.ts';
import { handleOfHistory, type ItemHistory, versionsOf } from './history.ts';
import type { AuditRun, Owing } from './run.ts';
import { type AuditViolation, violationOf } from './violation.ts';

/** The first status of a record: a bridge is active where its authors say so. Rulings 13 and 69. */
export function firstStatusOf({ kind, steps }: Version, authored: readonly Proof[]): string {
  const isSaid = kind === 'bridge' && authored.some(({ custom }) => custom?.['status'] === active);
  return isSaid && steps[0]?.status === active ? active : 'created';
}

/** Notes since when a ledger is governed, and the statuses of its bridges. */
export function accountVouching(
  run: AuditRun,
  ledger: string,
  history: ItemHistory,
  since?: string,
): void {
  const before = run.governed.get(ledger);
  if (since !== undefined && (before === undefined || since < before))
    run.governed.set(ledger, since);
  const versions = versionsOf(history);
  const [first, handle] = [versions[0]?.steps[0], handleOfHistory(history)];
  if (history.kind !== 'bridge' || !first || handle === undefined) return;
  const statuses = versions.flatMap(({ steps }) => steps.map(({ status }) => status));
  run.bridges.set(`${history.scope}#${handle}`, {
    wasActive: statuses.some((status) => isVouchedFor({ meta: { status } }, false)),
    made: first.moment,
    change: versions.at(-1)?.change ?? 0,
  });
}

/** The wallets below zero at bridges for which no signer ever vouched. */
export async function unvouched(run: AuditRun): Promise<AuditViolation[]> {
  const all = run.owing.filter((one) => isUnvouched(run, one));
  const keys = all.map(({ scope, bridge }) => headKeyOf(scope, 'bridge', bridge));
  const heads = run.options.isLive ? await run.source.at(keys) : new Map();
  return all.flatMap((owing, index) => {
    const { scope, wallet, symbol, available, bridge } = owing;
    const head = heads.get(textOf(keys[index] as (typeof keys)[number]));
    // The bridge has changed since it was read; the next audit decides.
    if (head && Number(head['change']) !== run.bridges.get(`${scope}#${bridge}`)?.change) return [];
    const fact = `The balance of ${symbol} is below zero at the bridge ${bridge}, which was never activated.`;
    const subject = { scope, kind: 'wallet', handle: wallet } as const;
    return [violationOf(2, subject, fact, { expected: '0 or more', found: available })];
  });
}

function isUnvouched({ governed, bridges }: AuditRun, { scope, bridge }: Owing): boolean {
  const since = governed.get(scope);
  const known = bridges.get(`${scope}#${bridge}`);
  return since !== undefined && known !== undefined && !known.wasActive && known.made >= since;
}
