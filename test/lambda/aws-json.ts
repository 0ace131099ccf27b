/**
 * The JSON protocols of AWS, as far as the emulator needs them: a server that emulates a service, and a call to a
 * service. https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export type Fields = Readonly<Record<string, unknown>>;

/** Implementations by name of the operation. */
export type Operations = Readonly<Record<string, (input: Fields) => Fields | Promise<Fields>>>;

/** An error of a service: its code, and a message. */
export class ServiceError extends Error {
  constructor(code: string, why: string) {
    super(why);
    this.name = code;
  }
}

export interface Service {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

/** Serves the targets `<prefix>.<operation>`; an unknown one is an error, as on AWS. */
export async function serve(prefix: string, operations: Operations): Promise<Service> {
  const answer = async (message: IncomingMessage): Promise<Fields> => {
    const [target, name = ''] = String(message.headers['x-amz-target']).split('.');
    const operation = target === prefix ? operations[name] : undefined;
    if (!operation) throw new ServiceError('UnknownOperationException', `No ${target}.${name}.`);
    return operation((await json(message)) as Fields);
  };
  const server = createServer((message, response) => {
    answer(message).then(
      (output) => say(response, 200, output),
      (error: Error) => say(response, 400, { __type: error.name, message: error.message }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => close(server) };
}

/** Calls an emulated service, which requires a signature and does not verify it. */
export async function call<Output>(
  endpoint: string,
  target: string,
  input: Fields,
): Promise<Output> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      'x-amz-date': '20260101T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${target}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as Output;
}

function say(response: ServerResponse, status: number, output: Fields): void {
  response
    .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
    .end(JSON.stringify(output));
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
