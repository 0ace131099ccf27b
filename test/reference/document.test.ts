import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { groups } from '../../infra/topology.ts';
import { hashOf } from '../../shared/crypto/digest.ts';
import { isPublicText, isResultText } from '../../shared/crypto/key.ts';
import { verify } from '../../shared/crypto/proof.ts';
import type { ErrorReason } from '../../shared/ledger/errors.ts';
import { kinds } from '../../shared/ledger/kind.ts';
import type { Action } from '../../shared/port/action.ts';
import { statusOf } from '../../shared/port/status.ts';
import { descriptionAt } from '../../shared/reference/explain.ts';
import type { OpenApi, Operation, Reference, Schema } from '../../shared/reference/openapi.ts';
import { nameOfRef } from '../../shared/reference/openapi.ts';
import { operationInfoOf as described } from '../../shared/reference/operation.ts';
import type { SignedBody } from '../../shared/shape/record.ts';
import { clientTypes, clientTypesPath, newOpenApi, openApiPath } from './openapi-file.ts';
import { OpenApiShape } from './openapi-shape.ts';

// Handlers are read for the actions that they name, and nothing is started.
vi.mock('../../functions/signing.ts', () => ({ signing: {} }));
vi.mock('../../functions/judging.ts', () => ({ judging: {} }));
vi.mock('../../functions/wiring.ts', () => ({ wiring: {} }));
vi.mock('../../shared/http/api.ts', () => ({
  api: (_wiring: unknown, _endpoints: unknown, actions: unknown) => actions,
}));

const remedy = 'UPDATE_DOCS=1 npm test -- --project core document';
const document = newOpenApi();
const all = Object.values(groups).flat() as string[];
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);
const operationAt = new Map<string, Operation>(operations);

/** What a reference points to, in the document unless said. */
function resolved($ref: string, root: unknown = document): unknown {
  return $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], root);
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value ? [String(value.$ref)] : [];
  return [...own, ...Object.values(value).flatMap(refsIn)];
}

test('the file says what the endpoints, the kinds and the shapes say', () => {
  if (process.env['UPDATE_DOCS']) {
    writeFileSync(openApiPath, JSON.stringify(document, null, 2));
    const biome = ['node_modules/.bin/biome', 'format', '--write', openApiPath];
    execFileSync(process.execPath, biome, { stdio: 'ignore' });
  }
  expect(JSON.parse(readFileSync(openApiPath, 'utf8')), remedy).toEqual(document);
});

test('the types of the client are those of the document', async () => {
  const made = await clientTypes(document);
  if (process.env['UPDATE_DOCS']) writeFileSync(clientTypesPath, made);
  expect(readFileSync(clientTypesPath, 'utf8') === made, remedy).toBe(true);
});

describe('the document', () => {
  test('has the form of OpenAPI 3.1', () => {
    expect(OpenApiShape.safeParse(document).error?.issues).toBeUndefined();
  });

  test('has every endpoint of every group, and nothing else', () => {
    expect(operations.map(([endpoint]) => endpoint).sort()).toEqual([...all].sort());
  });

  test('has a name for every operation, each once', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(ids).toEqual(
      expect.arrayContaining(['createWallet', 'listWalletChanges', 'readOwnLedger']),
    );
  });

  test('refers only to what is there, and has nothing that is not referred to', () => {
    const refs = new Set(refsIn(document));
    expect([...refs].filter((ref) => resolved(ref) === undefined)).toEqual([]);
    const { securitySchemes: _, ...parts } = document.components;
    const places = Object.entries(parts).flatMap(([part, members]) =>
      Object.keys(members).map((name) => `#/components/${part}/${name}`),
    );
    expect(places.filter((place) => !refs.has(place))).toEqual([]);
  });

  test('has schemas of dialect 2020-12 only, and all of them compile', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    ajv.addSchema({ $id: 'document', components: document.components });
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(ajv.validateSchema(schema), name).toBe(true);
      expect(() => ajv.compile({ $ref: `document#/components/schemas/${name}` })).not.toThrow();
    }
  });

  test('explains every kind under a tag of its own', () => {
    const titles = Object.values(kinds).map(({ title }) => title);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(titles));
  });

  test('refuses to be made of an endpoint that it cannot explain', () => {
    expect(() => described('POST /wallets/{id}/spin')).toThrow('POST /wallets/{id}/spin');
    expect(() => described('GET /nothing')).toThrow('GET /nothing');
  });
});

interface Described {
  readonly place: string;
  readonly text: string | undefined;
}

/** All members of a schema in any form, with their places. References are places of their own. */
function membersOf(schema: Schema, place: string): Described[] {
  const { items, anyOf = [], oneOf = [], allOf = [], then, properties = {} } = schema;
  const forms = [items, then, ...anyOf, ...oneOf, ...allOf].flatMap((one) => (one ? [one] : []));
  return [
    ...forms.flatMap((form) => membersOf(form, place)),
    ...Object.entries(properties).flatMap(([name, member]) => {
      // A member that there must not be.
      if (typeof member !== 'object') return [];
      const at = `${place}.${name}`;
      return [{ place: at, text: member.description }, ...membersOf(member, at)];
    }),
  ];
}

const members = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
  membersOf(schema, name),
);

describe('a member is explained as what it is where it stands:', () => {
  test.each([
    ['AccessRule.signer', /must have signed/],
    ['AccessRule.change', /an update alters/],
    ['AccessRule.filter', /Conditions on the data/],
    ['Permission.data.change', /an update alters/],
    ['WalletChange.meta.change', /number of the change/],
    ['CreateSchema.data.schema', /a JSON Schema/],
    ['UpdateSchema.data.schema', /a JSON Schema/],
    ['SchemaData.schema', /a JSON Schema/],
    ['CreateSchema.data.format', /language/],
    ['SchemaData.format', /language/],
    ['CreateSigner.data.format', /public key/],
    ['CreateWallet.data.schema', /name of the schema/],
    ['CreateBridge.meta.secret', /secrets that the data names/],
    ['CreateSigner.data.secret', /private key/],
    ['BridgeData.traits.method', /call that the bridge takes/],
    ['SentProof.method', /signed/],
    ['SentProof.custom', /statement/],
    ['Error.data.custom', /for programs/],
    ['AnchorData.target', /stands for/],
    ['CreateDomain.data.domain', /parent/],
    ['CreateIntent.data.claims.target', /receives/],
    ['CreateIntent.data.claims.wallet', /limited/],
    ['CreateIntent.data.claims.metric', /24 hours/],
    ['CreateReport.data.schema', /trans_details_rep/],
    ['CreatePolicy.data.values.quorum', /different signer/],
    ['CreateEffect.data.action.schema', /delivered/],
    ['Balance.data.schema', /reserved/],
    ['Balance.meta.moment', /moment of the balance/],
    ['Intent.meta.status', /`prepared`/],
    ['Intent.meta.waiting.status', /state of the call/],
    ['Drop.data.parent', /dropped/],
    ['Drop.meta.proofs.public', /public key/],
    ['Status.data.status', /served/],
  ])('%s', (place, words) => {
    const texts = members.filter((one) => one.place === place).map(({ text }) => text);
    expect(texts).not.toEqual([]);
    for (const text of texts) expect(text).toMatch(words);
  });

  test('every member has a description', () => {
    expect(members.filter(({ text }) => !text).map(({ place }) => place)).toEqual([]);
  });

  test('no member has the description of another thing', () => {
    // The schemas of one record, and a proof or an entry within another body, have the same members.
    const pathOf = (place: string) =>
      place
        .replace(/^\w+Data\./, 'X.data.')
        .replace(/^\w+\./, '')
        .replace(/^meta\.proofs\./, '')
        .replace(/^data\.forwarded\.entries/, 'data.entries');
    const pathsOf = new Map<string, Set<string>>();
    for (const { place, text = '' } of members)
      pathsOf.set(text, (pathsOf.get(text) ?? new Set()).add(pathOf(place)));
    expect([...pathsOf].filter(([, paths]) => paths.size > 1)).toEqual([]);
  });

  test('all that is said of a place is said somewhere', () => {
    const said = JSON.stringify(document);
    const unsaid = Object.entries(descriptionAt).filter(
      ([, words]) => !said.includes(JSON.stringify(words).slice(1, -1)),
    );
    expect(unsaid).toEqual([]);
  });
});

test('the text of a key and of a signature is told as it is looked at', () => {
  const { properties = {} } = document.components.schemas['SentProof'] ?? {};
  const isTold = ({ pattern = '', minLength = 0, maxLength = 0 }: Schema, text: string) =>
    new RegExp(pattern).test(text) && text.length >= minLength && text.length <= maxLength;
  const bytes = fc.uint8Array({ minLength: 30, maxLength: 66 }).map((some) => Buffer.from(some));
  const texts = fc.oneof(
    bytes.map((some) => some.toString('base64')),
    fc.string({ unit: fc.constantFrom(...'AEIQgwB/+9='), minLength: 43, maxLength: 45 }),
    fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((one) => Buffer.from(one).toString('base64')),
    fc
      .uint8Array({ minLength: 64, maxLength: 64 })
      .map((one) => Buffer.from(one).toString('base64')),
    fc
      .tuple(fc.constantFrom(43, 86), fc.constantFrom(...'AEIQgwBC/'))
      .map(([count, last]) => `${'A'.repeat(count - 1)}${last}${count === 43 ? '=' : '=='}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(isTold(properties['public'] ?? {}, text)).toBe(isPublicText(text));
      expect(isTold(properties['result'] ?? {}, text)).toBe(isResultText(text));
    }),
    { numRuns: 500 },
  );
});

describe.each(operations)('%s', (endpoint, operation) => {
  test('names the parameters of its path, and the ledger', () => {
    const parameters = operation.parameters.map(
      (one) => document.components.parameters[nameOfRef(one as Reference)],
    );
    const inPath = [...endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.filter((one) => one?.in === 'path').map((one) => one?.name)).toEqual(inPath);
    expect(parameters.map((one) => one?.name)).toContain('x-ledger');
  });

  test('declares each reason of a refusal at the status that it costs', () => {
    for (const [status, reasons] of Object.entries(reasonsOf(operation)))
      for (const reason of reasons)
        expect([413, 415, statusOf[reason]].map(String)).toContain(status);
    const { reasons: refusals, isOAuth } = described(endpoint);
    const any = isOAuth ? [] : ['auth.unauthorized', 'api.unexpected-error'];
    expect(Object.values(reasonsOf(operation)).flat()).toEqual(
      expect.arrayContaining(['api.route-not-found', ...any]),
    );
    expect([...new Set(Object.values(reasonsOf(operation)).flat())].sort()).toEqual(
      [...new Set(refusals)].sort(),
    );
  });
});

/** The reasons that an operation declares, by status. */
function reasonsOf({ responses }: Operation): Record<string, ErrorReason[]> {
  // Those of the token endpoint are no refusals of the ledger.
  const refusals = Object.entries(responses).filter(([, response]) => '$ref' in response);
  return Object.fromEntries(
    refusals.map(([status, response]) => {
      const { content } = resolved((response as Reference).$ref) as {
        content: Record<string, { schema: { allOf: Schema[] } }>;
      };
      const narrowed = content['application/json']?.schema.allOf[1];
      const reason = narrowed?.properties?.['data']?.properties?.['reason'];
      return [status, (reason?.enum ?? []) as ErrorReason[]];
    }),
  );
}

// The reasons listed for each endpoint by the contract. The token endpoint has errors of its own.
const drops = [
  'auth.unauthorized',
  'auth.forbidden',
  'record.not-found',
  'record.schema-invalid',
  'api.unexpected-error',
];
const creates = [
  'auth.unauthorized',
  'auth.forbidden',
  'record.duplicated',
  'record.schema-invalid',
  'api.unexpected-error',
];
const updates = [...creates, 'record.not-found'];
test.each([
  ['DELETE /wallets/{id}', drops],
  ['POST /circles/{id}/signers/{link}/drop', drops],
  ['POST /reports/{id}/access/!check', drops],
  ['GET /symbols/{id}/changes', drops],
  ['POST /circles/{id}/proofs', drops],
  ['POST /signers', creates],
  ['POST /wallets', creates],
  ['POST /domains', creates],
  ['PUT /signers/{signer}/factors/{id}', updates],
  ['PUT /bridges/{id}', updates],
  ['GET /signers', [...drops, 'api.request-timeout']],
  [
    'GET /bridges',
    [...creates.filter((one) => one !== 'record.duplicated'), 'api.request-timeout'],
  ],
])(
  '%s declares the reasons that the interface lists and that it can answer',
  (endpoint, reasons) => {
    const operation = operationAt.get(endpoint);
    expect(operation).toBeDefined();
    const declared = Object.values(reasonsOf(operation as Operation)).flat();
    const missing = reasons.filter((reason) => !declared.includes(reason as ErrorReason));
    expect(missing).toEqual(neverMet(endpoint).filter((reason) => reasons.includes(reason)));
  },
);

/** The reasons that the interface lists for operations that never answer them. */
function neverMet(endpoint: string): ErrorReason[] {
  const isPathless = !endpoint.includes('{');
  // A request without a body has no shape, and a list without a parent names no record.
  return endpoint.startsWith('GET')
    ? [...(isPathless ? (['record.not-found'] as const) : []), 'record.schema-invalid']
    : [];
}

describe.each(Object.entries(groups))('the handler of %s', async (group, endpoints) => {
  const { handler: actions } = (await import(`../../functions/${group}/handler.ts`)) as unknown as {
    handler: Record<string, Action>;
  };

  // The elements of a batch are checked one by one, so that one that is broken hurts no other.
  const whole = endpoints.filter((endpoint) => !endpoint.endsWith('/!batch'));
  test.each(whole as readonly string[])('%s takes the body that is declared', (endpoint) => {
    const content = operationAt.get(endpoint)?.requestBody?.content['application/json'];
    const { body } = actions[endpoint] as Action;
    const taken =
      body && (z.toJSONSchema(body, { io: 'input', override: withoutPattern }) as Schema);
    expect(plain(content?.schema)).toEqual(plain(taken, taken));
  });
});

/** A moment is declared by its format alone. */
function withoutPattern({
  jsonSchema,
}: {
  readonly jsonSchema: { format?: unknown; pattern?: unknown };
}): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

/** A schema without references, until it refers to itself, and without words. */
function plain(value: unknown, root: unknown = document, within: readonly string[] = []): unknown {
  const of = (inner: unknown) => plain(inner, root, within);
  if (Array.isArray(value)) return value.map(of);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, description, $schema, $defs, propertyNames, ...rest } = value as Record<
    string,
    unknown
  >;
  if (typeof $ref === 'string' && within.includes($ref)) return 'itself';
  // Named shapes within a shape are those of the document.
  const from = String($ref).startsWith('#/components/') ? document : root;
  const target =
    typeof $ref === 'string' ? plain(resolved($ref, from), from, [...within, $ref]) : {};
  const members = Object.entries(rest).map(([name, member]) => [name, of(member)] as const);
  // A member of an object may be called as these words are.
  const named = [
    ...(typeof description === 'object' ? [['description', of(description)]] : []),
    ...(propertyNames && !isNoise(propertyNames) ? [['propertyNames', of(propertyNames)]] : []),
  ];
  return { ...(target as object), ...Object.fromEntries([...members, ...named]) };
}

const isNoise = (names: unknown) => JSON.stringify(names) === '{"type":"string"}';

describe('an example body', () => {
  const examples = operations.flatMap(([endpoint, { requestBody }]) => {
    const content = requestBody?.content['application/json'];
    return content?.example
      ? [[endpoint, content.schema, content.example as SignedBody] as const]
      : [];
  });
  const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }));
  ajv.addSchema({ $id: 'document', components: document.components });

  test('is there for every create', () => {
    const creates = operations.filter(([, { operationId }]) =>
      /^(create|preview)/.test(operationId),
    );
    expect(examples.map(([endpoint]) => endpoint)).toEqual(creates.map(([endpoint]) => endpoint));
  });

  test.each(examples)('of %s is valid and signed', (_, schema, { hash, data, meta }) => {
    const validate = ajv.compile({ $ref: `document${schema?.$ref}` });
    expect([validate({ hash, data, meta }), validate.errors]).toEqual([true, null]);
    expect(hash).toBe(hashOf(data));
    expect(meta.proofs.length).toBeGreaterThan(0);
    expect(meta.proofs.every((proof) => verify(hash, proof))).toBe(true);
  });
});

describe('the data of an effect that is sent, as it is declared,', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }));
  ajv.addSchema({ $id: 'document', components: document.components });
  const action = { schema: 'webhook', endpoint: 'https://hooks.example/cash' };
  const balance = { wallet: 'alice', symbol: 'usd', threshold: -1 };

  test.each<[boolean, string, object]>([
    [true, 'watches a balance', { signal: 'balance-crossed', balance }],
    [false, 'does not watch nothing', { signal: 'balance-crossed' }],
    [true, 'names any other signal', { signal: 'wallet-created' }],
    [false, 'watches no balance by another signal', { signal: 'wallet-created', balance }],
  ])('is %s for one that %s', (isValid, _, more) => {
    const data = { handle: 'low-cash', action, ...more };
    const isValidAt = (place: string, value: object) =>
      ajv.compile({ $ref: `document#/components/schemas/${place}` })(value);
    expect(isValidAt('CreateEffect/properties/data', data)).toBe(isValid);
    const parent = 'a'.repeat(64);
    expect(isValidAt('UpdateEffect/properties/data', { ...data, parent })).toBe(isValid);
  });
});

// What is checked against this document must be able to be wrong.
test('a document that lost something is not the same', () => {
  const { paths } = document;
  const lost: OpenApi = { ...document, paths: Object.fromEntries(Object.entries(paths).slice(1)) };
  expect(lost).not.toEqual(document);
});
