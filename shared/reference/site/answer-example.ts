/** Example answers, made of the schemas of the document: signed where answers are, and the same each time. */
import { hashOf } from '../../crypto/digest.ts';
import { type Kind, kinds, lineOf } from '../../ledger/kind.ts';
import type { Proof } from '../../shape/proof.ts';
import {
  type ExampleData,
  exampleOf,
  ledgerProof,
  moment,
  type SignedExample,
} from '../example.ts';
import { nameOfRef, type OpenApi, type Schema } from '../openapi.ts';
import { typeNameOf } from '../operation.ts';

/** The values of members, by their names, where a type alone says little. */
const values: ExampleData = {
  handle: 'alice',
  wallet: 'alice',
  symbol: 'usd',
  counterparty: 'bob',
  circle: 'tellers',
  signer: 'alice',
  bridge: 'bank',
  ledger: 'main',
  server: 'http://127.0.0.1:3000/v2',
  semver: '1.0.0',
  amount: 2550,
  balance: 7450,
  available: 7450,
  reserved: 0,
  atBridges: 0,
  debits: 2550,
  credits: 10_000,
  issued: 10_000,
  destroyed: 0,
  outstanding: 10_000,
  wallets: 2,
  total: 1,
  limit: 20,
  index: 0,
  inputs: [0],
  uptime: 86_400,
  action: 'read',
  record: 'wallet',
  reason: 'record.not-found',
  detail: 'Wallet not found',
  checkpoint: 'ledger.example/main\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— …\n',
  proof: 'c2sp.org/tlog-proof@v1\n…',
  path: ['ZmFrZQ=='],
  status: 'delivered',
  statuses: ['pending', 'prepared', 'committed', 'completed'],
  linked: '$int.01JKQ3D5V8Y2R7N4T',
};

/** Members that an answer seldom has. */
const left: ReadonlySet<string> = new Set([
  '$in',
  '$signer',
  'access',
  'bearer',
  'bridge',
  'custom',
  'domain',
  'drop',
  'entry',
  'filter',
  'forwarded',
  'invoke',
  'isPartial',
  'isShortened',
  'labels',
  'missing',
  'needsQuorum',
  'output',
  'parent',
  'secret',
  'thread',
  'waiting',
]);

/** Members of the data of an answer that a type says too little about; without a value, they are left out. */
const dataOf: Readonly<Record<string, ExampleData>> = {
  Delivery: {
    handle: 'evt_01JKQ3D5V8Y2R7N4T',
    effect: 'notify-me',
    action: undefined,
    record: eventExample(),
  },
  IntentPreview: {
    handle: 'rent-2026-01',
    status: 'completed',
    reason: undefined,
    detail: undefined,
  },
  Limit: { metric: 'dailyAmount', amount: 100_000 },
  Receipt: {
    record: { luid: '$wlt.01JKQ3D5V8Y2R7N4T', hash: hashOf({}), data: { handle: 'alice' } },
  },
  Status: { status: 'UP' },
  Health: { status: 'UP' },
  Sum: { of: 'wallets', domain: undefined, schema: undefined, reserved: 0 },
};

function eventExample(): SignedExample {
  const data = { handle: 'evt_01JKQ3D5V8Y2R7N4T', signal: 'balance-received' };
  const hash = hashOf(data);
  return { hash, data, meta: { proofs: [ledgerProof(hash, { moment })] } };
}

const kindOf = new Map((Object.keys(kinds) as Kind[]).map((kind) => [typeNameOf(kind), kind]));

/** An example of the schema of this name. */
export function answerExample(document: OpenApi, name: string): unknown {
  const { schemas } = document.components;
  const kind = kindOf.get(name);
  if (kind) return recordOf(kind, exampleOf(kind, schemas[`Create${name}`] ?? {}, schemas));
  const changed = kindOf.get(name.replace(/Change$/, ''));
  if (changed) return changeOf(answerExample(document, typeNameOf(changed)) as SignedExample);
  if (name === 'BatchedIntent')
    return { ...(answerExample(document, 'Intent') as object), status: 201 };
  return signed(completed(name, sampleOf(document, schemas[name] ?? {}, '')));
}

function completed(name: string, answer: unknown): unknown {
  const more = dataOf[name];
  if (!more) return answer;
  const { data, ...rest } = answer as { readonly data: ExampleData };
  const members = Object.entries({ ...data, ...more }).filter(([, value]) => value !== undefined);
  return { ...rest, data: Object.fromEntries(members) };
}

function recordOf(kind: Kind, { hash, data, meta }: SignedExample) {
  const luid = `$${lineOf(kind).prefix}.01JKQ3D5V8Y2R7N4T`;
  const [proof] = meta.proofs;
  const author = { ...proof, origin: 'key-pair', signer: 'alice' };
  const statuses =
    kind === 'intent' ? ['pending', 'prepared', 'committed', 'completed'] : ['created'];
  const own = statuses.map((status) => ledgerProof(hash, { luid, moment, status }));
  const status = statuses.at(-1);
  const owners = [proof?.public];
  return { luid, hash, data, meta: { proofs: [author, ...own], status, moment, owners } };
}

function changeOf(record: SignedExample): object {
  return { ...record, meta: { ...record.meta, action: 'create', change: 1 } };
}

/** An answer with the hash of its data, and the proof over it. */
function signed(answer: unknown): unknown {
  const { hash, data, meta } = (answer ?? {}) as Partial<SignedExample>;
  if (hash === undefined || !meta || data === undefined) return answer;
  const own = hashOf(data);
  return {
    ...(answer as object),
    hash: own,
    meta: { ...meta, proofs: [ledgerProof(own, { moment })] },
  };
}

function sampleOf(document: OpenApi, schema: Schema, name: string): unknown {
  if (schema.$ref) return referred(document, nameOfRef({ $ref: schema.$ref }), name);
  const [form] = schema.oneOf ?? schema.anyOf ?? [];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return chosen(schema.enum, name);
  if (Object.hasOwn(values, name) && !schema.properties) return values[name];
  if (form) return sampleOf(document, form, name);
  return sampleOfType(document, schema, name);
}

function chosen(all: readonly unknown[], name: string): unknown {
  return all.includes(values[name]) ? values[name] : all[0];
}

function referred(document: OpenApi, named: string, name: string): unknown {
  if (named === 'Hash') return hashOf(name);
  if (named === 'Proof') return ledgerProof(hashOf(name), { moment }) satisfies Proof;
  const { type } = document.components.schemas[named] ?? {};
  if (type === 'object') return answerExample(document, named);
  return sampleOf(document, document.components.schemas[named] ?? {}, name);
}

function sampleOfType(document: OpenApi, schema: Schema, name: string): unknown {
  const { type, items, properties, pattern, format, minimum = 0 } = schema;
  if (properties) return signed(objectOf(document, schema));
  if (type === 'array') return items ? [sampleOf(document, items, singular(name))] : [];
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  if (format === 'date-time') return moment;
  const [, prefix] = /\\\$([a-z]{3})/.exec(pattern ?? '') ?? [];
  return prefix ? `$${prefix}.01JKQ3D5V8Y2R7N4T` : name;
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}

function objectOf(document: OpenApi, { properties = {}, required = [] }: Schema): object {
  const shown = Object.entries(properties).filter(
    ([name]) => required.includes(name) || !left.has(name),
  );
  return Object.fromEntries(
    shown.map(([name, member]) => [name, sampleOf(document, member, name)] as const),
  );
}
