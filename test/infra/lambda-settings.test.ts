/** Goal: a function here is told what the template tells it, by the same names, and has its limits. */
import { expect, test } from 'vitest';
import { functionNames } from '../../infra/bundling.ts';
import { busName, deployed, keyArn, tableName } from '../lambda/deployed.ts';
import { functionsOf, templateOf } from './template.ts';

const address = 'http://127.0.0.1:4000/v2';
const parameters = { ledger: 'bank', owner: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=' };
const here = deployed(address, parameters);
const there = functionsOf(templateOf(parameters));

test('every function is here', () => {
  expect([...here.keys()].sort()).toEqual([...there.keys()].sort());
  expect([...here.keys()].sort()).toEqual([...functionNames].sort());
});

test.each(functionNames)('%s knows what it knows on AWS, and has as much time and room', (name) => {
  const { Properties = {} } = there.get(name) ?? {};
  const { Environment, Timeout, MemorySize, ReservedConcurrentExecutions, Handler } = Properties;
  const { Variables } = Environment as { readonly Variables: object };
  const found = here.get(name);
  expect(Object.keys(found?.environment ?? {}).sort()).toEqual(Object.keys(Variables).sort());
  expect(found).toMatchObject({
    timeoutSeconds: Timeout,
    memoryMiB: MemorySize,
    handler: Handler,
    environment: {
      TABLE_NAME: tableName,
      KMS_KEY_ID: keyArn,
      LEDGER_HANDLE: 'bank',
      SERVER_URLS: `${address},${address.replace('127.0.0.1', 'localhost')}`,
    },
  });
  expect(found?.reserved).toBe(ReservedConcurrentExecutions);
});

test('who uses the bus knows its name', () => {
  const names = [...here].filter(([, { environment }]) => 'EVENT_BUS_NAME' in environment);
  expect(names.map(([name]) => name).sort()).toEqual(['relay', 'sweeper']);
  for (const [, { environment }] of names) expect(environment['EVENT_BUS_NAME']).toBe(busName);
});
