/**
 * Assets of reports, as they were sent or produced. They are not signed again, since a proof of the report holds them
 * or their sha256. Browsers download them instead of showing them. Ruling 67, Decision 24.
 */
import { toRead } from '../access/required-permission.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { assetsIn, isStored, type NamedAsset, producedAssets } from '../ledger/report.ts';
import type { Action, Answer, Call, Document } from '../port/action.ts';
import { parsePage } from '../query/page.ts';
import { byPath, parameterOf } from '../record/find.ts';
import { printed } from '../record/sign.ts';

/** Stored chunks in one answer. Each has 512 KB when it is escaped, so all stay below the size of an answer. */
export const partLength = 11;

/** The content types of texts, by the endings of their handles. */
const types: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv; charset=utf-8'],
  ['json', 'application/json'],
]);
const plain = 'text/plain; charset=utf-8';
const pageName = 'page.index';

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
    return isStored(record, named) ? producedAnswer(call, record, named) : sentAnswer(named);
  },
};

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
