/** An example of each request: values of its path and its query, and the data or the statement that is signed. */
import type { Kind } from '../../ledger/kind.ts';
import { type ExampleData, exampleOf } from '../example.ts';
import type { OpenApi } from '../openapi.ts';
import { type OperationInfo, typeNameOf } from '../operation.ts';

export interface RequestExample {
  /** By the name of the parameter. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The data of a body that is signed; for an update, the members that change. */
  readonly data?: ExampleData;
  /** The statement of the proof, beside its moment. */
  readonly custom?: ExampleData;
}

/** The handles of the example bodies, by which paths name them. */
const handles: Readonly<Record<Kind, string>> = {
  ledger: 'main',
  signer: 'alice',
  symbol: 'usd',
  wallet: 'alice',
  intent: 'rent-2026-01',
  effect: 'notify-me',
  'signer-factor': 'phone',
  circle: 'tellers',
  'circle-signer': 'alice',
  bridge: 'bank',
  domain: 'bank.example',
  anchor: 'tel:15550100',
  schema: 'person',
  policy: 'wallet-statuses',
  report: 'january',
};

const parameters: Readonly<Record<string, string>> = {
  signer: 'alice',
  link: 'alice',
  delivery: 'evt_01JKQ3D5V8Y2R7N4T',
  change: '1',
  asset: 'wallet_statement.csv',
  level: '0',
  part1: 'x001',
  part2: 'x234',
  part3: 'x567',
  part4: '890',
  page: 'wallets',
  file: 'style.css',
};

/** The query parameters that must be there, or that show the use of an operation. */
const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /wallets/{id}/entries': { symbol: 'usd' },
  'GET /balances/totals': { group: 'domain' },
  'GET /log/proof': { luid: '$wlt.01JKQ3D5V8Y2R7N4T', change: '1' },
  'GET /log/consistency': { from: '1' },
};

const changed = { custom: { note: 'changed' } };

/** The data of signed bodies that make no record. */
const requestData: Readonly<Record<string, ExampleData>> = {
  check: { action: 'read' },
  lookup: { 'target.handle': 'alice' },
  request: {},
  retry: { maxAge: 60 },
};

export function requestExample(document: OpenApi, info: OperationInfo): RequestExample {
  const { body, kind, path, method, parameters: names } = info;
  const inPath = names.map((name) => {
    const isOwn = name === 'id' && kind;
    return [name, isOwn ? handleAt(path, kind) : (parameters[name] ?? name)] as const;
  });
  const query = queries[`${method.toUpperCase()} ${path}`] ?? {};
  return { path: Object.fromEntries(inPath), query, ...(body && signedPart(document, info)) };
}

/** The handle of the record that `{id}` names, which may own the records of the operation. */
function handleAt(path: string, kind: Kind): string {
  return path.startsWith('/circles/') ? handles.circle : handles[kind];
}

function signedPart(
  document: OpenApi,
  { body, kind }: OperationInfo,
): Pick<RequestExample, 'data' | 'custom'> {
  const { schemas } = document.components;
  switch (body) {
    case 'create':
    case 'preview':
    case 'batch': {
      const made = kind && exampleOf(kind, schemas[`Create${typeNameOf(kind)}`] ?? {}, schemas);
      return { data: made?.data ?? {}, custom: { status: 'created' } };
    }
    case 'update':
      return { data: changed, custom: {} };
    case 'drop':
      return { custom: { status: 'dropped' } };
    case 'proof':
      return {
        custom: kind === 'intent' ? { status: 'committed' } : { labels: { $push: 'seen' } },
      };
    case 'token':
      return {};
    default:
      return { data: requestData[body ?? ''] ?? {}, custom: {} };
  }
}
