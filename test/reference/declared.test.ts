/** Goal: what the tests hold against every answer can say no, or all that it lets pass means nothing. */
import { describe, expect, test } from 'vitest';
import { assertDeclared } from '../fixture/declared.ts';

const proof = {
  method: 'ed25519-v2',
  public: `${'A'.repeat(43)}=`,
  digest: '0'.repeat(64),
  result: `${'A'.repeat(86)}==`,
  custom: { moment: '2026-01-01T00:00:00.000Z' },
  signer: 'system',
};
const meta = {
  proofs: [proof],
  status: 'created',
  moment: '2026-01-01T00:00:00.000Z',
  owners: [],
};
const wallet = {
  luid: `$wlt.${'0'.repeat(17)}`,
  hash: '0'.repeat(64),
  data: { handle: 'alice', custom: { anything: [1] } },
  meta,
};
const refusal = {
  hash: '0'.repeat(64),
  data: { reason: 'record.not-found', detail: 'Wallet not found' },
  meta: { proofs: [proof] },
};

function answered(status: number, body: unknown, type = 'application/json', more: object = {}) {
  const headers = new Headers({ 'content-type': type, 'x-request-id': 'request-1', ...more });
  return { status, headers, text: body === undefined ? '' : JSON.stringify(body) };
}

const reading = (status: number, body: unknown, type?: string) => () =>
  assertDeclared('GET', '/wallets/alice?x=1', answered(status, body, type));

describe('an answer as declared passes:', () => {
  test.each<[string, () => void]>([
    ['a record', reading(200, wallet)],
    ['a refusal', reading(404, refusal)],
    [
      'a refusal of what is called a space',
      () => assertDeclared('GET', '/wallets/ ?x=1', answered(404, refusal)),
    ],
    [
      'an empty answer',
      () => assertDeclared('DELETE', '/wallets/alice', answered(204, undefined, 'text/plain')),
    ],
    [
      'no endpoint',
      () =>
        assertDeclared('PATCH', '/wallets/alice', answered(404, refusalOf('api.route-not-found'))),
    ],
    [
      'another method',
      () => assertDeclared('PATCH', '/wallets/alice', notAllowed({ allow: 'GET, OPTIONS' })),
    ],
    ['the status', () => assertDeclared('GET', '/openapi.json', answered(200, {}))],
  ])('%s', (_, check) => expect(check).not.toThrow());
});

describe('an answer that is not as declared is refused:', () => {
  test.each<[string, () => void]>([
    ['a status that is not declared', reading(201, wallet)],
    ['another content type', reading(200, wallet, 'text/plain')],
    ['no record', reading(200, {})],
    ['a record of another kind', reading(200, { ...wallet, luid: `$sym.${'0'.repeat(17)}` })],
    ['a member that is not declared', reading(200, { ...wallet, more: 1 })],
    ['one deeper', reading(200, { ...wallet, meta: { ...meta, more: 1 } })],
    ['one in the data', reading(200, { ...wallet, data: { ...wallet.data, more: 1 } })],
    [
      'one in a proof',
      reading(200, { ...wallet, meta: { ...meta, proofs: [{ ...proof, more: 1 }] } }),
    ],
    [
      'a member that is not there',
      reading(200, { ...wallet, meta: { ...meta, owners: undefined } }),
    ],
    ['a moment that is none', reading(200, { ...wallet, meta: { ...meta, moment: 'now' } })],
    ['a reason of another status', reading(404, refusalOf('record.duplicated'))],
    ['a reason that nobody knows', reading(404, refusalOf('record.gone'))],
    ['a refusal without a reason', reading(404, { ...refusal, data: { detail: 'x' } })],
    ['a failure without a body', reading(500, {})],
    [
      'no name of the request',
      () =>
        assertDeclared('GET', '/wallets/alice', {
          ...answered(200, wallet),
          headers: new Headers({ 'content-type': 'application/json' }),
        }),
    ],
    [
      'a body where none is declared',
      () => assertDeclared('DELETE', '/wallets/alice', answered(204, wallet, 'text/plain')),
    ],
    [
      'an answer where there is no endpoint',
      () => assertDeclared('PATCH', '/wallets/alice', answered(200, wallet)),
    ],
    [
      'another method, and none is named that is allowed',
      () => assertDeclared('PATCH', '/wallets/alice', notAllowed({})),
    ],
    [
      'another refusal of another method',
      () =>
        assertDeclared('PATCH', '/wallets/alice', {
          ...notAllowed({ allow: 'OPTIONS' }),
          text: JSON.stringify(refusal),
        }),
    ],
    [
      'another refusal where there is no endpoint',
      () => assertDeclared('GET', '/none', answered(404, refusal)),
    ],
  ])('%s', (_, check) => expect(check).toThrow());
});

function notAllowed(headers: Record<string, string>) {
  const { status, text } = answered(405, refusalOf('api.method-not-allowed'));
  return { status, text, headers: new Headers(headers) };
}

function refusalOf(reason: string) {
  return { ...refusal, data: { reason, detail: 'x' } };
}
