import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tableClient } from '../../shared/store/client.ts';

const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' };
const before = { ...process.env };
beforeAll(() => void Object.assign(process.env, credentials));
afterAll(() => {
  process.env = before;
});

/** The `authorization` that a client sends to an endpoint; nothing leaves this process. */
async function authorizationTo(endpoint: string): Promise<string | undefined> {
  let said: string | undefined;
  const client = tableClient({ endpoint });
  client.middlewareStack.add(
    () => async (step) => {
      const { headers } = step.request as { readonly headers: Record<string, string> };
      said = headers['authorization'] ?? headers['Authorization'];
      throw new Error('It goes no further.');
    },
    { step: 'deserialize' },
  );
  const asked = client.send(new GetCommand({ TableName: 'table', Key: { pk: 'a', sk: 'b' } }));
  await expect(asked).rejects.toThrow('It goes no further.');
  return said;
}

test.each([
  ['https://dynamodb.eu-central-1.amazonaws.com', 'eu-central-1'],
  ['https://dynamodb.cn-north-1.amazonaws.com.cn/', 'cn-north-1'],
])('a request to %s is signed by whoever one is there', async (endpoint, region) => {
  const said = await authorizationTo(endpoint);
  expect(said).toMatch(new RegExp(`Credential=AKIDEXAMPLE/\\d{8}/${region}/dynamodb/aws4_request`));
  expect(said).toMatch(/Signature=[0-9a-f]{64}$/);
});

test.each([
  'https://127.0.0.1:8000',
  'https://dynamodb.eu-central-1.amazonaws.com.example',
  'http://dynamodb.eu-central-1.amazonaws.com',
])('a request to %s tells nobody who one is', async (endpoint) => {
  expect(await authorizationTo(endpoint)).not.toContain(credentials.AWS_ACCESS_KEY_ID);
});
