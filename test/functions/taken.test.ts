/**
 * Goal: the OpenAPI document says what the service takes, no more and no less. Method: bodies and queries are made from
 * the document, each with one member at or past one of its bounds; whether the document takes it is asked of a
 * validator, whether the service does, of the service, and the two must agree.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApi } from '../../functions/openapi.ts';
import {
  nameOfRef,
  type Parameter,
  type Reference,
  type Schema,
} from '../../shared/reference/openapi.ts';
import {
  type Client,
  clientOf,
  type Json,
  newKey,
  newLedger,
  open,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { type Endpoint, endpoints } from '../fixture/declared.ts';
import { runs } from '../fixture/runs.ts';
import { ownRuntime } from '../fixture/served.ts';

const key = newKey();

const runtime = await ownRuntime();
const ledger = clientOf(runtime.url, runtime.key);

beforeAll(async () => {
  const { body } = await ledger.get('/ledger');
  await ledger.put('/ledger', revision(body, { access: open }, key));
  // A schema governs what others make.
  for (const { path, requestBody, operationId } of creates)
    if (operationId !== 'createSchema')
      await ledger.post(pathOf(path), requestBody?.content['application/json']?.example as Json);
});

const validators = new Map<string, ValidateFunction>();
function validatorOf(ref = ''): ValidateFunction {
  const known = validators.get(ref) ?? ajv.compile({ $ref: `openapi${ref}` });
  validators.set(ref, known);
  return known;
}

const creates = endpoints.filter(({ operationId }) => operationId.startsWith('create'));
const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }));
ajv.addSchema(openApi as object, 'openapi');

/** The path to what the examples of the document make. */
function pathOf(path: string): string {
  return path.replace('{signer}', 'alice').replace(/^\/circles\/\{id\}/, '/circles/tellers');
}

/** A value at a place of a body. */
interface Tried {
  readonly at: readonly (string | number)[];
  readonly value: unknown;
}

const gone = Symbol('gone');
const resolved = ({ $ref, ...schema }: Schema): Schema =>
  $ref ? { ...openApi.components.schemas[nameOfRef({ $ref })], ...schema } : schema;

/** Values at the bounds of a schema and just past them, and those of all that lies in it. */
function triedIn(schema: Schema, at: Tried['at'], value: unknown, depth = 0): Tried[] {
  const own = resolved(schema);
  const here = (...values: unknown[]) => values.map((one) => ({ at, value: one }));
  const forms = own.oneOf ?? own.anyOf;
  if (forms) return forms.flatMap((form) => triedIn(form, at, value, depth));
  if (own.const !== undefined) return here(own.const, [own.const]);
  if (own.enum) return here(...own.enum, 'no such one', 0, null);
  switch (own.type) {
    case 'string':
      return here(...textsOf(own), 7, null, ['a']);
    case 'integer':
    case 'number':
      return here(...numbersOf(own), '1', null);
    case 'boolean':
      return here(true, false, 'true', 0);
    case 'array':
      return [...here({}, 'a'), ...arraysOf(own, at, value, depth)];
    case 'object':
      return [...here([], 'a', null), ...membersOf(own, at, value, depth)];
    default:
      return [];
  }
}

function textsOf({ pattern, minLength = 0, maxLength, format }: Schema): string[] {
  if (format === 'date-time') return ['2026-01-01T00:00:00.000Z', '2026-01-01', 'x'];
  const most = maxLength ?? 300;
  const lengths = [minLength - 1, minLength, most, most + 1].filter((length) => length >= 0);
  const plain = lengths.map((length) => 'a'.repeat(length));
  const base64 = lengths.flatMap((length) =>
    length > 2 ? [`${'A'.repeat(length - 1)}=`, `${'A'.repeat(length - 2)}==`] : [],
  );
  const odd = ['a b', 'é', 'a@b@c', ':a', '$wlt.a', 'a:b@c', `${'A'.repeat(42)}B=`];
  return pattern ? [...plain, ...base64, ...odd] : plain;
}

function numbersOf({ minimum, maximum, exclusiveMinimum, type }: Schema): number[] {
  const least = minimum ?? exclusiveMinimum ?? -1;
  const most = Math.min(maximum ?? 1000, 2 ** 53 - 1);
  return [least - 1, least, least + 1, most, most + 1, ...(type === 'integer' ? [0.5] : [])];
}

function arraysOf(
  { items = {}, minItems = 0, maxItems }: Schema,
  at: Tried['at'],
  value: unknown,
  depth: number,
) {
  const [first] = Array.isArray(value) ? (value as unknown[]) : [];
  const sample = first ?? sampleOf(items);
  const counts = [0, minItems, ...(maxItems ? [maxItems, maxItems + 1] : [])];
  const whole = [...new Set(counts)].map((count) => ({ at, value: Array(count).fill(sample) }));
  return [...whole, ...triedIn(items, [...at, 0], sample, depth + 1)];
}

function membersOf(schema: Schema, at: Tried['at'], value: unknown, depth: number): Tried[] {
  const { properties = {}, additionalProperties } = schema;
  const held = Object(value) as Json;
  const more = additionalProperties === false ? [{ at: [...at, 'noSuchMember'], value: 1 }] : [];
  if (depth > 3) return more;
  return Object.entries(properties)
    .flatMap(([name, member]) => [
      { at: [...at, name], value: gone },
      ...triedIn(member, [...at, name], held[name], depth + 1),
    ])
    .concat(more);
}

/** The least that a schema takes. */
function sampleOf(schema: Schema): unknown {
  const {
    oneOf,
    anyOf,
    const: only,
    enum: all,
    type,
    properties = {},
    required = [],
  } = resolved(schema);
  const [form] = oneOf ?? anyOf ?? [];
  if (form) return sampleOf(form);
  if (only !== undefined) return only;
  if (all) return all[0];
  if (type === 'object')
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
  return { array: [], integer: 1, number: 1, boolean: true }[type ?? ''] ?? 'a';
}

/** The value with another one at a place; on its way there, what is missing is made. */
function withAt(value: unknown, [name, ...rest]: Tried['at'], other: unknown): unknown {
  if (name === undefined) return other;
  if (typeof name === 'number') {
    const list = Array.isArray(value) && value.length > 0 ? [...(value as unknown[])] : [undefined];
    list[name] = withAt(list[name], rest, other);
    return list;
  }
  const { [name]: member, ...held } = Object(value) as Json;
  if (rest.length === 0 && other === gone) return held;
  return { ...held, [name]: withAt(member, rest, other) };
}

/** What no document can say of a text, and the service looks at all the same. */
const meanings: readonly RegExp[] = [
  /^\/data\/public must be a valid ed25519 public key/,
  /^\/data\/public must be an RSA public key of 2048 bits/,
  /^\/data\/secret must be an encrypted private key/,
  /^\/data\/custom\/end_timestamp must be (after|at most)/,
  /^\/data\/config\/log\.witnesses\/\d\/key must be the key of a witness/,
  /^\/data must have required property 'balance'/,
  /^\/data must NOT have additional properties: 'balance'/,
];

/** Whether the service agrees with the document; if not, what it says. */
async function disagreement(
  { path, requestBody }: Endpoint,
  at: Client,
  { at: place, value }: Tried,
): Promise<string | undefined> {
  const { schema, example } = requestBody?.content['application/json'] ?? {};
  const { data } = example as { data: Json };
  const isAnew = 'handle' in data && place[0] !== 'handle';
  const body = signed(
    withAt(isAnew ? { ...data, handle: unique('x') } : data, place, value) as Json,
    key,
  );
  const { status, reason, custom } = await at.post(pathOf(path), body);
  const isRefused = reason === 'record.schema-invalid' || reason === 'api.body-malformed';
  if (validatorOf(schema?.$ref)(body) !== isRefused) return undefined;
  const errors = (custom?.['errors'] ?? []) as { instancePath: string; message: string }[];
  const why = errors.map((one) => `${one.instancePath} ${one.message}`).join('; ');
  if (isRefused && meanings.some((one) => one.test(why))) return undefined;
  return `${place.join('.')} = ${JSON.stringify(value)?.slice(0, 60)}: ${status} ${why}`;
}

/** One in so many values is tried, from one that `SEED` says; `RUNS` above 1 tries all. */
const every = runs(1) > 1 ? 1 : 2;
const first = Number(process.env['SEED'] ?? 1);

describe('the data of a record is taken as the document says:', () => {
  test.each(creates.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s',
    async (operationId, endpoint) => {
      // A schema governs what others make.
      const at = operationId === 'createSchema' ? await newLedger(ledger, key) : ledger;
      const { schema, example } = endpoint.requestBody?.content['application/json'] ?? {};
      const { data } = example as { data: Json };
      const shape = resolved(schema ?? {}).properties?.['data'] ?? {};
      const all = triedIn(shape, [], data).filter(({ at: place }) => place.length > 0);
      expect(all.length).toBeGreaterThan(20);
      const tried = all.filter((_one, index) => index % every === first % every);
      const otherwise: string[] = [];
      for (const one of tried) {
        const what = await disagreement(endpoint, at, one);
        if (what !== undefined) otherwise.push(what);
      }
      expect(otherwise).toEqual([]);
    },
  );
});

/** The path to what the examples have made, for what lies below one of them. */
const below: readonly (readonly [RegExp, string])[] = [
  [/^\/signers\/\{signer\}/, '/signers/alice'],
  [/^\/circles\/\{id\}/, '/circles/tellers'],
  [/\/factors\/\{id\}/, '/factors/phone'],
  [/^\/signers\/\{id\}/, '/signers/alice'],
  [/^\/ledgers\/\{id\}/, '/ledgers/main'],
  [/^\/symbols\/\{id\}/, '/symbols/usd'],
  [/^\/intents\/\{id\}/, '/intents/rent-2026-01'],
  [/^\/domains\/\{id\}/, '/domains/bank.example'],
  [/^\/anchors\/\{id\}/, '/anchors/tel%3A15550100'],
  [/^\/schemas\/\{id\}/, '/schemas/free'],
  [/^\/policies\/\{id\}/, '/policies/wallet-statuses'],
  [/^\/reports\/\{id\}/, '/reports/january'],
  [/^\/wallets\/\{id\}/, '/wallets/alice'],
  [/^\/effects\/\{id\}/, '/effects/notify-me'],
  [/^\/bridges\/\{id\}/, '/bridges/bank'],
];
const placeOf = (path: string) =>
  below.reduce((rest, [pattern, place]) => rest.replace(pattern, place), path);

const parameterOf = ({ parameters }: Endpoint, name: string): Parameter | undefined =>
  parameters
    .map((one) => openApi.components.parameters[nameOfRef(one as Reference)])
    .find((one) => one?.name === name);
const lists = endpoints.filter((endpoint) => parameterOf(endpoint, 'filters'));
const namesIn = (endpoint: Endpoint) =>
  Object.keys(parameterOf(endpoint, 'filters')?.schema.properties ?? {});
const everyName = [...new Set(lists.flatMap(namesIn))];

describe('a list is filtered as the document says:', () => {
  // It comes after the creates above, since it governs them.
  beforeAll(async () => {
    const schema = { handle: 'free', record: 'report', format: 'json-schema', schema: {} };
    await ledger.make('schemas', schema, key);
  });

  const handle = 'data.handle';
  const suffixes = [
    '',
    '.$eq',
    '.$ne',
    '.$gt',
    '.$gte',
    '.$lt',
    '.$lte',
    '.$in',
    '.$nin',
    '.$regex',
  ]
    .concat(['.$in[]', '.$in[0]', '.$in.0', '.$nin.12', '.0', '.$eq[0]'])
    .concat(['.$eq.0', '.$exists', '.$no', '.$', '.x', '.$in.x', '.$in.0.1', '.', '[0]']);
  const names = [
    ...everyName,
    ...suffixes.map((suffix) => `${handle}${suffix}`),
    ...['data.custom.a', 'data.custom.a.b.$in.0', 'data.custom.', 'data.custom', 'data.x'],
    ...['data.claims.0.amount.$gt', 'data.claims.0.source.handle', 'data.claims.source.custom'],
    ...['meta.proofs', 'meta.owners', 'meta.thread', 'data.access', 'data.record.data.a'],
  ];

  test.each(lists.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      const pattern = new RegExp(
        parameterOf(endpoint, 'filters')?.schema.propertyNames?.pattern ?? '^$',
      );
      const otherwise: string[] = [];
      for (const name of new Set(names)) {
        const query = `${encodeURIComponent(name)}=${name.endsWith('$exists') ? 'true' : 'a'}`;
        const { status } = await ledger.get(`${placeOf(endpoint.path)}?${query}`);
        const expected = pattern.test(name) ? 200 : 400;
        if (status !== expected) otherwise.push(`${name}: ${status}`);
      }
      expect(otherwise).toEqual([]);
    },
  );

  test('every path that the document names is one that it lets through', () => {
    for (const endpoint of lists) {
      const pattern = new RegExp(
        parameterOf(endpoint, 'filters')?.schema.propertyNames?.pattern ?? '^$',
      );
      expect(namesIn(endpoint).filter((name) => !pattern.test(name))).toEqual([]);
    }
  });
});

describe('what is not there is 404 where the document says so, and nowhere else:', () => {
  const bodies: Readonly<Record<string, () => object>> = {
    Drop: () => signed({ parent: '0'.repeat(64) }, key, { status: 'dropped' }),
    Check: () => signed({ action: 'read' }, key),
    Retry: () => signed({ handle: 'evt_nothing' }, key),
    Request: () => signed({}, key),
    Lookup: () => signed({}, key),
  };
  const bodyFor = ({ path, requestBody }: Endpoint) => {
    const name = nameOfRef({ $ref: requestBody?.content['application/json']?.schema?.$ref ?? '' });
    if (name.endsWith('Proof')) return proofOf('0'.repeat(64), key);
    const data = exampleAt(path);
    return bodies[name]?.() ?? signed({ ...data, parent: '0'.repeat(64) }, key);
  };
  const exampleAt = (path: string): Json => {
    const [create] = creates
      .filter((one) =>
        `${path.replace(/^\/ledger(?=\/|$)/, '/ledgers')}/`.startsWith(`${one.path}/`),
      )
      .sort((one, other) => other.path.length - one.path.length);
    const { example } = create?.requestBody?.content['application/json'] ?? {};
    return (example as { data: Json }).data;
  };
  const isTold = ({ responses }: Endpoint) =>
    JSON.stringify(responses['404'] ?? {}).includes('record.not-found');
  const named = endpoints.filter(({ path }) => path.includes('{') && !path.startsWith('/docs/'));

  test.each(named.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      const isCreate = endpoint.operationId.startsWith('create');
      const data = isCreate ? exampleAt(endpoint.path) : {};
      const to = endpoint.path.replace(/\/\{change\}$/, '/99').replaceAll(/\{\w+\}/g, 'not-there');
      const within = Object.fromEntries(
        ['signer', 'circle'].filter((name) => name in data).map((name) => [name, 'not-there']),
      );
      const body = () => (isCreate ? signed({ ...data, ...within }, key) : bodyFor(endpoint));
      const method = endpoint.method.toUpperCase();
      const query = to.endsWith('/entries') ? '?symbol=usd' : '';
      const sent = endpoint.requestBody && body();
      const { status, reason } = await ledger.send(method, `${to}${query}`, sent);
      expect([status, reason, isTold(endpoint)]).toEqual([404, 'record.not-found', true]);
    },
  );

  test.each(endpoints.filter(({ path }) => path.startsWith('/docs/')))(
    'a page is no record: $path',
    async ({ path, responses }) => {
      const { status, reason } = await ledger.get(path.replace(/\{\w+\}/, 'not-there'));
      const isDeclared = JSON.stringify(responses['404'] ?? {}).includes('route-not-found');
      expect([status, reason, isDeclared]).toEqual([404, 'api.route-not-found', true]);
    },
  );

  test('what names no record finds all that it needs', () => {
    const others = endpoints.filter((endpoint) => !endpoint.path.includes('{') && isTold(endpoint));
    // A log may have no checkpoint yet.
    const ofLog = ['readLogCheckpoint', 'readLogConsistency', 'readLogProof'];
    expect(others.map(({ operationId }) => operationId).sort()).toEqual(ofLog);
  });
});
