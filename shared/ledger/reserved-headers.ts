/** The HTTP headers that only the ledger sets on its calls, never the configuration of a bridge or an effect. */

/** Headers of a message's framing or connection, by which a caller could end it early. RFC 9112 6, RFC 9110 7.6.1. */
export const framingHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** These, and the header that calls to bridges always set. */
export const reservedHeaders: ReadonlySet<string> = new Set([...framingHeaders, 'content-type']);
