/**
 * Goal: what an import ends with can sign, because it was wrapped by the keyring of the server that will run it. Method:
 * the commands, told of other keyrings than that one.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMasterKey, masterKeyring } from '../../shared/keyring/local.ts';
import { newSalt, passphraseKeyring } from '../../shared/keyring/passphrase.ts';
import { identities } from '../../shared/record/identity.ts';
import { importKeyOf } from '../../shared/store/keys.ts';
import { dynamoStore } from '../../shared/store/store.ts';
import { loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, main, startGround, type World } from '../fixture/audited.ts';
import { command } from '../fixture/runtime.ts';

let ground: Ground;
let world: World;
const folder = newFolder();
const [sealed, plain] = [folder.path('sealed.ndjson'), folder.path('plain.ndjson')];
const [words, another] = [folder.path('words'), folder.path('another.key')];
const onAws = 'https://dynamodb.eu-central-1.amazonaws.com';

beforeAll(async () => {
  ground = await startGround();
  world = await ground.newWorld();
  writeFileSync(words, 'what nobody guesses');
  makeMasterKey(another);
  await saved(ground.client, world.tableName, plain);
  const salt = newSalt();
  const sealing = { by: 'passphrase', salt: Buffer.from(salt).toString('base64') } as const;
  const to = await passphraseKeyring('what nobody guesses', salt);
  const from = masterKeyring(join(ground.folder, 'master.key'));
  await saved(ground.client, world.tableName, sealed, { rewrap: { from, to, sealing } });
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

const byPassphrase = [sealed, '--passphrase', words];
/** The key of the server that the archive is of. */
const ofServer = () => join(ground.folder, 'master.key');

test('a folder is filled for its own master key, whatever else the environment names', async () => {
  const data = folder.path('data');
  const env = { MASTER_KEY_FILE: ofServer() };
  const refused = await command('import', data, { words: [plain], env });
  expect(refused).toEqual({ code: 2, said: expect.stringContaining('copy its master.key into') });
  expect(existsSync(data)).toBe(false);
  mkdirSync(data);
  copyFileSync(ofServer(), join(data, 'master.key'));
  const other = { MASTER_KEY_FILE: another, KMS_KEY_ID: 'none' };
  expect(await command('import', data, { words: [plain], env: other })).toMatchObject({ code: 0 });
  const again = folder.path('again.ndjson');
  const wish = ['--out', again, '--with-key', words];
  expect(await command('export', data, { words: wish, env: other })).toMatchObject({ code: 0 });
  const made = folder.path('made');
  const done = await command('import', made, { words: byPassphrase, env: other });
  expect(done).toMatchObject({ code: 0 });
});

test.each([
  ['import', () => byPassphrase, onAws, 'Set KMS_KEY_ID'],
  ['import', () => [plain], onAws, 'Set KMS_KEY_ID'],
  ['import', () => byPassphrase, 'http://127.0.0.1:9', 'Set MASTER_KEY_FILE or KMS_KEY_ID'],
  ['export', () => ['--out', folder.path('new'), '--with-key', words], onAws, 'Set KMS_KEY_ID'],
] as const)('%s does not take the key of a folder for a table elsewhere', async (...row) => {
  const [name, wish, endpoint, said] = row;
  // There would be one in the folder.
  const env = { DYNAMODB_ENDPOINT: endpoint, KMS_KEY_ID: '', MASTER_KEY_FILE: '' };
  const done = await command(name, ground.folder, { words: wish(), env });
  expect(done).toEqual({ code: 2, said: expect.stringContaining(said) });
});

test('a table elsewhere is filled for the keyring that is named', async () => {
  const tableName = 'elsewhere';
  await ground.database.createTable(tableName);
  const env = { DYNAMODB_ENDPOINT: ground.database.endpoint, TABLE_NAME: tableName };
  const named = { ...env, MASTER_KEY_FILE: another };
  const done = await command('import', folder.path('none'), { words: byPassphrase, env: named });
  expect(done).toMatchObject({ code: 0 });
  const store = dynamoStore({ client: ground.client, tableName });
  const found = await identities(store, masterKeyring(another))(main);
  expect(found?.key.public).toBe((await world.services.identityOf(main))?.key.public);
});

test('an import that ends with a key of another keyring says so', async () => {
  const tableName = 'mixed';
  await ground.database.createTable(tableName);
  // Wrapped by somebody else, and all there but the end of the import.
  await loaded(ground.client, tableName, sealed);
  const [, sha256] = /"sha256":"([0-9a-f]+)"}\n$/.exec(readFileSync(sealed, 'utf8')) ?? [];
  const note = { ...importKeyOf(main), sha256, importer: 'another', stage: 'work' };
  await ground.client.send(new PutCommand({ TableName: tableName, Item: note }));
  const env = {
    ...{ DYNAMODB_ENDPOINT: ground.database.endpoint, TABLE_NAME: tableName },
    MASTER_KEY_FILE: another,
  };
  const wish = [...byPassphrase, '--resume'];
  const done = await command('import', folder.path('none'), { words: wish, env });
  expect(done).toEqual({ code: 1, said: expect.stringContaining('does not open the key') });
});
