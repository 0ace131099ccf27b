/**
 * Goal: what stands in for KMS and EventBridge says yes and no as they do. Method: the clients of the ledger
 * ask, and find it by the variables of the SDK.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outboxFilter, rules } from '../../infra/topology.ts';
import { kmsKeyring } from '../../shared/keyring/kms.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { outboxPartitionOf } from '../../shared/store/keys.ts';
import type { Fields, Service } from '../lambda/aws-json.ts';
import { serveBus } from '../lambda/event-bus.ts';
import type { LambdaFunction } from '../lambda/function.ts';
import { serveKms } from '../lambda/kms.ts';
import { attempt } from '../lambda/later.ts';
import { fits } from '../lambda/pattern.ts';
import '../../localstack/runtime/quiet.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
const keyArn = 'arn:aws:kms:eu-central-1:000000000000:key/one';
const identity = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};
let kms: Service;

beforeAll(async () => {
  makeMasterKey(join(folder, 'master.key'));
  kms = await serveKms(keyArn, join(folder, 'master.key'));
});
afterAll(async () => {
  await kms.stop();
  rmSync(folder, { recursive: true });
});

describe('the key', () => {
  const keyring = (arn = keyArn) =>
    kmsKeyring(arn, new KMSClient({ ...identity, endpoint: kms.endpoint }));
  const secret = Buffer.from('a private key of thirty-two byte');

  test('unwraps what it has wrapped for a ledger, and for no other', async () => {
    const wrapped = await keyring().wrap(secret, 'bank');
    expect(Buffer.from(wrapped).includes(secret)).toBe(false);
    expect(Buffer.from(await keyring().unwrap(wrapped, 'bank'))).toEqual(secret);
    await expect(keyring().unwrap(wrapped, 'other')).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidCiphertextException' }),
    );
  });

  test('is no other key', async () => {
    const other = keyring(keyArn.replace('one', 'two'));
    await expect(other.wrap(secret, 'bank')).rejects.toThrow(
      expect.objectContaining({ name: 'NotFoundException' }),
    );
  });

  test('does nothing for who names no ledger, and nothing else at all', async () => {
    const ask = (target: string) =>
      fetch(kms.endpoint, {
        method: 'POST',
        headers: { 'x-amz-target': target },
        body: JSON.stringify({ KeyId: keyArn, Plaintext: 'AAAA' }),
      }).then((response) => response.json());
    expect(await ask('TrentService.Encrypt')).toMatchObject({ __type: 'AccessDeniedException' });
    expect(await ask('TrentService.ScheduleKeyDeletion')).toMatchObject({
      __type: 'UnknownOperationException',
    });
  });
});

describe('the bus', () => {
  const taken: [string, Fields][] = [];
  let bus: Service;
  let client: EventBridgeClient;

  beforeAll(async () => {
    bus = await serveBus('bus', (target, event) => taken.push([target, event]));
    client = new EventBridgeClient({ ...identity, endpoint: bus.endpoint });
  });
  afterAll(() => bus.stop());

  const entry = (more: object = {}) => ({
    EventBusName: 'bus',
    Source: 'countersign',
    DetailType: 'wallet-created',
    Detail: '{"hash":"x"}',
    Resources: ['$evt.1'],
    ...more,
  });
  const put = (...Entries: ReturnType<typeof entry>[]) =>
    client.send(new PutEventsCommand({ Entries }));

  test('hands an event of the ledger to the target of its rule, as EventBridge forms it', async () => {
    const { Entries = [], FailedEntryCount } = await put(entry(), entry({ Source: 'other' }));
    expect([Entries.length, FailedEntryCount]).toEqual([2, 0]);
    expect(taken).toEqual([
      [
        rules[0].target,
        expect.objectContaining({
          ...{ version: '0', id: Entries[0]?.EventId, source: 'countersign' },
          ...{ 'detail-type': 'wallet-created', resources: ['$evt.1'], detail: { hash: 'x' } },
        }),
      ],
    ]);
  });

  test('refuses another bus, and more than a call may bring', async () => {
    const { Entries, FailedEntryCount } = await put(entry({ EventBusName: 'none' }));
    expect([FailedEntryCount, Entries?.[0]?.ErrorCode]).toEqual([1, 'ResourceNotFoundException']);
    const validation = expect.objectContaining({ name: 'ValidationException' });
    await expect(put(...Array.from({ length: 11 }, () => entry()))).rejects.toThrow(validation);
    const Detail = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    await expect(put(entry({ Detail }))).rejects.toThrow(validation);
  });
});

describe('a pattern', () => {
  const recordOf = (pk: string) => ({ dynamodb: { NewImage: { pk: { S: pk } } } });

  test('lets new entries of an outbox pass, and nothing else of the stream', () => {
    expect(fits(outboxFilter, recordOf(outboxPartitionOf('bank', 3)))).toBe(true);
    expect(fits(outboxFilter, recordOf('bank#wallet#w'))).toBe(false);
    const { NewImage: _, ...removed } = recordOf(outboxPartitionOf('bank', 3)).dynamodb;
    expect(fits(outboxFilter, { dynamodb: removed })).toBe(false);
  });

  test('is of values, prefixes and suffixes, each of which may do', () => {
    const pattern = { a: ['x', { prefix: 'y' }, { suffix: 'z' }], b: [1] };
    const events = [
      { a: 'x', b: 1 },
      { a: 'yes', b: 1 },
      { a: 'jazz', b: 1 },
    ];
    expect(events.map((event) => fits(pattern, event))).toEqual([true, true, true]);
    const others = [{ a: 'X', b: 1 }, { a: 'x' }, { a: 'x', b: '1' }, null, 'x'];
    expect(others.map((event) => fits(pattern, event))).toEqual(others.map(() => false));
  });

  test('is of members that are there or not', () => {
    const [there, missing] = [true, false].map((exists) => ({ a: { b: [{ exists }] } }));
    for (const value of [0, false, '', 'x', null]) {
      expect(fits(there, { a: { b: value } })).toBe(true);
      expect(fits(missing, { a: { b: value } })).toBe(false);
    }
    expect(fits(there, { a: { c: 1 } })).toBe(false);
    expect(fits(missing, { a: { c: 1 } })).toBe(true);
  });

  test('that is not understood is refused rather than passed over', () => {
    expect(() => fits({ a: [{ wildcard: '*' }] }, { a: 'x' })).toThrow('wildcard');
    expect(() => fits({ a: 'x' }, { a: 'x' })).toThrow('lists');
  });
});

describe('an event that nobody waits for', () => {
  const failing = (times: number): LambdaFunction & { readonly count: () => number } => {
    let count = 0;
    const failure = { errorType: 'Error', errorMessage: 'not now' };
    return {
      name: 'courier',
      invoke: async () => {
        count += 1;
        return count <= times ? { failure } : { answer: 'null' };
      },
      stop: async () => {},
      count: () => count,
    };
  };

  test('is attempted until it is taken', async () => {
    const letters: unknown[] = [];
    const target = failing(1);
    await attempt(target, { n: 1 }, (...letter) => letters.push(letter));
    expect([target.count(), letters]).toEqual([2, []]);
  });

  test('is a dead letter after three attempts', async () => {
    const letters: unknown[] = [];
    const target = failing(9);
    await attempt(target, { n: 1 }, (...letter) => letters.push(letter));
    expect([target.count(), letters]).toEqual([3, [['courier', { n: 1 }, 'Error: not now']]]);
  });
});
