/** The statuses of a report, and the reports that the ledger produces itself. Ruling 67, Decisions 24 and 25. */
import type { PlainObject } from './compare.ts';
import type { LedgerRecord } from './record.ts';

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

/** One asset that the ledger produces: its report, its stored name and its content type. */
interface ProducedAsset {
  readonly schema: ProducedSchema;
  readonly asset: 'csv' | 'json' | 'pdf' | 'balances';
  readonly type: string;
  /** True for bytes, which are stored in base64. */
  readonly isBase64?: true;
}

const csv = { asset: 'csv', type: 'text/csv; charset=utf-8; header=present' } as const;
const json = { asset: 'json', type: 'application/json' } as const;
const pdf = { asset: 'pdf', type: 'application/pdf', isBase64: true } as const;

/** The assets that the ledger produces, by handle. */
export const producedAssets: Readonly<Record<string, ProducedAsset>> = {
  'trans_details.csv': { schema: 'trans_details_rep', ...csv },
  'trans_details.json': { schema: 'trans_details_rep', ...json },
  'trans_details_balances.csv': { schema: 'trans_details_rep', ...csv, asset: 'balances' },
  'wallet_statement.csv': { schema: 'wallet_statement_rep', ...csv },
  'wallet_statement.json': { schema: 'wallet_statement_rep', ...json },
  'wallet_statement.pdf': { schema: 'wallet_statement_rep', ...pdf },
};

/** An asset as the proof of a report names it. */
export interface NamedAsset {
  readonly handle: string;
  readonly output: unknown;
  /** The number of stored chunks; absent where `output` is the asset itself. */
  readonly chunks?: number;
  /** Of stored chunks: the hex sha256 over all of them in order. */
  readonly hash?: string;
}

/** The assets in the last proof with status `completed`, which is the one that counted. */
export function assetsIn({ meta }: LedgerRecord): readonly NamedAsset[] {
  if (!isFinished(meta.status)) return [];
  const proof = meta.proofs.findLast(({ custom }) => custom?.['status'] === 'completed');
  return (proof?.custom?.['assets'] ?? []) as readonly NamedAsset[];
}

/** True for an asset that the ledger stores. Before it produced statements, authors could send assets of that schema. */
export function isStored({ data }: LedgerRecord, { chunks }: NamedAsset): boolean {
  return isProduced(data) && chunks !== undefined;
}
