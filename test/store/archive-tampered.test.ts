/**
 * Goal: whoever changes an archive is found out. Method: lines are changed at any leaf, left out, repeated, put in
 * another place, and the file is cut off anywhere; also by somebody who then writes an end that agrees with it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { itemOfLine } from '../../shared/archive/line.ts';
import { auditedFile, newFolder, saved } from '../fixture/archived.ts';
import { type Ground, momentNow, signed, startGround } from '../fixture/audited.ts';
import { changedAt, closed, leavesOf } from '../fixture/tampered.ts';

let ground: Ground;
let whole: string;
let lines: readonly string[];
const folder = newFolder();

/** What nobody signs and nothing else says: the audit of a table takes it as it is, too. */
const unsigned: ReadonlySet<string> = new Set([
  'counted.status',
  'drop.meta.proofs.method',
  'drop.meta.proofs.origin',
  // Of a record that ended, and of the changes that one commit made.
  'record.meta.moment',
  'steps.proofs',
]);

const usd = { symbol: 'usd', amount: 5 };

beforeAll(async () => {
  ground = await startGround();
  const world = await ground.newWorld();
  await world.make(create('symbol'), { handle: 'usd', factor: 100 });
  for (const handle of ['alice', 'bob', 'carol']) await world.make(create('wallet'), { handle });
  const { hash } = await world.make(create('wallet'), { handle: 'gone' });
  const words = { moment: momentNow(), status: 'dropped' };
  await world.call(drop('wallet'), signed({ parent: hash }, world.key, words), 'gone');
  await world.settle('in', { action: 'issue', target: 'alice', ...usd, amount: 8 });
  await world.settle('over', { action: 'transfer', source: 'alice', target: 'bob', ...usd });
  await world.settle('more', { action: 'transfer', source: 'alice', target: 'bob', ...usd });
  const path = await saved(ground.client, world.tableName, folder.path('whole'));
  whole = readFileSync(path, 'utf8');
  lines = whole.split('\n').slice(0, -2);
});
afterAll(async () => {
  await ground.stop();
  folder.remove();
});

let count = 0;
function audited(text: string): Promise<string[]> {
  count += 1;
  const path = folder.path(`tampered-${count}`);
  writeFileSync(path, text);
  return auditedFile(path);
}

test('the archive is in order', async () => {
  expect(await audited(whole)).toEqual([]);
  expect(await audited(closed(lines))).toEqual([]);
});

test('any other byte is found', async () => {
  const holds = fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(93), async (at, chance) => {
    const char = String.fromCharCode(33 + chance);
    fc.pre(char !== whole.charAt(at) && whole.charAt(at) !== '\n');
    // Only the last line is not hashed: it may say the same in other words.
    fc.pre(at < whole.length - 1 - (whole.split('\n').at(-2)?.length ?? 0));
    expect(await audited(`${whole.slice(0, at)}${char}${whole.slice(at + 1)}`)).not.toEqual([]);
  });
  await fc.assert(holds, { numRuns: 600 });
});

test('a file that is cut off anywhere is found', async () => {
  const holds = fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
    const found = await audited(whole.slice(0, length));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^Archive · /);
  });
  await fc.assert(holds, { numRuns: 50 });
});

test('a file without the ledger that it names is not in order', async () => {
  const missing = 'Archive · Line 1: It names a ledger of which there is no record in the file.';
  expect(await audited(closed(lines.slice(0, 1)))).toEqual([missing]);
  const other = lines.map((line, at) => (at ? line : line.replace('"main"', '"other"')));
  expect(await audited(closed(other))).toContain(missing);
});

describe('of an end that agrees with what was changed', () => {
  const anyLine = (of: RegExp) => {
    const places = lines.flatMap((line, index) => (of.test(line) ? [index] : []));
    return fc.constantFrom(...places);
  };

  test('another value of a record is found', async () => {
    const slipped = new Set<string>();
    for (const [index, line] of lines.entries()) {
      if (!line.startsWith('{"what":"version"')) continue;
      for (const path of leavesOf(JSON.parse(line))) {
        const changed = changedAt(line, path, index);
        const found = await audited(closed(lines.with(index, changed)));
        const place = path.filter((name) => !/^\d+$/.test(String(name))).join('.');
        if (found.length === 0) slipped.add(place);
      }
    }
    expect([...slipped].filter((place) => !unsigned.has(place))).toEqual([]);
  });

  test('another amount of a balance is found', async () => {
    for (const [index, line] of lines.entries()) {
      if (!line.startsWith('{"what":"balance"')) continue;
      for (const member of ['available', 'reserved', 'holds', 'wallet', 'symbol', 'walletLuid']) {
        const said = { reserved: '0', holds: 0, ...(JSON.parse(line) as object) };
        const changed = changedAt(JSON.stringify(said), [member], 0);
        const found = await audited(closed(lines.with(index, changed)));
        expect([member, found.length > 0]).toEqual([member, true]);
      }
    }
  });

  test('a line that is missing, repeated or elsewhere is found', async () => {
    const holds = fc.asyncProperty(
      anyLine(/^\{"what":"(version|balance|key|signal|used)"/),
      fc.constantFrom('missing', 'repeated', 'elsewhere'),
      async (index, how) => {
        const line = lines[index] as string;
        const others = lines.toSpliced(index, 1);
        const place = 1 + ((index * 7) % (others.length - 1));
        fc.pre(how !== 'elsewhere' || place !== index);
        const changed = {
          missing: others,
          repeated: lines.toSpliced(index, 0, line),
          elsewhere: others.toSpliced(place, 0, line),
        }[how];
        expect([line, (await audited(closed(changed))).length > 0]).toEqual([line, true]);
      },
    );
    await fc.assert(holds, { numRuns: 60 });
  });
});

/** A delivery as a file has it. */
const delivery = {
  ...{ what: 'delivery', luid: '$evd.1', subject: '$int.1', version: 1, status: 'failed' },
  ...{
    replay: 0,
    attempts: 1,
    output: { status: 'failed' },
    proofs: [{ public: 'x' }],
    brings: {},
  },
};

test.each([
  [delivery, { proofs: 1 }, 'Expected a list of objects, found 1.'],
  [delivery, { proofs: [null] }, 'Expected a list of objects, found [null].'],
  [delivery, { proofs: '[(' }, 'Expected a list of objects, found "[(".'],
  [delivery, { output: 'x' }, 'Expected an object, found "x".'],
  [delivery, { brings: 'null' }, 'Expected an object, found "null".'],
  [{ what: 'leaves', index: 0 }, { runs: 1 }, 'Expected a list of lists, found 1.'],
  [{ what: 'leaves', index: 0 }, { runs: [null] }, 'Expected a list of lists, found [null].'],
])('what nobody could read is no line: %j with %j', (line, change, fact) => {
  expect(itemOfLine('main', delivery)).toMatchObject({ proofs: '[{"public":"x"}]', brings: '{}' });
  expect(() => itemOfLine('main', { ...line, ...change })).toThrow(fact);
});
