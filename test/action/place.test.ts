/**
 * Goal: where a record lies is judged by what it hangs on and is called, also of what a release before has taken, and of
 * what changes meanwhile. Ruling 70, Decision 81.
 */
import { expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { read } from '../../shared/action/read.ts';
import { update } from '../../shared/action/update.ts';
import type { Kind } from '../../shared/ledger/kind.ts';
import type { RecordData } from '../../shared/ledger/record.ts';
import { claimOf, newKey, outcomeOf, revision, signed, unique } from '../fixture/client.ts';
import { bearerOf, type Desk, openDesk } from '../fixture/desk.ts';
import { byKey, byToken } from '../fixture/house.ts';
import { commitOf, created, writeOf } from '../fixture/version.ts';

const ann = newKey();
const bearer = bearerOf(ann, 'ann');
const gift = [byKey(ann), byToken(ann)].map((whom) => ({ action: 'any', record: 'any', ...whom }));

/** The refusal of what may not be read. */
const hidden = 'auth.forbidden';

/** A record as a release before has stored it: in whatever domain somebody said. */
async function before(
  { services }: Desk,
  kind: Kind,
  handle: string,
  data: Partial<RecordData>,
  domain: string | undefined,
): Promise<void> {
  const { record, ...version } = created(kind, handle, data);
  const meta = { ...record.meta, ...(domain !== undefined && { domain }) };
  const write = writeOf('main', { ...version, record: { ...record, meta } });
  expect(await services.store.commit(commitOf(write))).toEqual([]);
}

const pay = async (desk: Desk, claim: string) => {
  const body = signed({ handle: unique('i'), claims: [claimOf(claim)] }, desk.key);
  return outcomeOf((await desk.run(createIntent, { body })) as never);
};

test('a wallet that lies elsewhere than it says is not paid once there are domains, and pays', async () => {
  const desk = await openDesk();
  await desk.make('symbol', { handle: 'usd', factor: 1 });
  await before(desk, 'wallet', 'svgs:1@b', {}, 'a');
  await before(desk, 'wallet', 'renamed@b', {}, undefined);
  for (const wallet of ['svgs:1@b', 'renamed@b'])
    expect(await pay(desk, `issue ${wallet} 5 usd`)).toBe('completed');
  for (const handle of ['a', 'b']) await desk.make('domain', { handle });
  await desk.make('wallet', { handle: 'own@b' });
  for (const wallet of ['svgs:1@b', 'renamed@b']) {
    expect(await pay(desk, `issue ${wallet} 5 usd`)).toBe('core.target-invalid');
    expect(await pay(desk, `transfer ${wallet} own@b 5 usd`)).toBe('completed');
  }
});

test.each([
  ['said to be in the domain of a caller', 'b', 'a', hidden],
  ['of which nothing was said', 'a', undefined, undefined],
])('a factor %s lies where its signer does', async (_, of, domain, reason) => {
  const desk = await openDesk();
  await desk.make('domain', { handle: 'b' });
  await desk.make('domain', { handle: 'a', access: gift });
  await before(desk, 'signer', 's', {}, of);
  await before(desk, 'signer-factor', 'f', { signer: 's', schema: 'key-pair' }, domain);
  const path = { signer: 's', id: 'f' };
  const reading = desk.run(read('signer-factor'), { path, bearer });
  if (reason === undefined) expect((await reading).data.handle).toBe('f');
  else await expect(reading).rejects.toMatchObject({ reason });
});

test('a factor does not come to who takes the name of its signer while it is made', async () => {
  let meanwhile = async (): Promise<unknown> => undefined;
  const desk = await openDesk((store) => ({
    commit: async (commit) => {
      const happens = meanwhile;
      meanwhile = async () => undefined;
      await happens();
      return store.commit(commit);
    },
  }));
  const circle = { action: 'any', record: 'any', signer: { public: desk.key.public } };
  await desk.make('circle', { handle: 'owners', access: [circle] });
  await desk.make('domain', { handle: 'a', access: gift });
  await desk.make('domain', { handle: 'b' });
  const one = await desk.make('signer', { handle: 's', domain: 'a' });
  const pair = { schema: 'key-pair', public: newKey().public, format: 'ed25519-raw' };
  const body = signed({ handle: 'f', signer: 's', ...pair }, ann);
  meanwhile = async () => {
    const renamed = revision(one as never, { handle: 't' }, desk.key);
    await desk.run(update('signer'), { path: { id: 's' }, body: renamed });
    await desk.make('signer', { handle: 's', domain: 'b' });
  };
  const making = desk.run(create('signer-factor'), { path: { signer: 's' }, body });
  await expect(making).rejects.toMatchObject({ reason: 'auth.forbidden' });
});
