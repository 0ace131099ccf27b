/** The request that `countersign explain` explains, out of the words of the command line. */
import { readFileSync } from 'node:fs';
import { stage } from '../../infra/topology.ts';
import { isPublicText } from '../../shared/crypto/key.ts';
import type { PlainObject } from '../../shared/ledger/compare.ts';
import type { Query } from '../../shared/ledger/query.ts';
import { messageOf } from '../../shared/ledger/thrown.ts';
import { accessActions } from '../../shared/shape/rule.ts';

/** A request, and the callers that could send it. */
export interface ExplainRequest {
  readonly method: string;
  /** Below the stage. */
  readonly path: string;
  readonly query: Query;
  /** The ledger that is addressed; the default one without it. */
  readonly ledger?: string;
  /** Signers of the body, or senders of a token where there is no body: handles and keys. */
  readonly signers: readonly string[];
  readonly publics: readonly string[];
  /** The owner of its token: a handle, or a key. */
  readonly tokenSigner?: string;
  readonly tokenPublic?: string;
  /** The claims of the token; `hsh` is `true` for one that is bound to the request. */
  readonly claims: Readonly<Record<string, string>>;
  readonly body?: PlainObject;
  /** The action to ask for, in place of that of the endpoint. */
  readonly action?: string;
  /** True to show each question with all its rules. */
  readonly isAll: boolean;
}

const methods = ['GET', 'POST', 'PUT', 'DELETE'];
const claimNames = ['iss', 'sub', 'aud', 'hsh'];
/** The options of the command, as they are given. */
export interface ExplainOptions {
  readonly signer?: readonly string[];
  readonly public?: readonly string[];
  readonly tokenSigner?: string;
  readonly tokenPublic?: string;
  readonly claim?: readonly string[];
  readonly ledger?: string;
  readonly body?: string;
  readonly action?: string;
  readonly all?: true;
}

/** The request that is meant; refuses, in one line, what cannot be. */
export function explainRequestOf(
  method: string,
  path: string,
  { signer = [], public: publics = [], claim = [], ...options }: ExplainOptions,
): ExplainRequest {
  const { ledger, tokenSigner, tokenPublic, body, action } = options;
  const input = {
    method: parseMethod(method),
    ...parsePath(path),
    signers: signer,
    publics: publics.map(parsePublic),
    claims: parseClaims(claim),
    isAll: options.all ?? false,
    ...(ledger !== undefined && { ledger }),
    ...(tokenSigner !== undefined && { tokenSigner }),
    ...(tokenPublic !== undefined && { tokenPublic: parsePublic(tokenPublic) }),
    ...(body !== undefined && { body: parseBody(body) }),
    ...(action !== undefined && { action: parseAction(action) }),
  };
  assertSendable(input);
  return input;
}

function parseMethod(text: string): string {
  const method = text.toUpperCase();
  if (!methods.includes(method))
    throw new Error(`The method is one of ${methods.join(', ')}, not '${text}'.`);
  return method;
}

/** The path below the stage and the query, of a path or a whole address. */
function parsePath(text: string): Pick<ExplainRequest, 'path' | 'query'> {
  const [address = ''] = text.replace(/^https?:\/\/[^/]+/, '').split('#');
  const [path = '', ...search] = address.split('?');
  if (!path.startsWith('/'))
    throw new Error(`The path begins with '/', as in '/wallets/w1': '${text}'.`);
  const [, below = path] = new RegExp(`^/${stage}(/.*|)$`).exec(path) ?? [];
  const values = new URLSearchParams(search.join('?'));
  const query = Object.fromEntries([...values.keys()].map((name) => [name, values.getAll(name)]));
  return { path: below === '' ? '/' : below, query };
}

function parsePublic(text: string): string {
  if (!isPublicText(text)) throw new Error(`'${text}' is no public key: 32 bytes in base64.`);
  return text;
}

function parseAction(text: string): string {
  const known: readonly string[] = accessActions;
  if (known.includes(text) && text !== 'any') return text;
  throw new Error(`There is no action '${text}'. Rules grant: ${known.slice(1).join(', ')}.`);
}

function parseClaims(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
      if (!claimNames.includes(name))
        throw new Error(`A claim is <name>=<value>, of ${claimNames.join(', ')}: '${text}'.`);
      return [name, value] as const;
    }),
  );
}

/** The body in a file, or from the input. */
function parseBody(file: string): PlainObject {
  let body: unknown;
  try {
    body = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`The body in ${file} cannot be read: ${why}`, { cause: error });
  }
  if (!isObject(body)) throw new Error(`The body in ${file} is no object.`);
  assertReadable(body);
  return body;
}

/** Refuses a body whose data or signers cannot be read. */
function assertReadable({ data = {}, meta = {}, public: key, custom = {} }: PlainObject): void {
  if (!isObject(data)) throw new Error('The data of the body are no object.');
  if (key !== undefined) parsePublic(String(key));
  if (!isObject(custom)) throw new Error('The custom values of the proof are no object.');
  const { proofs = [] } = isObject(meta) ? meta : {};
  if (!Array.isArray(proofs) || !proofs.every(isObject))
    throw new Error('The proofs of the body are no array of objects.');
  for (const proof of proofs) {
    parsePublic(String(proof['public']));
    if (!isObject(proof['custom'] ?? {}))
      throw new Error('The custom values of a proof are no object.');
  }
}

function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Refuses a combination that no request can have. */
function assertSendable({ method, signers, publics, body, ...input }: ExplainRequest): void {
  const { tokenSigner, tokenPublic } = input;
  const tokenCount = [tokenSigner, tokenPublic].filter((text) => text !== undefined).length;
  if (tokenCount > 1) throw new Error('A request has one token: --token-signer or --token-public.');
  if (method !== 'GET') return;
  if (body) throw new Error('A GET has no body.');
  if (signers.length + publics.length + tokenCount > 1)
    throw new Error('A GET has no body that several could sign, and one token: name one caller.');
}
