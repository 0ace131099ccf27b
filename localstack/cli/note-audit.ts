/** The notes of an audit: one for each of its ledgers, which `GET /health` shows. Decision 121. */
import { semver } from '../../functions/version.ts';
import { type AuditReport, newCounts } from '../../shared/audit/run.ts';
import type { AuditSource } from '../../shared/audit/source.ts';
import type { Audits } from '../../shared/port/audits.ts';
import type { Scope } from '../../shared/port/ports.ts';
import { headKeyOf } from '../../shared/store/keys.ts';

/** The notes that are written at once. */
const notesAtOnce = 25;

/** An audit that has ended. */
export interface EndedAudit {
  readonly report: AuditReport;
  /** The number of violations by ledger; those of the empty name lie in the records of ledgers. */
  readonly findings: ReadonlyMap<Scope, number>;
  /** True when it ended at its first finding. */
  readonly isPartial: boolean;
  readonly startMs: number;
  /** The ledger that was asked for; undefined for the whole table. */
  readonly ledger?: string | undefined;
}

/**
 * Notes an audit at its ledgers. One that ended at a finding says nothing of the ledgers that it had not reached, so it is
 * noted only where something was found. Returns the ledgers at which one that began later is noted already. Throws what the
 * database answers.
 */
export async function noteAudits(
  audits: Pick<Audits, 'note'>,
  source: Pick<AuditSource, 'at'>,
  { report, findings, isPartial, startMs, ledger }: EndedAudit,
): Promise<readonly Scope[]> {
  const overtaken: Scope[] = [];
  const noteAt = async (scope: Scope): Promise<void> => {
    const found = (findings.get(scope) ?? 0) + (findings.get('') ?? 0);
    const isThere = (await source.at([headKeyOf('', 'ledger', scope)])).size > 0;
    if (!isThere || (isPartial && found === 0)) return;
    const { records, proofs } = report.ledgers.get(scope) ?? newCounts();
    const noted = { startMs, findings: found, isPartial, records, proofs, semver };
    if (!(await audits.note(scope, noted))) overtaken.push(scope);
  };
  const scopes = [...report.ledgers.keys()].filter(
    (scope) => scope !== '' && (ledger === undefined || scope === ledger),
  );
  for (let start = 0; start < scopes.length; start += notesAtOnce)
    await Promise.all(scopes.slice(start, start + notesAtOnce).map(noteAt));
  return overtaken;
}
