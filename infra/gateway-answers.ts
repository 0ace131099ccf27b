/**
 * What the gateway answers by itself, in the form of the ledger's own refusals, so that a client reads one
 * kind of error. Nobody has signed it: the gateway has no key, and says so with an empty list of proofs.
 */
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

interface Line {
  readonly type: ResponseType;
  readonly reason: string;
  readonly detail: string;
  readonly fault?: string;
}

const lines: Readonly<Record<string, Line>> = {
  Throttled: {
    type: ResponseType.THROTTLED,
    reason: 'api.rate-limit-exceeded',
    detail: 'Too many requests at once; ask again in a moment.',
  },
  TooLarge: {
    type: ResponseType.REQUEST_TOO_LARGE,
    reason: 'api.body-malformed',
    detail: 'The body is larger than 1 MiB.',
    fault: 'too-large',
  },
  TimedOut: {
    type: ResponseType.INTEGRATION_TIMEOUT,
    reason: 'api.request-timeout',
    detail: 'Processing timed out; the request may or may not have been processed.',
  },
  Failed: {
    type: ResponseType.DEFAULT_5XX,
    reason: 'api.unexpected-error',
    detail: 'Unexpected server error.',
  },
};

/**
 * Gives the gateway the ledger's words. Pages of any origin may read them, or none where only some are allowed: the
 * gateway cannot tell one from another.
 */
export function gatewayAnswers(api: RestApi, allowedOrigins?: readonly string[]): void {
  for (const [id, { type, reason, detail, fault }] of Object.entries(lines)) {
    const custom = { ...(fault && { fault }), request: '$context.requestId' };
    const body = { data: { custom, detail, reason }, meta: { proofs: [] } };
    api.addGatewayResponse(id, {
      type,
      responseHeaders: {
        ...(!allowedOrigins && { 'access-control-allow-origin': "'*'" }),
        'cache-control': "'no-store'",
        'strict-transport-security': "'max-age=31536000'",
        'x-content-type-options': "'nosniff'",
        'x-request-id': 'context.requestId',
      },
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
}
