/**
 * Goal: the client for Python prints, signs, verifies and pays as the service does: its own tests pass on a running ledger, and its README can be pasted.
 * Skipped where there is no Python 3.9 with the package `cryptography`: nothing else of the house needs Python.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type ReceiptOptions, verifyReceipt } from '../../shared/client/client.ts';
import { canonicalOf } from '../../shared/crypto/canonical.ts';
import { proofOfText } from '../../shared/log/proof-text.ts';
import { farewell, newKey, newLedger } from '../fixture/client.ts';
import { forgedReceipts } from '../fixture/forged-receipts.ts';
import { python } from '../fixture/python.ts';
import { until } from '../fixture/receiver.ts';
import { sharedHome } from '../fixture/served.ts';
import { changedAt, leavesOf } from '../fixture/tampered.ts';
import { nameWitnesses, vkeyOfLog, witnessOf } from '../fixture/witnessed.ts';
import { SecondWitness, timesOf } from '../log/second-witness.ts';

const client = 'shared/client/python';
const home = await sharedHome();
const folder = mkdtempSync(join(tmpdir(), 'countersign-python-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs Python with these words, in the folder of the client. */
async function run(words: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(python ?? '', words, {
    cwd: client,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: '.', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', all: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk;
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said.all += chunk;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** JSON texts of random values, each with its canonical text. */
function samples(): [text: string, canonical: string][] {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const value = fc.oneof(fc.jsonValue({ stringUnit: 'grapheme' }), number, fc.maxSafeInteger());
  return fc.sample(value, 1_000).map((one) => [JSON.stringify(one), canonicalOf(one)]);
}

/** Receipts of a ledger with a witness, as they are and with other bytes, each with what this client says of it. */
async function judgedReceipts() {
  const key = newKey();
  const ledger = await newLedger(home, key);
  const witness = await witnessOf([await vkeyOfLog(ledger)], join(folder, 'witness'));
  try {
    await nameWitnesses(ledger, [{ key: witness.vkey, url: witness.url }], key);
    await ledger.make('symbols', { handle: 'usd', factor: 100 }, key);
    await ledger.make('wallets', { handle: 'alice' }, key);
    const gone = await ledger.make('wallets', { handle: 'gone' }, key);
    await ledger.send('POST', '/wallets/gone/drop', farewell(gone, key));
    const { luid } = await ledger.settle(key, 'issue alice 2550 usd');
    await until('it is not cosigned', async () => {
      const { status, body } = await ledger.get(`/intents/${luid}/receipt`);
      const proof = status === 200 ? proofOfText(String(body.data['proof'])) : undefined;
      return proof !== undefined && timesOf(proof.checkpoint, witness.vkey).length > 0;
    });
    const paths = [`intents/${luid}/receipt`, `wallets/${gone.luid}/changes/2/receipt`];
    const texts = await Promise.all(paths.map(async (path) => (await ledger.get(`/${path}`)).text));
    const [paid = ''] = texts;
    const altered = leavesOf(JSON.parse(paid)).map((path, at) => changedAt(paid, path, 3 * at));
    const { vkey } = witness;
    const options = { key: ledger.key, witnesses: [vkey] };
    const told = (text: string, more: ReceiptOptions) => {
      const { isProven, faults, moment, seen = [] } = verifyReceipt(text, more);
      const { key: trust, witnesses = [] } = more;
      return {
        text,
        trust,
        witnesses,
        isProven,
        faults: faults.join(' '),
        moment: moment ?? null,
        seen,
      };
    };
    return [
      ...texts.map((text) => told(text, options)),
      ...altered.map((text) => told(text, options)),
      ...Object.values(await forgedReceipts(ledger, key)).map((text) =>
        told(text, { key: ledger.key }),
      ),
      told(paid, { key: newKey().public }),
      told(paid, { key: ledger.key, witnesses: [new SecondWitness('third.example', []).vkey] }),
      told(paid, { key: ledger.key, witnesses: ['w', vkey] }),
      ...['', '{}', '{"data":{}}', paid.slice(1)].map((text) => told(text, options)),
    ];
  } finally {
    await nameWitnesses(ledger, [], key);
    await witness.stop();
  }
}

/** The Python of the README, as one script on a ledger of its own. */
async function readmeScript(): Promise<string> {
  const readme = readFileSync(`${client}/README.md`, 'utf8');
  const blocks = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(5);
  const { ledger } = await newLedger(home, newKey());
  const local = '"http://127.0.0.1:3000/v2", signer=Key.new()';
  const script = blocks.join('\n');
  expect(script).toContain(local);
  return script.replace(local, `"${home.url}", signer=Key.new(), ledger="${ledger}"`);
}

/** A stand-in of KMS for the signer of the README, which then makes a wallet; and a webhook of nobody. */
const more = `
class Kms:
    key = Key.new()
    def get_public_key(self, KeyId):
        return {"PublicKey": bytes.fromhex("302a300506032b6570032100") + base64.b64decode(self.key.public)}
    def sign(self, KeyId, Message, MessageType, SigningAlgorithm):
        return {"Signature": self.key.sign(Message)}

kms = KmsSigner(Kms(), "alias/payments")
handle = ledger.get("/ledger")["data"]["handle"]
made = connect("${home.url}", signer=kms, ledger=handle).create("/wallets", {"handle": "by-kms"})
print(made["meta"]["proofs"][0]["public"] == Kms.key.public, received({}, b"{}", ledger.key))
`;

const title =
  python === undefined
    ? 'the client for Python (no Python 3.9 with cryptography here)'
    : 'the client for Python';

describe.skipIf(python === undefined)(title, () => {
  test('passes its own tests on a running ledger', async () => {
    const path = join(folder, 'samples.json');
    writeFileSync(path, JSON.stringify(samples()));
    const receipts = join(folder, 'receipts.json');
    writeFileSync(receipts, JSON.stringify(await judgedReceipts()));
    const { code, all } = await run(['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'], {
      COUNTERSIGN_SERVER: home.url,
      COUNTERSIGN_SAMPLES: path,
      COUNTERSIGN_RECEIPTS: receipts,
    });
    expect([code, code === 0 ? '' : all]).toEqual([0, '']);
    expect(all).toMatch(/^Ran [3-9]\d tests in .*\n\nOK\n$/m);
  });

  test('does what its README shows', async () => {
    const path = join(folder, 'readme.py');
    writeFileSync(path, `${await readmeScript()}\n${more}`);
    const { code, out, all } = await run([path], {});
    expect([code, code === 0 ? '' : all]).toEqual([0, '']);
    expect(out).toBe("completed\nusd 2550\n['alice'] rejected\nTrue 400\n");
  });
});
