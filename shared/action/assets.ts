/**
 * Assets of reports, as they were sent or produced. They are not signed again, since a proof of the report holds them
 * or their sha256. Browsers download them instead of showing them. Ruling 67, Decision 24.
 */
import { toRead } from '../access/required-permission.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { isFinished, isProduced, type ProducedSchema } from '../ledger/report.ts';
import type { Action, Answer, Call, Document } from '../port/action.ts';
import { parsePage } from '../query/page.ts';
import { byPath, parameterOf } from '../record/find.ts';
import { printed } from '../record/sign.ts';

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

/** Stored chunks in one answer. Each has 512 KB when it is escaped, so all stay below the size of an answer. */
export const partLength = 11;

/** The content types of texts, by the endings of their handles. */
const types: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv; charset=utf-8'],
  ['json', json.type],
]);
const plain = 'text/plain; charset=utf-8';
const pageName = 'page.index';

interface NamedAsset {
  readonly handle: string;
  readonly output: unknown;
  /** The number of stored chunks; absent where `output` is the asset itself. */
  readonly chunks?: number;
}

const requires = toRead('report', byPath('report'));

/**
 * Answers an asset of the report in the path. Errors: `auth.unauthorized`, `auth.forbidden` (no permission to read the
 * report); `record.not-found` (no such report, asset or part); `api.query-malformed` (the page, or no page for an asset
 * of several parts).
 */
export const readAsset: Action = {
  requires,
  query: { names: [pageName] },
  run: async (call) => {
    const { record } = await requires.allow(call);
    const handle = parameterOf(call, 'asset');
    const named = assetsIn(record).find((asset) => asset.handle === handle);
    if (!named) throw notFound();
    // Before the ledger produced statements, authors could send assets of that schema.
    const isStored = isProduced(record.data) && named.chunks !== undefined;
    return isStored ? producedAnswer(call, record, named) : sentAnswer(named);
  },
};

/** The assets in the last proof with status `completed`, which is the one that counted. */
function assetsIn({ meta }: LedgerRecord): readonly NamedAsset[] {
  if (!isFinished(meta.status)) return [];
  const proof = meta.proofs.findLast(({ custom }) => custom?.['status'] === 'completed');
  return (proof?.custom?.['assets'] ?? []) as readonly NamedAsset[];
}

function sentAnswer({ handle, output }: NamedAsset): Answer {
  const isText = typeof output === 'string';
  const ending = handle.slice(handle.lastIndexOf('.') + 1);
  const type = isText ? (types.get(ending) ?? plain) : 'application/json';
  return answerOf(handle, { type, text: isText ? output : printed(output) });
}

/** Without a page, only an asset of one part is answered. */
async function producedAnswer(
  call: Call,
  record: LedgerRecord,
  named: NamedAsset,
): Promise<Answer> {
  const { services, ledger, query } = call;
  const { handle, chunks = 0 } = named;
  const produced = Object.hasOwn(producedAssets, handle) && producedAssets[handle];
  if (!produced) throw notFound();
  const { asset, type, isBase64 } = produced;
  const { index } = parsePage(query);
  const count = Math.ceil(chunks / partLength);
  if (count > 1 && query[pageName] === undefined)
    throw new LedgerError(
      'api.query-malformed',
      `The asset has ${count} parts; ask for each, from '${pageName}=0' on.`,
      { parameter: pageName, parts: count },
    );
  if (index >= count) throw notFound();
  const first = index * partLength;
  const length = Math.min(partLength, chunks - first);
  const name = { scope: ledger.handle, luid: record.luid, asset };
  const texts = await services.reports.chunks(name, first, length);
  // RFC 8288 3.
  const link = `<?${pageName}=${index + 1}>; rel="next"`;
  const headers = index + 1 < count ? { link } : {};
  return answerOf(handle, { type, text: texts.join(''), ...(isBase64 && { isBase64 }), headers });
}

function answerOf(handle: string, document: Document): Answer {
  const headers = {
    'content-disposition': `attachment; filename="${handle}"`,
    ...document.headers,
  };
  return { status: 200, document: { ...document, headers } };
}

function notFound(): LedgerError {
  return new LedgerError('record.not-found', 'Asset not found');
}
