/**
 * `npm test`: what everybody runs before a change is sent, in at most five minutes of two free cores: types, style and
 * unused code, which count as one test each, beside all tests of the core, its coverage, the stack, the tidiness and the
 * end-to-end suite against the offline runtime. `npm run test:full`: all that takes longer, and nothing twice. CI runs
 * both. The last lines name what failed, with its reason, and say how many held. With arguments only the tests run, all
 * at once, and the arguments go to vitest: `npm test -- --project core`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const checks = [
  ['types', 'tsc'],
  ['types of the console', 'tsc', '--project', 'functions/console/page'],
  ['types of the reference', 'tsc', '--project', 'functions/docs/page'],
  ['style', 'biome', 'check'],
  ['unused', 'knip'],
];

/** Runs a tool of the packages, whose words are shown now, or when it has ended. Whether it was content. */
function run(tool, options, isShownLater = false) {
  return new Promise((resolve) => {
    const path = join(root, 'node_modules/.bin', tool);
    const said = [];
    const child = spawn(process.execPath, [path, ...options], {
      cwd: root,
      stdio: isShownLater ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    child.stdout?.on('data', (chunk) => said.push(chunk));
    child.stderr?.on('data', (chunk) => said.push(chunk));
    child.on('error', (error) => {
      console.error(`${tool} did not start: ${error.message}`);
      resolve(false);
    });
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve(code === 0);
    });
  });
}

/** Runs the checks one after another; a failed one does not stop the others. */
async function check() {
  let counts = sumOf();
  for (const [name, tool, ...options] of checks) {
    const isContent = await run(tool, options, true);
    counts = sumOf(counts, isContent ? { passed: 1, failures: [] } : failureOf(name));
    console.log(`${isContent ? '✓' : '✗'} ${name}`);
  }
  return counts;
}

/** Runs the tests. What failed beside them (a crash, a threshold) counts as one. */
async function test(options) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  try {
    const report = join(folder, 'report.json');
    const isContent = await run('vitest', [
      'run',
      '--config=test/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...options,
    ]);
    const counts = countsOf(report);
    return isContent || counts.failures.length > 0
      ? counts
      : sumOf(
          counts,
          failureOf(`vitest ${options.join(' ')}`, 'A threshold, or an error of no test.'),
        );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the report counts. A file that could not be loaded has no tests and is one failure. */
function countsOf(report) {
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const all = testResults.map(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((one) => one.status === 'failed');
      const path = relative(root, name);
      return status === 'failed' && failed.length === 0
        ? failureOf(path, message)
        : sumOf(
            ...failed.map((one) => failureOf(`${path} > ${one.fullName}`, ...one.failureMessages)),
          );
    });
    return sumOf({ passed: numPassedTests, failures: [] }, ...all);
  } catch (error) {
    return failureOf('vitest left no report', error.message);
  }
}

/** Runs the tests of some projects. Vitest runs a project that any of its patterns lets through, so these are named. */
function testOf(projects, ...options) {
  return test([...projects.map((one) => `--project=${one}`), ...options]);
}

/** The checks beside the core, of which all has to be covered; then the rest that is quick. */
async function testQuickly() {
  const [checked, core] = await Promise.all([
    check(),
    testOf(['core'], '--coverage', '--maxWorkers=2'),
  ]);
  return sumOf(checked, core, await testOf(['tidy', 'infra', 'e2e-offline'], '--maxWorkers=3'));
}

/** What takes longer. The end-to-end suite waits for the bundles most of the time, so all of it may wait at once. */
async function testFully() {
  const long = await testOf(['store', 'offline', 'package'], '--maxWorkers=3');
  const seen = await testOf(['browser'], '--maxWorkers=1');
  return sumOf(long, seen, await testOf(['e2e-lambda'], '--maxWorkers=8'));
}

function sumOf(...all) {
  return {
    passed: all.reduce((sum, one) => sum + one.passed, 0),
    failures: all.flatMap((one) => one.failures),
  };
}

/** What failed, with the first lines of why; what lies in a package is no news. */
function failureOf(name, ...messages) {
  const said = messages.join('\n').split('\n');
  const lines = said.filter((line) => !line.includes('/node_modules/')).slice(0, 12);
  return { passed: 0, failures: [[`✗ ${name}`, ...lines].join('\n    ')] };
}

const [first, ...others] = process.argv.slice(2);
const isFull = first === '--full';
const options = isFull || first === undefined ? others : [first, ...others];
const { passed, failures } =
  options.length > 0 ? await test(options) : await (isFull ? testFully() : testQuickly());
for (const one of failures) {
  console.log(one);
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
