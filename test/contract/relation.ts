/**
 * The contract of a store for records that refer to others, belong to others, or have rules for others, as tests that
 * any implementation passes.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Kind } from '../../shared/ledger/kind.ts';
import { nameOfVersion, type RecordData, type Version } from '../../shared/ledger/record.ts';
import type { Store, Write } from '../../shared/port/ports.ts';
import { refersShardCount } from '../../shared/store/keys.ts';
import {
  commitOf,
  created,
  dropped,
  openingOf,
  proved,
  publicNamed,
  revised,
  writeOf,
} from '../fixture/version.ts';
import { newScope } from './store.ts';

type Data = Partial<RecordData>;

/** A wallet that other wallets pay for. */
const drawingOn = (...targets: string[]) => ({
  routes: targets.map((target) => ({ action: 'debit', target })),
});

/** Each kind that counts references to it, with a record that refers to one, and data that refer to another. */
const named: readonly (readonly [
  kind: Kind,
  by: (handle: string) => Version,
  away: Data | undefined,
])[] = [
  ['bridge', (bridge) => created('wallet', 'alice', { bridge }), { bridge: 'other' }],
  [
    'bridge',
    (bridge) => created('effect', 'hook', { signal: 's', action: { schema: 'bridge', bridge } }),
    { action: { schema: 'webhook' } },
  ],
  ['signer', (signer) => created('signer-factor', 'phone', { signer }), undefined],
  ['signer', (signer) => created('circle-signer', signer, { circle: 'crew' }), undefined],
  ['circle', (circle) => created('circle-signer', 'ann', { circle }), undefined],
  ['wallet', (wallet) => created('anchor', 'x', { wallet }), { wallet: 'other' }],
  ['wallet', (target) => created('wallet', 'x', drawingOn(target)), drawingOn('other')],
  ['policy', (extend) => created('policy', 'x', { extend }), { extend: ['other'] }],
];

const rows = named.map(([kind, by, away]) => ({
  by: by('one'),
  named: created(kind, 'one'),
  away,
  /** The other records that the record refers to. */
  beside: [created(kind, 'other'), created('circle', 'crew'), created('signer', 'ann')].filter(
    (version) => nameOfVersion(version) !== 'one',
  ),
}));
type Row = (typeof rows)[number];

const relation = [{ what: 'relation', write: 0 }];
const used = [{ what: 'used', write: 0 }];

const stored = (store: Store, scope: string, next: Version, previous?: Version) =>
  store.commit(commitOf(writeOf(scope, next, previous)));

async function allStored(store: Store, scope: string, versions: readonly Version[]): Promise<void> {
  for (const version of versions) expect(await stored(store, scope, version)).toEqual([]);
}

async function headOf(store: Store, scope: string, version: Version) {
  const handle = nameOfVersion(version);
  const [found] = await store.load([{ what: 'record', scope, kind: version.kind, handle }]);
  return found;
}

const rulebookOf = async (store: Store, scope: string) =>
  (await store.load([{ what: 'rulebook', scope }]))[0];
const signerOf = async (store: Store, scope: string, key: string) =>
  (await store.load([{ what: 'holder', scope, public: key }]))[0]?.signer;
const page = { index: 0, limit: 10 };

/** Runs the contract against the store that is there once the tests run. */
export function describeRelations(name: string, storeNow: () => Store): void {
  describeNaming(name, storeNow);
  describeHanging(name, storeNow);
  describeCounting(name, storeNow);
  describeRaces(name, storeNow);
  describeRulebooks(name, storeNow);
  describeNested(name, storeNow);
  describeIndexes(name, storeNow);
  describeFactors(name, storeNow);
}

function describeNaming(name: string, storeNow: () => Store): void {
  describe.each(rows)(`$by.kind that names a $named.kind in ${name}`, (row) => {
    test('needs it to be there', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const { by } = row;
      await allStored(store, scope, row.beside);
      expect(await stored(store, scope, by)).toEqual(relation);
      expect(await headOf(store, scope, by)).toBeUndefined();
      await allStored(store, scope, [row.named, by]);
      expect(await headOf(store, scope, by)).toEqual(by);
    });

    test('keeps its handle, through changes of either', async () => {
      const { store, scope, by, one } = await bound(storeNow(), row);
      const other = revised(one, { handle: 'new' });
      expect(await stored(store, scope, other, one)).toEqual(used);
      expect(await headOf(store, scope, one)).toEqual(one);
      const next = revised(one, { custom: { n: 1 } });
      expect(await stored(store, scope, next, one)).toEqual([]);
      const still = proved(by);
      expect(await stored(store, scope, still, by)).toEqual([]);
      expect(await stored(store, scope, revised(next, { handle: 'new' }), next)).toEqual(used);
      expect(await store.list(scope, one.kind, page)).toContainEqual(next);
    });
  });

  const ending = rows.filter(({ named: one }) => ['bridge', 'wallet', 'policy'].includes(one.kind));
  describe.each(ending)(`$named.kind that a $by.kind names in ${name}`, (row) => {
    test('keeps its life until it is named no more', async () => {
      const { store, scope, by, one } = await bound(storeNow(), row);
      expect(await stored(store, scope, dropped(one), one)).toEqual(used);
      const free = revised(by, row.away);
      expect(await stored(store, scope, free, by)).toEqual([]);
      expect(await stored(store, scope, dropped(one), one)).toEqual([]);
      expect(await stored(store, scope, revised(free, by.record.data), free)).toEqual(relation);
    });

    test('keeps its life as long as whoever names it', async () => {
      const { store, scope, by, one } = await bound(storeNow(), row);
      expect(await stored(store, scope, dropped(by), by)).toEqual([]);
      expect(await stored(store, scope, dropped(one), one)).toEqual([]);
    });

    test('is named and left as often as one likes', async () => {
      const { store, scope, by, one } = await bound(storeNow(), row);
      let previous = by;
      for (let round = 0; round < 3; round += 1) {
        const away = revised(previous, row.away);
        const back = revised(away, by.record.data);
        await stored(store, scope, away, previous);
        await stored(store, scope, back, away);
        previous = back;
      }
      expect(await stored(store, scope, dropped(one), one)).toEqual(used);
      await stored(store, scope, dropped(previous), previous);
      expect(await stored(store, scope, dropped(one), one)).toEqual([]);
    });
  });
}

/** A ledger in which one record refers to another. */
async function bound(store: Store, { by, named: one, beside }: Row) {
  const scope = newScope();
  await allStored(store, scope, [...beside, one, by]);
  return { store, scope, by, one };
}

function describeHanging(name: string, storeNow: () => Store): void {
  describe(`what hangs on a record in ${name}`, () => {
    const hanging = [
      ['signer', (signer: string) => created('signer-factor', 'phone', { signer })],
      ['circle', (circle: string) => created('circle-signer', 'ann', { circle })],
      ['wallet', (wallet: string) => created('anchor', 'x', { wallet })],
    ] as const;

    test.each(hanging)('is stored as long as that is the %s it was read as', async (kind, by) => {
      const [store, scope] = [storeNow(), newScope()];
      const [one, version] = [created(kind, 'one'), by('one')];
      await allStored(store, scope, [one, created('signer', 'ann')]);
      await stored(store, scope, revised(one, { handle: 'new' }), one);
      const other = created(kind, 'one');
      await allStored(store, scope, [other]);
      const write = (hangsOn: string) =>
        store.commit(commitOf({ ...writeOf(scope, version), hangsOn }));
      expect(await write(one.record.luid)).toEqual(relation);
      expect(await headOf(store, scope, version)).toBeUndefined();
      expect(await write(other.record.luid)).toEqual([]);
    });
  });
}

function describeCounting(name: string, storeNow: () => Store): void {
  describe(`records that are named in ${name}`, () => {
    test('count all who name them, wherever they are counted', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const bank = created('bridge', 'bank');
      await allStored(store, scope, [bank]);
      const wallets = Array.from({ length: refersShardCount * 3 }, (_, index) =>
        created('wallet', `w${index}`, { bridge: 'bank' }),
      );
      await Promise.all(wallets.map((wallet) => stored(store, scope, wallet)));
      for (const wallet of wallets) {
        expect(await stored(store, scope, dropped(bank), bank)).toEqual(used);
        expect(await stored(store, scope, dropped(wallet), wallet)).toEqual([]);
      }
      expect(await stored(store, scope, dropped(bank), bank)).toEqual([]);
    });

    test('count one that names several of them at each, and lose only those it leaves', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [a, b, c] = ['a', 'b', 'c'].map((handle) => created('policy', handle)) as [
        Version,
        Version,
        Version,
      ];
      const by = created('policy', 'by', { extend: ['a', 'b', 'a'] });
      await allStored(store, scope, [a, b, c, by]);
      const next = revised(by, { extend: ['b', 'c'] });
      expect(await stored(store, scope, next, by)).toEqual([]);
      expect(await stored(store, scope, dropped(a), a)).toEqual([]);
      expect(await stored(store, scope, dropped(b), b)).toEqual(used);
      expect(await stored(store, scope, dropped(c), c)).toEqual(used);
      const renamed = revised(next, { handle: 'bye' });
      expect(await stored(store, scope, renamed, next)).toEqual([]);
      expect(await stored(store, scope, dropped(renamed), renamed)).toEqual([]);
      expect(await stored(store, scope, dropped(b), b)).toEqual([]);
    });

    test('do not count what could not be stored', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const bank = created('bridge', 'bank');
      const alice = created('wallet', 'alice');
      await allStored(store, scope, [bank, alice]);
      const twice = created('wallet', 'alice', { bridge: 'bank' });
      expect(await stored(store, scope, twice)).toEqual([{ what: 'handle', write: 0 }]);
      await stored(store, scope, proved(alice), alice);
      const late = revised(alice, { bridge: 'bank' });
      expect(await stored(store, scope, late, alice)).toEqual([{ what: 'stale', write: 0 }]);
      expect(await stored(store, scope, dropped(bank), bank)).toEqual([]);
    });

    test('of one ledger are not those of another', async () => {
      const store = storeNow();
      const [scope, other] = [newScope(), newScope()];
      const [bank, foreign] = [created('bridge', 'bank'), created('bridge', 'bank')];
      await allStored(store, scope, [bank]);
      const wallet = created('wallet', 'alice', { bridge: 'bank' });
      expect(await stored(store, other, wallet)).toEqual(relation);
      await allStored(store, other, [foreign, wallet]);
      expect(await stored(store, scope, dropped(bank), bank)).toEqual([]);
    });

    test('may be abandoned by a wallet, and their heir is named in its place', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const alice = created('wallet', 'alice');
      const anchor = created('anchor', '555', { wallet: 'alice' });
      await allStored(store, scope, [alice, anchor]);
      const last = writeOf(scope, dropped(alice), alice);
      expect(await store.commit(commitOf(last))).toEqual(used);
      expect(await store.commit(commitOf({ ...last, abandons: true }))).toEqual([]);
      expect(await store.indexed(scope, 'anchor', 'alice')).toEqual([anchor]);
      const kept = revised(anchor, { target: 'x' });
      expect(await stored(store, scope, kept, anchor)).toEqual([]);
      expect(await stored(store, scope, created('anchor', '556', { wallet: 'alice' }))).toEqual(
        relation,
      );
      const heir = created('wallet', 'alice');
      await allStored(store, scope, [heir]);
      expect(await stored(store, scope, dropped(heir), heir)).toEqual(used);
      expect(await stored(store, scope, dropped(kept), kept)).toEqual([]);
      expect(await stored(store, scope, dropped(heir), heir)).toEqual([]);
    });

    test('are abandoned by no wallet that pays for another', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [alice, bob] = [created('wallet', 'alice'), created('wallet', 'bob')];
      const carol = created('wallet', 'carol', drawingOn('alice', 'bob', 'alice'));
      const anchor = created('anchor', '555', { wallet: 'alice' });
      await allStored(store, scope, [alice, bob, carol, anchor]);
      const last = { ...writeOf(scope, dropped(alice), alice), abandons: true };
      expect(await store.commit(commitOf(last))).toEqual(used);
      const free = revised(carol, drawingOn('bob'));
      expect(await stored(store, scope, free, carol)).toEqual([]);
      expect(await store.commit(commitOf(last))).toEqual([]);
      expect(await stored(store, scope, dropped(free), free)).toEqual([]);
      expect(await stored(store, scope, dropped(bob), bob)).toEqual([]);
    });

    test('end with their balances, and what is in the way of either is told', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [alice, usd] = [created('wallet', 'alice'), created('symbol', 'usd')];
      await allStored(store, scope, [alice, usd, created('anchor', '555', { wallet: 'alice' })]);
      await store.open([openingOf(scope, alice, usd)]);
      const last = writeOf(scope, dropped(alice), alice);
      expect(await store.commit(commitOf(last))).toEqual([
        { what: 'closing', write: 0 },
        { what: 'used', write: 0 },
      ]);
      const closes = await store.balances(scope, 'alice');
      expect(await store.commit(commitOf({ ...last, closes }))).toEqual(used);
      expect(await store.commit(commitOf({ ...last, closes, abandons: true }))).toEqual([]);
    });
  });
}

function describeRaces(name: string, storeNow: () => Store): void {
  describe(`races in ${name}`, () => {
    const ends = [
      ['dropped', (one: Version) => dropped(one)],
      ['renamed', (one: Version) => revised(one, { handle: 'new' })],
    ] as const;
    test.each(ends)(
      'of many who name a record and one by whom it is %s, one side wins',
      async (_, end) => {
        const store = storeNow();
        for (let round = 0; round < 10; round += 1) {
          const scope = newScope();
          const bank = created('bridge', 'bank');
          await allStored(store, scope, [bank]);
          const naming = Array.from({ length: 3 }, (_unused, index) =>
            created('wallet', `w${index}`, { bridge: 'bank' }),
          );
          const [ending = [], ...outcomes] = await Promise.all([
            stored(store, scope, end(bank), bank),
            ...naming.map((wallet) => stored(store, scope, wallet)),
          ]);
          const won = outcomes.filter((obstacles) => obstacles.length === 0);
          expect([ending, won.length > 0]).toEqual(won.length > 0 ? [used, true] : [[], false]);
          for (const obstacles of outcomes) expect([[], relation]).toContainEqual(obstacles);
          expect(Boolean(await headOf(store, scope, bank))).toBe(won.length > 0);
        }
      },
    );

    test('of ten who come and go at once, each is counted', async () => {
      const store = storeNow();
      const stays = fc.array(fc.boolean(), { minLength: 10, maxLength: 10 });
      await fc.assert(
        fc.asyncProperty(stays, async (stay) => {
          const scope = newScope();
          const bank = created('bridge', 'bank');
          await allStored(store, scope, [bank]);
          const wallets = stay.map((_, index) =>
            created('wallet', `w${index}`, { bridge: 'bank' }),
          );
          await Promise.all(
            wallets.map(async (wallet, index) => {
              expect(await stored(store, scope, wallet)).toEqual([]);
              if (stay[index]) return;
              expect(await stored(store, scope, dropped(wallet), wallet)).toEqual([]);
            }),
          );
          for (const wallet of wallets.filter((_, index) => stay[index])) {
            expect(await stored(store, scope, dropped(bank), bank)).toEqual(used);
            expect(await stored(store, scope, dropped(wallet), wallet)).toEqual([]);
          }
          expect(await stored(store, scope, dropped(bank), bank)).toEqual([]);
        }),
        { numRuns: 8 },
      );
    });
  });
}

function describeRulebooks(name: string, storeNow: () => Store): void {
  describe(`the rulebook in ${name}`, () => {
    test('counts domains, and the schemas and policies of each kind of record', async () => {
      const [store, scope] = [storeNow(), newScope()];
      expect(await rulebookOf(store, scope)).toBeUndefined();
      await allStored(store, scope, [created('wallet', 'alice')]);
      expect(await rulebookOf(store, scope)).toBeUndefined();
      await allStored(store, scope, [
        created('domain', 'bank'),
        created('domain', 'bank.north', { domain: 'bank' }),
        created('schema', 'plain', { record: 'wallet' }),
        created('policy', 'one', { record: 'wallet' }),
        created('policy', 'two', { record: 'wallet' }),
        created('policy', 'three', { record: 'any' }),
      ]);
      expect(await rulebookOf(store, scope)).toEqual({
        domain: 2,
        'schema wallet': 1,
        'policy wallet': 2,
        'policy any': 1,
      });
      expect(await rulebookOf(store, newScope())).toBeUndefined();
    });

    test('follows a rule to another kind of record, and to its end', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const one = created('policy', 'one', { record: 'wallet' });
      await allStored(store, scope, [one]);
      const two = revised(one, { record: 'signer', handle: 'two' });
      expect(await stored(store, scope, two, one)).toEqual([]);
      expect(await rulebookOf(store, scope)).toEqual({ 'policy signer': 1 });
      const three = proved(two);
      expect(await stored(store, scope, three, two)).toEqual([]);
      expect(await rulebookOf(store, scope)).toEqual({ 'policy signer': 1 });
      expect(await stored(store, scope, dropped(three), three)).toEqual([]);
      expect(await rulebookOf(store, scope)).toBeUndefined();
    });

    test('keeps the mark of a ledger that was governed when the last rule has ended', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const access = [{ action: 'read' }];
      const staff = created('circle', 'staff', { access });
      await allStored(store, scope, [staff]);
      const first = (await rulebookOf(store, scope))?.access;
      expect(first).toBe(1);
      const bare = revised(staff, { access: [] });
      expect(await stored(store, scope, bare, staff)).toEqual([]);
      expect((await rulebookOf(store, scope))?.access).toBe(2);
      await allStored(store, scope, [
        created('circle', 'crew'),
        created('wallet', 'w', { access }),
      ]);
      expect(await rulebookOf(store, scope)).toEqual({ access: 2 });
      const values = { schema: 'access', record: 'any', values: access };
      const policy = created('policy', 'p', values);
      await allStored(store, scope, [policy]);
      expect(await stored(store, scope, dropped(policy), policy)).toEqual([]);
      expect(await rulebookOf(store, scope)).toEqual({ access: 4 });
    });

    test('is marked in the ledger that the record of a ledger is of', async () => {
      const [store, own] = [storeNow(), newScope()];
      const ledger = created('ledger', own, { access: [{ action: 'read' }] });
      await allStored(store, '', [ledger]);
      expect(await rulebookOf(store, own)).toEqual({ access: 1 });
      const bare = revised(ledger, { access: [] });
      expect(await stored(store, '', bare, ledger)).toEqual([]);
      expect(await rulebookOf(store, own)).toEqual({ access: 2 });
      expect(await rulebookOf(store, '')).toBeUndefined();
    });

    test('counts nothing of a commit that fails, and all of those that come at once', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const all = Array.from({ length: 12 }, (_, index) =>
        created('policy', `p${index % 6}`, { record: 'wallet' }),
      );
      const outcomes = await Promise.all(all.map((one) => stored(store, scope, one)));
      expect(outcomes.filter((obstacles) => obstacles.length === 0)).toHaveLength(6);
      expect(await rulebookOf(store, scope)).toEqual({ 'policy wallet': 6 });
    });
  });
}

function describeNested(name: string, storeNow: () => Store): void {
  describe(`records that belong to others in ${name}`, () => {
    const annsPhone = () => created('signer-factor', 'phone', { signer: 'ann' });
    const bobsPhone = () => created('signer-factor', 'phone', { signer: 'bob' });
    const family = () => [created('signer', 'ann'), created('signer', 'bob')];

    test('have a handle of their own under each', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [one, other] = [annsPhone(), bobsPhone()];
      await allStored(store, scope, [...family(), one, other]);
      const [atAnn, atBob, pointer] = await store.load([
        { what: 'record', scope, kind: 'signer-factor', handle: 'ann/phone' },
        { what: 'record', scope, kind: 'signer-factor', handle: 'bob/phone' },
        { what: 'pointer', scope, kind: 'signer-factor', luid: other.record.luid },
        { what: 'record', scope, kind: 'signer-factor', handle: 'phone' },
      ]);
      expect([atAnn, atBob]).toEqual([one, other]);
      expect(pointer?.handle).toBe('bob/phone');
      expect(await stored(store, scope, annsPhone())).toEqual([{ what: 'handle', write: 0 }]);
    });

    test('are listed within their own, newest first, page by page', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const ofAnn = Array.from({ length: 5 }, (_, index) =>
        created('signer-factor', `f${index}`, { signer: 'ann' }),
      );
      const bobs = bobsPhone();
      await allStored(store, scope, [...family(), ...ofAnn.slice(0, 3), bobs, ...ofAnn.slice(3)]);
      const newest = ofAnn.toReversed();
      const pageOf = (index: number, limit: number, signer: string) =>
        store.list(scope, 'signer-factor', { index, limit }, signer);
      expect(await pageOf(0, 10, 'ann')).toEqual(newest);
      expect(await pageOf(1, 2, 'ann')).toEqual(newest.slice(2, 4));
      expect(await pageOf(0, 10, 'bob')).toEqual([bobs]);
      expect(await pageOf(0, 10, 'an')).toEqual([]);
    });

    test('move to the front of their list with new data, under another handle too', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [one, two] = [annsPhone(), created('signer-factor', 'key', { signer: 'ann' })];
      await allStored(store, scope, [...family(), one, two]);
      const mobile = revised(one, { handle: 'mobile' });
      expect(await stored(store, scope, mobile, one)).toEqual([]);
      expect(await headOf(store, scope, one)).toBeUndefined();
      expect(await headOf(store, scope, mobile)).toEqual(mobile);
      expect(await store.list(scope, 'signer-factor', page, 'ann')).toEqual([mobile, two]);
      const { luid } = one.record;
      const kind = 'signer-factor';
      const [pointer] = await store.load([{ what: 'pointer', scope, kind, luid }]);
      expect(pointer).toEqual({ kind, luid, handle: 'ann/mobile' });
      expect(await store.past(scope, luid, 1, 9)).toEqual([one]);
      await allStored(store, scope, [annsPhone()]);
    });

    test('end, and their names are free', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [circle, link] = [created('circle', 'crew'), linkOf('ann')];
      await allStored(store, scope, [...family(), circle, link, linkOf('bob')]);
      const last = dropped(link);
      expect(await stored(store, scope, last, link)).toEqual([]);
      const { luid } = link.record;
      const [head, pointer] = await store.load([
        { what: 'record', scope, kind: 'circle-signer', handle: 'crew/ann' },
        { what: 'pointer', scope, kind: 'circle-signer', luid },
      ]);
      expect(head).toBeUndefined();
      expect(pointer).toEqual({ kind: 'circle-signer', luid, handle: 'crew/ann', dropped: 2 });
      expect(await store.list(scope, 'circle-signer', page, 'crew')).toHaveLength(1);
      expect(await store.past(scope, luid, 1, 9)).toEqual([link, last]);
      const again = linkOf('ann');
      await allStored(store, scope, [again]);
      const [newest] = await store.list(scope, 'circle-signer', page, 'crew');
      expect(newest).toEqual(again);
    });
  });
}

const linkOf = (signer: string) => created('circle-signer', signer, { circle: 'crew' });

function describeIndexes(name: string, storeNow: () => Store): void {
  describe(`records that are found by a member in ${name}`, () => {
    test('are those that have it, by luid, also after changes', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [alice, bob] = [created('wallet', 'alice'), created('wallet', 'bob')];
      const [one, two, lone] = [
        created('anchor', 'one', { wallet: 'alice' }),
        created('anchor', 'two', { wallet: 'alice' }),
        created('anchor', 'lone', { target: 'alice' }),
      ];
      await allStored(store, scope, [alice, bob, one, two, lone]);
      const found = (value: string) => store.indexed(scope, 'anchor', value);
      expect(await found('alice')).toEqual([one, two]);
      const uno = revised(one, { handle: 'uno' });
      await stored(store, scope, uno, one);
      expect(await found('alice')).toEqual([uno, two]);
      const moved = revised(two, { wallet: 'bob', handle: 'dos' });
      await stored(store, scope, moved, two);
      expect([await found('alice'), await found('bob')]).toEqual([[uno], [moved]]);
      const labelled = proved(uno);
      await stored(store, scope, labelled, uno);
      expect(await found('alice')).toEqual([labelled]);
      const { wallet: _wallet, ...rest } = moved.record.data;
      const free = { ...revised(moved), record: { ...revised(moved).record, data: rest } };
      await stored(store, scope, free as Version, moved);
      expect(await found('bob')).toEqual([]);
      const named = revised(lone, { wallet: 'bob' });
      await stored(store, scope, named, lone);
      expect(await found('bob')).toEqual([named]);
      await stored(store, scope, dropped(named), named);
      expect(await found('bob')).toEqual([]);
      expect(await store.indexed(newScope(), 'anchor', 'alice')).toEqual([]);
    });

    test('are schemas and policies by the kind of record that they speak of', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const schema = created('schema', 'one', { record: 'wallet' });
      const policy = created('policy', 'one', { record: 'wallet' });
      await allStored(store, scope, [schema, policy, created('policy', 'any', { record: 'any' })]);
      expect(await store.indexed(scope, 'schema', 'wallet')).toEqual([schema]);
      expect(await store.indexed(scope, 'policy', 'wallet')).toEqual([policy]);
      expect(await store.indexed(scope, 'policy', 'signer')).toEqual([]);
    });
  });
}

function describeFactors(name: string, storeNow: () => Store): void {
  describe(`keys of factors in ${name}`, () => {
    const key = publicNamed('of a factor');
    const held = (write: Write, keys: Pick<Write, 'holds' | 'releases'>) =>
      commitOf({ ...write, ...keys });

    test('are held by the signer, until the factor changes its key or ends', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const newKey = publicNamed('a newer one');
      const factor = created('signer-factor', 'phone', { signer: 'ann' });
      await allStored(store, scope, [created('signer', 'ann')]);
      await store.commit(held(writeOf(scope, factor), { holds: [key] }));
      expect(await signerOf(store, scope, key)).toBe('ann');
      const next = revised(factor, { handle: 'mobile' });
      const change = writeOf(scope, next, factor);
      expect(await store.commit(held(change, { holds: [newKey], releases: [key] }))).toEqual([]);
      expect(await signerOf(store, scope, key)).toBeUndefined();
      expect(await signerOf(store, scope, newKey)).toBe('ann');
      const last = writeOf(scope, dropped(next), next);
      expect(await store.commit(held(last, { releases: [newKey] }))).toEqual([]);
      expect(await signerOf(store, scope, newKey)).toBeUndefined();
    });

    test('are no key of a factor of another signer', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const [mine, theirs] = ['ann', 'bob'].map((signer) =>
        created('signer-factor', 'phone', { signer }),
      ) as [Version, Version];
      await allStored(store, scope, [created('signer', 'ann'), created('signer', 'bob')]);
      await store.commit(held(writeOf(scope, mine), { holds: [key] }));
      const holder = [{ what: 'holder', write: 0 }];
      expect(await store.commit(held(writeOf(scope, theirs), { holds: [key] }))).toEqual(holder);
      await allStored(store, scope, [theirs]);
      const stolen = writeOf(scope, dropped(theirs), theirs);
      expect(await store.commit(held(stolen, { releases: [key] }))).toEqual(holder);
      expect(await signerOf(store, scope, key)).toBe('ann');
    });

    test('keep the handle of their signer, who else takes the own ones along', async () => {
      const [store, scope] = [storeNow(), newScope()];
      const own = publicNamed('own');
      const ann = created('signer', 'ann');
      const factor = created('signer-factor', 'phone', { signer: 'ann' });
      await store.commit(held(writeOf(scope, ann), { holds: [own] }));
      await store.commit(held(writeOf(scope, factor), { holds: [key] }));
      const anna = revised(ann, { handle: 'anna' });
      const rename = writeOf(scope, anna, ann);
      expect(await store.commit(held(rename, { holds: [own] }))).toEqual(used);
      expect(await signerOf(store, scope, own)).toBe('ann');
      await store.commit(held(writeOf(scope, dropped(factor), factor), { releases: [key] }));
      expect(await store.commit(held(rename, { holds: [own] }))).toEqual([]);
      expect(await signerOf(store, scope, own)).toBe('anna');
      const again = created('signer-factor', 'phone', { signer: 'anna' });
      expect(await store.commit(held(writeOf(scope, again), { holds: [key] }))).toEqual([]);
      expect(await signerOf(store, scope, key)).toBe('anna');
    });
  });
}
