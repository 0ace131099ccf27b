/**
 * `countersign verify` of receipts: good ones are proven without the ledger, others are not, and each mistake of a user
 * is named. Ruling 98.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, claimOf, newKey, newLedger } from '../fixture/client.ts';
import { ran } from '../fixture/command.ts';
import { sharedHome } from '../fixture/served.ts';

const home = await sharedHome();
const key = newKey();
const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** Nobody answers there: a receipt with a trusted key needs nobody. */
const nobody = 'http://127.0.0.1:9/v2';

interface Paid {
  readonly ledger: Client;
  readonly receipt: string;
}

async function newPaid(): Promise<Paid> {
  const ledger = await newLedger(home, key);
  await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
  await ledger.make('wallets', { handle: 'alice' }, key);
  await ledger.make('intents', { handle: 'pay', claims: [claimOf('issue alice 5 usd')] }, key);
  for (;;) {
    const { status, text } = await ledger.get('/intents/pay/receipt');
    if (status === 200) return { ledger, receipt: text };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

let paid: Paid;
let other: Paid;
beforeAll(async () => {
  paid = await newPaid();
  other = await newPaid();
});

let count = 0;
function fileOf(text: string): string {
  count += 1;
  const path = join(folder, `receipt-${count}.json`);
  writeFileSync(path, text);
  return path;
}

const verified = (text: string, ...words: readonly string[]) =>
  ran(['verify', fileOf(text), ...words], {
    COUNTERSIGN_CONFIG: folder,
    COUNTERSIGN_SERVER: nobody,
  });

describe('a receipt in a file', () => {
  test('is proven by the key of its ledger, and nobody is asked', async () => {
    const { code, out, err } = await verified(paid.receipt, '--trust', paid.ledger.key);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^\u2713 \$int\.\S+ \(pay\) had this data and these signatures/);
    expect(out).toContain('The ledger states its status: completed.');
    expect(out).toMatch(/which is the one that was expected[\s\S]*--trust[\s\S]*Proven\.\n$/);
  });

  test('is one JSON document for programs', async () => {
    const words = ['--trust', paid.ledger.key, '--json'];
    const good = await verified(paid.receipt, ...words);
    expect(good.code).toBe(0);
    expect(JSON.parse(good.out)).toMatchObject({
      ...{ isProven: true, faults: [], trusts: paid.ledger.key, isKeyGiven: true },
      trust: { key: paid.ledger.key, source: '--trust' },
    });
    const bad = await verified(paid.receipt.replace('"amount":5', '"amount":6'), ...words);
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.out)).toMatchObject({ isProven: false, facts: [] });
  });

  test.each([
    ['an amount', '"amount":5', '"amount":6'],
    ['a status', '"status":"completed"', '"status":"rejected"'],
    ['the origin of the log', 'countersign/$ldg', 'countersign/$idg'],
    ['a change', '"change":4', '"change":3'],
  ])('of which %s was changed is not proven', async (_, from, to) => {
    const at = paid.receipt.lastIndexOf(from);
    const text = `${paid.receipt.slice(0, at)}${to}${paid.receipt.slice(at + from.length)}`;
    const { code, out } = await verified(text, '--trust', paid.ledger.key);
    expect([at > 0, code, out]).toEqual([
      true,
      1,
      expect.stringMatching(/\u2717[\s\S]*NOT proven\.\n$/),
    ]);
  });

  test('is not proven by another key, nor by that of another ledger', async () => {
    for (const trust of [newKey().public, other.ledger.key]) {
      const { code, out } = await verified(paid.receipt, '--trust', trust);
      expect([code, out]).toEqual([1, expect.stringContaining(`not of that with ${trust}.`)]);
    }
    const mixed = JSON.parse(paid.receipt) as { data: object };
    const { data } = JSON.parse(other.receipt) as { data: { signers: object } };
    const text = JSON.stringify({ ...mixed, data: { ...mixed.data, signers: data.signers } });
    const { code, out } = await verified(text, '--trust', other.ledger.key);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('The ledger has not signed the record.'),
    ]);
  });

  test('that is another document is not proven', async () => {
    for (const text of [
      '{"data":{"handle":"x"}}',
      '[]',
      'null',
      '{"data":{"record":{},"proof":"","signers":{}}}',
    ]) {
      const { code, out } = await verified(text, '--trust', paid.ledger.key);
      expect([text, code, out]).toEqual([text, 1, expect.stringMatching(/NOT proven\.\n$/)]);
    }
  });

  test('needs a key from elsewhere: without one the ledger is asked', async () => {
    expect((await verified(paid.receipt)).code).toBe(7);
  });
});

test.each([
  ['a file that is missing', () => join(folder, 'missing.json'), 'cannot be read'],
  ['a text that is no JSON', () => fileOf('{"data":'), 'This is no JSON'],
  ['an empty file', () => fileOf(''), 'This is no JSON'],
])('%s is misused', async (_, path, why) => {
  const words = ['verify', path(), '--trust', paid.ledger.key];
  const { code, out, err } = await ran(words, { COUNTERSIGN_CONFIG: folder });
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(why)]);
});
