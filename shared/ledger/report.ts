/** The statuses of a report, and the reports that the ledger produces itself. Ruling 67, Decisions 24 and 25. */
import type { PlainObject } from './compare.ts';

/** The statuses that may follow each status. */
const following: ReadonlyMap<string, readonly string[]> = new Map([
  ['created', ['pending', 'rejected']],
  ['pending', ['completed', 'rejected']],
  ['completed', ['settled']],
  ['rejected', ['pending', 'completed']],
]);

/** A report in one of these statuses has its assets. */
const finished: ReadonlySet<string> = new Set(['completed', 'settled']);

/** The schemas of reports that the ledger produces: the intents of an interval, and the statement of a wallet. */
export const producedSchemas = ['trans_details_rep', 'wallet_statement_rep'] as const;
export type ProducedSchema = (typeof producedSchemas)[number];

/** The interval of a produced report, in milliseconds: `startMs` included, `endMs` excluded. */
export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

export function mayBecome(from: string, to: string): boolean {
  return following.get(from)?.includes(to) ?? false;
}

/** True when a report of this status has its assets. */
export function isFinished(status: string): boolean {
  return finished.has(status);
}

/** True when the ledger itself produces a report with these data. */
export function isProduced(data: PlainObject): boolean {
  return producedSchemaOf(data) !== undefined;
}

/** The schema of a report that the ledger produces; undefined for other reports. */
export function producedSchemaOf(data: PlainObject): ProducedSchema | undefined {
  return producedSchemas.find((schema) => schema === data['schema']);
}

/** The subject of a statement. */
export interface StatementSubject {
  readonly wallet: string;
  readonly symbol: string;
  /** The lines of the sender: its name, and its address. */
  readonly letterhead: readonly string[];
}

/** The subject of the statement of a wallet, whose data were checked; undefined for other reports. */
export function statementSubjectOf(data: PlainObject): StatementSubject | undefined {
  if (producedSchemaOf(data) !== 'wallet_statement_rep') return undefined;
  const { wallet, symbol, letterhead = [] } = data['custom'] as PlainObject;
  return {
    wallet: String(wallet),
    symbol: String(symbol),
    letterhead: (letterhead as readonly unknown[]).map(String),
  };
}

/** The interval of a produced report, whose data were checked when the report was created. */
export function intervalOf(data: PlainObject): Interval {
  const custom = data['custom'] as Readonly<Record<string, string>>;
  return {
    startMs: Date.parse(custom['start_timestamp'] ?? ''),
    endMs: Date.parse(custom['end_timestamp'] ?? ''),
  };
}
