/**
 * The OpenAPI document: every endpoint with its parameters, body, answers and errors, and every request that the service
 * sends. It is made from the lists of endpoints, the kinds and the shapes; only its texts are written by hand.
 */
import { assert } from '../ledger/assert.ts';
import type { Kind } from '../ledger/kind.ts';
import { errorComponents, errorsOf } from './errors.ts';
import { exampleOf } from './example.ts';
import type { AnswerName } from './line.ts';
import { basicScheme, jwksAnswer, oauthErrors, tokenAnswer, tokenRequest } from './oauth.ts';
import { nameOfRef, type OpenApi, type Operation, type Response, type Schema } from './openapi.ts';
import { type OperationInfo, operationInfoOf, typeNameOf } from './operation.ts';
import { filterTextOf, parameterComponents, parametersOf } from './parameter.ts';
import { allSchemas, refTo } from './schema.ts';
import { sentAnswers, webhookHeaders, webhooksOf } from './sent.ts';
import { tagTexts } from './tags.ts';

const about = [
  'A ledger: every record is hashed and signed by its authors, and countersigned by the service.',
  'A body that changes something has a `hash`, the hex SHA-256 of the canonical JSON (RFC 8785) of its `data`, and',
  'signatures over it in `meta.proofs`. The `digest` of a proof is the hex SHA-256 of the hash followed by the canonical',
  'JSON of its `custom`; `result` is the base64 ed25519 signature over the 32 bytes of the digest.',
  'The addressed ledger signs every answer, errors included.',
  'A query parameter that an operation does not know is 400 `api.query-malformed`, which names the nearest one that it',
  'knows.',
  '`HEAD` is answered like `GET`, without a body. `OPTIONS` lists the methods of a path in `allow`; any other method is',
  '405 `api.method-not-allowed`. Pages of any origin may read answers, unless the operator limits the origins. There',
  'are no cookies.',
].join(' ');

interface ReferenceSource {
  /** The endpoints of each group. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly version: string;
  /** The base address without its host. */
  readonly server: string;
}

export function openApiOf({ groups, version, server }: ReferenceSource): OpenApi {
  const all = Object.values(groups).flat().map(operationInfoOf);
  const schemas = allSchemas();
  const paths = pathsOf(all, schemas);
  const responses = { ...errorComponents(all), ...sentAnswers };
  const webhooks = webhooksOf(schemas);
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
    webhooks,
    components: {
      schemas: needed(schemas, { paths, webhooks, responses }),
      parameters: { ...parameterComponents(all), ...webhookHeaders },
      responses,
      headers: {
        'x-request-id': {
          description: 'The id of the request, which its lines in the log have too.',
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
          description: 'Optional. A token that is sent is always checked.',
        },
        basic: basicScheme,
      },
    },
  };
}

/** One tag for each kind and each part of the service, in the order of the reference. */
function tagsOf(all: readonly OperationInfo[]): OpenApi['tags'] {
  const names = new Set(all.map(({ tag }) => tag));
  const unknown = [...names].filter((name) => !Object.hasOwn(tagTexts, name));
  assert(unknown.length === 0, `shared/reference/tags.ts has a text for ${unknown.join(', ')}`);
  return Object.entries(tagTexts)
    .filter(([name]) => names.has(name))
    .map(([name, description]) => ({ name, description }));
}

function pathsOf(all: readonly OperationInfo[], schemas: Record<string, Schema>): OpenApi['paths'] {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const described of all) {
    const { path, method } = described;
    paths[path] = { ...paths[path], [method]: operationOf(described, schemas) };
  }
  return paths;
}

function operationOf(described: OperationInfo, schemas: Record<string, Schema>): Operation {
  const { operationId, summary, tag, deprecated, body, status } = described;
  const { isOAuth, mayBeDown, isStatic } = described;
  const description = filterTextOf(described);
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
      ...(isStatic && staticAnswers),
      ...(mayBeDown && { 503: { ...answerOf(described), description: downText } }),
      ...errorsOf(described),
      ...(isOAuth && oauthErrors),
    },
  };
}

function bodyOf({ body, kind }: OperationInfo, schemas: Record<string, Schema>) {
  if (body === 'token') return { 'application/x-www-form-urlencoded': { schema: tokenRequest } };
  const title = kind ? typeNameOf(kind) : '';
  const names = {
    create: `Create${title}`,
    preview: `Create${title}`,
    batch: `Create${title}Batch`,
    update: `Update${title}`,
    drop: 'Drop',
    // Some kinds accept more members in `custom` of their proofs.
    proof: schemas[`${title}Proof`] ? `${title}Proof` : 'SentProof',
    check: 'Check',
    lookup: 'Lookup',
    request: 'Request',
    retry: 'Retry',
  };
  const name = names[body ?? 'request'];
  const example =
    (body === 'create' || body === 'preview') && kind
      ? { example: exampleOf(kind, schemas[name] ?? {}, schemas) }
      : {};
  return { 'application/json': { schema: refTo(name), ...example } };
}

const statusTexts = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.', 204: 'Dropped.' } as const;

const requestId = { 'x-request-id': { $ref: '#/components/headers/x-request-id' } };

const text: Schema = { type: 'string' };

const staticAnswers = {
  304: {
    description: 'The same as the caller has: its `if-none-match` names the `etag`.',
    headers: requestId,
  },
  308: {
    description: 'The path has a slash at its end, and there is none in `location`.',
    headers: { ...requestId, location: { description: 'The path without it.', schema: text } },
  },
};
const downText = 'The database does not answer.';

/** Answers without an envelope, hash and proofs, by content type. */
const plain: Readonly<Partial<Record<AnswerName, NonNullable<Response['content']>>>> = {
  openapi: { 'application/json': { schema: { type: 'object' } } },
  page: { 'text/html': { schema: text } },
  script: { 'text/javascript': { schema: text } },
  style: { 'text/css': { schema: text } },
  file: {
    'text/css': { schema: text },
    'text/javascript': { schema: text },
    'image/svg+xml': { schema: text },
    'application/json': { schema: {} },
  },
  token: { 'application/json': { schema: tokenAnswer } },
  checkpoint: { 'text/plain': { schema: text } },
  tile: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  jwks: { 'application/json': { schema: jwksAnswer } },
  asset: {
    'text/plain': { schema: text },
    'text/csv': { schema: text },
    'application/json': { schema: {} },
    'application/pdf': { schema: { type: 'string', format: 'binary' } },
  },
};

function answerOf({ status, answers, kind, of = kind }: OperationInfo): Response {
  const empty = { description: statusTexts[status], headers: requestId };
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
    preview: `${name}Preview`,
    batch: `${name}Batch`,
    balances: 'BalanceList',
    entries: 'EntryList',
    'all-balances': 'AllBalanceList',
    sums: 'SumList',
    supply: 'Supply',
    'log-proof': 'LogProof',
    consistency: 'LogConsistency',
    receipt: 'Receipt',
    limits: 'LimitList',
    delivery: 'Delivery',
    deliveries: 'DeliveryList',
    status: 'Status',
    health: 'Health',
  };
  return names[answers] ?? '';
}

/** The schemas that `from` refers to, directly or through another schema. */
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

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as Schema;
  const own = $ref?.startsWith(refTo('').$ref) ? [nameOfRef({ $ref })] : [];
  return [...own, ...Object.values(value).flatMap(refsIn)];
}
