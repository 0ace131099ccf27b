/**
 * Goal: a ledger goes out of a table and into another one whole, however often somebody has to begin anew. Method:
 * readings and writings that break at random points, tables that others write to, and tables in which there is
 * something already.
 */
import { createHash } from 'node:crypto';
import fs, { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import {
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { wideTable } from '../../localstack/cli/wide-table.ts';
import { create } from '../../shared/action/create.ts';
import { createLedger } from '../../shared/action/create-ledger.ts';
import { manyBytes, plain } from '../../shared/archive/codec.ts';
import type { ArchivePlace } from '../../shared/archive/collect.ts';
import { openArchive } from '../../shared/archive/open.ts';
import { resealed } from '../../shared/archive/reseal.ts';
import { makeMasterKey, masterKeyring } from '../../shared/keyring/local.ts';
import { newSalt, passphraseKeyring } from '../../shared/keyring/passphrase.ts';
import type { Keyring } from '../../shared/port/ports.ts';
import { headKeyOf, holderKeyOf, secretKeyOf } from '../../shared/store/keys.ts';
import { dynamoDeliveries } from '../../shared/store/store.ts';
import { auditedFile, auditedTable, loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, main, startGround, type World } from '../fixture/audited.ts';
import { newDelivery } from '../fixture/delivery.ts';
import { newLuid, publicNamed } from '../fixture/version.ts';

let ground: Ground;
let world: World;
const folder = newFolder();
let count = 0;
/** How many items a reading gives at a time, so that it takes several. */
const pageLength = 60;
const fresh = (name: string) => folder.path(`${name}-${++count}`);

const issue = (target: string, amount: number) => ({
  ...{ action: 'issue', target, symbol: 'usd', amount },
});

beforeAll(async () => {
  ground = await startGround();
  world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  for (let n = 0; n < 20; n += 1) {
    await world.make(create('wallet'), { handle: `w${n}` });
    await world.settle(`i${n}`, issue(`w${n}`, n + 1));
  }
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

/** Breaks what is sent at the nth command of a kind. */
function breaking<Command extends abstract new (...all: never) => unknown>(
  command: Command,
  at: number,
): ArchivePlace['client'] {
  let left = at;
  const send = async (one: unknown, options: unknown): Promise<unknown> => {
    if (one instanceof ScanCommand) one.input.Limit = pageLength;
    if (one instanceof command && left-- === 0) throw new Error('broken off');
    return ground.client.send(one as ScanCommand, options as object);
  };
  return { send } as unknown as ArchivePlace['client'];
}

async function newTable(): Promise<string> {
  const tableName = `archived-${++count}`;
  await ground.database.createTable(tableName);
  return tableName;
}

test('an export that was broken off goes on, and the file is the same', async () => {
  const whole = readFileSync(await saved(ground.client, world.tableName, fresh('whole')), 'utf8');
  const pages = await pageCount();
  expect(pages).toBeGreaterThan(1);
  const holds = fc.asyncProperty(
    fc.array(fc.nat(pages - 1), { minLength: 1, maxLength: 3 }),
    async (breaks) => {
      const path = fresh('broken');
      const wish = { runLengthMax: 5_000 };
      for (const [index, at] of breaks.entries()) {
        const place = { client: breaking(ScanCommand, at), tableName: world.tableName };
        const isResumed = index > 0;
        // Later ones have less to read, and may come to the end.
        const went = saved(ground.client, world.tableName, path, { ...wish, place, isResumed });
        await went.catch((error: Error) => expect(error.message).toBe('broken off'));
        if (existsSync(path)) break;
      }
      if (!existsSync(path)) {
        await expect(saved(ground.client, world.tableName, path)).rejects.toThrow(/--resume/);
        await saved(ground.client, world.tableName, path, { ...wish, isResumed: true });
      }
      expect(readFileSync(path, 'utf8')).toBe(whole);
      expect(existsSync(`${path}.part`)).toBe(false);
    },
  );
  await fc.assert(holds, { numRuns: 15 });
});

async function pageCount(): Promise<number> {
  let pages = 0;
  const send = async (one: unknown, options: unknown): Promise<unknown> => {
    if (one instanceof ScanCommand) {
      one.input.Limit = pageLength;
      pages += 1;
    }
    return ground.client.send(one as ScanCommand, options as object);
  };
  const client = { send } as unknown as ArchivePlace['client'];
  const place = { client, tableName: world.tableName };
  await saved(ground.client, world.tableName, fresh('counted'), { place });
  return pages;
}

test('an export is on the disk before its file has its name, and so is the name at its end', async () => {
  const path = fresh('synced');
  const synced: (number | string)[] = [];
  const { fsync, fsyncSync, renameSync } = fs;
  vi.spyOn(fs, 'fsync').mockImplementation((file, done) => {
    synced.push(fs.fstatSync(file).ino);
    fsync(file, done);
  });
  vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    synced.push(fs.fstatSync(file).ino);
    fsyncSync(file);
  });
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    if (to === path) synced.push('named');
    renameSync(from, to);
  });
  syncBuiltinESMExports();
  await saved(ground.client, world.tableName, path);
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  const named = [statSync(path).ino, 'named', statSync(dirname(path)).ino];
  expect(synced.filter((one) => named.includes(one)).slice(-3)).toEqual(named);
});

test('members that a table gives in another order are written in one', () => {
  const limits = { usd: { since: 'now', amount: 1n }, eur: { amount: 2n, since: 'now' } };
  const text = '{"eur":{"amount":2,"since":"now"},"usd":{"amount":1,"since":"now"}}';
  expect(JSON.stringify(plain.write(limits))).toBe(text);
  const secrets = { b: Buffer.from('b'), a: Buffer.from('a') };
  expect(JSON.stringify(manyBytes.write(secrets))).toBe('{"a":"YQ==","b":"Yg=="}');
});

test('of a table in use the file is what it held at one moment', async () => {
  const used = await ground.newWorld();
  await used.make(create('symbol'), { handle: 'usd', factor: 100 });
  await used.make(create('wallet'), { handle: 'a', custom: { note: 'x'.repeat(100_000) } });
  let readings = 0;
  const send = async (one: unknown, options: unknown): Promise<unknown> => {
    const output = await ground.client.send(one as ScanCommand, options as object);
    if (one instanceof ScanCommand && readings++ < 2)
      await used.settle(`i${readings}`, issue('a', 1));
    return output;
  };
  const place = {
    client: { send } as unknown as ArchivePlace['client'],
    tableName: used.tableName,
  };
  const path = await saved(ground.client, used.tableName, fresh('used'), {
    place,
    isAtRest: false,
  });
  expect(readings).toBe(4);
  expect(await auditedFile(path)).toEqual([]);
  const still = await saved(ground.client, used.tableName, fresh('still'));
  expect(readFileSync(path, 'utf8')).toBe(readFileSync(still, 'utf8'));
});

test('an export of a ledger that goes on and on is refused, and leaves no file', async () => {
  const busy = await ground.newWorld();
  let n = 0;
  const send = async (one: unknown, options: unknown): Promise<unknown> => {
    const output = await ground.client.send(one as ScanCommand, options as object);
    if (one instanceof ScanCommand) await busy.make(create('wallet'), { handle: `w${n++}` });
    return output;
  };
  const place = {
    client: { send } as unknown as ArchivePlace['client'],
    tableName: busy.tableName,
  };
  const path = fresh('busy');
  const went = saved(ground.client, busy.tableName, path, { place, isAtRest: false });
  await expect(went).rejects.toThrow(/went on while it was exported/);
  expect(existsSync(path)).toBe(false);
});

test('an import that was broken off goes on, and answers nobody before it ends', async () => {
  const path = await saved(ground.client, world.tableName, fresh('whole'));
  const { items } = await loaded(ground.client, await newTable(), path);
  const commands = fc.constantFrom(BatchWriteCommand, TransactWriteCommand);
  const lengths = fc.constantFrom(60, 500);
  const holds = fc.asyncProperty(fc.nat(40), commands, lengths, async (at, command, length) => {
    const to = await newTable();
    const client = breaking(command, at);
    const plain = { client, tableName: to, deadlineMs: 30_000, onConsumed: undefined };
    // Writes are joined where only transactions can break.
    const isJoined = command === TransactWriteCommand && length === 500;
    const table = isJoined ? wideTable(client, to, ground.database.endpoint) : plain;
    const wish = { table, chunkLengthMax: length };
    const went = await loaded(ground.client, to, path, wish).then(
      () => 'whole',
      (error: Error) => error.message,
    );
    if (went !== 'whole') {
      expect(went).toBe('broken off');
      // Nothing was begun where the first transaction did not come through.
      const isBegun = command === BatchWriteCommand || at > 0;
      const found = await auditedTable(ground.client, to);
      if (isBegun) {
        expect(found.join()).toContain('An import of the ledger has not ended.');
        // Its note does not say whether the process that wrote it is still there.
        const refused = /has not ended: .* if it is under way, .*--resume/;
        await expect(loaded(ground.client, to, path)).rejects.toThrow(refused);
      }
      const rest = await loaded(ground.client, to, path, { isResumed: isBegun });
      expect(rest.items).toBeLessThanOrEqual(items);
    }
    expect(await auditedTable(ground.client, to)).toEqual([]);
    const again = await saved(ground.client, to, fresh('again'));
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(path, 'utf8'));
  });
  await fc.assert(holds, { numRuns: 12 });
});

test('an import syncs the disk of an emulator some times for hundreds of items', async () => {
  const path = await saved(ground.client, world.tableName, fresh('whole'));
  const to = await newTable();
  const lengths: number[] = [];
  const send = async (one: unknown, options: unknown): Promise<unknown> => {
    expect(one).not.toBeInstanceOf(BatchWriteCommand);
    if (one instanceof TransactWriteCommand) lengths.push(one.input.TransactItems?.length ?? 0);
    return ground.client.send(one as ScanCommand, options as object);
  };
  const client = { send } as unknown as ArchivePlace['client'];
  const table = wideTable(client, to, ground.database.endpoint);
  const { items } = await loaded(ground.client, to, path, { table });
  expect(items).toBeGreaterThan(200);
  // Notes of the import, and the totals of each book, are transactions of their own.
  const several = lengths.filter((length) => length > 1);
  expect(several.length).toBeLessThan(items / 12);
  expect(several.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(items);
  expect(await auditedTable(ground.client, to)).toEqual([]);
});

test('at AWS an import joins nothing, as joined transactions conflict more often there', () => {
  const { client } = ground;
  const at = 'https://dynamodb.eu-central-1.amazonaws.com';
  expect(wideTable(client, 'main', at).groupCommit).toBeUndefined();
});

test('calls that bring one long intent bring it in another table as well, where it lies once', async () => {
  const called = await ground.newWorld();
  await called.make(create('symbol'), { handle: 'usd', factor: 100 });
  const intent = { luid: '$int.1', data: { note: 'x'.repeat(30_000) } };
  const calls = ['evt_1', 'evt_2'].map((handle) => {
    const one = newDelivery(main, newLuid('brg'));
    const record = { hash: '', data: { handle, intent }, meta: { proofs: [] } };
    return { ...one, data: { ...one.data, handle, record, linked: intent.luid } };
  });
  const at = (tableName: string) => dynamoDeliveries({ client: ground.client, tableName });
  await at(called.tableName).add(calls);
  const path = await saved(ground.client, called.tableName, fresh('called'));
  expect(readFileSync(path, 'utf8').split('xxxxx').length).toBeLessThan(6_100);
  const to = await newTable();
  await loaded(ground.client, to, path);
  for (const one of calls) expect(await at(to).read(main, one.subject, one.luid)).toEqual(one);
  expect(await auditedTable(ground.client, to)).toEqual([]);
});

test('of two signers with one key the one that registered it first holds it in another table as well', async () => {
  const named = await ground.newWorld();
  const shared = { format: 'ed25519-raw', public: publicNamed('shared') };
  await named.make(create('signer'), { handle: 'first', ...shared });
  await named.make(create('signer'), { handle: 'second', ...shared });
  const path = await saved(ground.client, named.tableName, fresh('holders'));
  expect(await auditedFile(path)).toEqual([]);
  const holderIn = async (tableName: string) => {
    const { Item } = await ground.client.send(
      new GetCommand({ TableName: tableName, Key: holderKeyOf(main, shared.public) }),
    );
    return Item?.['signer'];
  };
  const to = await newTable();
  await loaded(ground.client, to, path);
  expect([await holderIn(named.tableName), await holderIn(to)]).toEqual(['first', 'first']);
  expect(await auditedTable(ground.client, to)).toEqual([]);
  // An archive of the release before has no lines of holders: there the older signer holds the key.
  const old = fresh('holders-1');
  writeFileSync(old, ofVersion1(readFileSync(path, 'utf8')));
  expect(await auditedFile(old)).toEqual([]);
  const again = await newTable();
  await loaded(ground.client, again, old);
  expect(await holderIn(again)).toBe('first');
});

/** The archive as the release before would have written it. */
function ofVersion1(text: string): string {
  const kept = text.split('\n').filter((line) => line && !line.includes('"what":"holder"'));
  const lines = kept
    .slice(0, -1)
    .map((line, at) => (at ? line : line.replace('"version":2', '"version":1')));
  const { holder: _none, ...counts } = JSON.parse(kept.at(-1) ?? '').counts;
  const whole = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(whole).digest('hex');
  return `${whole}${JSON.stringify({ what: 'end', lines: lines.length, counts, sha256 })}\n`;
}

test('what is there already is not touched', async () => {
  const path = await saved(ground.client, world.tableName, fresh('whole'));
  const other = await ground.newWorld();
  await expect(loaded(ground.client, other.tableName, path)).rejects.toThrow(/already/);
  expect(await auditedTable(ground.client, other.tableName)).toEqual([]);
  const to = await newTable();
  const Item = { ...headKeyOf(main, 'wallet', 'w3'), luid: 'another' };
  await ground.client.send(new PutCommand({ TableName: to, Item }));
  await expect(loaded(ground.client, to, path)).rejects.toThrow(
    "There is something else at 'main#wallet#w3 #' in the table than in the archive.",
  );
  // Another archive is not gone on with.
  await world.settle('one-more', issue('w1', 1));
  const later = await saved(ground.client, world.tableName, fresh('later'));
  const went = loaded(ground.client, to, later, { isResumed: true });
  await expect(went).rejects.toThrow(/another archive/);
});

test('a ledger beside others goes into a table with others', async () => {
  const home = await ground.newWorld();
  await home.make(createLedger, { handle: 'bank', access: [{ action: 'any', record: 'any' }] });
  await home.make(create('symbol'), { handle: 'usd', factor: 100 }, 'bank');
  await home.make(create('wallet'), { handle: 'only' }, 'bank');
  await home.make(create('wallet'), { handle: 'of-main' });
  const path = await saved(ground.client, home.tableName, fresh('bank'), { ledger: 'bank' });
  expect(readFileSync(path, 'utf8')).not.toContain('of-main');
  expect(await auditedFile(path)).toEqual([]);
  const other = await ground.newWorld();
  await loaded(ground.client, other.tableName, path);
  expect(await auditedTable(ground.client, other.tableName)).toEqual([]);
  // It goes on: what is made now is signed with its key.
  const made = await other.make(create('wallet'), { handle: 'new' }, 'bank');
  const bank = await home.services.identityOf('bank');
  expect(made.meta.proofs.at(-1)?.public).toBe(bank?.key.public);
  expect(await auditedTable(ground.client, other.tableName)).toEqual([]);
});

test('a private key is under a passphrase on its way to another keyring, and never in the clear', async () => {
  const from = masterKeyring(join(ground.folder, 'master.key'));
  const salt = newSalt();
  const sealing = { by: 'passphrase', salt: Buffer.from(salt).toString('base64') } as const;
  const to = await passphraseKeyring('correct horse battery', salt);
  const path = fresh('sealed');
  await saved(ground.client, world.tableName, path, { rewrap: { from, to, sealing } });
  const seed = await seedIn(path, to);
  for (const text of ['base64', 'hex', 'base64url'] as const)
    expect(readFileSync(path, 'utf8')).not.toContain(Buffer.from(seed).toString(text));
  await expect(seedIn(path, from)).rejects.toThrow();
  await expect(seedIn(path, await passphraseKeyring('another passphrase', salt))).rejects.toThrow();
  const masterKey = fresh('master.key');
  makeMasterKey(masterKey);
  const own = masterKeyring(masterKey);
  const change = {
    change: (_: unknown, line: Parameters<typeof resealed>[1]) => resealed(main, line, to, own),
  };
  const { sorted: shelf } = await openArchive(path, { folder: fresh('shelf'), ...change });
  const secret = await shelf.at(secretKeyOf(main));
  expect(await own.unwrap(secret?.['wrapped'] as Uint8Array, main)).toEqual(seed);
  await shelf.close();
});

async function seedIn(path: string, keyring: Keyring): Promise<Uint8Array> {
  const [, wrapped = ''] =
    /"what":"key".*"wrapped":"([^"]+)"/.exec(readFileSync(path, 'utf8')) ?? [];
  return keyring.unwrap(Buffer.from(wrapped, 'base64'), main);
}

test('a file that is none of ours is told so', async () => {
  const path = fresh('other');
  for (const [text, fact] of [
    ['', 'The file is empty.'],
    ['{"what":"something"}\n', 'This is no archive of a ledger.'],
    ['hello\n', 'Line 1: '],
    ['{"what":"archive","format":"countersign-ledger","version":3}\n', 'of version 3'],
  ] as const) {
    writeFileSync(path, text);
    expect((await auditedFile(path)).join()).toContain(fact);
  }
});
