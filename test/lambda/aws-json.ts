/**
 * The JSON protocols of AWS, as much of them as is asked here: a server that stands in for a service, and a
 * call to one. https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What is sent and answered. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a service does, by the name of the operation. */
export type Operations = Readonly<Record<string, (input: Fields) => Fields | Promise<Fields>>>;

/** A no of a service: its code, and why. */
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

/** Serves the operations of `<prefix>.<operation>`; another one is unknown, as on AWS. */
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

/** Asks an emulator, which wants to be told by whom it is asked and does not check it. */
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
