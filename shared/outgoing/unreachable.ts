/**
 * The reason why there was no answer: a code for programs and a sentence for people. The sentences are fixed: messages
 * of Node name addresses, and subscribers must not learn of the network inside. Ruling 61.
 */

/** For `invalid` and `not-public` nothing was sent. The others are failures of the network. */
export type UnreachableReason =
  | 'dns'
  | 'invalid'
  | 'not-public'
  | 'refused'
  | 'reset'
  | 'timeout'
  | 'tls';

/** There was no answer, or not in time. */
export interface Unreachable {
  readonly kind: 'unreachable';
  readonly why: UnreachableReason;
  readonly detail: string;
}

const details: Readonly<Record<UnreachableReason, string>> = {
  dns: 'The name has no address.',
  invalid: 'The request cannot be sent.',
  'not-public': 'The name leads to an address that is not public.',
  refused: 'Nobody takes the connection.',
  reset: 'The connection ended before the answer did, or the answer is not HTTP/1.1.',
  timeout: 'The answer was not complete in time.',
  tls: 'The connection cannot be trusted',
};

/** Codes of `uv_strerror`, of OpenSSL (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const whys: readonly (readonly [codes: RegExp, why: UnreachableReason])[] = [
  [/^E(CONNREFUSED|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|ADDRNOTAVAIL|ACCES|PERM)$/, 'refused'],
  [/^ETIMEDOUT$/, 'timeout'],
  // A certificate that OpenSSL refuses for a reason without a name, such as a key that is too short.
  [/^(EPROTO|UNSPECIFIED|ERR_(TLS|SSL)_\w+)$/, 'tls'],
  [/(CERT|CRL|LEAF|ISSUER)|^(INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/, 'tls'],
];

/** Thrown when a request does not leave this process, or not in time. */
export class Unsent extends Error {
  override readonly name = 'Unsent';
  readonly why: UnreachableReason;

  constructor(why: UnreachableReason, detail: string = details[why]) {
    super(detail);
    this.why = why;
  }
}

/** The code for an error of a call; an error without a code is a bug and is thrown on. */
export function whyOf(error: unknown): UnreachableReason {
  if (error instanceof Unsent) return error.why;
  const code = codeOf(error);
  if (code === undefined || code.startsWith('ERR_INVALID_')) throw error;
  return whys.find(([codes]) => codes.test(code))?.[1] ?? 'reset';
}

/** The sentence for it. The code of a certificate error is for the owner of the endpoint. */
export function detailOf(why: UnreachableReason, error: unknown): string {
  if (error instanceof Unsent && error.why === why) return error.message;
  return why === 'tls' ? `${details.tls}: ${codeOf(error)}.` : details[why];
}

/** The code of an error of Node, as `ECONNRESET`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
