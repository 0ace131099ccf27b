/**
 * The OpenAPI document: every endpoint with what it takes, answers and refuses. It is made from the
 * lists of endpoints, the kinds and the shapes, and nothing in it is written by hand but words.
 */
import type { Kind } from '../ledger/kind.ts';
import { exampleOf } from './example.ts';
import type { AnswerName } from './line.ts';
import { basicScheme, jwksAnswer, oauthRefusals, tokenAnswer, tokenRequest } from './oauth.ts';
import { nameOfRef, type OpenApi, type Operation, type Response, type Schema } from './openapi.ts';
import { type Described, describe, typeNameOf } from './operation.ts';
import { filterWordsOf, parameterComponents, parametersOf } from './parameter.ts';
import { refusalComponents, refusalsOf } from './refusal.ts';
import { allSchemas, refTo } from './schema.ts';

const about = [
  'A ledger: every record is hashed and signed by its authors and countersigned by the service.',
  'Bodies that change something carry a `hash`, the hex sha256 of the canonical JSON (RFC 8785) of their `data`,',
  'and in `meta.proofs` signatures over it: `digest` is the hex sha256 of the hash followed by the canonical JSON',
  'of the `custom` of the proof, and `result` the base64 ed25519 signature over the 32 bytes of the digest.',
  'Every answer is signed by the ledger that was addressed, errors too.',
  '`HEAD` is answered like `GET`, without a body; `OPTIONS` names in `allow` the methods that a path has, and any',
  'other method is 405 `api.method-not-allowed`. Pages of any origin may read answers, or of those that the operator',
  'names; no cookie is asked for.',
].join(' ');

/** What the service itself answers, beside its records. */
const serviceTag = { name: 'Service', description: 'Whether it is up, and what it can do.' };

interface Source {
  /** The endpoints of each group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly version: string;
  /** Where the service is reached, when the host is left out. */
  readonly server: string;
}

/** Makes the document. */
export function openApiOf({ groups, version, server }: Source): OpenApi {
  const all = Object.values(groups).flat().map(describe);
  const schemas = allSchemas();
  const paths = pathsOf(all, schemas);
  const responses = refusalComponents(all);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version,
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    security: [{}, { bearer: [] }],
    tags: tagsOf(all),
    paths,
    components: {
      schemas: needed(schemas, { paths, responses }),
      parameters: parameterComponents(all),
      responses,
      headers: {
        'x-request-id': {
          description: 'The name of the request, under which the log tells of it.',
          schema: { type: 'string' },
        },
        'retry-after': {
          description: 'Seconds to wait before the next attempt.',
          schema: { type: 'string' },
        },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Optional, and always checked when it was sent.',
        },
        basic: basicScheme,
      },
    },
  };
}

/** One tag for each kind, in the order of the alphabet, and the service last. */
function tagsOf(all: readonly Described[]): OpenApi['tags'] {
  const names = [...new Set(all.map(({ tag }) => tag))].sort();
  const kinds = names.filter((name) => name !== serviceTag.name);
  return [
    ...kinds.map((name) => ({ name, description: `Records of the kind: ${name.toLowerCase()}.` })),
    serviceTag,
  ];
}

function pathsOf(all: readonly Described[], schemas: Record<string, Schema>): OpenApi['paths'] {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const described of all) {
    const { path, method } = described;
    paths[path] = { ...paths[path], [method]: operationOf(described, schemas) };
  }
  return paths;
}

function operationOf(described: Described, schemas: Record<string, Schema>): Operation {
  const { operationId, summary, tag, deprecated, body, status, isOAuth } = described;
  const description = filterWordsOf(described);
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags: [tag],
    ...(deprecated && { deprecated }),
    ...(isOAuth && { security: [{}, { basic: [] }] }),
    parameters: parametersOf(described),
    ...(body && { requestBody: { required: true, content: bodyOf(described, schemas) } }),
    responses: {
      [status]: answerOf(described),
      ...refusalsOf(described),
      ...(isOAuth && oauthRefusals),
    },
  };
}

function bodyOf({ body, kind }: Described, schemas: Record<string, Schema>) {
  if (body === 'token') return { 'application/x-www-form-urlencoded': { schema: tokenRequest } };
  const title = kind ? typeNameOf(kind) : '';
  const names = {
    create: `Create${title}`,
    update: `Update${title}`,
    drop: 'Drop',
    // Some kinds take more in their proofs than others.
    proof: schemas[`${title}Proof`] ? `${title}Proof` : 'SentProof',
    check: 'Check',
    lookup: 'Lookup',
    request: 'Request',
    retry: 'Retry',
  };
  const name = names[body ?? 'request'];
  const example =
    body === 'create' && kind ? { example: exampleOf(kind, schemas[name] ?? {}, schemas) } : {};
  return { 'application/json': { schema: refTo(name), ...example } };
}

const statusWords = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.', 204: 'Ended.' } as const;

const text: Schema = { type: 'string' };

/** What is answered as it is, with no hash and no proofs, by its content types. */
const plain: Readonly<Partial<Record<AnswerName, NonNullable<Response['content']>>>> = {
  openapi: { 'application/json': { schema: { type: 'object' } } },
  page: { 'text/html': { schema: text } },
  token: { 'application/json': { schema: tokenAnswer } },
  jwks: { 'application/json': { schema: jwksAnswer } },
  asset: {
    'text/plain': { schema: text },
    'text/csv': { schema: text },
    'application/json': { schema: {} },
  },
};

function answerOf({ status, answers, kind, of = kind }: Described): Response {
  const headers = { 'x-request-id': { $ref: '#/components/headers/x-request-id' } };
  const empty = { description: statusWords[status], headers };
  if (!answers) return empty;
  const signed = { 'application/json': { schema: refTo(answerName(answers, of)) } };
  return { ...empty, content: plain[answers] ?? signed };
}

function answerName(answers: AnswerName, kind?: Kind): string {
  const name = kind ? typeNameOf(kind) : '';
  const names: Partial<Record<typeof answers, string>> = {
    record: name,
    records: `${name}List`,
    change: `${name}Change`,
    changes: `${name}ChangeList`,
    permissions: 'PermissionList',
    balances: 'BalanceList',
    limits: 'LimitList',
    delivery: 'Delivery',
    deliveries: 'DeliveryList',
    status: 'Status',
  };
  return names[answers] ?? '';
}

/** The schemas that something refers to, directly or through another one. */
function needed(schemas: Record<string, Schema>, from: unknown): Record<string, Schema> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    for (const name of refsIn(value)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name]);
    }
  };
  visit(from);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

/** The names of all schemas that are referred to somewhere in a value. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as Schema;
  const own = $ref?.startsWith(refTo('').$ref) ? [nameOfRef({ $ref })] : [];
  return [...own, ...Object.values(value).flatMap(refsIn)];
}
