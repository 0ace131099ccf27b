/** Goal: the workers behind the endpoints ask the witnesses of a log, and everybody is served what they cosign. */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifyReceipt } from '../../shared/client/client.ts';
import { unique } from '../fixture/client.ts';
import { until } from '../fixture/receiver.ts';
import { newDataFolder } from '../fixture/runtime.ts';
import { nameWitnesses, vkeyOfLog, witnessBacklog, witnessOf } from '../fixture/witnessed.ts';
import { SecondWitness, timesOf } from '../log/second-witness.ts';
import { newLedger, owner, patienceMs, target } from './target.ts';

test('a witness that nobody reaches shows in the health of the ledger, and keeps no payment', async () => {
  const ledger = await newLedger();
  const gone = new SecondWitness('gone.example', []);
  // The domain .invalid never exists. RFC 6761.
  const named = [{ key: gone.vkey, url: 'https://nobody.invalid' }];
  expect((await nameWitnesses(ledger, named, owner)).status).toBe(200);
  const isWaiting = async () => (await witnessBacklog(ledger, owner))?.['waiting'] === 1;
  await until('nobody is asked', isWaiting, patienceMs);
  const { luid } = await ledger.make('wallets', { handle: unique('wallet') }, owner);
  const isInLog = async () => {
    const { status } = await ledger.get(`/log/proof?luid=${luid}&change=1`);
    return status === 200;
  };
  await until('it is not in the log', isInLog, patienceMs);
});

describe.runIf(target.isInside)('where a witness may be called', () => {
  test('it cosigns the checkpoints, which are served with its line, and receipts hold by it', async () => {
    const ledger = await newLedger();
    const folder = newDataFolder();
    const witness = await witnessOf([await vkeyOfLog(ledger)], folder);
    try {
      const named = [{ key: witness.vkey, url: witness.url }];
      expect((await nameWitnesses(ledger, named, owner)).status).toBe(200);
      const { luid } = await ledger.make('wallets', { handle: unique('wallet') }, owner);
      const isCosigned = async () => {
        const { status, body } = await ledger.get(`/log/proof?luid=${luid}&change=1`);
        return (
          status === 200 && timesOf(String(body.data['checkpoint']), witness.vkey).length === 1
        );
      };
      await until('it is not cosigned', isCosigned, patienceMs);
      const { status, text } = await ledger.get('/log/checkpoint?cosigned=true');
      expect([status, timesOf(text, witness.vkey).length]).toEqual([200, 1]);
      const receipt = await ledger.get(`/wallets/${luid}/changes/1/receipt`);
      const verdict = verifyReceipt(receipt.text, {
        ...{ key: ledger.key, witnesses: [witness.vkey] },
      });
      expect([verdict.faults, verdict.isProven]).toEqual([[], true]);
    } finally {
      // A ledger without witnesses asks nobody once this one is gone.
      await nameWitnesses(ledger, [], owner);
      await witness.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
