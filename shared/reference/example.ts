/**
 * Example bodies: signed, valid, and the same each time, with a key that is public knowledge. A kind without an example
 * here gets the minimum that its schema requires. Rulings 1 to 4.
 */
import { hashOf } from '../crypto/digest.ts';
import { privateKeyOf, publicOf } from '../crypto/key.ts';
import { sign } from '../crypto/proof.ts';
import type { Kind } from '../ledger/kind.ts';
import type { Proof } from '../shape/proof.ts';
import type { Schema } from './openapi.ts';
import { nameOfRef } from './openapi.ts';

const keyOf = (seed: Uint8Array) => ({ public: publicOf(seed), privateKey: privateKeyOf(seed) });
const key = keyOf(new Uint8Array(32).fill(1));
const otherKey = keyOf(new Uint8Array(32).fill(2));
const ledgerKey = keyOf(new Uint8Array(32).fill(3));
export const moment = '2026-01-01T00:00:00.000Z';

/** The data of an example, or the statement of its proof. */
export type ExampleData = Readonly<Record<string, unknown>>;

export interface SignedExample {
  readonly hash: string;
  readonly data: ExampleData;
  readonly meta: { readonly proofs: readonly Proof[] };
}

type Schemas = Readonly<Record<string, Schema>>;

const examples: Readonly<Partial<Record<Kind, ExampleData>>> = {
  signer: { handle: 'alice', public: key.public, format: 'ed25519-raw' },
  symbol: { handle: 'usd', factor: 100 },
  wallet: { handle: 'alice', custom: { note: 'savings' } },
  intent: {
    handle: 'rent-2026-01',
    claims: [{ action: 'transfer', source: 'alice', target: 'bob', symbol: 'usd', amount: 2550 }],
  },
  effect: {
    handle: 'notify-me',
    signal: 'balance-received',
    filter: { 'wallet.data.handle': 'alice' },
    action: { schema: 'webhook', endpoint: 'https://example.com/events' },
  },
  'signer-factor': {
    handle: 'phone',
    signer: 'alice',
    schema: 'key-pair',
    public: otherKey.public,
    format: 'ed25519-raw',
  },
  circle: { handle: 'tellers' },
  'circle-signer': { circle: 'tellers', signer: 'alice' },
  bridge: { handle: 'bank', schema: 'rest', config: { server: 'https://bank.example.com/v2' } },
  domain: { handle: 'bank.example' },
  anchor: { handle: 'tel:15550100', target: 'alice', wallet: 'alice' },
  schema: {
    handle: 'person',
    record: 'wallet',
    format: 'json-schema',
    schema: { properties: { custom: { required: ['name'] } } },
  },
  policy: {
    handle: 'wallet-statuses',
    schema: 'status',
    record: 'wallet',
    values: [{ status: { $in: ['created', 'active'] } }],
  },
  report: { handle: 'january', custom: { month: '2026-01' } },
};

/** A signed body that creates a record of the kind; `body` is the schema of such bodies. */
export function exampleOf(kind: Kind, body: Schema, schemas: Schemas): SignedExample {
  const data = examples[kind] ?? sampleOf(body.properties?.['data'] ?? {}, schemas, kind);
  return signedExample(data as ExampleData, { moment, status: 'created' });
}

/** The proof of a ledger over a hash, with its statement. */
export function ledgerProof(hash: string, custom: ExampleData): Proof {
  return { ...sign(hash, custom, ledgerKey), signer: 'system' };
}

function signedExample(data: ExampleData, custom: ExampleData): SignedExample {
  const hash = hashOf(data);
  return { hash, data, meta: { proofs: [sign(hash, custom, key)] } };
}

/** The minimum that a schema requires. A text is the name of its member. */
function sampleOf(schema: Schema, schemas: Schemas, name: string): unknown {
  if (schema.$ref) return sampleOf(schemas[nameOfRef({ $ref: schema.$ref })] ?? {}, schemas, name);
  const [form] = schema.oneOf ?? schema.anyOf ?? [];
  if (form) return sampleOf(form, schemas, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return sampleObject(schema, schemas, name);
    case 'array':
      return schema.minItems ? [sampleOf(schema.items ?? {}, schemas, name)] : [];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return name;
  }
}

function sampleObject({ required = [], properties = {} }: Schema, schemas: Schemas, name: string) {
  const entries = required.map((member) => {
    const as = member === 'handle' ? name : member;
    return [member, sampleOf(properties[member] ?? {}, schemas, as)] as const;
  });
  return Object.fromEntries(entries);
}
