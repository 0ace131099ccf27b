/**
 * The contract of attachments: they are stored, changed and deleted together with their record. Decisions 22, 23
 * and 25.
 */
import { describe, expect, test } from 'vitest';
import { type RecordData, type Version, versionOf } from '../../shared/ledger/record.ts';
import type { Catalog } from '../../shared/port/catalog.ts';
import type { Outbox } from '../../shared/port/outbox.ts';
import type { Store, TokenClient, Write } from '../../shared/port/ports.ts';
import { noProgress, type ReportStore } from '../../shared/port/reports.ts';
import {
  commitOf,
  created,
  dropped,
  newLuid,
  nextMs,
  proofBy,
  revised,
  transferred,
  writeOf,
} from '../fixture/version.ts';
import { waiting } from './outbox.ts';
import { newScope } from './store.ts';

interface Ports {
  readonly store: Store;
  readonly reports: ReportStore;
  readonly outbox: Outbox;
  readonly catalog: Catalog;
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text));
const clientOf = (version: Version, id: string, factor = 'ann/phone'): TokenClient => ({
  id,
  factor,
  luid: version.record.luid,
  salt: bytes('salt'),
  hash: bytes('hash'),
});

/** A version of a factor with the client that it creates. */
function factorOf(clientId: string): Version {
  const version = created('signer-factor', 'phone', { signer: 'ann' });
  const { record } = version;
  return { ...version, record: { ...record, meta: { ...record.meta, clientId } } };
}

/** An intent that was completed at this moment, however long before it was made. */
function completedAt(moment: string): Version {
  const { record, steps, ...rest } = transferred(`late-${nextMs()}`);
  const { proofs } = record.meta;
  const last = proofBy('system', record.hash, { status: 'completed', moment });
  return {
    ...{
      ...rest,
      record: { ...record, meta: { ...record.meta, proofs: [...proofs.slice(0, -1), last] } },
    },
    steps: steps.map((step) => (step.status === 'completed' ? { ...step, moment } : step)),
  };
}

/** Writes the index entries of the oldest changes that wait, and ends their waiting. */
async function publish(
  { outbox, catalog }: Ports,
  scope: string,
  isLeaving: boolean,
): Promise<void> {
  const entries = await waiting(outbox, scope);
  const versions = await outbox.versions(entries);
  const told = entries.map((entry, index) => ({ entry, version: versions[index] as Version }));
  expect(await catalog.keep(told)).toEqual([]);
  if (isLeaving) await outbox.markPublished(entries);
}

/** The data of a bridge that names these secrets. */
function naming(...names: readonly string[]): Partial<RecordData> {
  const rule = (name: string) => ({ schema: 'header', key: name, value: `{{ secret.${name} }}` });
  return { secure: names.map(rule) };
}

/** Runs the contract against a store and the work on reports in it. */
export function describeKept(name: string, portsNow: () => Ports): void {
  const commit = async (write: Write) => {
    expect(await portsNow().store.commit(commitOf(write))).toEqual([]);
  };
  const secretsOf = async (scope: string, { record }: Version) => {
    const want = { what: 'secrets', scope, luid: record.luid } as const;
    const [found] = await portsNow().store.load([want]);
    return (
      found &&
      Object.fromEntries(Object.entries(found).map(([key, one]) => [key, `${Buffer.from(one)}`]))
    );
  };
  const clientAt = async (scope: string, id: string) => {
    const [found] = await portsNow().store.load([{ what: 'client', scope, id }]);
    return (
      found && {
        ...found,
        salt: bytes(`${Buffer.from(found.salt)}`),
        hash: bytes(`${Buffer.from(found.hash)}`),
      }
    );
  };

  describe(`what ${name} keeps beside records`, () => {
    test('the secrets of a bridge are stored with it, replaced as a whole, and end with it', async () => {
      const scope = newScope();
      const first = created('bridge', 'bank', naming('a', 'b'));
      expect(await secretsOf(scope, first)).toBeUndefined();
      await commit({ ...writeOf(scope, first), secrets: { a: bytes('one'), b: bytes('two') } });
      expect(await secretsOf(scope, first)).toEqual({ a: 'one', b: 'two' });
      const second = revised(first);
      await commit(writeOf(scope, second, first));
      expect(await secretsOf(scope, first)).toEqual({ a: 'one', b: 'two' });
      const third = revised(second, naming('b'));
      await commit({ ...writeOf(scope, third, second), secrets: { b: bytes('three') } });
      expect(await secretsOf(scope, first)).toEqual({ b: 'three' });
      await commit(writeOf(scope, dropped(third), third));
      expect(await secretsOf(scope, first)).toBeUndefined();
      expect(await secretsOf(newScope(), third)).toBeUndefined();
    });

    test('a bridge that names no secret any more has none', async () => {
      const scope = newScope();
      const first = created('bridge', 'bank', naming('a'));
      await commit({ ...writeOf(scope, first), secrets: { a: bytes('one') } });
      const second = revised(first, naming());
      await commit({ ...writeOf(scope, second, first), secrets: {} });
      expect(await secretsOf(scope, first)).toBeUndefined();
    });

    test('secrets are not stored when their bridge is not', async () => {
      const scope = newScope();
      const first = created('bridge', 'bank', naming('a'));
      await commit({ ...writeOf(scope, first), secrets: { a: bytes('one') } });
      const [stale, next] = [revised(first), revised(first)];
      await commit(writeOf(scope, next, first));
      const late = { ...writeOf(scope, stale, first), secrets: { a: bytes('late') } };
      expect(await portsNow().store.commit(commitOf(late))).toHaveLength(1);
      expect(await secretsOf(scope, first)).toEqual({ a: 'one' });
    });

    test('a client is found by its clientId, changes with its factor and ends with it', async () => {
      const scope = newScope();
      const id = newLuid('cli').slice(5);
      const signer = created('signer', 'ann');
      await commit(writeOf(scope, signer));
      const first = factorOf(id);
      const client = clientOf(first, id);
      await commit({ ...writeOf(scope, first), client });
      expect(await clientAt(scope, id)).toEqual(client);
      expect(await clientAt(newScope(), id)).toBeUndefined();
      const second = revised(first, { handle: 'tablet' });
      const renamed = clientOf(first, id, 'ann/tablet');
      await commit({ ...writeOf(scope, second, first), client: renamed });
      expect(await clientAt(scope, id)).toEqual(renamed);
      const [head] = await portsNow().store.load([
        { what: 'record', scope, kind: 'signer-factor', handle: 'ann/tablet' },
      ]);
      expect(head?.record.meta.clientId).toBe(id);
      await commit(writeOf(scope, dropped(second), second));
      expect(await clientAt(scope, id)).toBeUndefined();
    });
  });

  describe(`the work on reports in ${name}`, () => {
    const dueOf = async (scope: string, nowMs: number) =>
      (await portsNow().reports.due(nowMs, 10_000)).filter((work) => work.scope === scope);

    test('is marked with the report, and due at its time', async () => {
      const scope = newScope();
      const version = created('report', 'details');
      const { luid } = version.record;
      const dueMs = nextMs();
      await commit({ ...writeOf(scope, version), workMs: dueMs });
      expect(await dueOf(scope, dueMs - 1)).toEqual([]);
      const [work] = await dueOf(scope, dueMs);
      expect(work).toEqual({
        ...{ scope, luid, handle: 'details', dueMs, failures: 0 },
        ...{ progress: noProgress, version: 1 },
      });
    });

    test('is saved once in the place of each version, and goes to its new time', async () => {
      const { reports } = portsNow();
      const scope = newScope();
      const dueMs = nextMs();
      await commit({ ...writeOf(scope, created('report', 'details')), workMs: dueMs });
      const [first] = await dueOf(scope, dueMs);
      if (!first) throw new Error('There is work.');
      const progress = { ...noProgress, place: 'here', intents: 3 };
      const here = { ...first, progress, version: 2 };
      expect(await reports.save(here, first)).toBe(true);
      expect(await reports.save({ ...here, failures: 1 }, first)).toBe(false);
      expect(await dueOf(scope, dueMs)).toEqual([here]);
      const later = { ...here, dueMs: dueMs + 5, version: 3 };
      expect(await reports.save(later, here)).toBe(true);
      expect(await reports.save({ ...later, dueMs: dueMs + 9 }, here)).toBe(false);
      expect(await dueOf(scope, dueMs)).toEqual([]);
      expect(await dueOf(scope, dueMs + 5)).toEqual([later]);
      await reports.end(later);
      expect(await dueOf(scope, dueMs + 5)).toEqual([]);
    });

    test('what is longest due comes first, some at a time', async () => {
      const { reports } = portsNow();
      const scope = newScope();
      const times = [30, 10, 20].map((ms) => ms + 1);
      for (const workMs of times)
        await commit({ ...writeOf(scope, created('report', `r${workMs}`)), workMs });
      expect((await dueOf(scope, 100)).map(({ dueMs }) => dueMs)).toEqual([11, 21, 31]);
      expect(await reports.due(100, 1)).toHaveLength(1);
      for (const work of await dueOf(scope, 100)) await reports.end(work);
    });

    test('the parts of an asset are kept in order, each can be put again, and all can go', async () => {
      const { reports } = portsNow();
      const [scope, luid] = [newScope(), newLuid('rep')];
      const csv = { scope, luid, asset: 'csv' };
      await reports.put(csv, 0, ['a', 'ü\n']);
      await reports.put(csv, 1, ['b', 'c']);
      await reports.put({ ...csv, asset: 'json' }, 0, ['[]']);
      expect(await reports.chunks(csv, 0, 3)).toEqual(['a', 'b', 'c']);
      expect(await reports.chunks(csv, 2, 1)).toEqual(['c']);
      await expect(reports.chunks(csv, 2, 2)).rejects.toThrow('is there');
      const other = { ...csv, luid: newLuid('rep') };
      await reports.put(other, 0, ['x']);
      await reports.erase(scope, luid);
      await expect(reports.chunks(csv, 0, 1)).rejects.toThrow('is there');
      expect(await reports.chunks(other, 0, 1)).toEqual(['x']);
    });

    test('intents come in the order in which they were accepted, from a place on', async () => {
      const { reports } = portsNow();
      const scope = newScope();
      const intents = Array.from({ length: 5 }, (_, index) => created('intent', `i${index}`));
      for (const intent of intents.toReversed()) await commit(writeOf(scope, intent));
      const msOf = (index: number) => Date.parse(intents[index]?.record.meta.moment ?? '');
      const stretch = { scope, fromMs: msOf(1), endMs: msOf(4), limit: 2 };
      const first = await reports.intents(stretch);
      expect(first.versions).toEqual(intents.slice(1, 3));
      const after = first.place ?? '';
      const second = await reports.intents({ ...stretch, after });
      expect(second.versions).toEqual(intents.slice(3, 4));
      const last = await reports.intents({ ...stretch, after: second.place ?? '' });
      expect(last).toEqual({ versions: [], place: undefined });
      expect((await reports.intents({ ...stretch, scope: newScope() })).versions).toEqual([]);
    });

    test('intents that may wait for long are found by themselves: with times of their own, or extended', async () => {
      const { reports } = portsNow();
      const scope = newScope();
      const moment = '2027-01-01T00:00:00.000Z';
      const configs = [{ notBefore: moment }, { commit: 'manual' }, { expiry: moment }, {}];
      const intents = configs.map((config) => created('intent', `l${nextMs()}`, { config }));
      for (const intent of intents) await commit(writeOf(scope, intent));
      const [first, , third, last] = intents as [Version, Version, Version, Version];
      const { record } = last;
      const word = proofBy('system', record.hash, { status: 'extended', expiry: moment, moment });
      const proofs = [...record.meta.proofs, word];
      const step = { action: 'update', status: 'pending', moment, proofs: proofs.length } as const;
      const said = { ...record, meta: { ...record.meta, proofs } };
      const extended = versionOf('intent', said, [step], last);
      const stretch = { scope, isLong: true, fromMs: 1, endMs: nextMs(), limit: 2 };
      expect((await reports.intents(stretch)).versions).toEqual([first, third]);
      await commit(writeOf(scope, extended, last));
      const { place = '' } = await reports.intents(stretch);
      expect((await reports.intents({ ...stretch, after: place })).versions).toEqual([extended]);
      const fromMs = Date.parse(first.record.meta.moment) + 1;
      expect((await reports.intents({ ...stretch, fromMs })).versions).toEqual([third, extended]);
    });

    test('intents that were completed late are found by the period of that, whether they are published or not', async () => {
      const { reports } = portsNow();
      const scope = newScope();
      const periodMs = 30 * 86_400_000;
      const period = { startMs: 701 * periodMs, endMs: 702 * periodMs };
      const momentOf = (ms: number) => new Date(ms).toISOString();
      const moments = [period.endMs - 1, period.endMs, period.startMs + 7].map(momentOf);
      const intents = [...moments.map(completedAt), transferred(`quick-${nextMs()}`)];
      for (const intent of intents) await commit(writeOf(scope, intent));
      const [first, other, third] = intents as [Version, Version, Version];
      const stretch = { scope, completedIn: period, fromMs: 0, endMs: nextMs(), limit: 2 };
      const expectFound = async (more: readonly Version[] = []) => {
        const expected = [first, third, ...more];
        const { versions, place = '' } = await reports.intents({ ...stretch, endMs: nextMs() });
        expect(versions).toEqual(expected.slice(0, 2));
        const part = await reports.intents({ ...stretch, limit: 1 });
        expect(part.versions).toEqual([first]);
        const next = { ...stretch, endMs: nextMs() };
        const after = await reports.intents({ ...next, after: part.place ?? '' });
        expect(after.versions).toEqual(expected.slice(1, 3));
        const rest = await reports.intents({ ...next, after: place });
        expect(rest.versions).toEqual(more);
        const longer = { ...period, endMs: period.endMs + 1 };
        const all = await reports.intents({ ...next, completedIn: longer, limit: 9 });
        expect(all.versions).toEqual([first, other, third, ...more]);
      };
      await expectFound();
      await publish(portsNow(), scope, false);
      await expectFound();
      await publish(portsNow(), scope, true);
      await expectFound();
      const last = completedAt(momentOf(period.startMs));
      await commit(writeOf(scope, last));
      await expectFound([last]);
      const fromMs = Date.parse(first.record.meta.moment) + 1;
      expect((await reports.intents({ ...stretch, fromMs })).versions).toEqual([third]);
      const before = { startMs: period.startMs - 1, endMs: period.startMs };
      expect((await reports.intents({ ...stretch, completedIn: before })).versions).toEqual([]);
    });
  });
}
