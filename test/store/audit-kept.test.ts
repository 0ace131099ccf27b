/** Goal: the audit knows what is kept beside records, and misses it, and sees what is too much. Decisions 22, 23, 25. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import {
  assetKeyOf,
  clientKeyOf,
  type Key,
  secretsKeyOf,
  workKeyOf,
} from '../../shared/store/keys.ts';
import { type Ground, main, signed, startGround, type World } from '../fixture/audited.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.stop());

/** A ledger with a bridge and its secrets, a factor and its client, and a report to be produced. */
async function kept() {
  const world = await ground.newWorld();
  const { call, make, key } = world;
  const secure = [{ schema: 'header', key: 'authorization', value: '{{ secret.token }}' }];
  const config = { server: 'https://a.example' };
  const body = signed({ handle: 'bank', config, secure }, key);
  const sent = { ...body, meta: { ...body.meta, secret: { token: 'x' } } };
  const bridge = await call(create('bridge'), sent);
  await make(create('bridge'), { handle: 'plain', config });
  await make(create('signer'), { handle: 'ann' });
  const credentials = { handle: 'phone', signer: 'ann', schema: 'oauth-client-credentials' };
  const factor = await call(create('signer-factor'), signed(credentials, key), { signer: 'ann' });
  const custom = {
    start_timestamp: '2026-01-01T00:00:00Z',
    end_timestamp: '2026-01-02T00:00:00Z',
  };
  const data = { handle: 'details', schema: 'trans_details_rep', custom };
  const report = await make(create('report'), data);
  const secrets = secretsKeyOf(main, bridge.luid);
  const client = clientKeyOf(main, factor.meta.clientId ?? '');
  return { world, secrets, client, report };
}

const without = async (world: World, place: Key) => {
  await world.remove(place);
  return world.audited();
};

test('what is kept beside records is in order', async () => {
  const { world, report } = await kept();
  await world.put({ ...assetKeyOf(main, report.luid, 'csv', 0), text: 'a' });
  expect(await world.audited()).toEqual([]);
  expect(await world.audited({ ledger: main })).toEqual([]);
  expect(await world.item(workKeyOf(main, report.luid, Date.parse('2026-01-02')))).toMatchObject({
    handle: 'details',
  });
});

test('secrets and clients that were taken away are missed', async () => {
  const { world, secrets, client } = await kept();
  expect(await without(world, secrets)).toEqual([
    expect.stringMatching(
      /^Invariant 3 · ledger main · bridge bank · .*: The secrets of the bridge are missing\.$/,
    ),
  ]);
  expect(await without(world, client)).toEqual([
    expect.stringMatching(/: The secrets of the bridge are missing\.$/),
    expect.stringMatching(
      /^Invariant 3 · ledger main · signer-factor ann\/phone · .*: The client of the factor is missing\.$/,
    ),
  ]);
});

test('secrets and clients of nobody are seen', async () => {
  const { world, secrets, client } = await kept();
  const luid = '$brg.00000000000000000';
  await world.put({ ...(await world.item(secrets)), ...secretsKeyOf(main, luid) });
  await world.put({ ...(await world.item(client)), ...clientKeyOf(main, 'stray') });
  const said = await world.audited();
  expect(said).toHaveLength(2);
  expect(said.join('\n')).toMatch(/Secrets are kept of no bridge.*: 'main#secrets#\$brg\.0+ #'\./);
  expect(said.join('\n')).toMatch(/A client is of no factor: 'main#client#stray #'\./);
});
