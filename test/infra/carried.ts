/** Which functions carry what: the table that bundles are compared with. */
import { type FunctionGroup, groups, type Worker, workers } from '../../infra/topology.ts';

type Name = FunctionGroup | Worker;

const groupNames = Object.keys(groups) as FunctionGroup[];
const all = [...groupNames, ...Object.keys(workers)] as Name[];
const allBut = (...names: readonly Name[]) => all.filter((name) => !names.includes(name));

/** A bundle carries the SDK's commands and protocols, and not its clients, which know every way to everything. */
const sdkInside =
  /node_modules\/(@aws-sdk\/(client-(dynamodb|eventbridge)\/dist-es\/(commands|commandBuilder|endpoint\/EndpointParameters|models|schemas)|core\/.*\/protocols|dynamodb-codec|lib-dynamodb|util-dynamodb)|@smithy\/(core\/.*\/(client|pagination|protocols|schema|serde|transport)|core\/dist-es\/index|node-http-handler|signature-v4|types))[/.]/;

/** Where nothing of a function comes from: tools, emulators, clients, other layers, and most of the SDK. */
const elsewhere = [
  /^(localstack|test)\//,
  /^infra\/(?!slim-client\/)/,
  /node_modules\/(aws-cdk|aws-cdk-lib|cdk-nag|constructs|esbuild|tsx|vitest|fast-check|@dynoxide|@minka)\//,
  /node_modules\/(fast-uri|mnemonist)\//,
  /node_modules\/zod\/v4\/(classic|locales)\//,
  /node_modules\/zod\/.*json-schema/,
];

/** Whether a file has no place in any bundle. */
export function belongsElsewhere(path: string): boolean {
  const isOfSdk = /node_modules\/@(aws-sdk|aws|smithy)\//.test(path);
  return (isOfSdk && !sdkInside.test(path)) || elsewhere.some((place) => place.test(path));
}

const withoutSchemas = [
  'status',
  'health',
  'oauth',
  'ledger',
  'ledgers',
  'log',
  'console',
  'docs',
] as const;
const byPattern = ['health', 'ledger', 'ledgers', 'log', 'courier', 'sweeper'] as const;
const bySchema = groupNames.filter((name) => !withoutSchemas.some((one) => one === name));

interface Carried {
  readonly what: string;
  readonly where: RegExp;
  readonly by: readonly Name[];
}

/** What is heavy, or should not be everywhere, and who uses it. */
export const carried: readonly Carried[] = [
  { what: 'JSON Schema', where: /node_modules\/ajv(-formats)?\//, by: bySchema },
  {
    what: 'regular expressions',
    where: /node_modules\/re2js\//,
    by: [...bySchema, ...byPattern],
  },
  {
    what: 'shapes of bodies',
    where: /node_modules\/zod\//,
    by: groupNames.filter(
      (name) => !['status', 'health', 'oauth', 'balances', 'log', 'console', 'docs'].includes(name),
    ),
  },
  { what: 'PDF', where: /node_modules\/@cantoo\//, by: ['reporter'] },
  { what: 'the path of a request', where: /node_modules\/@middy\//, by: groupNames },
  { what: 'keys that KMS wraps', where: /^infra\/slim-client\/kms\.ts/, by: allBut('relay') },
  {
    what: 'the bus',
    where: /node_modules\/@aws-sdk\/client-eventbridge\//,
    by: ['relay', 'sweeper'],
  },
  { what: 'the table', where: /node_modules\/@aws-sdk\/client-dynamodb\//, by: all },
  {
    what: 'the OpenAPI document and its page',
    where: /^(functions\/openapi\.json|shared\/reference\/)/,
    by: ['status', 'docs'],
  },
  {
    what: 'calls to the outside',
    where: /^shared\/outgoing\/send\.ts/,
    by: ['courier', 'sweeper'],
  },
];
