/**
 * Goal: whatever is sent to whichever endpoint, the ledger answers as its OpenAPI document declares,
 * signed, and never with a failure of its own. Method: requests are made from the document itself:
 * right ones, right ones with one thing broken, and garbage. The client checks every answer.
 *
 * `FUZZ_RUNS` is the number of requests to each operation; a failure prints the request and its seed,
 * which `FUZZ_SEED` takes.
 */
import fc, { type Arbitrary } from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApi } from '../../functions/openapi.ts';
import {
  anyJson,
  type Break,
  breaking,
  garbage,
  handleOf,
  type Known,
  sentAs,
} from '../fixture/arbitrary.ts';
import { headers, nastySegments, queries } from '../fixture/asking.ts';
import {
  clientOf,
  type Item,
  type Json,
  type Key,
  newKey,
  open,
  proofOf,
  type Reply,
  revision,
  signed,
} from '../fixture/client.ts';
import { assertDeclared, type Endpoint, endpoints } from '../fixture/declared.ts';
import { ownRuntime } from '../fixture/served.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 20);
const seed = process.env['FUZZ_SEED'];
const key: Key = newKey();

/** What is known to be there, and what is not. */
const found = { handles: ['nobody', 'system', 'main'], hashes: ['0'.repeat(64)], luids: ['$wlt.'] };
/** Records as they were last answered. */
const records: Item[] = [];
/** The luids of what was made first, by the last segment of its path. */
const made = new Map<string, string[]>();
/** Each operation with each status that it answered. */
const statuses = new Set<string>();

const runtime = await ownRuntime();
const ledger = clientOf(runtime.url, runtime.key);

beforeAll(async () => {
  await openToEveryone();
  await sendExamples();
});

/** Else the first example with rules would govern the ledger, and nothing more would be let through. Ruling 31. */
async function openToEveryone(): Promise<void> {
  const { body } = await ledger.get('/ledger');
  const { status } = await ledger.put('/ledger', revision(body, { access: open }, key));
  expect(status).toBe(200);
}

/** What is made first: the examples of the document, and records like them with names of their own. */
async function sendExamples(): Promise<void> {
  const creates = endpoints.filter(({ operationId }) => operationId.startsWith('create'));
  for (const { path, requestBody } of creates) {
    const example = requestBody?.content['application/json']?.example as { data: Json };
    const at = path.replaceAll(/(\w+)s\/\{\w+\}/g, '$1s/first-$1s');
    for (const name of ['first', 'second']) {
      const reply = await ledger.post(at, signed(namedAnew(example.data, name, at), key));
      if (reply.status >= 300) continue;
      remember(reply.body);
      const place = at.split('/').at(-1) ?? '';
      made.set(place, [...(made.get(place) ?? []), reply.body.luid]);
    }
    await ledger.post(at, example);
  }
}

/** The data under a name of its own; what lies within another record names that one. */
function namedAnew(data: Json, name: string, path: string): Json {
  const [, outer = '', , own] = path.split('/');
  const within = own ? { [outer.replace(/s$/, '')]: `first-${outer}` } : {};
  const handle = 'handle' in data ? { handle: `${name}-${own ?? outer}` } : {};
  const signer = 'signer' in data ? { signer: `${name}-signers` } : {};
  return { ...data, ...handle, ...signer, ...within };
}

/** Keeps a record as it was last answered. */
function remember(item: Item): void {
  const index = records.findIndex(({ luid }) => luid === item.luid);
  records.splice(index < 0 ? records.length : index, 1, item);
  if (item.data.handle) found.handles.push(item.data.handle);
  found.luids.push(item.luid);
  found.hashes.push(item.hash);
}

/** The names of a path's parameters: often of what is there, and of the right kind. */
function namesFor(path: string): Arbitrary<readonly string[]> {
  const places = [...path.matchAll(/(\w+)\/\{\w+\}/g)].map(([, place = '']) => place);
  return fc.tuple(...places.map(nameAt));
}

/** A name below a segment of a path: `first-wallets` below `wallets`. */
function nameAt(place: string): Arbitrary<string> {
  const right = place === 'changes' ? ['1', '2'] : [`first-${place}`, ...(made.get(place) ?? [])];
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...right).map(encodeURIComponent) },
    fc.constantFrom(...found.handles, ...found.luids).map(encodeURIComponent),
    text.map(encodeURIComponent),
    fc.constantFrom(...nastySegments),
  );
}

/** A body as it is sent: what it says, and what becomes of it on the way. */
interface Sent {
  readonly data: unknown;
  readonly custom: Json;
  /** Whether it replaces the version that is there. */
  readonly aims?: boolean;
  readonly change?: Break;
  readonly raw?: string | Uint8Array;
}

/** The whole body: signed as it should be, or not; an update or a drop often names what is there. */
function bodyOf(
  endpoint: Endpoint,
  { data, custom, aims, change, raw }: Sent,
  path: string,
): string | Uint8Array {
  if (raw !== undefined) return raw;
  const name = endpoint.requestBody?.content['application/json']?.schema?.$ref ?? '';
  const at = path
    .replace(/^\/ledger(?=\/|$)/, 'main')
    .split('/')
    .map(safelyDecoded);
  const record = records.find((one) => at.includes(one.luid) || at.includes(one.data.handle));
  const said = aims && record ? next(record, data as Json) : (data as Json);
  const body = name.endsWith('Proof')
    ? proofOf(record?.hash ?? '0'.repeat(64), key, custom)
    : signed(said, key, custom);
  return JSON.stringify(change ? change(body) : body) ?? '';
}

/** What a drop, or an update that changes one member, says of a record. */
function next({ hash, data }: Item, { custom, ...rest }: Json): Json {
  const isDrop = Object.keys(rest).join() === 'parent';
  return { ...(!isDrop && data), ...(Object(custom) === custom && { custom }), parent: hash };
}

/** A segment of a path, as a handle or a luid. */
function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Right bodies, bodies with one thing broken, and garbage; undefined where none is taken. */
function bodies({ requestBody }: Endpoint): Arbitrary<Sent | undefined> {
  const content = requestBody?.content['application/json'];
  const schema = content?.schema;
  if (!schema) return fc.constant(undefined);
  const known: Known = found;
  const resolved = openApi.components.schemas[schema.$ref?.split('/').at(-1) ?? ''];
  const shape = resolved?.properties?.['data'];
  const example = content?.example as { data: Json } | undefined;
  const alike = handleOf(known).map((handle) => namedAnew(example?.data ?? {}, handle, '/'));
  const made = shape ? sentAs(shape, openApi, known) : anyJson;
  const data = example ? fc.oneof(made, alike) : made;
  const usual = { status: schema.$ref?.endsWith('/Drop') ? 'dropped' : 'created' };
  const custom = fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    fc.constant({ status: 'dropped' }),
    fc.record({ status: fc.string({ maxLength: 70 }), labels: anyJson }),
    fc.record({ ledger: handleOf(known) }),
  );
  const replaces = Boolean(shape?.properties?.['parent']);
  const aims = replaces ? fc.boolean() : fc.constant(false);
  const right = fc.record({ data, custom, aims });
  const broken = fc.record({ data, custom, aims, change: breaking });
  const raw = garbage.map((bytes): Sent => ({ data: {}, custom: {}, raw: bytes }));
  return fc.oneof({ weight: 5, arbitrary: right }, { weight: 4, arbitrary: broken }, raw);
}

/** A request to an operation, as it is printed when it fails. */
function requests(endpoint: Endpoint) {
  return fc.record({
    names: namesFor(endpoint.path),
    query: queries,
    headers,
    body: bodies(endpoint),
  });
}

type Request = ReturnType<typeof requests> extends Arbitrary<infer Value> ? Value : never;

/** Sends a request; its answer is checked by the client. */
async function send(
  endpoint: Endpoint,
  { names, query, headers: more, body }: Request,
): Promise<Pick<Reply, 'status' | 'text'>> {
  const rest = [...names];
  const path = endpoint.path.replaceAll(/\{\w+\}/g, () => rest.shift() ?? '');
  const sent = body && bodyOf(endpoint, body, path);
  const search = endpoint.method === 'get' && query ? `?${query}` : '';
  const to = `${path}${search}`;
  if (tokens.includes(endpoint.operationId)) return sendForm(endpoint, to, sent, more);
  const reply = await ledger.send(endpoint.method.toUpperCase(), to, sent, { headers: more });
  statuses.add(`${endpoint.operationId} ${reply.status}`);
  if (reply.body.luid) remember(reply.body);
  return reply;
}

/** What speaks OAuth: its answers have no proofs, but a form of their own that is checked. */
const tokens = ['giveToken', 'readTokenKeys'];

async function sendForm(
  { method, operationId }: Endpoint,
  path: string,
  sent: string | Uint8Array | object | undefined,
  more: Readonly<Record<string, string>>,
): Promise<Pick<Reply, 'status' | 'text'>> {
  const fields = typeof sent === 'string' ? sent : JSON.stringify(sent ?? {});
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(`${ledger.url}${path}`, {
    method: method.toUpperCase(),
    headers: { 'x-ledger': String(ledger.ledger), ...(method === 'post' && form), ...more },
    ...(method === 'post' && { body: fields }),
  });
  const { status } = response;
  const text = await response.text();
  assertDeclared(method, path, { status, headers: response.headers, text });
  statuses.add(`${operationId} ${status}`);
  return { status, text };
}

/** What is answered as it is has no proof to check. */
const unsigned = [
  ...['readOpenApi', 'readDocs', 'giveToken', 'readTokenKeys'],
  ...['readConsole', 'readConsoleScript', 'readConsoleStyle'],
];
const isDrop = ({ operationId }: Endpoint) => operationId.startsWith('drop');
/** What ends records comes last, so that there is something left for the others. */
const fuzzed = endpoints
  .filter(({ operationId }) => !unsigned.includes(operationId))
  .sort((one, other) => Number(isDrop(one)) - Number(isDrop(other)));

describe('an operation answers as declared, whatever it is sent:', () => {
  test.concurrent.each(fuzzed.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      const property = fc.asyncProperty(requests(endpoint), async (request) => {
        const reply = await send(endpoint, request);
        if (reply.status >= 500) throw new Error(`It failed: ${reply.status} ${reply.text}`);
      });
      await fc.assert(property, { numRuns: runs, ...(seed && { seed: Number(seed) }) });
    },
  );
});

// Requests that never ask for anything that is there would show little.
test('most operations were also asked for something that they could do', () => {
  const done = new Set(
    [...statuses].flatMap((one) => (/ 20\d$/.test(one) ? [one.slice(0, -4)] : [])),
  );
  expect(done.size).toBeGreaterThan(fuzzed.length / 2);
});
