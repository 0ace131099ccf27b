/** Goal: what is decided only to be looked at is not signed, and what is stored or answered is. Rulings 90 and 91. */
import { sign as nativeSign } from 'node:crypto';
import { expect, test } from 'vitest';
import { batchIntents } from '../../shared/action/batch-intents.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { previewIntent } from '../../shared/action/preview-intent.ts';
import { withoutWrites } from '../../shared/action/without-writes.ts';
import { verify } from '../../shared/crypto/proof.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Action, Call } from '../../shared/port/action.ts';
import { countersign } from '../../shared/record/sign.ts';
import { packBytes } from '../../shared/store/pack-proofs.ts';
import { claimOf, signed, unique } from '../fixture/client.ts';
import { openDesk } from '../fixture/desk.ts';

async function openCounted() {
  const desk = await openDesk();
  await desk.make('symbol', { handle: 'usd', factor: 1 });
  for (const handle of ['alice', 'bob']) await desk.make('wallet', { handle });
  const payment = (claim: string) =>
    signed({ handle: unique('pay'), claims: [claimOf(claim)] }, desk.key);
  await desk.run(createIntent, { body: payment('issue alice 10 usd') });
  const ledger = await desk.services.identityOf('main');
  if (!ledger) throw new Error('The ledger is missing.');
  let count = 0;
  const sign = (bytes: Uint8Array) => {
    count += 1;
    return nativeSign(null, bytes, ledger.key.privateKey).toString('base64');
  };
  const own = { ...ledger, key: { ...ledger.key, sign } };
  /** The answer of the ledger, and the signatures that it has made for it. */
  const run = async (action: Action, body: unknown) => {
    count = 0;
    const answer = await desk.run(action, { body, ledger: own });
    return { answer, count };
  };
  return { run, payment, ledger: own, call: { services: desk.services, ledger: own } as Call };
}

const ledgerProofs = ({ meta }: LedgerRecord) =>
  meta.proofs.filter(({ signer }) => signer === 'system');

test('an intent of an atomic batch is signed as often as one by itself', async () => {
  const { run, payment } = await openCounted();
  const alone = await run(createIntent, payment('transfer alice bob 1 usd'));
  expect(alone.count).toBe(ledgerProofs(alone.answer).length);
  const data = [1, 2, 3].map(() => payment('transfer alice bob 1 usd'));
  const together = await run(batchIntents, { mode: 'atomic', data });
  expect(together.count).toBe(3 * alone.count + 1);
  const records = together.answer.data as unknown as LedgerRecord[];
  expect(records).toHaveLength(3);
  for (const record of records) {
    expect(record.meta.status).toBe('completed');
    for (const proof of record.meta.proofs) expect(verify(record.hash, proof)).toBe(true);
  }
});

test('a preview is signed once, as an answer', async () => {
  const { run, payment } = await openCounted();
  const { answer, count } = await run(previewIntent, payment('transfer alice bob 1 usd'));
  expect(answer.data).toMatchObject({ status: 'completed' });
  expect(count).toBe(1);
  expect(answer.meta.proofs.every((proof) => verify(answer.hash, proof))).toBe(true);
});

test('the proofs of a trial have the size of others, and cannot be stored', async () => {
  const { ledger, call } = await openCounted();
  const [hash, custom] = ['00'.repeat(32), { status: 'created' }];
  const proof = countersign(ledger, hash, custom);
  const tried = countersign(withoutWrites(call).ledger, hash, custom);
  expect(JSON.stringify(tried)).toHaveLength(JSON.stringify(proof).length);
  expect(verify(hash, proof)).toBe(true);
  expect(verify(hash, tried)).toBe(false);
  expect(() => packBytes([], [tried.result])).toThrow('keys and signatures were checked');
});
