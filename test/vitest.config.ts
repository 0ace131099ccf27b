import { defineConfig } from 'vitest/config';

/** A test may take long where a machine is busy: no result depends on its speed. */
const timeoutMs = 600_000;
/** Projects whose files share what they import, which is half of their time. The others start processes of their own. */
const sharing = ['core', 'store', 'infra', 'tidy', 'e2e-offline'];
const isIsolated = (name: string) => !sharing.includes(name);

/** Has the ledger run compiled, as `npm start` does. */
const compiled = 'test/fixture/compiled.ts';

/** The end-to-end suite, against whatever it is told: `e2e/target.ts`. */
const endToEnd = (target: 'offline' | 'lambda' | 'url') => ({
  test: {
    name: `e2e-${target}`,
    isolate: isIsolated(`e2e-${target}`),
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: [...(target === 'offline' ? [compiled] : []), 'test/e2e/setup.ts'],
    env: { E2E_TARGET: target },
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});

const project = (name: string, folders: string, globalSetup: string[] = []) => ({
  test: {
    name,
    isolate: isIsolated(name),
    globalSetup,
    setupFiles: ['test/fixture/seed.ts'],
    // No test reads or makes the key and the profiles of the person who runs it.
    env: { COUNTERSIGN_CONFIG: '/nowhere/countersign' },
    include: [`test/${folders}/**/*.test.ts`],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
  },
});

export default defineConfig({
  test: {
    root: '.',
    projects: [
      project('core', '{ledger,log,shape,crypto,disk,action,http,json-schema,reference}'),
      project('store', '{store,signal,simulation,cloud,engine}'),
      project('offline', '{functions,localstack}', [compiled, 'test/fixture/shared-runtimes.ts']),
      project('browser', 'browser', [
        compiled,
        'test/fixture/shared-chromium.ts',
        'test/fixture/shared-runtimes.ts',
      ]),
      project('infra', 'infra'),
      project('tidy', 'tidy'),
      project('package', 'package'),
      endToEnd('offline'),
      endToEnd('lambda'),
      ...(process.env['E2E_URL'] ? [endToEnd('url')] : []),
    ],
    coverage: {
      provider: 'v8',
      include: ['shared/ledger/**/*.ts', 'shared/crypto/**/*.ts', 'shared/log/**/*.ts'],
      thresholds: {
        'shared/ledger/**/*.ts': { 100: true },
        'shared/crypto/**/*.ts': { 100: true },
        'shared/log/**/*.ts': { 100: true },
      },
    },
  },
});
