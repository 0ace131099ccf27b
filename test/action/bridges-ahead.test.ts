/** Goal: the bridges of wallets that were seen before are read together with them, and a wrong guess changes nothing. */
import { expect, test } from 'vitest';
import { createIntent } from '../../shared/action/create-intent.ts';
import { guessedBridges, sawBridge } from '../../shared/intent/bridges-ahead.ts';
import { claimOf, signed, unique } from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';

/** A desk with two banks and a wallet at one of them; how often something is read for a payment out of it. */
async function house() {
  let readCount = 0;
  const desk = await openDesk(({ load }) => ({
    load: (wants) => {
      readCount += 1;
      return load(wants);
    },
  }));
  await desk.make('symbol', { handle: 'usd', factor: 1 });
  for (const handle of ['blue', 'green'])
    await desk.make('bridge', { handle, config: { server: 'https://bank.example' } });
  await desk.make('wallet', { handle: 'ann', bridge: 'blue' });
  await desk.make('wallet', { handle: 'own' });
  const pay = async () => {
    const data = { handle: unique('pay'), claims: [claimOf('transfer ann own 5 usd')] };
    readCount = 0;
    const { meta } = await desk.run(createIntent, { body: signed(data, desk.key) });
    const bridges = meta.proofs.flatMap(({ custom }) => custom?.['bridge'] ?? []);
    return { status: meta.status, bridges, readCount };
  };
  return { ...desk, pay };
}

test('the bridge of a wallet that was seen before is read with it', async () => {
  const { pay } = await house();
  const [first, second] = [await pay(), await pay()];
  expect(second).toEqual({ ...first, readCount: first.readCount - 1 });
  expect(second).toMatchObject({ status: 'processing', bridges: ['blue'] });
});

test.each(['green', 'gone'])('a wallet that was seen at %s is asked where it is', async (other) => {
  const { pay, services } = await house();
  const first = await pay();
  sawBridge(services, 'main', 'ann', other);
  expect(await pay()).toEqual(first);
});

test('of many wallets the first is forgotten first', async () => {
  const { services } = await openDesk();
  const wallets = Array.from({ length: 10_001 }, (_, index) => `w${index}`);
  for (const wallet of wallets) sawBridge(services, 'main', wallet, `b-${wallet}`);
  expect(guessedBridges(services, 'main', ['w0', 'w1', 'w10000'])).toEqual(['b-w1', 'b-w10000']);
  expect(guessedBridges(services, 'other', ['w1'])).toEqual([]);
});
