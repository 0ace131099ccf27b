/**
 * Which layer may import what: imports point inwards. `layers.cjs` makes rules of this table, and
 * `layer-picture.ts` draws it.
 *
 * A layer may import its own files, those of the layers or files in `imports`, the types of those in
 * `types`, and the packages in `packages` (which may be limited to some `files`, or to `types`). What
 * is `pure` has no use for Node's own modules either.
 */
/** What everything of ours may know. */
const core = ['shared/crypto', 'shared/ledger', 'shared/shape'];
const belowRecord = ['shared/port', 'shared/log', ...core];
const belowQuery = ['shared/record', ...belowRecord];
const belowAccess = ['shared/query', ...belowQuery];

module.exports = {
  infra: {
    // Handlers are named by the text of their path: a stack must not load what it deploys.
    imports: [
      'functions/[^/]+/endpoints.ts',
      'functions/console/build.ts',
      'functions/console/files.ts',
      'functions/docs/assets.ts',
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
      { name: '@aws-sdk', files: ['infra/slim-client'] },
      { name: '@smithy', files: ['infra/slim-client'] },
    ],
  },
  localstack: {
    imports: ['functions', 'infra/topology.ts', 'shared'],
    packages: [
      '@aws-sdk',
      '@types/aws-lambda',
      'cli-progress',
      '@types/cli-progress',
      'commander',
      { name: 'tsx', files: ['localstack/countersign.mjs'] },
      { name: 'esbuild', files: ['localstack/compiled.mjs'] },
      'picocolors',
      { name: 'prom-client', files: ['localstack/telemetry/prometheus.ts'] },
      { name: '@opentelemetry', files: ['localstack/telemetry'] },
      { name: 'lmdb', files: ['localstack/engine'] },
      { name: 'msgpackr', files: ['localstack/engine/file-items.ts'] },
      { name: 'env-paths', files: ['localstack/command'] },
      { name: 'csv-parse', files: ['localstack/cli/reconcile-rows.ts'] },
    ],
  },
  functions: {
    imports: ['shared'],
    packages: [
      '@types/aws-lambda',
      { name: '@aws-sdk', files: ['functions/table.ts'] },
      { name: 'esbuild', files: ['functions/console/build.ts', 'functions/docs/build.ts'] },
      ...['preact', 'uplot', '@picocss'].map((name) => ({
        name,
        files: ['functions/console/page'],
      })),
      { name: 'minisearch', files: ['functions/docs/page'] },
      { name: 'lossless-json', files: ['functions/console/page', 'functions/docs/page'] },
    ],
  },
  // Runs in browsers: of ours only what runs there too.
  'functions/console/page': {
    imports: ['shared/client', 'shared/log', 'shared/ledger'],
    types: ['shared/shape'],
    packages: ['preact', 'uplot', 'lossless-json', '@picocss'],
    pure: true,
  },
  'functions/docs/page': {
    imports: ['shared/client', 'shared/crypto/canonical.ts', 'shared/reference/search-options.ts'],
    packages: ['minisearch', 'lossless-json'],
    pure: true,
  },
  'shared/http': {
    imports: [
      'shared/access',
      'shared/record',
      'shared/query',
      'shared/port',
      'shared/ledger',
      'shared/shape',
    ],
    types: ['shared/crypto'],
    packages: ['@middy', '@types/aws-lambda', { name: 'zod', types: true }],
  },
  // Tells what the interface is, and for that looks at what each request may meet.
  'shared/reference': {
    imports: [
      'shared/action/events.ts',
      'shared/access/required-permission.ts',
      'shared/query',
      ...belowRecord,
    ],
    packages: [
      'zod',
      // The site is made when the service is built.
      { name: 'marked', files: ['shared/reference/site'] },
      { name: 'highlight.js', files: ['shared/reference/site'] },
      { name: 'minisearch', files: ['shared/reference/site'] },
    ],
  },
  'shared/store': {
    imports: belowRecord,
    packages: ['@aws-sdk'],
  },
  'shared/keyring': {
    imports: ['shared/disk', ...belowRecord],
    packages: ['@aws-sdk'],
  },
  // The courier is told what to call out with; it knows no database and no bus.
  'shared/delivery': {
    imports: [
      'shared/intent',
      'shared/record',
      'shared/port',
      'shared/signal',
      'shared/outgoing',
      ...core,
    ],
  },
  // Shows checkpoints to witnesses; it is told what to call out with.
  'shared/witness': {
    imports: ['shared/outgoing', 'shared/record', ...belowRecord],
  },
  // Produces reports: what it knows of the world is what actions know.
  'shared/report': {
    imports: ['shared/action/assets.ts', ...belowAccess],
    packages: [{ name: '@cantoo/pdf-lib', files: ['shared/report'] }],
  },
  // Judges by schemas that callers wrote, and needs nothing else of the ledger.
  'shared/json-schema': {
    imports: core,
    packages: ['ajv', 'ajv-formats', 're2js'],
  },
  'shared/signal': {
    imports: belowRecord,
    packages: ['@aws-sdk/client-eventbridge', 're2js'],
  },
  // The auditor reads what is stored, item by item, and trusts nothing that wrote it.
  'shared/audit': {
    imports: ['shared/port', 'shared/store', 'shared/log', ...core],
    packages: ['@aws-sdk'],
  },
  // A ledger as a file. What must be there because of a record is what the audit asks for.
  'shared/archive': {
    imports: ['shared/port', 'shared/audit', 'shared/store', 'shared/disk', 'shared/log', ...core],
    packages: ['@aws-sdk'],
  },
  'shared/outgoing': {
    imports: ['shared/port', 'shared/ledger', 'shared/shape'],
  },
  // What requests go through, room by room: each knows those below it.
  'shared/action': {
    imports: ['shared/intent', 'shared/access', ...belowAccess],
  },
  'shared/intent': {
    imports: ['shared/access', ...belowQuery],
  },
  'shared/access': {
    imports: belowAccess,
  },
  'shared/query': {
    imports: belowQuery,
  },
  'shared/record': {
    imports: belowRecord,
    packages: ['dataloader', { name: 'zod', types: true }],
  },
  // Goes to browsers, too: nothing of Node, and of ours only the canonical text, the log and the statuses.
  'shared/client': {
    imports: ['shared/crypto/canonical.ts', 'shared/ledger/thread.ts', 'shared/log'],
    types: ['shared/shape/proof.ts'],
    packages: ['@noble', 'lossless-json'],
    pure: true,
  },
  // The transparency log as data: trees, proofs and their texts, for servers, browsers and tests.
  'shared/log': {
    imports: ['shared/crypto/canonical.ts', 'shared/ledger'],
    types: ['shared/shape'],
    packages: ['@noble'],
    pure: true,
  },
  // Files on a disk; it knows nothing of what is in them.
  'shared/disk': {},
  'shared/port': { imports: ['shared/log', ...core] },
  'shared/crypto': {
    imports: ['shared/ledger/errors.ts', 'shared/ledger/assert.ts'],
    types: ['shared/shape'],
    packages: ['@noble', 'jose', 'safe-stable-stringify'],
  },
  'shared/ledger': { types: ['shared/shape'], pure: true },
  'shared/shape': { types: ['shared/ledger/kind.ts'], packages: ['zod'], pure: true },
};
