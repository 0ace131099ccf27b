/** HTTP responses for answers and errors. Every body is canonical JSON, so that amounts stay exact. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { LedgerError } from '../ledger/errors.ts';
import type { Answer, Identity, Services } from '../port/action.ts';
import { httpStatusOf } from '../port/status.ts';
import { answerBytesMax, excessBytesOf } from '../query/answer-size.ts';
import { errorDataOf, printed, signedError, withOwnProofs } from '../record/sign.ts';
import type { RequestState } from './state.ts';

/** An error waits this long for the key that signs it, in milliseconds. */
const signerMsMax = 500;

/** Browsers insist on TLS for a year. RFC 6797 6.1.1. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000' };
/** Security headers of every response; a document may override them. */
const protection = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The response of an answer. Throws `api.query-malformed` for a body that Lambda cannot carry. */
export function reply(services: Services, answer: Answer, request: string): APIGatewayProxyResult {
  const { status, document } = answer;
  if (document) {
    const headers = { 'content-type': document.type, ...document.headers };
    const { text: body, isBase64 = false } = document;
    return { ...response(services, { status, body, request, headers }), isBase64Encoded: isBase64 };
  }
  const body = answer.body === undefined ? '' : printed(answer.body);
  const bytes = excessBytesOf(body);
  if (bytes !== undefined)
    throw new LedgerError(
      'api.query-malformed',
      `The answer would take ${bytes} bytes; at most ${answerBytesMax} can be carried.`,
      { bytes },
    );
  return response(services, { status, body, request });
}

/**
 * The response of an error. An API error tells its reason and place. Anything else is a bug: the caller gets the id of
 * the request, and the log has the rest.
 */
export async function refuse(
  services: Services,
  error: unknown,
  state: RequestState,
): Promise<APIGatewayProxyResult> {
  const apiError = errorOf(error, state.request);
  if (state.refuse) return reply(services, state.refuse(apiError), state.request);
  const { headers } = apiError;
  const identity = await signerOf(services, state);
  const nowMs = services.clock();
  const body = identity
    ? withOwnProofs(identity, signedError(identity, apiError, nowMs), nowMs)
    : { data: errorDataOf(apiError), meta: { proofs: [] } };
  const status = httpStatusOf(apiError);
  return response(services, { status, body: printed(body), request: state.request, headers });
}

/** The API error itself, or `api.unexpected-error` in place of a bug. */
function errorOf(error: unknown, request: string): LedgerError {
  return error instanceof LedgerError
    ? error
    : new LedgerError('api.unexpected-error', 'Unexpected server error.', { request });
}

/** The default ledger signs errors before a ledger is known, and those of creating a ledger. Ruling 8. */
async function signerOf(
  services: Services,
  { ledger, endpoint }: RequestState,
): Promise<Identity | undefined> {
  if (ledger && endpoint !== 'POST /ledgers') return ledger;
  // Without a database there may be no key; an error without a proof is then better than none.
  const nobody = new Promise<undefined>((resolve) => {
    setTimeout(resolve, signerMsMax, undefined).unref();
  });
  const server = services.identityOf(services.settings.defaultLedger).catch(() => undefined);
  return Promise.race([server, nobody]);
}

interface ResponseParts {
  readonly status: number;
  readonly body: string;
  /** The id of the request. */
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** All responses get their headers here. */
function response({ settings }: Services, sent: ResponseParts): APIGatewayProxyResult {
  const { status, body, request, headers } = sent;
  const [server = ''] = settings.servers;
  return {
    statusCode: status,
    headers: {
      ...protection,
      ...(server.startsWith('https:') && strictTransport),
      'content-type': body === '' ? 'text/plain' : 'application/json',
      'x-request-id': request,
      ...headers,
    },
    body,
  };
}
