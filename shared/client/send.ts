/** Sending of requests with what a client is: its ledger, and a token of its signer. */
import { canonicalOf } from '../crypto/canonical.ts';
import type { Method } from './answer-types.ts';
import type { ProofSigner } from './digest.ts';
import { LedgerRefused, LedgerUnreachable } from './errors.ts';
import { type Incoming, type Outgoing, request, type Transport } from './request.ts';
import { tokenFor } from './token.ts';

/** The signer of what is sent, and its ledger. */
interface Sender {
  readonly signer?: ProofSigner;
  readonly ledger?: string;
}

interface Sending extends Pick<Outgoing, 'target' | 'isText' | 'isSigned'> {
  readonly method: Method;
  readonly body?: object;
}

/** Sends a request of the client, with its ledger and, where nothing in it is signed, with a token. */
export async function send(
  transport: Transport,
  { ledger, signer }: Sender,
  { method, target, body, isText, isSigned }: Sending,
): Promise<Incoming> {
  const headers = async () => ({
    ...(ledger !== undefined && { 'x-ledger': ledger }),
    ...(signer &&
      !body && { authorization: `Bearer ${await tokenFor(transport.server, signer, Date.now())}` }),
  });
  return request(transport, {
    ...{ method: method.toUpperCase(), target, headers },
    ...(body && { body: canonicalOf(body) }),
    ...(isText && { isText }),
    ...(isSigned && { isSigned }),
  });
}

/** The ledger's own signer, which shows its keys. */
export async function systemSignerAt(transport: Transport, sender: Sender): Promise<unknown> {
  const sent = send(transport, sender, { method: 'get', target: '/signers/system' });
  const { body } = await sent.catch((error: unknown) => {
    throw noSuchRoute(error) ? besideLedger(transport, error) : error;
  });
  return body;
}

/** True where the server has no such path: a ledger that it does not host has the same reason, and other words. */
function noSuchRoute(error: unknown): boolean {
  return (
    error instanceof LedgerRefused && error.message.endsWith('There is no GET /signers/system.')
  );
}

function besideLedger({ server }: Transport, cause: unknown): LedgerUnreachable {
  const text = `The server at ${server} has no ledger there: a base address ends with /v2.`;
  return new LedgerUnreachable(text, { cause });
}
