/**
 * Goal: the samples of the reference do what they say when they are pasted. Method: those of one kind, in curl, TypeScript
 * and Python, run as they stand on the page, with the command and the clients of this clone.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openApi } from '../../functions/openapi.ts';
import { newKey } from '../../shared/client/client.ts';
import { operationInfoOf } from '../../shared/reference/operation.ts';
import { sampleBase } from '../../shared/reference/sample-base.ts';
import { requestExample } from '../../shared/reference/site/request-example.ts';
import { type SampleLanguage, samplesOf } from '../../shared/reference/site/samples.ts';
import { unique } from '../fixture/client.ts';
import { python } from '../fixture/python.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = newKey().exportSecret();
writeFileSync(join(folder, 'own.key'), key, { mode: 0o600 });
const env = {
  ...process.env,
  COUNTERSIGN_CONFIG: folder,
  COUNTERSIGN_KEY: join(folder, 'own.key'),
  LEDGER_KEY: key,
  NO_COLOR: '1',
  PYTHONPATH: resolve('shared/client/python'),
};

/** The life of a wallet, each step with a word of its answer. */
const steps = [
  ['POST /wallets', /\$wlt\.|"luid"/],
  ['GET /wallets/{id}', /savings/],
  ['PUT /wallets/{id}', /changed|^$/],
  ['POST /wallets/{id}/proofs', /seen|^$/],
  ['POST /wallets/{id}/access/!check', /data/],
  ['GET /wallets/{id}/changes', /changed/],
  ['POST /wallets/{id}/drop', /^$/],
  ['GET /signers', /system/],
  ['GET /log/checkpoint', /countersign\/|not-found/],
] as const;

const tsx = ['--import', 'tsx'];

/** Runs a text as its language does; returns what it printed. */
async function ran(language: SampleLanguage, text: string): Promise<string> {
  const run = promisify(execFile);
  if (language === 'curl') {
    const command = `${process.execPath} --import tsx ${resolve('localstack/command/main.ts')}`;
    const { stdout } = await run('bash', ['-ec', text.replaceAll('npx countersign', command)], {
      env,
    });
    return stdout;
  }
  if (language === 'python') {
    const { stdout } = await run(String(python), ['-c', text], { env, cwd: folder });
    return stdout;
  }
  const path = resolve(folder, 'sample.mts');
  writeFileSync(
    path,
    text.replace("'countersign/client'", `'${resolve('shared/client/client.ts')}'`),
  );
  const { stdout } = await run(process.execPath, [...tsx, path], { env });
  return stdout;
}

const languages = [
  'curl',
  'typescript',
  ...(python ? ['python'] : []),
] as const as SampleLanguage[];

test.each(languages)('the samples in %s lead a wallet through its life', async (language) => {
  const handle = unique('sample');
  for (const [endpoint, answer] of steps) {
    const info = operationInfoOf(endpoint);
    const { [language]: sample } = samplesOf(info, requestExample(openApi, info));
    const text = sample.replaceAll(sampleBase, home.url).replaceAll('alice', handle);
    expect([endpoint, await ran(language, text).catch(String)]).toEqual([
      endpoint,
      expect.stringMatching(answer),
    ]);
  }
});
