/** The balances before and after the entries of a period, which the ledger signs one by one. Ruling 82. */
import type { LedgerSession, ShownRecord } from './session.ts';

export interface Edges {
  readonly opening: ShownRecord;
  readonly closing: ShownRecord;
}

/** The edges beside the entries. Throws in words where one did not verify. */
export function edgesIn(
  session: LedgerSession,
  meta: Readonly<Record<string, unknown>> | undefined,
): Edges {
  const { opening, closing } = (meta ?? {}) as Partial<Edges>;
  for (const edge of [opening, closing]) {
    const { problems } = session.judge(edge);
    if (problems.length > 0)
      throw new Error(`The balance at an end of the period is not verified. ${problems.join(' ')}`);
  }
  return { opening, closing } as Edges;
}
