/**
 * `npm run test:e2e`: the end-to-end suite against the offline runtime; with `--lambda` against the bundles under the
 * Lambda runtime API, and with `--url` against a deployment. Further arguments go to vitest.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `npm run test:e2e -- [--lambda | --url https://…/v2 [--inside]] [file …]
--inside: what answers there runs on this machine and may call it, so that webhooks and bridges are tested.
LEDGER_KEY: the seed of a key that may make ledgers there, as base64, where not everybody may.`;
const flags = {
  lambda: { type: 'boolean' },
  url: { type: 'string' },
  inside: { type: 'boolean' },
};

/** Prints an error and the usage, and ends. */
function refuse(why) {
  process.stderr.write(`${why}\n${usage}\n`);
  process.exit(2);
}

function wordsOf(args) {
  try {
    return parseArgs({ args, options: flags, allowPositionals: true });
  } catch (error) {
    return refuse(error.message);
  }
}

const { values, positionals } = wordsOf(process.argv.slice(2));
const { lambda, url, inside } = values;
if (lambda && url !== undefined) refuse('Either --lambda or --url.');
if (inside && url === undefined) refuse('--inside is for a target of --url.');
if (url !== undefined && !/^https?:\/\/[^/]/.test(url))
  refuse(`An address begins with http:// or https://, and '${url}' does not.`);
const seed = process.env.LEDGER_KEY;
if (seed !== undefined && Buffer.from(seed, 'base64').length !== 32)
  refuse('LEDGER_KEY must be the 32 bytes of a seed, as base64.');

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = lambda ? 'e2e-lambda' : url === undefined ? 'e2e-offline' : 'e2e-url';
const config = ['--config=test/vitest.config.ts', `--project=${project}`, '--maxWorkers=8'];
const options = ['run', ...config, ...positionals];
spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...options], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(url && { E2E_URL: url }), ...(inside && { E2E_INSIDE: 'true' }) },
}).on('close', (code) => {
  process.exitCode = code ?? 1;
});
