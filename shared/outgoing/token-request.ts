/**
 * Requests a token with client credentials, and reads the answer. RFC 6749 4.4 and 5.1.
 * The credentials go into a header, as every token server must accept them (2.3.1). A server that wants them in the
 * form refuses that, and is asked again with the form. Ruling 53, Decision 56.
 */
import { isPlain } from '../ledger/compare.ts';
import type { OutgoingRequest } from './send.ts';

export interface TokenCredentials {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
}

export interface GrantedToken {
  readonly text: string;
  readonly seconds: number;
}

/** The part of a request that has the credentials. */
export type CredentialsPlace = 'header' | 'form';

/** The lifetime of a token whose server does not say it. RFC 6749 5.1. */
const secondsDefault = 300;
/** The characters of a header. RFC 6750 2.1 allows fewer; token servers use more. */
const tokenText = /^[\x21-\x7e]{1,8192}$/;

export function tokenRequest(of: TokenCredentials, place: CredentialsPlace): OutgoingRequest {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (of.scope) form.set('scope', of.scope);
  if (place === 'form') {
    form.set('client_id', of.clientId);
    form.set('client_secret', of.clientSecret);
  }
  const pair = `${formEncoded(of.clientId)}:${formEncoded(of.clientSecret)}`;
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  const headers = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
    ...(place === 'header' && { authorization }),
  };
  return { endpoint: of.tokenUrl, method: 'POST', headers, body: form.toString() };
}

/** The token in an answer; undefined when there is none of type `bearer`. RFC 6749 5.1 and 7.1. */
export function tokenIn(body: string | undefined): GrantedToken | undefined {
  const said = parsed(body ?? '');
  if (!isPlain(said)) return undefined;
  const { access_token: text, token_type: type, expires_in: seconds } = said;
  if (typeof text !== 'string' || !tokenText.test(text)) return undefined;
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') return undefined;
  const isTime = typeof seconds === 'number' && seconds >= 0;
  return { text, seconds: isTime ? seconds : secondsDefault };
}

/** Encodes a form value. RFC 6749 2.3.1 and appendix B. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice('='.length);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
