/**
 * Rotation of a ledger's keys on a table: what was signed before and after verifies, whatever stops on the way, and the
 * audit names a key that its predecessor did not accept. Ruling 99, Decision 116.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { change } from '../../shared/action/history.ts';
import { read } from '../../shared/action/read.ts';
import { verify } from '../../shared/crypto/proof.ts';
import { type KeyEntry, keyFor, keysOf, linkFaults } from '../../shared/log/key-table.ts';
import type { Commit } from '../../shared/port/ports.ts';
import { identities, keyMsMax } from '../../shared/record/identity.ts';
import {
  overlapMsMin,
  type RotatedSigner,
  type Rotation,
  RotationRefused,
  rotateKey,
} from '../../shared/record/rotation.ts';
import { headKeyOf, secretKeyOf } from '../../shared/store/keys.ts';
import { dynamoLogs } from '../../shared/store/store.ts';
import { auditedFile, loaded, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, main, newWorld, startGround, type World } from '../fixture/audited.ts';

let ground: Ground;
let world: World;
const folder = newFolder();
beforeAll(async () => {
  ground = await startGround();
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  await world.make(create('wallet'), { handle: 'alice' });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const signers = ['system', 'log'] as const;
const rotationOf = (signer: RotatedSigner, more: Partial<Rotation> = {}): Rotation => ({
  ...{ scope: main, signer, overlapMs: overlapMsMin, isCompromised: false },
  ...more,
});
const portsOf = ({ services, tableName }: World) => ({
  store: services.store,
  keyring: services.keyring,
  logs: dynamoLogs({ client: ground.client, tableName }),
  clock: Date.now,
});
const rotate = (signer: RotatedSigner, more: Partial<Rotation> = {}) =>
  rotateKey(portsOf(world), rotationOf(signer, more));
const signerIn = async ({ services }: World, handle: RotatedSigner) => {
  const [signer] = await services.store.load([
    { what: 'record', scope: main, kind: 'signer', handle },
  ]);
  if (!signer) throw new Error(`There is no signer ${handle}.`);
  return signer.record;
};
const issue = (amount: number) =>
  ({ action: 'issue', target: 'alice', symbol: 'usd', amount }) as const;

describe('a rotation', () => {
  test.each(signers)(
    'of %s is one version of its record, which both keys have signed',
    async (signer) => {
      const first = await signerIn(world, signer);
      const { before, newest } = await rotate(signer);
      const record = await signerIn(world, signer);
      expect(record.data).toEqual({
        ...first.data,
        public: newest.public,
        keys: [before, newest],
        parent: first.hash,
      });
      expect(before).toEqual({
        public: first.data['public'],
        from: first.meta.moment,
        until: new Date(Date.parse(newest.from) + overlapMsMin).toISOString(),
      });
      expect(newest.proofs?.map((proof) => proof.public)).toEqual([before.public, newest.public]);
      expect(linkFaults(record, verify)).toEqual([]);
      const system = (await signerIn(world, 'system')).data['public'];
      const by = signer === 'system' ? [before.public, newest.public] : [system];
      expect(record.meta.proofs.map((proof) => proof.public)).toEqual(by);
      expect(record.meta.proofs.every((proof) => verify(record.hash, proof))).toBe(true);
      const old = await world.call(change('signer'), undefined, { id: signer, change: '1' });
      expect([old.hash, old.data]).toEqual([first.hash, first.data]);
      expect(await world.audited()).toEqual([]);
      expect(await world.audited({ isLive: true })).toEqual([]);
    },
  );

  test('leaves an instance that read the old key a minute to go on with it', async () => {
    const before = await world.settle('before', issue(5));
    const { before: old, newest } = await rotate('system');
    const stale = await world.settle('stale', issue(5));
    expect(
      new Set(stale.meta.proofs.flatMap(({ origin, public: by }) => (origin ? [] : by))),
    ).toEqual(new Set([old.public]));
    pass(keyMsMax);
    const after = await world.settle('after', issue(5));
    expect(after.meta.proofs.at(-1)?.public).toBe(newest.public);
    const keys = keysOf(await signerIn(world, 'system'));
    for (const { meta } of [before, stale, after])
      for (const proof of meta.proofs.filter(({ origin }) => !origin))
        expect(keyFor(keys, proof)).toBeDefined();
    expect(await world.audited()).toEqual([]);
  });

  test('goes on over several keys, and a proof of a key that has ended is named', async () => {
    const publics: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (const signer of signers) publics.push((await rotate(signer)).newest.public);
      pass(overlapMsMin + keyMsMax);
      await world.settle(`round-${round}`, issue(1));
    }
    const systems = publics.filter((_, index) => index % 2 === 0);
    const record = await signerIn(world, 'system');
    expect(
      keysOf(record)
        .slice(1)
        .map((key) => key.public),
    ).toEqual(systems);
    expect(linkFaults(record, verify)).toEqual([]);
    expect(await world.audited()).toEqual([]);
    // An overlap that was shorter than it was: what was signed in it is then nobody's.
    const early = (key: KeyEntry) =>
      key.until ? { ...key, until: new Date(Date.parse(key.from) - 1).toISOString() } : key;
    await world.edit(headKeyOf(main, 'signer', 'system'), (version) => {
      const { data } = version.record;
      const keys = (data['keys'] as KeyEntry[]).map(early);
      return { ...version, record: { ...version.record, data: { ...data, keys } } };
    });
    expect((await world.audited()).join('\n')).toMatch(
      /A proof of the ledger is not by the ledger's key|The ledger did not sign it/,
    );
  });

  test('travels with an archive, and the import signs on with both keys', async () => {
    await world.settle('before', issue(5));
    for (const signer of signers) await rotate(signer);
    pass(keyMsMax);
    await world.settle('after', issue(5));
    const file = await saved(
      ground.client,
      world.tableName,
      folder.path(`${world.tableName}.ndjson`),
    );
    expect(await auditedFile(file)).toEqual([]);
    const tableName = `${world.tableName}-other`;
    await ground.database.createTable(tableName);
    await loaded(ground.client, tableName, file);
    const other = await newWorld(ground.client, tableName, ground.folder);
    expect(await other.audited()).toEqual([]);
    const [here, there] = await Promise.all(
      [world, other].map(({ services }) => services.identityOf(main)),
    );
    expect([there?.key.public, there?.former?.public]).toEqual([
      here?.key.public,
      here?.former?.public,
    ]);
    await other.make(create('wallet'), { handle: 'bob' });
    expect(await other.audited()).toEqual([]);
    pass(overlapMsMin);
    for (const signer of signers) await rotateKey(portsOf(other), rotationOf(signer));
    expect(await other.audited()).toEqual([]);
  });
});

describe('is refused, and changes nothing', () => {
  const refusedAs = async (rotation: Rotation, text: RegExp) => {
    const before = await signerIn(world, 'system');
    const error = await rotateKey(portsOf(world), rotation).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RotationRefused);
    expect(String(error)).toMatch(text);
    expect(await signerIn(world, 'system')).toEqual(before);
    expect(await world.audited()).toEqual([]);
  };

  test('within the overlap of the one before', async () => {
    await rotate('system');
    await refusedAs(rotationOf('system'), /counts until 2\d{3}-/);
  });

  test('with an overlap that an instance may outlast', async () => {
    await refusedAs(rotationOf('system', { overlapMs: overlapMsMin - 1 }), /10 minutes/);
  });

  test('of a ledger that is not there', async () => {
    await refusedAs(rotationOf('system', { scope: 'nobody' }), /no ledger nobody/);
  });

  test.each(signers)('when somebody else rotates %s at the same time', async (signer) => {
    const both = await Promise.allSettled([rotate(signer), rotate(signer)]);
    const [lost] = both.filter((one) => one.status === 'rejected');
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(String(lost?.reason)).toMatch(/at the same time|counts until/);
    expect(keysOf(await signerIn(world, signer))).toHaveLength(2);
    expect(await world.audited()).toEqual([]);
  });
});

describe('a compromised key', () => {
  test('is marked, is kept no longer, and may be replaced within an overlap', async () => {
    await rotate('system');
    for (const signer of signers) {
      const { before, newest } = await rotate(signer, { isCompromised: true });
      expect(before.compromised).toBe(newest.from);
    }
    pass(keyMsMax);
    expect(await world.services.identityOf(main)).not.toHaveProperty('former');
    const { luid } = await signerIn(world, 'log');
    const [secrets] = await world.services.store.load([{ what: 'secrets', scope: main, luid }]);
    expect(Object.keys(secrets ?? {})).toEqual(['private']);
    await world.settle('after', issue(5));
    expect(await world.audited()).toEqual([]);
  });
});

describe('a process that ends in a rotation', () => {
  /** The ports, of which the call of this number fails: before it reaches its port, or when its answer is on the way. */
  const failing = (number: number, isDone: boolean) => {
    let calls = 0;
    const guarded =
      <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        calls += 1;
        if (calls < number) return call(...args);
        if (calls === number && isDone) await call(...args);
        throw new Error('killed');
      };
    const { store, keyring, logs } = portsOf(world);
    return {
      store: {
        load: guarded(store.load as never) as typeof store.load,
        commit: guarded((commit: Commit) => store.commit(commit)),
      },
      keyring: {
        wrap: guarded((seed: Uint8Array, context: string) => keyring.wrap(seed, context)),
        unwrap: guarded((seed: Uint8Array, context: string) => keyring.unwrap(seed, context)),
      },
      logs: { read: guarded((scope: string) => logs.read(scope)) },
      clock: Date.now,
    };
  };

  test.each(signers)('leaves the old key of %s or the new one, at each step', async (signer) => {
    let isEnded = false;
    for (let number = 1; !isEnded; number += 1)
      for (const isDone of [false, true]) isEnded = await expectEither(signer, number, isDone);
  });

  /** Kills a rotation at a call; true when it needs fewer. */
  const expectEither = async (signer: RotatedSigner, number: number, isDone: boolean) => {
    const first = (await signerIn(world, signer)).data['public'];
    const ports = failing(number, isDone);
    const outcome = await rotateKey(ports, rotationOf(signer)).catch((error: Error) => error);
    const record = await signerIn(world, signer);
    const isRotated = record.data['public'] !== first;
    const identity = await identities(world.services.store, world.services.keyring)(main);
    expect(identity?.key.public).toBe((await signerIn(world, 'system')).data['public']);
    expect(await world.audited()).toEqual([]);
    if (!(outcome instanceof Error)) {
      expect(isRotated).toBe(true);
      pass(overlapMsMin + keyMsMax);
      return true;
    }
    // Whoever asks again gets the one new key that there is, or makes it.
    if (isRotated) await expect(rotate(signer)).rejects.toThrow(/counts until/);
    else await rotate(signer);
    pass(overlapMsMin + keyMsMax);
    await world.settle(`after-${signer}-${number}-${isDone}`, issue(1));
    return false;
  };
});

describe('the audit names', () => {
  const at = headKeyOf(main, 'signer', 'system');
  beforeEach(async () => {
    await rotate('system');
  });
  const saidAfter = async (alter: (keys: readonly KeyEntry[]) => readonly KeyEntry[]) => {
    await world.edit(at, (version) => {
      const { data } = version.record;
      const keys = alter(data['keys'] as readonly KeyEntry[]);
      return { ...version, record: { ...version.record, data: { ...data, keys } } };
    });
    return (await world.audited()).join('\n');
  };

  test('a key that the one before has not signed', async () => {
    const said = await saidAfter((keys) =>
      keys.map((key) => (key.proofs ? { ...key, proofs: key.proofs.slice(1) } : key)),
    );
    expect(said).toMatch(/is not signed by the one before it and by itself\./);
  });

  test('a key that is left out', async () => {
    const said = await saidAfter((keys) => keys.slice(1));
    expect(said).toMatch(/does not have the keys of the version before and one more\./);
  });

  test('a version of the signer that the old key has not signed', async () => {
    await world.edit(at, (version) => {
      const { meta } = version.record;
      const proofs = meta.proofs.slice(1);
      const [step] = version.steps;
      const steps = step ? [{ ...step, proofs: 1 }] : [];
      return { ...version, steps, record: { ...version.record, meta: { ...meta, proofs } } };
    });
    expect((await world.audited()).join('\n')).toMatch(
      /The key before has not signed the new one\./,
    );
  });

  test('a former key that is not encrypted', async () => {
    await world.alter(secretKeyOf(main), { formerWrapped: Buffer.alloc(32) });
    expect((await world.audited()).join('\n')).toMatch(
      /The private key of the ledger is not wrapped\./,
    );
  });
});

test('the record of a wallet that an old key signed is read as it was stored', async () => {
  const before = await world.call(read('wallet'), undefined, 'alice');
  await rotate('system');
  pass(keyMsMax);
  expect(await world.call(read('wallet'), undefined, 'alice')).toEqual(before);
});
