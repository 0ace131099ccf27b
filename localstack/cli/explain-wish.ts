/** What somebody wants to have explained, as `npm run explain` is told it. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { stage } from '../../infra/topology.ts';
import { isPublicText } from '../../shared/crypto/key.ts';
import type { Query } from '../../shared/ledger/query.ts';
import { accessActions } from '../../shared/shape/rule.ts';

type Json = Readonly<Record<string, unknown>>;

/** A request that somebody could send. */
export interface Wish {
  readonly method: string;
  /** Below the stage. */
  readonly path: string;
  readonly query: Query;
  /** The ledger that is addressed; the default one without it. */
  readonly ledger?: string;
  /** Who signs the body, or sends a token where there is none: handles and keys. */
  readonly signers: readonly string[];
  readonly publics: readonly string[];
  /** Whose token comes with it: a handle, or a key. */
  readonly tokenSigner?: string;
  readonly tokenPublic?: string;
  /** What the token says; `hsh` is `true` for one that is bound to the request. */
  readonly claims: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** What is asked instead of what the endpoint asks. */
  readonly action?: string;
  /** Whether every question is shown with all its rules. */
  readonly isAll: boolean;
}

const usage = `Usage: npm run explain -- <method> <path> [options]

  --signer <handle>        who signs the body, or sends a token where there is none; repeatable
  --public <key>           the same, by a public key
  --token-signer <handle>  whose token comes with the request
  --token-public <key>     the same, by a public key
  --claim <name>=<value>   what the token says: iss, sub, aud, or hsh=true; repeatable
  --ledger <handle>        the ledger that is addressed; LEDGER_HANDLE without it
  --body <file>            the body (- reads it from the input): its data, and who its proofs name
  --action <action>        asks for this action in place of what the endpoint asks
  --all                    shows all rules of each question

Without a signer, a key, a token or a proof a stranger asks. Ends with 0 when the rules grant it, with 1
when not, and with 2 when that cannot be told.`;

const methods = ['GET', 'POST', 'PUT', 'DELETE'];
const claimNames = ['iss', 'sub', 'aud', 'hsh'];
const several = { type: 'string', multiple: true, default: [] as string[] } as const;
const one = { type: 'string' } as const;
const options = {
  signer: several,
  public: several,
  'token-signer': one,
  'token-public': one,
  claim: several,
  ledger: one,
  body: one,
  action: one,
  all: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Reads a wish from the words of a command line; refuses what it cannot mean, in words. */
export function parseWish(words: readonly string[]): Wish {
  const { values, positionals } = parseWords(words);
  const [method = '', path = '', ...more] = positionals;
  if (path === '' || more.length > 0 || values.help) throw new Error(usage);
  const wish = {
    method: parseMethod(method),
    ...parsePath(path),
    signers: values.signer,
    publics: values.public.map(parsePublic),
    claims: parseClaims(values.claim),
    isAll: values.all,
    ...(values.ledger !== undefined && { ledger: values.ledger }),
    ...(values['token-signer'] !== undefined && { tokenSigner: values['token-signer'] }),
    ...(values['token-public'] !== undefined && {
      tokenPublic: parsePublic(values['token-public']),
    }),
    ...(values.body !== undefined && { body: parseBody(values.body) }),
    ...(values.action !== undefined && { action: parseAction(values.action) }),
  };
  assertSendable(wish);
  return wish;
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    const [why = ''] = (error as Error).message.split('. ');
    throw new Error(`${why}.\n\n${usage}`, { cause: error });
  }
}

function parseMethod(text: string): string {
  const method = text.toUpperCase();
  if (!methods.includes(method))
    throw new Error(`The method is one of ${methods.join(', ')}, not '${text}'.`);
  return method;
}

/** The path below the stage and the query, of a path or a whole address. */
function parsePath(text: string): Pick<Wish, 'path' | 'query'> {
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
function parseBody(file: string): Json {
  let body: unknown;
  try {
    body = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The body in ${file} cannot be read: ${why}`, { cause: error });
  }
  if (!isObject(body)) throw new Error(`The body in ${file} is no object.`);
  assertReadable(body);
  return body;
}

/** Refuses a body of which nobody could say what it is about, and who has signed it. */
function assertReadable({ data = {}, meta = {}, public: key, custom = {} }: Json): void {
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

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Refuses what no request could be. */
function assertSendable({ method, signers, publics, body, ...wish }: Wish): void {
  const { tokenSigner, tokenPublic } = wish;
  const tokenCount = [tokenSigner, tokenPublic].filter((text) => text !== undefined).length;
  if (tokenCount > 1) throw new Error('A request has one token: --token-signer or --token-public.');
  if (method !== 'GET') return;
  if (body) throw new Error('A GET has no body.');
  if (signers.length + publics.length + tokenCount > 1)
    throw new Error('A GET has no body that several could sign, and one token: name one caller.');
}
