/**
 * Goal: what `npm run synth` makes is what Lambda can run. Method: it is run once, as a person runs
 * it, but with no credentials, network or Docker; then its bundles are weighed and started.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { groups, workers } from '../../infra/topology.ts';
import { belongsElsewhere, carried } from '../infra/carried.ts';
import { owner } from '../infra/template.ts';
import { partOf } from '../tidy/documents.ts';

const names = [...Object.keys(groups), ...Object.keys(workers)];
const output = mkdtempSync(join(tmpdir(), 'countersign-synth-'));
const bundleBytesMax = 930_000;
/** The reporter makes PDFs, and no request waits for its start. `status` has the OpenAPI document. */
const largerBundles: Readonly<Record<string, number>> = { reporter: 1_040_000, status: 1_005_000 };
const nowhere = 'http://127.0.0.1:9';

interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>
  >;
}
interface Template {
  readonly Resources: Readonly<Record<string, { readonly Metadata?: Record<string, string> }>>;
}

beforeAll(() => {
  const started = performance.now();
  const { status, stderr } = spawnSync(
    'node_modules/.bin/cdk',
    ['synth', '--quiet', '--output', output, '--context', `owner=${owner}`],
    { env: isolated(), encoding: 'utf8' },
  );
  expect(stderr).not.toMatch(/\[(Warning|Error) at|feature flags/);
  expect(status).toBe(0);
  tell(`cdk synth: ${((performance.now() - started) / 1000).toFixed(1)} s`);
});

afterAll(() => rmSync(output, { recursive: true }));

test('cdk synth passes without credentials, network or Docker', () => {
  expect(readdirSync(output)).toContain('Countersign.template.json');
});

// The checks of AwsSolutions run in each synthesis; what they find ends it.
test('cdk synth checks what it makes, and says that all is in order', () => {
  const app = readFileSync('infra/app.ts', 'utf8');
  expect(app).toContain('addPlugins(new AwsSolutionsChecks(app))');
});

/** The licences of packages that ask to be named, beside a bundle that has such. */
const licences = 'index.mjs.LEGAL.txt';
/** The files of pages, beside the bundle that serves them. */
const beside: Readonly<Record<string, string>> = { console: 'assets.json', docs: 'docs.json' };

test('a bundle is one ES module, beside it its licences and the files of its pages, and its source map lies aside', () => {
  const aside = names.flatMap((name) => [`${name}.meta.json`, `${name}.mjs.map`]);
  expect(readdirSync(join(output, 'bundles')).sort()).toEqual(aside.sort());
  for (const name of names)
    expect(readdirSync(assetOf(name)).filter((file) => file !== licences)).toEqual([
      ...(beside[name] === undefined ? [] : [beside[name]]),
      'index.mjs',
    ]);
  expect(readFileSync(join(assetOf('wallets'), licences), 'utf8')).toContain('MIT License');
});

test('no bundle carries what belongs elsewhere', () => {
  for (const name of names) {
    const inputs = inputsOf(name);
    expect(inputs).toContain(`functions/${name}/handler.ts`);
    expect(inputs.filter(belongsElsewhere), name).toEqual([]);
  }
});

test.each(carried)('what is heavy is carried by who uses it: $what', ({ where, by }) => {
  const carriers = names.filter((name) => inputsOf(name).some((path) => where.test(path)));
  expect(carriers.sort()).toEqual(by.toSorted());
});

test(`every bundle is smaller than ${bundleBytesMax / 1000} KB, but for those that say why`, () => {
  const sizes = names.map((name) => {
    const { size } = statSync(join(assetOf(name), 'index.mjs'));
    return [name, size] as const;
  });
  tell(sizes.map(([name, size]) => `${name} ${Math.round(size / 1000)} KB`).join(', '));
  expect(sizes.filter(([name, size]) => size >= (largerBundles[name] ?? bundleBytesMax))).toEqual(
    [],
  );
});

test('the manual has the sizes of the bundles, in hundreds of KB', () => {
  const namesBySize = new Map<number, string[]>();
  const sizeOf = (name: string) => statSync(join(assetOf(name), 'index.mjs')).size;
  for (const name of names) {
    const size = Math.round(sizeOf(name) / 100_000) * 100;
    namesBySize.set(size, [...(namesBySize.get(size) ?? []), `\`${name}\``].sort());
  }
  const rows = [...namesBySize]
    .sort(([one], [other]) => one - other)
    .map(([size, those]) => `| ${size.toLocaleString('en')} KB | ${those.join(', ')} |`);
  const table = ['| some | functions |', '| --- | --- |', ...rows].join('\n');
  const remedy = 'UPDATE_DOCS=1 npm test -- --project package';
  expect(partOf('infra/README.md', 'bundle sizes', table), remedy).toBe(table);
});

// Node 24 on Lambda refuses handlers that take a callback, its third argument.
test('every bundle starts and has a handler that takes no callback', () => {
  const paths = names.map((name) => join(assetOf(name), 'index.mjs'));
  const told = ran(`
    const lengths = [];
    for (const path of ${JSON.stringify(paths)}) lengths.push((await import(path)).handler.length);
    console.log(JSON.stringify(lengths));
  `);
  for (const length of told as number[]) expect(length).toBeLessThan(3);
  expect(told).toHaveLength(names.length);
});

test('a bundle that cannot reach its database answers an error in JSON', () => {
  const event = {
    httpMethod: 'GET',
    path: '/',
    headers: {},
    requestContext: { requestId: 'request-1' },
    body: null,
  };
  const answer = ran(`
    const { handler } = await import(${JSON.stringify(join(assetOf('status'), 'index.mjs'))});
    const context = { awsRequestId: 'a', getRemainingTimeInMillis: () => 29_000 };
    console.log(JSON.stringify(await handler(${JSON.stringify(event)}, context)));
    process.exit(0);
  `) as { statusCode: number; headers: Record<string, string>; body: string };
  expect(answer).toMatchObject({
    statusCode: 500,
    headers: { 'content-type': 'application/json', 'x-request-id': 'request-1' },
  });
  expect(JSON.parse(answer.body)).toMatchObject({ data: { reason: 'api.unexpected-error' } });
});

/** The environment of a machine that knows no AWS, has no network and no Docker. */
function isolated(): NodeJS.ProcessEnv {
  const known = Object.entries(process.env).filter(([name]) => !/^(AWS|CDK|VITEST)/i.test(name));
  return {
    ...Object.fromEntries(known),
    HOME: output,
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DOCKER: 'false',
    HTTPS_PROXY: nowhere,
    HTTP_PROXY: nowhere,
  };
}

/** What a script prints that runs as a function runs, but has no credentials to reach AWS with. */
function ran(script: string): unknown {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '-e', script],
    {
      env: {
        PATH: process.env['PATH'],
        TABLE_NAME: 'table',
        KMS_KEY_ID: 'key',
        LEDGER_HANDLE: 'main',
        SERVER_URLS: 'https://ledger.example/v2',
        EVENT_BUS_NAME: 'bus',
        LEDGER_LOG: 'none',
        AWS_REGION: 'eu-central-1',
        AWS_EC2_METADATA_DISABLED: 'true',
        HOME: output,
      },
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** The folder that is uploaded for a function. */
function assetOf(name: string): string {
  const text = readFileSync(join(output, 'Countersign.template.json'), 'utf8');
  const { Resources } = JSON.parse(text) as Template;
  const path = `Countersign/${name}/Function/Resource`;
  const found = Object.values(Resources).find(
    ({ Metadata }) => Metadata?.['aws:cdk:path'] === path,
  );
  return join(output, found?.Metadata?.['aws:asset:path'] ?? '');
}

/** The files that a bundle is made of. */
function inputsOf(name: string): string[] {
  const text = readFileSync(join(output, 'bundles', `${name}.meta.json`), 'utf8');
  const { outputs } = JSON.parse(text) as Metafile;
  return Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
