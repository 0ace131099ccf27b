import { defineConfig } from 'vitest/config';

/** The end-to-end suite, against whatever it is told: `e2e/target.ts`. */
const endToEnd = (target: 'offline' | 'lambda' | 'url') => ({
  test: {
    name: `e2e-${target}`,
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/setup.ts'],
    env: { E2E_TARGET: target },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

const project = (name: string, folders: string, timeoutMs = 20_000) => ({
  test: {
    name,
    include: [`test/${folders}/**/*.test.ts`],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});

export default defineConfig({
  test: {
    root: '.',
    projects: [
      project('core', '{ledger,shape,crypto,action,http,json-schema,reference}'),
      project('store', '{store,signal,simulation}', 60_000),
      project('offline', '{functions,localstack}', 120_000),
      project('infra', 'infra', 120_000),
      project('tidy', 'tidy', 120_000),
      endToEnd('offline'),
      endToEnd('lambda'),
      ...(process.env['E2E_URL'] ? [endToEnd('url')] : []),
    ],
    coverage: {
      provider: 'v8',
      include: ['shared/ledger/**/*.ts', 'shared/crypto/**/*.ts'],
      thresholds: {
        'shared/ledger/**/*.ts': { 100: true },
        'shared/crypto/**/*.ts': { 100: true },
      },
    },
  },
});
