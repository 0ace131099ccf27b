/** Goal: health shows what stands still, to those who may know. Method: an outbox entry that nobody can publish. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { semver } from '../../functions/version.ts';
import { health } from '../../shared/action/health.ts';
import { encodeTime } from '../../shared/crypto/luid.ts';
import type { Backlogs } from '../../shared/port/backlogs.ts';
import { tableClient } from '../../shared/store/client.ts';
import { outboxPartitionOf } from '../../shared/store/keys.ts';
import { dynamoAudits } from '../../shared/store/store.ts';
import { clientOf, newKey, newLedger, newOwnLedger } from '../fixture/client.ts';
import { startDatabase } from '../fixture/database.ts';
import { openDesk } from '../fixture/desk.ts';
import { readOnly } from '../fixture/read-only.ts';
import { failing, startReceiver, until } from '../fixture/receiver.ts';
import { command, start } from '../fixture/runtime.ts';
import { bearing } from '../fixture/token.ts';

const key = newKey();
const database = await startDatabase();
const env = { DYNAMODB_ENDPOINT: database.endpoint, TABLE_NAME: 'health' };
const runtime = await start({ env });
const receiver = await startReceiver();
afterAll(async () => {
  await runtime.stop();
  await receiver.stop();
  await database.stop();
});
const home = clientOf(runtime.url, runtime.key);
const idle = { due: 0, waiting: 0 };

interface Health {
  readonly status: string;
  readonly audit?: Readonly<Record<string, unknown>>;
  readonly backlogs?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
const healthOf = async (ledger: typeof home, by = bearing(key)): Promise<Health> => {
  const { status, body } = await ledger.get('/health', by);
  expect(status).toBe(200);
  return body.data as unknown as Health;
};

test('a ledger at rest is up, and nothing waits', async () => {
  const ledger = await newLedger(home, key);
  await until('the outbox is not empty', async () => {
    return (await healthOf(ledger)).backlogs?.['outbox']?.['count'] === 0;
  });
  expect(await healthOf(ledger)).toEqual({
    ...{ handle: ledger.ledger, ledger: ledger.ledger, server: home.url, status: 'UP' },
    semver: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    dependencies: { db: 'CONNECTED' },
    backlogs: { outbox: { count: 0 }, deliveries: idle, intents: idle, reports: idle },
  });
});

test('a signal that cannot be published degrades the ledger that it is of, and no other', async () => {
  const [ledger, other] = [await newLedger(home, key), await newLedger(home, key)];
  const luid = '$wlt.00000000000000001';
  // Its version is missing, so the relay waits for it for five minutes.
  const Item = {
    pk: outboxPartitionOf(ledger.ledger ?? '', 0),
    sk: `${encodeTime(Date.now() - 4 * 60_000)}${luid}#0000000001`,
    ...{ kind: 'wallet', handle: 'none', signals: '[{"signal":"wallet-created","change":1}]' },
  };
  await tableClient(database).send(new PutCommand({ TableName: 'health', Item }));
  const { status, backlogs } = await healthOf(ledger);
  expect(status).toBe('DEGRADED');
  expect(backlogs?.['outbox']?.['count']).toBeGreaterThanOrEqual(1);
  expect(backlogs?.['outbox']?.['oldestSeconds']).toBeGreaterThanOrEqual(240);
  expect((await healthOf(other)).status).toBe('UP');
});

test('a delivery that waits for its next attempt is counted', async () => {
  const ledger = await newLedger(home, key);
  receiver.behave('/failing', failing);
  const action = { schema: 'webhook', endpoint: receiver.at('/failing') };
  const data = { handle: 'hook', signal: 'wallet-created', action };
  const effect = await ledger.make('effects', data, key);
  await ledger.make('wallets', { handle: 'alice' }, key);
  await receiver.until('/failing', 1);
  // It is stored when its first attempt has ended. Decision 127.
  const listed = `/effects/${String(effect.data['handle'])}/events`;
  await until('the delivery is listed', async () => (await ledger.get(listed)).items.length > 0);
  const { backlogs } = await healthOf(ledger);
  const { due = 0, waiting = 0 } = backlogs?.['deliveries'] ?? {};
  expect(due + waiting).toBe(1);
});

test('a closed ledger shows numbers to those who may read it, and the state to everybody', async () => {
  const ledger = await newOwnLedger(home, key);
  expect((await healthOf(ledger)).backlogs).toBeDefined();
  for (const by of [{}, bearing(newKey())])
    expect(await healthOf(ledger, by)).toMatchObject({
      status: 'UP',
      dependencies: { db: 'CONNECTED' },
    });
  for (const by of [{}, bearing(newKey())])
    expect((await healthOf(ledger, by)).backlogs).toBeUndefined();
  const { status } = await ledger.get('/health', { headers: { authorization: 'Bearer none' } });
  expect(status).toBe(401);
  expect((await home.get('/health?verbose=1')).status).toBe(400);
});

test('the last audit is shown to those who may read the ledger, with what it found', async () => {
  const ledger = await newOwnLedger(home, key);
  const { ledger: handle = '' } = ledger;
  const auditOf = async (by = bearing(key)) => (await healthOf(ledger, by)).audit;
  const audited = () => command('audit', '', { words: [handle, '--all'], env });
  expect(await auditOf()).toBeUndefined();
  expect((await audited()).code).toBe(0);
  const { moment, ...noted } = (await auditOf()) ?? {};
  expect(noted).toEqual({ findings: 0, records: 3, proofs: expect.any(Number), semver });
  expect(await auditOf(bearing(newKey()))).toBeUndefined();

  // An item at a key that the ledger never forms.
  const Item = { pk: `${handle}#odd`, sk: '#' };
  await tableClient(database).send(new PutCommand({ TableName: 'health', Item }));
  expect((await audited()).code).toBe(1);
  const found = await auditOf();
  expect(found).toMatchObject({ findings: 1 });
  expect(String(found?.['moment']) > String(moment)).toBe(true);
});

test('an audit that may not write says so, ends as it would have, and leaves the note of the one before', async () => {
  const ledger = await newOwnLedger(home, key);
  const { ledger: handle = '' } = ledger;
  const words = [handle, '--all'];
  expect((await command('audit', '', { words, env })).code).toBe(0);
  const { audit } = await healthOf(ledger);
  expect(audit).toBeDefined();
  const reader = await readOnly(database.endpoint);
  try {
    const own = { ...env, DYNAMODB_ENDPOINT: reader.endpoint };
    const { code, said } = await command('audit', '', { words, env: own });
    expect(said).toContain('The audit is not noted in the table, and health will not show it: ');
    expect(said).toContain('The ledger is in order');
    expect(code).toBe(0);
  } finally {
    reader.close();
  }
  expect((await healthOf(ledger)).audit).toEqual(audit);
});

test('an audit that began before one that is noted says that health shows the other one', async () => {
  const ledger = await newOwnLedger(home, key);
  const { ledger: handle = '' } = ledger;
  const audits = dynamoAudits({ client: tableClient(database), tableName: 'health' });
  // As by a machine whose clock is ahead.
  const later = { startMs: Date.now() + 3_600_000, findings: 7, isPartial: false };
  await audits.note(handle, { ...later, records: 1, proofs: 1, semver });
  const { code, said } = await command('audit', '', { words: [handle, '--all'], env });
  expect(said).toContain(
    `The audit is not noted at ${handle}: one that began later is noted there`,
  );
  expect(code).toBe(0);
  expect((await healthOf(ledger)).audit).toMatchObject({ findings: 7 });
});

test('a database that does not answer is told by 503, with the same members', async () => {
  const { services, run } = await openDesk(() => ({ isReachable: async () => false }));
  const unread: Backlogs = {
    outbox: () => Promise.reject(new Error('It does not answer.')),
    due: () => Promise.reject(new Error('It does not answer.')),
  };
  const action = health(unread, { last: () => Promise.reject(new Error('It does not answer.')) });
  const { data } = await run(action);
  expect(data).toMatchObject({ status: 'DOWN', dependencies: { db: 'ERROR' } });
  const ledger = await services.identityOf('main');
  const answer = await action.run({ services, ledger } as Parameters<typeof action.run>[0]);
  expect(answer.status).toBe(503);
});

test('a rule with a pattern grants as elsewhere', async () => {
  const owners = { action: 'any', record: 'any', signer: { public: key.public } };
  const access = [
    { action: 'read', record: 'any', filter: { handle: { $regex: '^ledger-' } } },
    owners,
  ];
  const ledger = await newLedger(home, key, { access });
  const stranger = bearing(newKey());
  expect((await ledger.get('/ledger', stranger)).status).toBe(200);
  expect((await healthOf(ledger, stranger)).backlogs).toBeDefined();
});
