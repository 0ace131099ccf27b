/**
 * `npm test`: the whole gate, the same here and in CI. Types, style and unused code count as one check
 * each, then come the tests: those of the core alone, since all of it must be covered, then the others;
 * the last line says how many held. With arguments only the tests run, all at once, and the arguments
 * go to vitest: `npm test -- --project core`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const checks = [
  ['types', 'tsc'],
  ['style', 'biome', 'check'],
  ['unused', 'knip'],
];

/** Runs a tool of the packages and lets it speak. Whether it was content. */
function run(tool, ...options) {
  return new Promise((resolve) => {
    const path = join(root, 'node_modules/.bin', tool);
    spawn(process.execPath, [path, ...options], { cwd: root, stdio: 'inherit' })
      .on('error', (error) => {
        console.error(`${tool} did not start: ${error.message}`);
        resolve(false);
      })
      .on('close', (code) => resolve(code === 0));
  });
}

/** Runs the checks one after another; a failed one does not stop the others. */
async function check() {
  const counts = { passed: 0, failed: 0 };
  for (const [name, tool, ...options] of checks) {
    const isContent = await run(tool, ...options);
    counts[isContent ? 'passed' : 'failed'] += 1;
    console.log(`${isContent ? '✓' : '✗'} ${name}`);
  }
  return counts;
}

/** Runs the tests. What failed beside them (a crash, a threshold) counts as one. */
async function test(options) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  try {
    const report = join(folder, 'report.json');
    const isContent = await run(
      'vitest',
      'run',
      '--config=test/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...options,
    );
    const counts = countsOf(report);
    return isContent || counts.failed > 0 ? counts : { ...counts, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the report counts. A file that could not be loaded has no tests and is one failure. */
function countsOf(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    const broken = testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
    );
    return { passed: numPassedTests, failed: numFailedTests + broken.length };
  } catch (error) {
    console.error(`vitest left no report: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

/** Runs the core with its coverage, then the other projects, then the end-to-end suite against both runtimes. */
async function testAll() {
  const core = await test(['--project=core', '--coverage']);
  // Vitest runs a project that any of its patterns lets through, so these are named.
  const others = await test(['store', 'offline', 'infra', 'tidy'].map((one) => `--project=${one}`));
  // They wait for their targets most of the time, so all of them may wait at once.
  return sumOf(sumOf(core, others), await test(['--project=e2e-*', '--maxWorkers=16']));
}

function sumOf(one, other) {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}

const options = process.argv.slice(2);
const { passed, failed } =
  options.length > 0 ? await test(options) : sumOf(await check(), await testAll());
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
