/**
 * Which layer may import what: imports point inwards. `layers.cjs` makes rules of this table, and
 * `layer-picture.ts` draws it.
 *
 * A layer may import its own files, those of the layers or files in `imports`, the types of those in
 * `types`, and the packages in `packages` (which may be limited to some `files`, or to `types`). What
 * is `pure` has no use for Node's own modules either.
 */
module.exports = {
  infra: {
    // Handlers are named by the text of their path: a stack must not load what it deploys.
    imports: [
      'functions/[^/]+/endpoints.ts',
      'shared/store/table.ts',
      'shared/store/keys.ts',
      'shared/shape/record.ts',
      'shared/crypto/key.ts',
      'shared/outgoing/hosts.ts',
      'shared/http/origins.ts',
    ],
    packages: [
      'aws-cdk-lib',
      'cdk-nag',
      'constructs',
      { name: 'esbuild', files: ['infra/bundling.ts'] },
      { name: '@aws-sdk', files: ['infra/lean'] },
      { name: '@smithy', files: ['infra/lean'] },
    ],
  },
  localstack: {
    imports: ['functions', 'infra/topology.ts', 'shared'],
    packages: ['@aws-sdk', '@types/aws-lambda', 'cli-progress', '@types/cli-progress'],
  },
  functions: {
    imports: ['shared'],
    packages: ['@types/aws-lambda', { name: '@aws-sdk', files: ['functions/table.ts'] }],
  },
  'shared/http': {
    imports: ['shared/action', 'shared/ledger', 'shared/shape'],
    types: ['shared/crypto'],
    packages: ['@middy', '@types/aws-lambda', { name: 'zod', types: true }],
  },
  // Tells what the interface is, and for that looks at what each request may meet.
  'shared/reference': {
    imports: [
      'shared/http/status.ts',
      'shared/action',
      'shared/crypto',
      'shared/ledger',
      'shared/shape',
    ],
    packages: ['zod'],
  },
  'shared/store': {
    imports: [
      'shared/action/ports.ts',
      'shared/action/catalog.ts',
      'shared/action/notes.ts',
      'shared/action/outbox.ts',
      'shared/action/deliveries.ts',
      'shared/action/reports.ts',
      'shared/action/expiries.ts',
      'shared/crypto',
      'shared/ledger',
      'shared/shape',
    ],
    packages: ['@aws-sdk'],
  },
  'shared/keyring': {
    imports: ['shared/action/ports.ts', 'shared/crypto', 'shared/ledger', 'shared/shape'],
    packages: ['@aws-sdk'],
  },
  // The courier is told what to call out with; it knows no database and no bus.
  'shared/delivery': {
    imports: [
      'shared/action',
      'shared/signal',
      'shared/outgoing',
      'shared/crypto',
      'shared/ledger',
      'shared/shape',
    ],
  },
  // Produces reports: what it knows of the world is what actions know.
  'shared/report': {
    imports: ['shared/action', 'shared/crypto', 'shared/ledger', 'shared/shape'],
  },
  // Judges by schemas that callers wrote, and needs nothing else of the ledger.
  'shared/json-schema': {
    imports: ['shared/crypto', 'shared/ledger', 'shared/shape'],
    packages: ['ajv', 'ajv-formats', 're2js'],
  },
  'shared/signal': {
    imports: [
      'shared/action/ports.ts',
      'shared/action/catalog.ts',
      'shared/action/outbox.ts',
      'shared/crypto',
      'shared/ledger',
      'shared/shape',
    ],
    packages: ['@aws-sdk/client-eventbridge', 're2js'],
  },
  // The auditor reads what is stored, item by item, and trusts nothing that wrote it.
  'shared/audit': {
    imports: [
      'shared/action/ports.ts',
      'shared/store',
      'shared/crypto',
      'shared/ledger',
      'shared/shape',
    ],
    packages: ['@aws-sdk'],
  },
  // A ledger as a file. What must be there because of a record is what the audit asks for.
  'shared/archive': {
    imports: [
      'shared/action/ports.ts',
      'shared/action/deliveries.ts',
      'shared/audit',
      'shared/store',
      'shared/crypto',
      'shared/ledger',
      'shared/shape',
    ],
    packages: ['@aws-sdk'],
  },
  'shared/outgoing': {
    imports: ['shared/action/ports.ts', 'shared/ledger', 'shared/shape'],
  },
  'shared/action': { imports: ['shared/crypto', 'shared/ledger', 'shared/shape'] },
  'shared/crypto': {
    imports: ['shared/ledger/errors.ts', 'shared/ledger/assert.ts'],
    types: ['shared/shape'],
    packages: ['@noble', 'jose', 'safe-stable-stringify'],
  },
  'shared/ledger': { types: ['shared/shape'], pure: true },
  'shared/shape': { types: ['shared/ledger/kind.ts'], packages: ['zod'], pure: true },
};
