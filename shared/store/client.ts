/**
 * The client of the database. Most of what a request to DynamoDB costs us is the SDK's own work,
 * so connections are kept and the steps that only report on themselves are taken out (measured:
 * 0.75 ms of CPU per transaction become 0.55; the document client adds 0.1, which its plainness is
 * worth). An emulator is spoken to without the SDK (`emulator-client.ts`).
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { emulatorClient, isOfStore } from './emulator-client.ts';

export interface TableClientOptions {
  /**
   * DynamoDB Local, LocalStack; that of a region of AWS, from elsewhere than a function; or a file, by its `file:`
   * address, where one can be opened.
   */
  readonly endpoint?: string;
  readonly region?: string;
}

/** The client of the tables in a file: it answers the commands of the ledger. */
export type FileClient = Pick<DynamoDBDocumentClient, 'send' | 'destroy'>;

const socketCountMax = 128;

// One attempt. A slow one is given up and asked for again by `retry.ts`, which knows what is safe.
const connectionMs = 1000;
const attemptMs = 3000;

// `retryMiddleware` stays: others refuse to run without it. With one attempt it costs little.
const needlessSteps = [
  'getUserAgentMiddleware',
  'loggerMiddleware',
  'recursionDetectionMiddleware',
];

let openFile: ((address: string) => FileClient) | undefined;

/** Gives `tableClient` the database in files, which is no part of what runs on AWS. */
export function provideFiles(open: (address: string) => FileClient): void {
  openFile = open;
}

/** True for the address of a file. */
export function isFile(endpoint: string): boolean {
  return endpoint.startsWith('file:');
}

/**
 * A client for `dynamoStore`. Numbers are read as bigints: amounts are exact. Ruling 39. The requests of the store go to
 * an emulator without the SDK, which takes a third of the CPU; all other commands, such as scans, go through the SDK.
 */
export function tableClient(options: TableClientOptions = {}): DynamoDBDocumentClient {
  const { endpoint, region } = options;
  if (endpoint !== undefined && isFile(endpoint)) return fileClientAt(endpoint);
  const client = new DynamoDBClient(configOf(options));
  for (const step of needlessSteps) client.middlewareStack.remove(step);
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: BigInt },
  });
  if (endpoint === undefined || !isDirect(endpoint)) return documents;
  const headers = headersOf(region);
  const direct = emulatorClient({ endpoint, headers, socketCountMax, attemptMs });
  const sendBySdk = documents.send.bind(documents) as Send;
  const send: Send = (command, ...more) =>
    isOfStore(command) ? direct.send(command as never, ...more) : sendBySdk(command, ...more);
  return Object.assign(documents, { send });
}

function fileClientAt(address: string): DynamoDBDocumentClient {
  if (!openFile) throw new Error(`Nothing here opens a file: ${address}.`);
  return openFile(address) as DynamoDBDocumentClient;
}

/** Sends any command. */
type Send = (command: object, ...more: object[]) => Promise<unknown>;

/** True for an emulator that is spoken to in plain text. */
function isDirect(endpoint: string): boolean {
  return endpoint.startsWith('http://') && !endpoint.includes('.amazonaws.com');
}

function configOf({ endpoint, region }: TableClientOptions): DynamoDBClientConfig {
  const agentOptions = { keepAlive: true, maxSockets: socketCountMax };
  return {
    maxAttempts: 1,
    requestHandler: {
      httpAgent: new HttpAgent(agentOptions),
      httpsAgent: new HttpsAgent(agentOptions),
      connectionTimeout: connectionMs,
      requestTimeout: attemptMs,
      throwOnRequestTimeout: true,
    },
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint, ...speakerAt(endpoint, region) }),
  };
}

/** The settings for an endpoint: credentials of the environment for AWS, none for an emulator. */
function speakerAt(endpoint: string, region: string | undefined): DynamoDBClientConfig {
  const found = regionAt(endpoint);
  return found === undefined ? emulated(region) : { region: region ?? found };
}

/** The AWS region of an endpoint; undefined for an emulator. */
export function regionAt(endpoint: string): string | undefined {
  return /^https:\/\/dynamodb\.([\w-]+)\.amazonaws\.com(?:\.cn)?\/?$/.exec(endpoint)?.[1];
}

/**
 * An emulator requires a region and an access key, and does not check the signature. Requests to it are not signed,
 * which saves a third of their cost.
 */
function emulated(region = 'local'): DynamoDBClientConfig {
  const headers = headersOf(region);
  return {
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    signer: {
      sign: async (request) => {
        Object.assign(request.headers, headers);
        return request;
      },
    },
  };
}

/** The headers in place of a signature. */
function headersOf(region = 'local'): Readonly<Record<string, string>> {
  const authorization = `AWS4-HMAC-SHA256 Credential=local/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;
  return { authorization, 'x-amz-date': '20260101T000000Z' };
}
