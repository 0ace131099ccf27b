/**
 * Goal: only the signed word of a key moves what it owns, and only to the key that it names. Whatever anybody else does
 * with signers and factors, and whatever they send again of what they saw in this ledger or another one, the wallet of
 * the victim belongs to the last key that the victim has named. Decision 157.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Body,
  type Client,
  farewell,
  type Item,
  type Json,
  type Key,
  newKey,
  newOwnLedger,
  now,
  proofOf,
  revision,
  signed,
  unique,
} from '../fixture/client.ts';
import { owners } from '../fixture/house.ts';
import { sharedHome } from '../fixture/served.ts';
import { bearing } from '../fixture/token.ts';

const owner = newKey();
const home = await sharedHome();

/** Everybody may do everything with signers and factors: what is left is what a key says itself. */
const access: Json[] = [
  ...owners,
  { action: 'create', record: 'wallet' },
  ...['signer', 'signer-factor'].map((record) => ({ action: 'any', record })),
];

/** Those who act, and keys that are taken later. */
const people = ['victim', 'eve', 'mallory'] as const;
const spares = ['spare', 'second', 'third'] as const;
const everybody = [...people, ...spares];
type Person = (typeof everybody)[number];
const places = ['signers/one', 'signers/two', 'signers/one/factors/phone'] as const;
type Place = (typeof places)[number];

/** A body that was sent, and by what request. */
interface Sent {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: Body;
}

interface Step {
  readonly what: 'make' | 'edit' | 'take' | 'name' | 'drop' | 'again' | 'merge';
  readonly isElsewhere: boolean;
  readonly place: Place;
  /** Who signs, whose key is shown, and who signs as well. */
  readonly by: Person;
  readonly shown: Person;
  readonly beside: Person;
  readonly pick: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('make', 'edit', 'take', 'name', 'name', 'drop', 'again', 'merge'),
  isElsewhere: fc.boolean(),
  place: fc.constantFrom(...places),
  by: fc.constantFrom(...people),
  shown: fc.constantFrom(...everybody),
  beside: fc.constantFrom(...people),
  pick: fc.nat(),
});

/**
 * Every record is made by anybody, with the key of anybody, and sent to the other ledger. Then all of it goes on: what
 * is sent to one ledger is often sent to the other, so that their histories are alike.
 */
const life = fc
  .tuple(
    fc.array(step, { minLength: places.length, maxLength: places.length }),
    fc.array(step, { minLength: 15, maxLength: 30, size: 'max' }),
  )
  .map(([made, further]) => [
    ...made.flatMap((one, index): Step[] => [
      { ...one, place: places[index] ?? one.place, what: 'make', isElsewhere: false },
      { ...one, what: 'again', isElsewhere: true, pick: 0 },
    ]),
    ...further.flatMap((one): Step[] => [
      one,
      ...(one.pick % 2
        ? [{ ...one, what: 'again', isElsewhere: !one.isElsewhere, pick: 0 } as const]
        : []),
    ]),
  ]);

const keyData = (key: Key) => ({ public: key.public, format: 'ed25519-raw' });

/** The world of one run: two ledgers, the keys of everybody, and all that anybody has sent. */
class Village {
  readonly sent: Sent[] = [];
  readonly here: Client;
  readonly elsewhere: Client;
  readonly keys: Record<Person, Key>;
  /** The key that the wallet belongs to, and the record by which it took over; none once that was given up. */
  heir: Key | undefined;
  keeper: string | undefined;

  constructor(here: Client, elsewhere: Client) {
    this.here = here;
    this.elsewhere = elsewhere;
    const [spare, second, third] = [newKey(), newKey(), newKey()];
    this.keys = { victim: newKey(), eve: newKey(), mallory: newKey(), spare, second, third };
    this.heir = this.keys.victim;
  }

  async do(one: Step): Promise<void> {
    const ledger = one.isElsewhere ? this.elsewhere : this.here;
    if (one.what === 'again' || one.what === 'merge') return this.again(ledger, one);
    const { place, by, shown } = one;
    const [author, key] = [this.keys[by], this.keys[shown]];
    const [, signer = '', , factor] = place.split('/');
    const data = factor
      ? { signer, handle: factor, schema: 'key-pair', ...keyData(key) }
      : { handle: signer, ...keyData(key) };
    const path = `/${place}`;
    if (one.what === 'make') {
      const body = signed(data, [author, this.keys[one.beside]]);
      await this.send(ledger, { method: 'POST', path: path.replace(/\/[^/]*$/, ''), body });
      return;
    }
    const { status, body: item } = await ledger.get(path, bearing(owner));
    if (status !== 200) return;
    if (one.what !== 'drop') await this.change(ledger, path, item, one);
    else if (factor)
      await this.send(ledger, { method: 'DELETE', path, body: farewell(item, author) });
  }

  /** An edit, another key, or another key that the one before names. */
  async change(
    ledger: Client,
    path: string,
    item: Item,
    { what, by, shown, pick }: Step,
  ): Promise<void> {
    const [author, key] = [this.keys[by], this.keys[shown]];
    if (what !== 'name') {
      const change = what === 'edit' ? { custom: { n: unique('n') } } : keyData(key);
      await this.send(ledger, { method: 'PUT', path, body: revision(item, change, author) });
      return;
    }
    const next = { ...item.data, ...keyData(key), parent: item.hash };
    // Now and then somebody else says it, or it is said for any ledger.
    const custom = {
      ...{ moment: now(), successor: key.public },
      ...(pick % 3 > 0 && { ledger: ledger.ledger }),
    };
    const shownBy = everybody.find((one) => this.keys[one].public === item.data['public']);
    const from = pick % 16 > 7 && shownBy ? this.keys[shownBy] : author;
    const { hash, meta, ...rest } = signed(next, from, custom);
    const proofs = [...meta.proofs, proofOf(hash, owner, { moment: now() })];
    const body = { luid: item.luid, ...rest, hash, meta: { proofs } };
    await this.send(ledger, { method: 'PUT', path, body });
  }

  /** What was sent before, to this ledger or the other, there and as it was, or with the proofs of others beside. */
  async again(ledger: Client, { what, pick, by }: Step): Promise<void> {
    // The last ones first: others are refused for their age.
    const seen = this.sent.at(-1 - (pick % Math.min(this.sent.length, 6)));
    if (!seen) return;
    const { luid: _, ...anybody } = seen.body;
    const { hash } = anybody;
    const own = proofOf(hash, this.keys[by === 'victim' ? 'eve' : by], { moment: now() });
    const known = this.sent.flatMap(({ body }) => (body.hash === hash ? body.meta.proofs : []));
    const meta = what === 'merge' ? { proofs: [own, ...known].slice(0, 8) } : anybody.meta;
    await this.send(ledger, { ...seen, body: { ...anybody, meta } });
  }

  async send(ledger: Client, one: Sent): Promise<void> {
    this.sent.push(one);
    const { method, path, body } = one;
    const isChange = ledger === this.here && method !== 'POST';
    const before = isChange ? (await ledger.get(path, bearing(owner))).body : undefined;
    const { status } = await ledger.send(method, path, body);
    if (before && status < 300) this.follow(one, before);
  }

  /** Sees whom the wallet belongs to after a change in this ledger. */
  follow({ path, body }: Sent, before: Item): void {
    const { public: own = '' } = this.heir ?? {};
    const next = body.data['public'];
    if (next === own) return;
    const isSaid = body.meta.proofs.some(
      ({ public: by, custom = {} }) =>
        by === own && custom['ledger'] === this.here.ledger && custom['successor'] === next,
    );
    if (isSaid && before.data['public'] === own) {
      this.heir = everybody.map((one) => this.keys[one]).find((key) => key.public === next);
      this.keeper = path;
    } else if (path === this.keeper) this.heir = undefined;
  }

  /** Who may change the wallet. */
  async heirs(): Promise<Person[]> {
    const { body: item } = await this.here.get('/wallets/hers', bearing(owner));
    const asked = everybody.map(async (one) => {
      const body = signed({ action: 'update' }, this.keys[one], { moment: now() });
      const reply = await this.here.post(`/wallets/${item.luid}/access/!check`, body);
      return reply.items.length > 0 ? [one] : [];
    });
    return (await Promise.all(asked)).flat();
  }
}

test('what a key owns goes where it has said, and nowhere else', async () => {
  let handoverCount = 0;
  const holds = fc.asyncProperty(life, async (steps) => {
    const open = [{ action: 'any', record: 'any' }];
    const [here, elsewhere] = await Promise.all([
      newOwnLedger(home, owner, { access }),
      newOwnLedger(home, owner, { access: open }),
    ]);
    const village = new Village(here, elsewhere);
    await here.make('wallets', { handle: 'hers' }, village.keys.victim);
    for (const one of steps) await village.do(one);
    const heirs = everybody.filter((one) => village.keys[one] === village.heir);
    if (village.keeper !== undefined) handoverCount += 1;
    expect(await village.heirs()).toEqual(heirs);
  });
  await fc.assert(holds, { numRuns: 40 });
  expect(handoverCount).toBeGreaterThan(0);
});
