/** Goal: who may do what is known after as many reads, however much there is. Rulings 30 to 36. */
import { expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { list } from '../../shared/action/list.ts';
import { read } from '../../shared/action/read.ts';
import type { Store } from '../../shared/port/ports.ts';
import { type Json, newKey, signed } from '../fixture/client.ts';
import { bearerOf, type Desk, openDesk } from '../fixture/desk.ts';

const ann = newKey();
const bearer = bearerOf(ann, 'ann');

/** A ledger that a circle governs, ann being a member of it; counts what is read of it. */
async function governed() {
  const asked: string[] = [];
  const desk = await openDesk((store) => ({
    load: (async (wants: readonly unknown[]) => {
      asked.push(`load ${wants.length}`);
      return store.load(wants as never);
    }) as Store['load'],
    indexed: async (...all) => {
      asked.push('indexed');
      return store.indexed(...all);
    },
  }));
  await desk.make('signer', { handle: 'ann', public: ann.public, format: 'ed25519-raw' });
  const access = [
    { action: 'any', record: 'any', signer: { public: desk.key.public } },
    { action: 'any', record: 'wallet', signer: { $circle: 'staff' } },
  ];
  await desk.make('circle', { handle: 'staff', access });
  await member(desk, 'staff', 'ann');
  await desk.make('wallet', { handle: 'w' });
  const reads = async (what: () => Promise<unknown>) => {
    asked.splice(0);
    await what();
    return [...asked];
  };
  return { desk, reads };
}

const member = (desk: Desk, circle: string, signer: string) =>
  desk.run(create('circle-signer'), {
    path: { id: circle },
    body: signed({ circle, signer }, desk.key),
  });

const questions: Readonly<Record<string, (desk: Desk, name: string) => Promise<unknown>>> = {
  'reading a record': (desk) => desk.run(read('wallet'), { path: { id: 'w' }, bearer }),
  'creating a record': (desk, name) =>
    desk.run(create('wallet'), { body: signed({ handle: name }, ann) }),
};

test.each(Object.keys(questions))('%s takes as many reads as ever', async (question) => {
  const { desk, reads } = await governed();
  const ask = (name: string) => reads(async () => questions[question]?.(desk, name));
  const first = await ask('first');
  for (let n = 0; n < 20; n += 1) {
    const key = newKey();
    await desk.make('wallet', { handle: `wallet-${n}` });
    await desk.make('signer', { handle: `s${n}`, public: key.public, format: 'ed25519-raw' });
    await member(desk, 'staff', `s${n}`);
    const access: Json[] = [{ action: 'read', record: 'symbol' }];
    await desk.make('circle', { handle: `circle-${n}`, access });
    await member(desk, `circle-${n}`, `s${n}`);
  }
  expect(await ask('second')).toEqual(first);
  expect(first.length).toBeLessThan(9);
});

test('a list takes as many reads for many rows as for one, beside the rows', async () => {
  const { desk, reads } = await governed();
  const ask = (limit: string) =>
    reads(() => desk.run(list('wallet'), { query: { 'page.limit': [limit] }, bearer }));
  await ask('100');
  for (let n = 0; n < 40; n += 1) await desk.make('wallet', { handle: `wallet-${n}` });
  const [one, many] = [await ask('1'), await ask('40')];
  expect(many).toHaveLength(one.length);
});

test('a named check reads nothing when it decides nothing', async () => {
  const { desk, reads } = await governed();
  const invoke = 'intent.canReadAnyClaimWallet';
  const claims = [{ action: 'issue', target: 'w', symbol: 'x', amount: 1 }];
  const rulesOf = (handle: string) => [
    { action: 'read', record: 'intent', signer: { handle }, invoke },
  ];
  await desk.make('intent', { handle: 'i', claims });
  const ask = () =>
    reads(() =>
      desk.run(read('intent'), { path: { id: 'i' }, bearer }).catch((error: unknown) => error),
    );
  const before = await ask();
  await desk.make('circle', { handle: 'others', access: rulesOf('bob') });
  expect(await ask()).toEqual(before);
  await desk.make('circle', { handle: 'hers', access: rulesOf('ann') });
  expect((await ask()).length).toBeGreaterThan(before.length);
});
