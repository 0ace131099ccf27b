/** Goal: a function's process gets what Lambda gives it, and how it ends is told as Lambda tells it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bootstrapIn } from '../lambda/bootstrap-file.ts';
import { lambdaFunction } from '../lambda/function.ts';
import { type FunctionSettings, type Host, startInstance } from '../lambda/instance.ts';
import type { Failure, Outcome } from '../lambda/runtime-api.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-lambda-')));
const lines: string[] = [];
const host: Host = { bootstrap: bootstrapIn(folder), onLine: (_, line) => lines.push(line) };
afterAll(() => rmSync(folder, { recursive: true }));

/** A function of this code, in a folder of its own. */
function settingsOf(name: string, code: string, timeoutSeconds = 20): FunctionSettings {
  const root = join(folder, name);
  mkdirSync(root);
  writeFileSync(join(root, 'index.mjs'), code);
  const environment = { TABLE_NAME: 'table' };
  return { name, root, handler: 'index.handler', memoryMiB: 1024, timeoutSeconds, environment };
}

/** What the function answers to an event. */
async function answerOf(settings: FunctionSettings, event: unknown = {}): Promise<Outcome> {
  const instance = await startInstance(settings, host);
  try {
    return await instance.invoke(event);
  } finally {
    await instance.end();
  }
}

const saidIn = (outcome: Outcome): unknown => 'answer' in outcome && JSON.parse(outcome.answer);
const failureIn = (outcome: Outcome): Failure | false => 'failure' in outcome && outcome.failure;

test('a function knows what it is told and nothing of who started it', async () => {
  process.env['OF_THE_STARTER'] = 'yes';
  const code = `export const handler = async (event) => ({ event, env: process.env, cwd: process.cwd() });`;
  const outcome = await answerOf(settingsOf('told', code), { some: 'event' });
  const { event, env, cwd } = saidIn(outcome) as Record<string, Record<string, string>>;
  expect(event).toEqual({ some: 'event' });
  expect(cwd).toBe(join(folder, 'told'));
  expect(env).toMatchObject({
    ...{ TABLE_NAME: 'table', AWS_LAMBDA_FUNCTION_NAME: 'told', _HANDLER: 'index.handler' },
    ...{ LAMBDA_TASK_ROOT: cwd, AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'local' },
  });
  expect(env?.['_X_AMZN_TRACE_ID']).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=/);
  for (const name of ['OF_THE_STARTER', 'HOME', 'NODE_OPTIONS', 'DYNAMODB_ENDPOINT'])
    expect(env).not.toHaveProperty(name);
});

test('the context says who is called, for whom and how long', async () => {
  const code = `export const handler = async (_, context) => ({
    ...context, remainingMs: context.getRemainingTimeInMillis() });`;
  const context = saidIn(await answerOf(settingsOf('context', code))) as Record<string, number>;
  expect(context).toMatchObject({
    ...{ functionName: 'context', functionVersion: '$LATEST', memoryLimitInMB: '1024' },
    invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:context',
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    callbackWaitsForEmptyEventLoop: true,
  });
  expect(context['remainingMs']).toBeGreaterThan(0);
  expect(context['remainingMs']).toBeLessThanOrEqual(20_000);
});

test('a package that is not in the bundle is missing', async () => {
  const settings = settingsOf('missing', `import 'zod'; export const handler = async () => 1;`);
  await expect(startInstance(settings, host)).rejects.toMatchObject({
    failure: { errorMessage: expect.stringContaining(`Cannot find package 'zod'`) },
  });
});

test('a bundle without the handler does not start', async () => {
  const settings = settingsOf('nameless', 'export const other = 1;');
  await expect(startInstance(settings, host)).rejects.toThrow('exports no function handler');
});

test('an instance that fails is told with its error, and goes on', async () => {
  const code = `let count = 0; export const handler = async ({ fails }) => {
    count += 1; if (fails) throw new TypeError('no'); return count; };`;
  const instance = await startInstance(settingsOf('fails', code), host);
  const failed = failureIn(await instance.invoke({ fails: true }));
  expect(failed).toMatchObject({ errorType: 'TypeError', errorMessage: 'no' });
  expect(saidIn(await instance.invoke({}))).toBe(2);
  await instance.end();
});

test('what nobody catches ends the instance', async () => {
  const code = `export const handler = () => new Promise(() => { Promise.reject(new Error('lost')); });`;
  const failed = failureIn(await answerOf(settingsOf('lost', code)));
  expect(failed).toMatchObject({
    errorType: 'Runtime.UnhandledPromiseRejection',
    errorMessage: 'lost',
  });
});

test('an instance that exits is told', async () => {
  const code = `export const handler = () => process.exit(3);`;
  const failed = failureIn(await answerOf(settingsOf('exits', code)));
  expect(failed).toEqual({
    errorType: 'Runtime.ExitError',
    errorMessage: 'Runtime exited with exit code: 3',
  });
});

test('an instance that runs out of time is ended', async () => {
  const code =
    'export const handler = () => new Promise((resolve) => setTimeout(resolve, 60_000));';
  const instance = await startInstance(settingsOf('slow', code, 5), host);
  expect(failureIn(await instance.invoke({}))).toMatchObject({
    errorType: 'Sandbox.Timedout',
    errorMessage: expect.stringContaining('Task timed out after 5.00 seconds'),
  });
  await instance.end();
  expect(instance.isAlive()).toBe(false);
});

test('an answer of more than 6 MB is none', async () => {
  const code = `export const handler = async ({ size }) => 'x'.repeat(size);`;
  const instance = await startInstance(settingsOf('large', code), host);
  const most = 6 * 1024 * 1024 - 2;
  expect(saidIn(await instance.invoke({ size: most }))).toHaveLength(most);
  expect(failureIn(await instance.invoke({ size: most + 1 }))).toMatchObject({
    errorType: 'Function.ResponseSizeTooLarge',
  });
  await instance.end();
});

test('what a function writes is taken line by line', async () => {
  const code = `export const handler = async () => { console.log('one\\ntwo'); console.error('three'); };`;
  expect(saidIn(await answerOf(settingsOf('speaks', code)))).toBe(null);
  expect(lines.filter((line) => /^(one|two|three)$/.test(line)).sort()).toEqual([
    ...['one', 'three', 'two'],
  ]);
});

const marks = `import { randomUUID } from 'node:crypto'; const mark = randomUUID(); let busy = false;
  export const handler = async () => { if (busy) throw new Error('two at a time'); busy = true;
  await new Promise((resolve) => setTimeout(resolve, 200)); busy = false; return mark; };`;

test('a busy function starts instances up to its places, of one event at a time each', async () => {
  const many = lambdaFunction(settingsOf('many', marks), host, { reserved: 2, machine: 5 });
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map((n) => many.invoke({ n })));
  expect(new Set(outcomes.map(saidIn)).size).toBe(2);
  expect(outcomes.filter(failureIn)).toEqual([]);
  await many.stop();
});

test('a warm instance is used again, and a dead one is replaced', async () => {
  const code = `let count = 0; export const handler = async ({ dies }) => {
    count += 1; if (dies) process.exit(1); return count; };`;
  const one = lambdaFunction(settingsOf('warm', code), host, { machine: 3 });
  expect(saidIn(await one.invoke({}))).toBe(1);
  expect(saidIn(await one.invoke({}))).toBe(2);
  expect(failureIn(await one.invoke({ dies: true }))).toMatchObject({
    errorType: 'Runtime.ExitError',
  });
  expect(saidIn(await one.invoke({}))).toBe(1);
  await one.stop();
});

test('an instance that is about to end is not used again', async () => {
  const code = `let count = 0; export const handler = ({ lost, slow }) => {
    count += 1; if (lost) Promise.reject(new Error('lost'));
    return lost || slow ? new Promise((resolve) => setTimeout(resolve, 60_000)) : count; };`;
  const one = lambdaFunction(settingsOf('ending', code, 5), host, { machine: 1 });
  for (const how of ['lost', 'slow', 'lost']) {
    expect(saidIn(await one.invoke({}))).toBe(1);
    const errorType = how === 'lost' ? 'Runtime.UnhandledPromiseRejection' : 'Sandbox.Timedout';
    expect(failureIn(await one.invoke({ [how]: true }))).toMatchObject({ errorType });
  }
  expect(saidIn(await one.invoke({}))).toBe(1);
  await one.stop();
});

test('a function that does not start answers each event with why', async () => {
  const broken = lambdaFunction(settingsOf('broken', `throw new Error('at once');`), host, {
    machine: 1,
  });
  for (const n of [1, 2])
    expect(failureIn(await broken.invoke({ n }))).toMatchObject({ errorMessage: 'at once' });
  await broken.stop();
});
