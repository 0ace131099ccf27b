import { defineConfig } from 'vitest/config';

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
