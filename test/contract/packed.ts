/**
 * Goal: what is read under a term is what was indexed, newest first and each once, however it lies in items.
 * Method: intents of near and far times are indexed in batches, some twice and at once, and stretches are compared with
 * a plain filter over all of them.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namedLuid } from '../../shared/crypto/luid.ts';
import type { Version } from '../../shared/ledger/record.ts';
import type { Term } from '../../shared/ledger/term.ts';
import type { Catalog, EntryVersion, ListPlace, Stretch } from '../../shared/port/catalog.ts';
import { transferred } from '../fixture/version.ts';
import { newScope } from './store.ts';

const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const usd: Term = { field: 'word', value: 'usd' };

/** An intent that was completed as soon as it was made, at this time. */
export function intentAt(ms: number, handle: string): Version {
  const { record, ...rest } = transferred(handle);
  return { ...rest, record: { ...record, luid: namedLuid('int', ms, handle) } };
}

/** A version to be indexed, as the outbox has it. */
export function toldOf(scope: string, version: Version): EntryVersion {
  const { luid, data } = version.record;
  const entry = {
    ...{ scope, shard: 0, place: luid, kind: version.kind, handle: data.handle },
    ...{ luid, change: version.change, momentMs: startMs, signals: [] },
  };
  return { entry, version };
}

interface Model {
  readonly times: readonly number[];
  /** The batches of each intent: it is indexed in all of them. */
  readonly batches: readonly (readonly number[])[];
  readonly stretches: readonly {
    readonly since: number;
    readonly until: number;
    readonly limit: number;
    readonly kind: 'time' | 'place' | 'open';
  }[];
}

const time = fc.oneof(fc.nat({ max: 600 }), fc.nat({ max: 5_000 }), fc.constantFrom(255, 256, 511));
const model: fc.Arbitrary<Model> = fc.array(time, { minLength: 1, maxLength: 60 }).chain((times) =>
  fc.record({
    times: fc.constant(times),
    batches: fc.array(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 2 }), {
      minLength: times.length,
      maxLength: times.length,
    }),
    stretches: fc.array(
      fc.record({
        since: time,
        until: time,
        limit: fc.constantFrom(1, 2, 7, 40, 100),
        kind: fc.constantFrom('time' as const, 'place' as const, 'open' as const),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
);

/** Runs the contract against the catalog that is there once the tests run. */
export function describePacked(name: string, catalogNow: () => Catalog, runCount = 200): void {
  describe(`index entries of a busy ledger in ${name}`, () => {
    test('are read in any stretch as a plain filter would', async () => {
      await fc.assert(
        fc.asyncProperty(model, (one) => play(catalogNow(), one)),
        { numRuns: runCount },
      );
    });

    test('are read page by page, each once, to the last one', async () => {
      const catalog = catalogNow();
      const scope = newScope();
      const versions = Array.from({ length: 300 }, (_, n) => intentAt(startMs + n * 3, `p-${n}`));
      for (let start = 0; start < versions.length; start += 50) {
        const told = versions.slice(start, start + 50).map((version) => toldOf(scope, version));
        // Two relays index the same, and share most of it with the batch before.
        const more = versions.slice(Math.max(0, start - 20), start + 10);
        const others = more.map((version) => toldOf(scope, version));
        await Promise.all([told, told, others].map((some) => catalog.keep(some)));
      }
      const found = await allOf(catalog, scope, 23);
      expect(found.map((place) => place.name)).toEqual(
        versions.map(({ record }) => record.data.handle).reverse(),
      );
    });
  });
}

/** All places under a term, page by page; each page begins with the last place of the one before. */
async function allOf(catalog: Catalog, scope: string, limit: number): Promise<ListPlace[]> {
  const found: ListPlace[] = [];
  for (;;) {
    const upTo = found.at(-1)?.at;
    const stretch = { limit, ...(upTo !== undefined && { upTo }) };
    const page = await catalog.indexEntriesOf({ scope, kind: 'intent' }, usd, stretch);
    found.push(...(upTo === undefined ? page : page.slice(1)));
    if (page.length < limit) return found;
  }
}

async function play(catalog: Catalog, { times, batches, stretches }: Model): Promise<void> {
  const scope = newScope();
  const versions = times.map((ms, index) => intentAt(startMs + ms, `i-${index}`));
  const writers = [0, 1, 2, 3].map((batch) =>
    versions.filter((_, index) => batches[index]?.includes(batch)),
  );
  await Promise.all(
    writers.map((some) => catalog.keep(some.map((version) => toldOf(scope, version)))),
  );
  const all = versions
    .map((version) => ({
      at: catalog.placeOf(version),
      luid: version.record.luid,
      name: version.record.data.handle,
      ms: startMs + (times[versions.indexOf(version)] ?? 0),
    }))
    .sort((one, other) => (one.at < other.at ? 1 : -1));
  for (const { since, until, limit, kind } of stretches) {
    const place = all[until % all.length]?.at ?? '';
    const sinceMs = startMs + since;
    const upTo = kind === 'time' ? startMs + until : place;
    const stretch: Stretch = { limit, ...(kind !== 'open' && { sinceMs, upTo }) };
    const wanted = all
      .filter(({ at, ms }) => {
        if (kind === 'open') return true;
        return ms >= sinceMs && (kind === 'time' ? ms <= startMs + until : at <= place);
      })
      .slice(0, limit)
      .map(({ ms: _ms, ...one }) => one);
    for (const value of ['usd', 'completed'])
      expect(
        await catalog.indexEntriesOf({ scope, kind: 'intent' }, { field: 'word', value }, stretch),
      ).toEqual(wanted);
  }
}
