/** Goal: the command line of `countersign explain` is understood, or refused in one line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ExplainOptions, explainRequestOf } from '../../localstack/cli/explain-request.ts';
import { explainCommand } from '../../localstack/command/table-commands.ts';
import { newKey } from '../fixture/client.ts';
import { parsedBy } from '../fixture/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const wordsOf = (text: string) => text.split(' ').filter(Boolean);

/** The request that these words name. */
const parse = (words: readonly string[]) =>
  explainRequestOf(...parsedBy<[string, string, ExplainOptions]>(explainCommand, words));

/** A file with this text. */
function fileOf(text: string): string {
  const path = join(folder, 'body.json');
  writeFileSync(path, text);
  return path;
}

describe('a path', () => {
  test.each([
    ['/wallets/w1', '/wallets/w1', {}],
    ['/v2/wallets/w1', '/wallets/w1', {}],
    ['/v2', '/', {}],
    ['/', '/', {}],
    [
      'http://127.0.0.1:3000/v2/wallets?meta.domain=a&meta.domain=b#x',
      '/wallets',
      { 'meta.domain': ['a', 'b'] },
    ],
    ['/v22/wallets', '/v22/wallets', {}],
    ['/wallets/a%2Fb', '/wallets/a%2Fb', {}],
  ])('is read from %s', (text, path, query) => {
    expect(parse(['get', text])).toMatchObject({ method: 'GET', path, query });
  });
});

test('every option is heard', () => {
  const key = newKey().public;
  const body = fileOf('{"data": {"handle": "w1"}}');
  const words = `POST /wallets --signer ann --signer bob --public ${key} --token-signer eve --claim sub=a=b --claim hsh=true --ledger bank --body ${body} --action spend --all`;
  expect(parse(wordsOf(words))).toEqual({
    method: 'POST',
    path: '/wallets',
    query: {},
    signers: ['ann', 'bob'],
    publics: [key],
    tokenSigner: 'eve',
    claims: { sub: 'a=b', hsh: 'true' },
    ledger: 'bank',
    body: { data: { handle: 'w1' } },
    action: 'spend',
    isAll: true,
  });
});

test.each([
  ['', "missing required argument 'method'"],
  ['GET', "missing required argument 'path'"],
  ['GET /wallets /symbols', 'too many arguments'],
  ['FETCH /wallets', "The method is one of GET, POST, PUT, DELETE, not 'FETCH'."],
  ['GET wallets', "The path begins with '/'"],
  ['GET /wallets --public x', "'x' is no public key"],
  ['GET /wallets --signer ann --signer bob', 'name one caller'],
  ['GET /wallets --signer ann --token-signer bob', 'name one caller'],
  [`POST /wallets --token-signer ann --token-public ${newKey().public}`, 'A request has one token'],
  ['GET /wallets --claim nbf=1 --signer ann', 'A claim is <name>=<value>, of iss, sub, aud, hsh'],
  ['GET /wallets --action fly', "There is no action 'fly'."],
  ['GET /wallets --action any', "There is no action 'any'."],
  ['GET /wallets --body package.json', 'A GET has no body.'],
  ['POST /wallets --body nowhere.json', 'The body in nowhere.json cannot be read'],
  ['GET /wallets --unknown', "unknown option '--unknown'"],
  ['GET /wallets --ledger', "option '--ledger <handle>' argument missing"],
])('nothing is guessed: %s', (text, why) => {
  expect(() => parse(wordsOf(text))).toThrow(why);
  expect(() => parse(wordsOf(text))).toThrow(/^.*$/);
});

test.each([
  ['{', 'cannot be read'],
  ['[]', 'is no object'],
  ['null', 'is no object'],
  ['{"data": 1}', 'The data of the body are no object.'],
  ['{"meta": {"proofs": {}}}', 'The proofs of the body are no array of objects.'],
  ['{"meta": {"proofs": [1]}}', 'The proofs of the body are no array of objects.'],
  ['{"meta": {"proofs": [{}]}}', 'is no public key'],
  ['{"public": 1}', 'is no public key'],
  ['{"custom": 1}', 'The custom values of the proof are no object.'],
])('a body of which nobody could say who has signed it is refused: %s', (text, why) => {
  expect(() => parse(['POST', '/wallets', '--body', fileOf(text)])).toThrow(why);
});
