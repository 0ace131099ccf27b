/** Receipts that are put together of what the ledger has truly signed: none is proven. Rulings 98 and 99. */
import { expect, test } from 'vitest';
import { verifyReceipt } from '../../shared/client/receipt.ts';
import { newKey, newLedger } from '../fixture/client.ts';
import { forgedReceipts } from '../fixture/forged-receipts.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const key = newKey();
const ledger = await newLedger(home, key);
const forged = await forgedReceipts(ledger, key);
const own = String((await ledger.get('/signers/system')).body.data['public']);

const ofLog = 'The signer of the log is not signed by the key of the ledger.';
const ofDrop = 'A signature of the drop does not verify.';
const ofStatus = 'The status is not the last that the ledger has signed, which is dropped.';

test('a forged receipt is none, and says why', () => {
  const faults = Object.values(forged).map((text) => verifyReceipt(text, { key: own }).faults);
  expect(faults).toEqual([[ofLog], [ofStatus], [ofDrop]]);
});

test('neither is one whose factor has the luid of a signer', () => {
  const receipt = JSON.parse(Object.values(forged)[0] ?? '');
  const { log } = receipt.data.signers;
  log.luid = log.luid.replace('$snf.', '$snr.');
  expect(verifyReceipt(receipt, { key: own }).faults).toEqual([ofLog]);
});
