/**
 * Goal: a proof or an intent that is sent again gives its sender what was answered first, for some minutes, and to
 * nobody what came later. Method: the clock of the ledger moves, and the senders are whoever has read what is stored.
 * Decisions 43 and 102.
 */
import { describe, expect, test } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { updateOwnLedger } from '../../shared/action/update.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import {
  claimOf,
  type Item,
  type Json,
  newKey,
  now,
  proofOf,
  revision,
  signed,
} from '../fixture/client.ts';
import { bearerOf, openDesk } from '../fixture/desk.ts';
import { byKey, byToken } from '../fixture/house.ts';

const minuteMs = 60_000;
const [ann, eve] = [newKey(), newKey()];
const hidden = 'auth.forbidden';
const later = 'only for those who may read it';

const dated = (): Json => ({ moment: now() });

/** A ledger of ann alone, with a clock that a test sets. */
async function house() {
  const desk = await openDesk();
  await desk.make('symbol', { handle: 'usd', factor: 1 });
  await desk.make('wallet', { handle: 'a' });
  const [home] = await desk.services.store.load([
    { what: 'record', scope: '', kind: 'ledger', handle: 'main' },
  ]);
  const access = [byKey(ann), byToken(ann)].map((who) => ({
    action: 'any',
    record: 'any',
    ...who,
  }));
  const body = revision(home?.record as unknown as Item, { access }, desk.key);
  await desk.run(updateOwnLedger, { body });
  let aheadMs = 0;
  const services = { ...desk.services, clock: () => Date.now() + aheadMs };
  const go = (minutes: number) => {
    aheadMs += minutes * minuteMs;
  };
  const run: typeof desk.run = (action, call) => desk.run(action, { services, ...call });
  const add = (kind: Kind, { data }: LedgerRecord, proof: object, whose = {}) =>
    run(prove(kind), { path: { id: data.handle }, body: proof, ...whose }).catch(
      (error) => error.reason,
    );
  return { run, go, add };
}

const instruction = (handle = 'pay') => ({
  handle,
  claims: [claimOf('issue a 5 usd')],
  config: { commit: 'manual' },
});

/** A record, with a proof that ann adds to it, and one that she adds later. */
async function proven(kind: 'wallet' | 'intent', customOf: () => Json | undefined = dated) {
  const { run, go, add } = await house();
  const data = kind === 'intent' ? instruction() : { handle: 'b' };
  const action = kind === 'intent' ? createIntent : create(kind);
  const made = await run(action, { body: signed(data, ann) });
  const proof = proofOf(made.hash, ann, customOf());
  const first = await add(kind, made, proof);
  const addLater = () => add(kind, made, proofOf(made.hash, ann, { ...dated(), note: later }));
  return { made, proof, first, go, add, addLater };
}

const year = () => new Date(Date.now() + 365 * 24 * 60 * minuteMs).toISOString();

describe.each(['wallet', 'intent'] as const)('a proof that the %s has', (kind) => {
  test.each<[string, () => Json | undefined]>([
    ['of now', dated],
    ['without a moment', () => ({ note: 'x' })],
    ['without a statement', () => undefined],
    ['of the year to come', () => ({ moment: year() })],
    ['whose moment is none', () => ({ moment: 'then' })],
  ])('%s is answered for five minutes as it was first', async (_, customOf) => {
    const { made, proof, first, go, add, addLater } = await proven(kind, customOf);
    expect(first.meta.proofs.at(-1)).toMatchObject({ digest: proof.digest });
    expect(await add(kind, made, proof)).toEqual(first);
    go(4);
    await addLater();
    expect(await add(kind, made, proof)).toEqual(first);
    go(2);
    expect(await add(kind, made, proof)).toBe(hidden);
    go(60 * 24 * 365 - 6);
    expect(await add(kind, made, proof)).toBe(hidden);
  });

  test('shows what came later to a token that may read it, and to no other', async () => {
    const { made, proof, first, go, add, addLater } = await proven(kind);
    await addLater();
    const [hers, eves] = [ann, eve].map((key) => ({ bearer: bearerOf(key) }));
    for (const minutes of [0, 10]) {
      go(minutes);
      expect(JSON.stringify(await add(kind, made, proof, hers))).toContain(later);
    }
    expect(await add(kind, made, proof, eves)).toBe(hidden);
    go(-10);
    expect(await add(kind, made, proof, eves)).toEqual(first);
  });

  test('is no key to it while the clock is wrong', async () => {
    const { made, proof, go, add } = await proven(kind);
    for (const minutes of [-60, 120]) {
      go(minutes);
      expect(await add(kind, made, proof)).toBe(hidden);
    }
  });

  test('and that made it, is answered as that was', async () => {
    const { made, go, add, addLater } = await proven(kind);
    await addLater();
    const [authored = {}] = made.meta.proofs;
    expect(await add(kind, made, authored)).toEqual(made);
    go(6);
    expect(await add(kind, made, authored)).toBe(hidden);
  });
});

describe('an intent of an independent batch that is sent again', () => {
  const sending = async (whose = {}) => {
    const { run, go, add } = await house();
    const body = signed(instruction(), ann);
    const lines = async (call = whose) => {
      const batch = { mode: 'independent', data: [body] };
      const answer = await run(batchIntents, { body: batch, ...call });
      return (answer as unknown as { data: readonly LedgerRecord[] }).data;
    };
    const [{ status: _, ...first } = {}] = (await lines()) as unknown as Json[];
    const { hash } = body;
    await add('intent', first as never, proofOf(hash, ann, { ...dated(), note: later }));
    return { lines, first, go };
  };

  test('is answered for five minutes as it was first', async () => {
    const { lines, first, go } = await sending();
    go(4);
    expect(await lines()).toEqual([{ status: 200, ...first }]);
    go(2);
    expect(await lines()).toMatchObject([{ status: 409 }]);
  });

  test('shows what came later to a token that may read it', async () => {
    const { lines, go } = await sending();
    go(10);
    expect(JSON.stringify(await lines({ bearer: bearerOf(ann) }))).toContain(later);
    expect(JSON.stringify(await lines({ bearer: bearerOf(eve) }))).not.toContain(later);
  });
});
