/** The headers of our calls that nobody else may set. */

/** What frames a message is ours to say, or a header could end it early. RFC 9112 6, RFC 9110 7.6.1. */
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

/** The same, and what our calls to bridges always say. */
export const ownHeaders: ReadonlySet<string> = new Set([...framingHeaders, 'content-type']);
