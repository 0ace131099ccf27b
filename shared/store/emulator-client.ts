/**
 * The client of an emulator: the requests of this layer in DynamoDB's own JSON, without the SDK. Encoding, decoding and
 * the steps of the SDK take most of the CPU that a request costs here. An emulator checks no signature, so nothing else
 * of the SDK is missed. On AWS the SDK itself speaks. Decision 123.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
 */
import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { keptConnections } from './kept-connections.ts';
import type { TableClient } from './request.ts';

export interface EmulatorOptions {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly socketCountMax: number;
  /** The time limit of one request, in milliseconds. */
  readonly attemptMs: number;
}

const operations = [
  [TransactWriteCommand, 'TransactWriteItems'],
  [BatchGetCommand, 'BatchGetItem'],
  [QueryCommand, 'Query'],
  [BatchWriteCommand, 'BatchWriteItem'],
  [UpdateCommand, 'UpdateItem'],
  [GetCommand, 'GetItem'],
] as const;

type StoreOperation = (typeof operations)[number][1];
type WireObject = Readonly<Record<string, unknown>>;

/** A client that speaks to an emulator over kept connections. Numbers are read as bigints, as with the SDK. */
export function emulatorClient(options: EmulatorOptions): TableClient {
  const { hostname, port, host, pathname } = new URL(options.endpoint);
  const exchange = keptConnections({
    // An address of IPv6 has brackets in a URL.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 80),
    countMax: options.socketCountMax,
  });
  const heads = new Map(
    operations.map(([, operation]) => [operation, headOf(host, pathname, options, operation)]),
  );
  const send = async (
    command: { readonly input: object },
    { requestTimeout = options.attemptMs }: { readonly requestTimeout?: number } = {},
  ): Promise<unknown> => {
    const body = encoded(command.input as WireObject);
    const head = heads.get(operationOf(command) as StoreOperation) as string;
    const request = `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const { status, text } = await exchange(request, requestTimeout);
    const answer: unknown = JSON.parse(text);
    if (status >= 300) throw errorOf(status, answer as WireObject);
    return decoded(answer);
  };
  return { send } as TableClient;
}

/** The head of the requests of an operation, up to the number of bytes that follow. */
function headOf(
  host: string,
  path: string,
  { headers }: EmulatorOptions,
  operation: StoreOperation,
): string {
  const all = {
    host,
    ...headers,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}content-length: `;
}

/** True for a command that this client can send. */
export function isOfStore(command: object): boolean {
  return operationOf(command) !== undefined;
}

function operationOf(command: object): StoreOperation | undefined {
  return operations.find(([type]) => command instanceof type)?.[1];
}

/** The error of an answer, with the names and members that the SDK gives it. */
function errorOf(status: number, answer: WireObject): Error {
  const type = String(answer['__type'] ?? 'Error');
  const error = new Error(String(answer['message'] ?? answer['Message'] ?? type));
  const { CancellationReasons: reasons } = answer;
  return Object.assign(error, {
    name: type.slice(type.lastIndexOf('#') + 1),
    $metadata: { httpStatusCode: status },
    ...(reasons !== undefined && { CancellationReasons: decoded(reasons) }),
  });
}

// WireObject whose values are attributes of items: of one item, of several, of several by table.
const ofItem = new Set([
  'Item',
  'Key',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
]);
const ofItems = new Set(['Items', 'Keys']);

/** A request as JSON, with the attributes of items in DynamoDB's notation. */
function encoded(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(encoded).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return membersOf(value as WireObject, (member, name) => {
    if (ofItem.has(name)) return attributesOf(member as WireObject);
    if (ofItems.has(name)) return `[${(member as WireObject[]).map(attributesOf).join()}]`;
    return encoded(member);
  });
}

function attributesOf(item: WireObject): string {
  return membersOf(item, attributeOf);
}

function membersOf(value: WireObject, write: (member: unknown, name: string) => string): string {
  let text = '';
  for (const name in value) {
    const member = value[name];
    // As with the SDK, a member that is undefined is left out.
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${write(member, name)}`;
  }
  return `{${text}}`;
}

function attributeOf(value: unknown): string {
  if (typeof value === 'string') return `{"S":${JSON.stringify(value)}}`;
  if (typeof value === 'number' || typeof value === 'bigint') return numberOf(value);
  if (typeof value === 'boolean') return `{"BOOL":${value}}`;
  if (value === null) return '{"NULL":true}';
  if (value instanceof Uint8Array) return `{"B":"${base64Of(value)}"}`;
  if (Array.isArray(value)) return `{"L":[${value.map(attributeOf).join()}]}`;
  if (value instanceof Set) return `{"SS":[${[...value].map(memberOfSet).join()}]}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype)
    throw new TypeError(`An item holds a ${(value as object).constructor?.name}.`);
  return `{"M":${attributesOf(value as WireObject)}}`;
}

/** A member of a set; the sets of a table hold texts alone. */
function memberOfSet(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`A set holds a ${typeof value}.`);
  return JSON.stringify(value);
}

function numberOf(value: number | bigint): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new TypeError(`An item holds ${value}, which is no safe integer.`);
  return `{"N":"${value}"}`;
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** An answer with the attributes of items as plain values. */
function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) result[name] = memberOf(name, member);
  return result;
}

function memberOf(name: string, member: unknown): unknown {
  if (ofItem.has(name)) return itemOf(member as WireObject);
  if (ofItems.has(name)) return (member as WireObject[]).map(itemOf);
  if (name !== 'Responses') return decoded(member);
  const tables = Object.entries(member as Readonly<Record<string, WireObject[]>>);
  return Object.fromEntries(tables.map(([table, items]) => [table, items.map(itemOf)]));
}

function itemOf(attributes: WireObject): WireObject {
  const item: Record<string, unknown> = {};
  for (const name in attributes) item[name] = plainOf(attributes[name] as WireObject);
  return item;
}

function plainOf(attribute: WireObject): unknown {
  for (const type in attribute) {
    const value = attribute[type];
    switch (type) {
      case 'S':
      case 'BOOL':
        return value;
      case 'N':
        return BigInt(value as string);
      case 'B':
        return new Uint8Array(Buffer.from(value as string, 'base64'));
      case 'NULL':
        return null;
      case 'SS':
        return new Set(value as string[]);
      case 'L':
        return (value as WireObject[]).map(plainOf);
      case 'M':
        return itemOf(value as WireObject);
      default:
        throw new TypeError(`An item holds an attribute of type ${type}.`);
    }
  }
  throw new TypeError('An item holds an attribute without a type.');
}
