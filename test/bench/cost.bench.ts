/**
 * `npm run bench:cost`: the cost of a million transfers on AWS. Capacity units and events are counted in the request
 * and in the workers; prices and assumed times are in `prices.ts`. Nothing is asserted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../shared/ledger/thrown.ts';
import '../../localstack/runtime/quiet.ts';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { makeMasterKey } from '../../shared/keyring/local.ts';
import { behindOf } from './behind.ts';
import { costText, type Play } from './cost-report.ts';
import { ledgerIn } from './here.ts';
import { pairsOf, settingOf, transferOf } from './scene.ts';

/** Transfers between two runs of the relay: one in a quiet ledger, many in a busy one. */
const plays = { quiet: 1, busy: 25 } as const;
const transferCount = 200;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  delete process.env['DYNAMODB_ENDPOINT'];
  const masterKeyFile = join(folder, 'master.key');
  makeMasterKey(masterKeyFile);
  const ledger = await ledgerIn(join(folder, 'cost.mdb'), masterKeyFile);
  const seed = createSeed();
  const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
  const behind = behindOf(ledger);
  for (const posts of settingOf(key))
    await Promise.all(posts.map(({ path, body }) => ledger.post(path, body)));
  await behind.work();
  let number = 0;
  const counted: Record<string, Play> = {};
  for (const [name, together] of Object.entries(plays)) {
    ledger.heard();
    behind.heard();
    behind.eventBytes.splice(0);
    behind.told.splice(0);
    for (let done = 0; done < transferCount; done += together) {
      for (let each = 0; each < together; each += 1) {
        const pair = pairsOf.uniform[number % pairsOf.uniform.length];
        number += 1;
        if (pair) await ledger.post('/intents', transferOf(pair, number, key));
      }
      await behind.work();
    }
    counted[name] = {
      transferCount,
      runCount: transferCount / together,
      consumed: { ...behind.heard(), request: ledger.heard().consumed },
      eventBytes: behind.eventBytes.splice(0),
      courierCount: behind.told.length,
    };
  }
  console.log(costText(counted));
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
