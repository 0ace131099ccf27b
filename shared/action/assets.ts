/**
 * Reading the assets of a report: as they were sent or produced, not signed once more, since a proof of
 * the record holds them or their sha256. They are files to be kept: a browser does not show them. Ruling
 * 67, Decision 24.
 */

import { toRead } from '../access/asks.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { isFinished, isProduced } from '../ledger/report.ts';
import type { Action, Answer, Call, Document } from '../port/action.ts';
import { parsePage } from '../query/page.ts';
import { byPath, parameterOf } from '../record/find.ts';
import { printed } from '../record/sign.ts';

/** What the ledger produces of a report: the name of each asset, what it is stored as, and its type. */
export const producedAssets = {
  'trans_details.csv': { asset: 'csv', type: 'text/csv; charset=utf-8; header=present' },
  'trans_details.json': { asset: 'json', type: 'application/json' },
} as const;

/** How many stored parts are answered at once: of 512 KB each on the way, below what an answer may take. */
export const partLength = 11;

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
};
const plain = 'text/plain; charset=utf-8';
const pageName = 'page.index';

/** One asset, as a proof names it. */
interface Asset {
  readonly handle: string;
  readonly output: unknown;
  /** Of how many parts it is stored; absent where `output` is the asset. */
  readonly chunks?: number;
}

const asks = toRead('report', byPath('report'));

/** Answers an asset of the report that the path names. */
export const readAsset: Action = {
  asks,
  run: async (call) => {
    const { record } = await asks.allow(call);
    const handle = parameterOf(call, 'asset');
    const named = assetsIn(record).find((asset) => asset.handle === handle);
    if (!named) throw notFound();
    return isProduced(record.data) ? producedAnswer(call, record, named) : sentAnswer(named);
  },
};

/** The assets of a report: those of the last proof that says `completed`, which was the one that counted. */
function assetsIn({ meta }: LedgerRecord): readonly Asset[] {
  if (!isFinished(meta.status)) return [];
  const proof = meta.proofs.findLast(({ custom }) => custom?.['status'] === 'completed');
  return (proof?.custom?.['assets'] ?? []) as readonly Asset[];
}

function sentAnswer({ handle, output }: Asset): Answer {
  const isText = typeof output === 'string';
  const ending = handle.slice(handle.lastIndexOf('.') + 1);
  const type = isText ? (types[ending] ?? plain) : 'application/json';
  return answerOf(handle, { type, text: isText ? output : printed(output) });
}

/** A part of what the ledger produced; without saying which, only what is one part. */
async function producedAnswer(call: Call, record: LedgerRecord, named: Asset): Promise<Answer> {
  const { services, ledger, query } = call;
  const { handle, chunks = 0 } = named;
  const { asset, type } = producedAssets[handle as keyof typeof producedAssets];
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
  return answerOf(handle, { type, text: texts.join(''), headers });
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
