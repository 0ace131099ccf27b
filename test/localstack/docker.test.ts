/**
 * Goal: the commands of LocalStack do one thing after the other, tell what is missing, and leave
 * alone what is not theirs. Method: the `docker`, `cdklocal` and `npm` on their path only write down
 * what they are told, and fail where a test wants it. No Docker engine is needed, and none is used.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A tool that writes down its call, and fails when its call begins with `FAILS`. */
const pretender = `#!${process.execPath}
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const [tool, ...args] = [require('node:path').basename(process.argv[1]), ...process.argv.slice(2)];
const call = [tool, ...args].join(' ');
const aws = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_')).sort();
appendFileSync(process.env.CALLS, JSON.stringify({ call, aws: Object.fromEntries(aws) }) + '\\n');
if (process.env.FAILS && call.includes(process.env.FAILS)) {
  process.stderr.write(tool + ' is unwell\\nand says more\\n');
  process.exit(7);
}
const outputs = args[args.indexOf('--outputs-file') + 1];
if (args.includes('--outputs-file')) {
  mkdirSync(require('node:path').dirname(outputs), { recursive: true });
  writeFileSync(outputs, JSON.stringify({ Countersign: { Founder: 'Countersign-found-1' } }));
}
`;

interface Call {
  readonly call: string;
  readonly aws: Readonly<Record<string, string>>;
}

/** What a LocalStack that pretends was asked, and what it answers a call of a function with. */
const asked: string[] = [];
let answer: { status: number; headers: Record<string, string>; body: string };
let server: Server;
let folder: string;
let port: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-docker-'));
  mkdirSync(join(folder, 'bin'));
  for (const tool of ['docker', 'cdklocal', 'npm'])
    writeFileSync(join(folder, 'bin', tool), pretender, { mode: 0o755 });
  answer = { status: 200, headers: {}, body: '{"ledger":"main","public":"abc="}' };
  asked.length = 0;
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});

afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  readonly calls: readonly Call[];
}

/** Runs a command of LocalStack in a folder of its own, with nothing but our tools on its path. */
async function ran(command: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  const script = join(process.cwd(), 'localstack', 'command', 'main.ts');
  const tsx = import.meta.resolve('tsx');
  const child = spawn(process.execPath, ['--import', tsx, script, 'localstack', command], {
    cwd: folder,
    env: { PATH: join(folder, 'bin'), CALLS: calls, EDGE_PORT: String(port), ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (out += String(part)));
  child.stderr.on('data', (part: Buffer) => (err += String(part)));
  const [status] = (await once(child, 'close')) as [number | null];
  const lines = readFileSync(calls, 'utf8').split('\n').filter(Boolean);
  return { status, out, err, calls: lines.map((line) => JSON.parse(line) as Call) };
}

/** What a call gives to the app: the values of its `-c name=value`. */
function contextIn(args: readonly string[]): Record<string, string> {
  const said = args.filter((_, at) => args[at - 1] === '-c').map((text) => text.split('='));
  return Object.fromEntries(said.map(([name = '', ...value]) => [name, value.join('=')]));
}

/** Runs the app of `cdk.json` as the CDK does, without the bundles, which a bootstrap does not make either. */
function appWith(context: Record<string, string>) {
  const { app, context: usual } = JSON.parse(readFileSync('cdk.json', 'utf8')) as {
    readonly app: string;
    readonly context: object;
  };
  const [, ...args] = app.split(' ');
  const all = { ...usual, 'aws:cdk:bundling-stacks': [], ...context };
  const env = { CDK_CONTEXT_JSON: JSON.stringify(all), CDK_OUTDIR: join(folder, 'cdk.out') };
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...env } });
}

const file = join(process.cwd(), 'localstack', 'docker-compose.yml');
const looks = ['docker version --format {{.Server.Version}}', 'docker compose version'];
const namesOf = ({ calls }: Ran) => calls.map(({ call }) => call);
const advised = /`countersign localstack down` removes them/;
const traces = /\n\s+at |node:internal/;

describe('countersign localstack', () => {
  test('starts, bootstraps, deploys, makes the ledger and tells the address', async () => {
    const up = await ran('up');
    const address = `http://localhost:${port}/_aws/execute-api/countersign/v2`;
    expect(up.err.split('\n').filter((line) => !line.startsWith('> '))).toEqual(['']);
    const context = `-c localstack=countersign -c serverUrls=${address} -c access=open`;
    expect(namesOf(up)).toEqual([
      ...looks,
      `docker compose --file ${file} up --detach --wait`,
      `cdklocal bootstrap aws://000000000000/us-east-1 ${context}`,
      `cdklocal deploy --require-approval never --outputs-file cdk.out/localstack.json ${context}`,
    ]);
    expect(asked).toEqual(['POST /2015-03-31/functions/Countersign-found-1/invocations']);
    expect(up.out).toBe(`Countersign is ready at ${address} (ledger main, key abc=)\n`);
    expect(up.status).toBe(0);
  });

  // The CDK runs the app for the bootstrap as for the deployment, each time with what it is told then.
  test('tells the app each time what it needs to know', async () => {
    const calls = namesOf(await ran('up')).filter((call) => call.startsWith('cdklocal '));
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      const app = appWith(contextIn(call.split(' ')));
      expect([call, app.stderr, app.status]).toEqual([call, '', 0]);
    }
    expect(appWith({})).toMatchObject({ status: 1, stderr: expect.stringContaining('owner') });
  });

  test('asks LocalStack alone: the credentials of its caller stay with its caller', async () => {
    const mine = { AWS_ACCESS_KEY_ID: 'mine', AWS_PROFILE: 'bank', AWS_ENDPOINT_URL_STS: 'there' };
    const here = `http://127.0.0.1:${port}`;
    for (const { call, aws } of (await ran('up', mine)).calls)
      expect(aws, call).toEqual({ AWS_ENDPOINT_URL: here, AWS_ENDPOINT_URL_S3: here });
  });

  test('without docker says so, and calls nothing', async () => {
    const up = await ran('up', { PATH: '' });
    expect(up.err).toBe(
      'LocalStack runs in Docker, and there is no command docker. Without Docker, `countersign start` runs the same handlers on this machine.\n',
    );
    expect(up).toMatchObject({ status: 1, out: '', calls: [] });
  });

  test('without an engine says so, with what docker complains of, and goes no further', async () => {
    const up = await ran('up', { FAILS: 'docker version' });
    expect(up.err).toBe(
      'LocalStack runs in Docker, and no Docker engine answers (docker is unwell). Without Docker, `countersign start` runs the same handlers on this machine.\n',
    );
    expect(namesOf(up)).toEqual(looks.slice(0, 1));
    expect(up.status).toBe(1);
  });

  test('without compose says so, and goes no further', async () => {
    const up = await ran('up', { FAILS: 'compose version' });
    expect(up.err).toMatch(/^Docker has no compose, .+\n$/);
    expect(namesOf(up)).toEqual(looks);
    expect(up.status).toBe(1);
  });

  test.each([
    ['up --detach', 'docker compose up ended with 7.', 3],
    ['cdklocal bootstrap', 'cdklocal bootstrap ended with 7.', 4],
    ['cdklocal deploy', 'cdklocal deploy ended with 7.', 5],
  ])(
    'when %j fails, goes no further, takes nothing away and tells how to',
    async (step, why, count) => {
      const up = await ran('up', { FAILS: step });
      expect(up.err).toContain(`${why}\n`);
      expect(up.err).toMatch(advised);
      expect(up.err).not.toMatch(traces);
      expect(up).toMatchObject({ status: 1, out: '' });
      expect(up.calls).toHaveLength(count);
      expect(asked).toEqual([]);
    },
  );

  test.each([
    [200, { 'x-amz-function-error': 'Unhandled' }, '{"errorMessage":"no table"}'],
    [404, {}, '{"Message":"no function"}'],
  ])(
    'says what the maker of the ledger said when it failed with %i',
    async (status, headers, body) => {
      answer = { status, headers: headers as Record<string, string>, body };
      const up = await ran('up');
      expect(up.err).toContain(`The default ledger was not made: ${status} ${body}\n`);
      expect(up.err).toMatch(advised);
      expect(up.err).not.toMatch(traces);
      expect(up).toMatchObject({ status: 1, out: '' });
    },
  );

  test('without cdklocal says so', async () => {
    rmSync(join(folder, 'bin', 'cdklocal'));
    const up = await ran('up');
    expect(up.err).toContain('There is no command cdklocal here.\n');
    expect(up.err).not.toMatch(traces);
    expect(up.status).toBe(1);
  });
});

describe('countersign localstack test', () => {
  test('runs the end-to-end tests against the address', async () => {
    const tested = await ran('test');
    const address = `http://localhost:${port}/_aws/execute-api/countersign/v2`;
    expect(asked).toEqual(['GET /_aws/execute-api/countersign/v2']);
    expect(namesOf(tested)).toEqual([`npm run test:e2e -- --url ${address}`]);
    expect(tested.status).toBe(0);
  });

  test('fails when they do', async () => {
    expect(await ran('test', { FAILS: 'test:e2e' })).toMatchObject({ status: 1 });
  });

  test('says how to start what does not answer, and runs nothing', async () => {
    server.close();
    const tested = await ran('test');
    expect(tested.err).toMatch(/^Nothing answers at .+ `countersign localstack` starts it\.\n$/);
    expect(tested).toMatchObject({ status: 1, calls: [] });
  });
});

describe('countersign localstack down', () => {
  test('takes all of it away', async () => {
    const down = await ran('down');
    const last = `docker compose --file ${file} down --volumes --remove-orphans`;
    expect(namesOf(down)).toEqual([...looks, last]);
    expect(down.status).toBe(0);
  });

  test('without an engine says so', async () => {
    const down = await ran('down', { FAILS: 'docker version' });
    expect(down.err).toMatch(/^LocalStack runs in Docker, and no Docker engine answers .+\n$/);
    expect(down.status).toBe(1);
  });
});

// A tag that moves would one day be an image that wants an account.
test('the image is pinned, and answers this machine only', () => {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/image: localstack\/localstack:4\.14\.0\n/);
  const [, ports = ''] = /ports:\n((?:\s+- .+\n)+)/.exec(text) ?? [];
  expect(ports.trim().split('\n')).toEqual([expect.stringMatching(/^- '127\.0\.0\.1:.+:4566'$/)]);
  expect(text).not.toMatch(/AUTH_TOKEN|localstack-pro|apigatewayv2|cognito|waf/i);
});
