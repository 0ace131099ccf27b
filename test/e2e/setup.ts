/** Starts the target of the suite, unless an address is given: `npm run test:e2e -- --url …`. */
import { generateKeyPairSync } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { type Runtime, start } from '../fixture/runtime.ts';
import { fail } from '../fixture/shared-runtimes.ts';
import type { Target } from './target.ts';

let runtime: Runtime | undefined;

export async function setup(project: TestProject): Promise<void> {
  const {
    E2E_TARGET: name,
    E2E_URL: url = '',
    E2E_INSIDE: inside,
    LEDGER_KEY: owner,
  } = {
    ...process.env,
    ...project.config.env,
  } as Readonly<Record<string, string | undefined>>;
  if (name === 'url') {
    const more = { isInside: inside === 'true', ...(owner && { owner }) };
    const isTextOnly = (await fetch(url)).headers.has('x-localstack');
    project.provide('target', { url: url.replace(/\/$/, ''), isTextOnly, ...more });
    return;
  }
  const { seed, publicKey } = newOwner();
  runtime = await (name === 'lambda' ? startLambda(publicKey) : startOffline(publicKey));
  const target: Target = { url: runtime.url, owner: seed, isInside: true };
  project.provide('target', target);
}

export async function teardown(): Promise<void> {
  if (!runtime) return;
  await runtime.stop().catch(fail);
  const { complaints } = runtime;
  if (complaints.length > 0) fail(new Error(`The ledger complained:\n${complaints.join('\n')}`));
}

/** The default ledger is closed to all but its owner, as a deployment is. */
function startOffline(owner: string): Promise<Runtime> {
  return start({ env: { LEDGER_OWNER: owner, REPORT_DELAY_MS: '0' } });
}

function startLambda(owner: string): Promise<Runtime> {
  return start({ script: ['test/lambda/start.ts', '--inside', '-c', `owner=${owner}`] });
}

function newOwner(): { seed: string; publicKey: string } {
  const pair = generateKeyPairSync('ed25519');
  const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { seed: seed.toString('base64'), publicKey: publicKey.toString('base64') };
}
