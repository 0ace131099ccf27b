/**
 * Errors that the gateway answers by itself, in the form of the ledger's API errors, so that a client reads one format.
 * They are unsigned, since the gateway has no key: the list of proofs is empty.
 */
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

interface GatewayAnswer {
  readonly type: ResponseType;
  readonly reason: string;
  readonly detail: string;
  readonly fault?: string;
}

const lines: Readonly<Record<string, GatewayAnswer>> = {
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
 * Sets the errors that the gateway answers. With `allowedOrigins` no page of a browser may read them: the gateway
 * cannot choose the header by the origin of a request.
 */
export function gatewayErrors(api: RestApi, allowedOrigins?: readonly string[]): void {
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
