/** Goal: a record that was decided about before another one of its signer took over does not undo that. Decision 157. */
import { expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { update } from '../../shared/action/update.ts';
import type { Commit } from '../../shared/port/ports.ts';
import { type Key, newKey, now, revision, signed } from '../fixture/client.ts';
import { openDeskBefore } from '../fixture/desk.ts';

const keyData = (key: Key) => ({ public: key.public, format: 'ed25519-raw' });
const isFactor = (wanted: unknown) =>
  (wanted as Commit).writes.some(({ next }) => next.kind === 'signer-factor');

test('a factor that shows the new key, and is changed meanwhile, takes nothing from it', async () => {
  const { desk, arm } = await openDeskBefore('commit', isFactor);
  const { run, services } = desk;
  const [old, fresh, eve] = [newKey(), newKey(), newKey()];
  const made = (data: object, key: Key) => ({ body: signed({ ...data }, key) });
  const ann = await run(create('signer'), made({ handle: 'ann', ...keyData(old) }, old));
  // The factor shows the key while it belongs to another signer, which gives it up.
  const other = await run(create('signer'), made({ handle: 'eve', ...keyData(fresh) }, eve));
  const data = { signer: 'ann', handle: 'phone', schema: 'key-pair', ...keyData(fresh) };
  const path = { signer: 'ann', id: 'phone' };
  const phone = await run(create('signer-factor'), { path, ...made(data, old) });
  const away = revision(other, keyData(eve), eve);
  await run(update('signer'), { path: { id: 'eve' }, body: away });
  const custom = { moment: now(), ledger: 'main', successor: fresh.public };
  const next = { ...ann.data, ...keyData(fresh), parent: ann.hash };
  arm(() => run(update('signer'), { path: { id: 'ann' }, body: signed(next, old, custom) }));
  const noted = revision(phone, { custom: { n: 1 } }, old);
  await run(update('signer-factor'), { path, body: noted });
  const [found] = await services.store.load([
    { what: 'holder', scope: 'main', public: fresh.public },
  ]);
  expect(found).toEqual({ signer: 'ann', luid: ann.luid, predecessors: [old.public] });
});
