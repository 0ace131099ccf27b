/**
 * The contract of busy lists, as tests that any implementation passes: whatever layout the list of a kind had when a
 * version was stored, its pages and searches show the current records in their order, and each once. Decision 159.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { Version } from '../../shared/ledger/record.ts';
import { type Term, termsOf } from '../../shared/ledger/term.ts';
import type { Listing } from '../../shared/port/catalog.ts';
import { listKeyOf } from '../../shared/store/keys.ts';
import { indexed } from '../fixture/told.ts';
import { commitOf, created, dropped, proved, revised, writeOf } from '../fixture/version.ts';
import { entriesOf, type LayoutPorts } from './layout.ts';
import { newScope } from './store.ts';

/** Longer than a layout is stored before it is used, in milliseconds. */
const longAgoMs = 60_000;
const all = 1_000;
const kind = 'wallet';
const words = ['red', 'blue'];
/** All terms of these wallets. */
const wanted: readonly Term[] = [
  ...words.map((value) => ({ field: 'data.custom.colour', value })),
  ...['created', 'active', 'frozen'].map((value) => ({ field: 'meta.status', value })),
];
const luidOf = ({ record }: Version): string => record.luid;

/** Lets a list, that of wallets unless said, grow as if that had been long ago. */
export async function growList(
  { layouts }: Pick<LayoutPorts, 'layouts'>,
  scope: string,
  grown: Kind = kind,
) {
  await layouts.grow(scope, await layouts.read(scope), Date.now() - longAgoMs, grown);
  // By the time that a layout is used, every process has read it.
  await layouts.read(scope);
}

/** A ledger with wallets, and what is true of them. */
class Wallets {
  readonly scope = newScope();
  readonly listing: Listing = { scope: this.scope, kind };
  private readonly ports: LayoutPorts;
  private readonly current = new Map<string, Version>();
  private count = 0;

  constructor(ports: LayoutPorts) {
    this.ports = ports;
  }

  /** The current versions, newest first. */
  get newest(): Version[] {
    const placeOf = (version: Version) => listKeyOf(this.scope, version).sk;
    return [...this.current.values()].sort((one, other) =>
      placeOf(one) < placeOf(other) ? 1 : -1,
    );
  }

  async create(number: number): Promise<void> {
    this.count += 1;
    const custom = { colour: words[number % words.length] };
    await this.save(created(kind, `w-${this.count}`, { custom }));
  }

  async update(number: number): Promise<void> {
    const previous = this.at(number);
    const custom = { colour: words[(number + 1) % words.length] };
    if (previous) await this.save(revised(previous, { custom }), previous);
  }

  async prove(number: number): Promise<void> {
    const previous = this.at(number);
    if (previous) await this.save(proved(previous, 1, number % 2 ? 'active' : 'frozen'), previous);
  }

  async drop(number: number): Promise<void> {
    const previous = this.at(number);
    if (!previous) return;
    await this.commit(dropped(previous), previous);
    this.current.delete(luidOf(previous));
  }

  grow(): Promise<void> {
    return growList(this.ports, this.scope);
  }

  /** Indexes what waits in the outbox, and publishes it. */
  async index(): Promise<void> {
    await indexed(this.ports, await entriesOf(this.ports, this.scope));
  }

  private at(number: number): Version | undefined {
    const versions = this.newest;
    return versions[number % Math.max(1, versions.length)];
  }

  private async save(next: Version, previous?: Version): Promise<void> {
    await this.commit(next, previous);
    const { handle } = next.record.data;
    const { store } = this.ports;
    const [found] = await store.load([{ what: 'record', scope: this.scope, kind, handle }]);
    expect(found?.record).toEqual(next.record);
    this.current.set(luidOf(next), found as Version);
  }

  private async commit(next: Version, previous?: Version): Promise<void> {
    const write = writeOf(this.scope, next, previous);
    expect(await this.ports.store.commit(commitOf(write))).toEqual([]);
  }
}

/** Compares all ways to find wallets with those that there are. */
async function expectFound({ store, catalog }: LayoutPorts, wallets: Wallets): Promise<void> {
  const { scope, listing, newest } = wallets;
  const luids = newest.map(luidOf);
  for (const limit of [1, 4, all])
    for (let index = 0; index * limit <= luids.length && index < 4; index += 1) {
      const page = await store.list(scope, kind, { index, limit });
      expect(page.map(luidOf)).toEqual(luids.slice(index * limit, (index + 1) * limit));
    }
  const places = await catalog.listed(listing, { limit: all });
  expect(places.map(({ luid }) => luid)).toEqual(luids);
  await wallets.index();
  let found = 0;
  for (const term of wanted) {
    const own = newest.filter(({ record }) =>
      termsOf(kind, record).some((one) => isSame(one, term)),
    );
    const entries = await catalog.indexEntriesOf(listing, term, { limit: all });
    expect(entries.map(({ luid }) => luid)).toEqual(own.map(luidOf));
    found += entries.length;
  }
  // Each wallet has a colour and a status.
  expect(found).toBe(2 * luids.length);
}

function isSame(one: Term, other: Term): boolean {
  return one.field === other.field && one.value === other.value;
}

/** Runs the contract against the ports that are there once the tests run. */
export function describeBusyLists(name: string, portsNow: () => LayoutPorts, runs = 10): void {
  describe(`a busy list in ${name}`, () => {
    test('grows by itself: the intents of its ledger and its other lists stay as they are', async () => {
      const { layouts } = portsNow();
      const scope = newScope();
      const counts: (number | undefined)[] = [];
      for (let round = 0; round < 4; round += 1) {
        await growList({ layouts }, scope);
        const { count, lists } = await layouts.read(scope);
        expect([count, Object.keys(lists ?? {})]).toEqual([1, [kind]]);
        counts.push(lists?.[kind]?.count);
      }
      expect(counts).toEqual([4, 16, 64, 64]);
    });

    test('may have any layout at any time, and all is found in its order, each record once', async () => {
      const commands = ['create', 'create', 'update', 'prove', 'drop', 'index', 'grow'] as const;
      const steps = fc.array(fc.tuple(fc.constantFrom(...commands), fc.nat({ max: 99 })), {
        minLength: 5,
        maxLength: 40,
      });
      const holds = fc.asyncProperty(steps, async (taken) => {
        const ports = portsNow();
        const wallets = new Wallets(ports);
        for (const [command, number] of taken) await wallets[command](number);
        await expectFound(ports, wallets);
      });
      await fc.assert(holds, { numRuns: runs });
    });
  });
}
