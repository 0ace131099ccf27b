/**
 * Goal: whoever holds nothing but a checkpoint finds every change of the history before it, and is told what the file
 * does not prove. Method: a lively ledger is exported; values, lines and leaves are changed one by one, by somebody who
 * writes an end that agrees, and by an operator who has all keys, signs everything again and goes on with another
 * history. Ruling 101.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProvenArchive, proveArchive } from '../../shared/archive/prove.ts';
import { newReport } from '../../shared/audit/run.ts';
import { checkpointOf } from '../../shared/log/checkpoint.ts';
import { auditedFile, newFolder } from '../fixture/archived.ts';
import { type Client, clientOf, newKey, newLedger } from '../fixture/client.ts';
import { ran } from '../fixture/command.ts';
import { isVersion, type Keys, keysIn, type Line, relogged, resigned } from '../fixture/forger.ts';
import { enliven } from '../fixture/lively.ts';
import { writeArchive } from '../fixture/release.ts';
import { runs } from '../fixture/runs.ts';
import { command, newDataFolder, start } from '../fixture/runtime.ts';
import { changedAt, closed, leavesOf, withoutAt } from '../fixture/tampered.ts';

/** Nobody answers there. */
const nobody = 'http://127.0.0.1:9/v2';
const key = newKey();
const folder = newFolder();
const [data, fork] = [newDataFolder(), newDataFolder()];
afterAll(() => {
  folder.remove();
  for (const one of [data, fork]) rmSync(one, { recursive: true });
});

/** An exported history, and the checkpoint that somebody kept of it. */
interface History {
  readonly text: string;
  readonly lines: readonly string[];
  readonly checkpoint: string;
}

/** A checkpoint from before the histories part, and the two histories. */
let early: string;
let ledger: Client;
let one: History;
let other: History;
let keys: Keys;

beforeAll(async () => {
  const runtime = await start({ data });
  ledger = await newLedger(clientOf(runtime.url, runtime.key), key);
  await enliven(ledger, key);
  early = await checkpointWith(ledger, 'limit');
  await runtime.stop();
  cpSync(data, fork, { recursive: true });
  one = await historyIn(data, ledger, 'transfer alice bob 3 usd');
  other = await historyIn(fork, ledger, 'transfer alice carol 3 usd');
  keys = await keysIn(objectsIn(one.lines), join(data, 'master.key'), [key, thief]);
});

/** The checkpoint once it has these intents: each comes by the shard of its outbox. */
async function checkpointWith(client: Client, ...intents: readonly string[]): Promise<string> {
  for (const intent of intents)
    while ((await client.get(`/intents/${intent}/receipt`)).status === 404)
      await new Promise((resolve) => setTimeout(resolve, 100));
  return (await client.get('/log/checkpoint')).text;
}

/** The ledger goes on in a folder, with payments of its own, and is exported. */
async function historyIn(
  at: string,
  { ledger: handle = '', key: own }: Client,
  claim: string,
): Promise<History> {
  const runtime = await start({ data: at });
  const going = clientOf(runtime.url, own, handle);
  const paid: string[] = [];
  for (let count = 0; count < 6; count += 1)
    paid.push((await going.settle(key, claim)).data.handle);
  const checkpoint = await checkpointWith(going, ...paid);
  await runtime.stop();
  const path = join(at, 'ledger.ndjson');
  const words = ['--ledger', handle, '--out', path];
  expect(await command('export', at, { words })).toMatchObject({ code: 0 });
  const text = readFileSync(path, 'utf8');
  return { text, lines: text.split('\n').slice(0, -2), checkpoint };
}

const objectsIn = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Line);
const textsOf = (lines: readonly Line[]) => lines.map((line) => JSON.stringify(line));

let count = 0;
function written(text: string): string {
  count += 1;
  const path = folder.path(`archive-${count}`);
  writeFileSync(path, text);
  return path;
}

/** What a holder of a checkpoint finds of an archive. */
async function judged(text: string, note = one.checkpoint, trust?: string): Promise<ProvenArchive> {
  const checkpoint = checkpointOf(note);
  if (!checkpoint) throw new Error('There is no checkpoint.');
  const path = written(text);
  const shelf = newFolder();
  try {
    const options = { checkpoint, key: trust, folder: shelf.path('shelf'), nowMs: Date.now };
    return await proveArchive(path, options, newReport());
  } finally {
    shelf.remove();
    rmSync(path);
  }
}

/** The members that nothing signs and nothing confirms, as the archive's manual lists them. */
function unprovenMembers(marker = '<!-- unproven -->'): ReadonlySet<string> {
  const manual = readFileSync('shared/archive/README.md', 'utf8');
  const [, section = ''] = manual.split(marker);
  return new Set([...section.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string));
}

/** The name of a member in that list: the line, and the names that lead to the member. */
function memberOf({ what }: Line, path: readonly (string | number)[]): string {
  return [what, ...path.filter((name) => !/^\d+$/.test(String(name)))].join('.');
}

/** Lines of work under way and of attachments, which are in no history. */
const beside: readonly string[] = [
  ...['told', 'signal', 'aside', 'event', 'delivery', 'asset', 'work', 'brought'],
  ...['client', 'token', 'secrets', 'announced', 'holder', 'cosigned'],
];
const isBeside = (line: string) => beside.includes((JSON.parse(line) as Line).what);

/** The checkpoint of the file, which one that has not been signed yet lacks: the kept one says more. */
const isOwnCheckpoint = (line: string) => (JSON.parse(line) as Line).what === 'checkpoint';

describe('an exported ledger', () => {
  test('is proven by the checkpoint that was kept, and by the key of the ledger', async () => {
    const verdict = await judged(one.text);
    expect(verdict).toMatchObject({ isProven: true, faults: [], isKeyGiven: false });
    expect(verdict.later.count).toBe(0);
    expect(verdict.facts.join(' ')).toMatch(
      /none is missing.*signed by the log.*Nothing in the file comes after the checkpoint/,
    );
    expect(await judged(one.text, one.checkpoint, verdict.trusts)).toMatchObject({
      isProven: true,
      isKeyGiven: true,
    });
    const strange = await judged(one.text, one.checkpoint, newKey().public);
    expect(strange.isProven).toBe(false);
    expect(strange.faults).toEqual([expect.stringContaining('not of that with')]);
  });

  test('is proven up to an earlier checkpoint, and what comes later is named as not proven', async () => {
    const { isProven, later, unproven, checkpoint } = await judged(one.text, early);
    const changes = objectsIn(one.lines)
      .filter(isVersion)
      .flatMap(({ steps }) => steps).length;
    expect([isProven, later.count]).toEqual([true, changes - checkpoint.size]);
    expect(later.count).toBeGreaterThan(10);
    expect(later.first).toHaveLength(10);
    expect(unproven[0]).toMatch(/not under the checkpoint, and the balances include them: change /);
  });

  test('is proven beside signatures that nobody here knows, and not without that of its log', async () => {
    const line = one.checkpoint.split('\n').at(-2) as string;
    const witness = `\u2014 witness.example/w ${Buffer.alloc(76, 7).toString('base64')}`;
    const seen = await judged(one.text, `${one.checkpoint}${witness}\n`);
    expect([seen.isProven, seen.facts.join(' ')]).toEqual([
      true,
      expect.stringContaining('further signatures, by witness.example/w'),
    ]);
    const alone = await judged(one.text, one.checkpoint.replace(line, witness));
    expect(alone.faults).toEqual(['The checkpoint is not signed by the log of the ledger.']);
  });

  test('of the other history is found: each has its checkpoint, and neither has that of the other', async () => {
    expect((await judged(other.text, other.checkpoint)).isProven).toBe(true);
    expect((await judged(other.text, early)).isProven).toBe(true);
    for (const [text, note] of [
      [other.text, one.checkpoint],
      [one.text, other.checkpoint],
    ] as const) {
      expect(await auditedFile(written(text))).toEqual([]);
      const { isProven, faults } = await judged(text, note);
      expect([isProven, faults]).toEqual([
        false,
        [expect.stringMatching(/it is another history|what was in it is not here/)],
      ]);
    }
  });
});

test('keys that have changed prove what they signed: each checkpoint, by the first key and by the last', async () => {
  const at = newDataFolder();
  try {
    cpSync(data, at, { recursive: true });
    rmSync(join(at, 'ledger.ndjson'));
    for (const signer of ['system', 'log']) {
      const words = [String(ledger.ledger), signer];
      expect(await command('rotate-key', at, { words })).toMatchObject({ code: 0 });
    }
    const rotated = await historyIn(at, ledger, 'transfer alice bob 2 usd');
    const { trusts } = await judged(rotated.text, rotated.checkpoint);
    expect(trusts).not.toBe(ledger.key);
    for (const trust of [trusts, ledger.key])
      for (const note of [rotated.checkpoint, one.checkpoint, early])
        expect(await judged(rotated.text, note, trust)).toMatchObject({
          isProven: true,
          faults: [],
        });
    const strange = await judged(rotated.text, rotated.checkpoint, newKey().public);
    expect(strange.faults).toEqual([expect.stringContaining('not of that with')]);
    expect((await judged(one.text, rotated.checkpoint)).isProven).toBe(false);
  } finally {
    rmSync(at, { recursive: true });
  }
});

describe('the command', () => {
  const verified = (text: string, note: string, ...words: readonly string[]) => {
    const [path, checkpoint] = [`${written(text)}.ndjson`, written(note)];
    writeFileSync(path, text);
    const env = { COUNTERSIGN_CONFIG: folder.path('config'), COUNTERSIGN_SERVER: nobody };
    return ran(['verify', path, '--checkpoint', checkpoint, ...words], env);
  };

  test('proves a file without the ledger, and says by which key and what is not proven', async () => {
    const { code, out, err } = await verified(one.text, early);
    expect([code, err]).toEqual([0, '']);
    for (const said of [
      /^✓ The file has the ledger /m,
      /^✓ Each of its \d+ signatures verifies/m,
      /^✓ The first \d+ changes of its log .* none is missing/m,
      /^· \d+ changes are not under the checkpoint/m,
      /^· Work under way/m,
      /^The key of the ledger is \S+, as the file says: compare it/m,
      /records a second\. Proven\.\n$/,
    ])
      expect(out).toMatch(said);
  });

  test('answers one JSON document, and ends with 1 for no', async () => {
    const { out } = await verified(one.text, one.checkpoint, '--json');
    const { trusts, ...verdict } = JSON.parse(out) as { trusts: string };
    expect(verdict).toMatchObject({ isProven: true, isKeyGiven: false, trust: null });
    const known = await verified(one.text, one.checkpoint, '--trust', trusts);
    expect([known.code, known.out]).toEqual([0, expect.stringContaining(`${trusts} (--trust)`)]);
    const strange = await verified(one.text, one.checkpoint, '--trust', newKey().public);
    expect([strange.code, strange.out]).toEqual([1, expect.stringMatching(/NOT proven\.\n$/)]);
    const forged = await verified(other.text, one.checkpoint, '--json');
    expect(forged.code).toBe(1);
    expect(JSON.parse(forged.out)).toMatchObject({ isProven: false });
  });

  test('says of a file without a log what it cannot prove', async () => {
    const path = folder.path('release-0.1.ndjson');
    writeArchive(path, folder.path('passphrase'));
    const text = readFileSync(path, 'utf8');
    const { luid } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { luid: string };
    const note = one.checkpoint.replace(/^.*$/m, `countersign/${luid}`);
    const { code, out } = await verified(text, note);
    expect(code).toBe(1);
    expect(out).toMatch(/^✓ Each of its \d+ signatures verifies/m);
    expect(out).toMatch(/^✗ The file has no log: .* not proven that nothing is missing/m);
    const audited = await ran(['verify', path]);
    expect([audited.code, audited.out]).toEqual([0, expect.stringContaining('--checkpoint.')]);
  });

  test('names what it is misused with', async () => {
    const unread = await verified(one.text, 'no note');
    expect([unread.code, unread.err]).toEqual([2, expect.stringContaining('is no checkpoint.')]);
    const key = await verified(one.text, one.checkpoint, '--ledger', 'main');
    expect([key.code, key.err]).toEqual([2, expect.stringContaining('--ledger has no meaning')]);
    const path = written(one.text);
    const gone = await ran(['verify', path, '--checkpoint', folder.path('nothing')]);
    expect([gone.code, gone.err]).toEqual([2, expect.stringContaining('cannot be read')]);
    const missing = await ran(['verify', folder.path('nothing'), '--checkpoint', written(early)]);
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('There is no file')]);
  });
});

test('a checkpoint of another ledger proves nothing', async () => {
  const [, ...rest] = one.checkpoint.split('\n');
  const { faults } = await judged(one.text, ['countersign/$ldg.another', ...rest].join('\n'));
  expect(faults[0]).toMatch(/^The checkpoint is of countersign\/\$ldg.another, and the file of /);
});

test('any other byte is found', async () => {
  const end = one.text.length - 1 - (one.text.split('\n').at(-2)?.length ?? 0);
  const holds = fc.asyncProperty(fc.nat(end - 1), fc.nat(93), async (at, chance) => {
    const char = String.fromCharCode(33 + chance);
    fc.pre(char !== one.text.charAt(at) && one.text.charAt(at) !== '\n');
    const text = `${one.text.slice(0, at)}${char}${one.text.slice(at + 1)}`;
    expect((await judged(text)).isProven).toBe(false);
  });
  await fc.assert(holds, { numRuns: runs(15) });
});

/** Each member of a line once, or with `RUNS` above 1 once of each kind of record. */
function membersOfHistory() {
  const places = one.lines.flatMap((line, index) => {
    const said = JSON.parse(line) as Line;
    if (beside.includes(said.what)) return [];
    return leavesOf(said).map((path) => {
      const member = memberOf(said, path);
      const name = runs(1) > 1 ? `${said['kind']} ${member}` : member;
      return [name, { index, path, member }] as const;
    });
  });
  return new Map(places).values();
}

/** A change of the lines by somebody without keys, who writes an end that agrees. */
const unsignedChanges = {
  removed: (index: number) => one.lines.toSpliced(index, 1),
  repeated: (index: number) => one.lines.toSpliced(index, 0, one.lines[index] as string),
  swapped: (index: number) => {
    const next = index + 1 < one.lines.length ? index + 1 : index - 1;
    const [first, second] = [one.lines[index] as string, one.lines[next] as string];
    return one.lines.with(index, second).with(next, first);
  },
} as const;

describe('of an end that agrees with what was changed', () => {
  test('another value is found of every member of the history but those that the manual names', async () => {
    const [slipped, tried] = [new Set<string>(), new Set<string>()];
    for (const { index, path, member } of membersOfHistory()) {
      const lines = one.lines.with(index, changedAt(one.lines[index] as string, path, index));
      tried.add(member);
      if ((await judged(closed(lines))).isProven) slipped.add(member);
    }
    const essential = ['version.record.hash', 'version.record.meta.proofs.result', 'leaves.runs'];
    for (const member of [...essential, 'checkpoint.note', 'balance.available', 'log.size'])
      expect([...tried]).toContain(member);
    const named = unprovenMembers();
    expect([...slipped].filter((member) => !named.has(member))).toEqual([]);
    // And the manual names nothing that is proven.
    const namedMembers = [...named].filter((member) => tried.has(member));
    expect(namedMembers.filter((member) => !slipped.has(member))).toEqual([]);
    expect(beside.filter((what) => !named.has(what))).toEqual([]);
  });

  test('a member that is left out is missed but for those that the manual names', async () => {
    const slipped = new Set<string>();
    for (const { index, path, member } of membersOfHistory()) {
      const lines = one.lines.with(index, withoutAt(one.lines[index] as string, path));
      if ((await judged(closed(lines))).isProven) slipped.add(member);
    }
    const named = [...unprovenMembers(), ...unprovenMembers('<!-- absent -->')];
    expect([...slipped].filter((member) => !named.includes(member))).toEqual([]);
    expect([...slipped]).toContain('version.isLimited');
  });

  test('nothing is missing without the checkpoint of the file, since another was kept', async () => {
    const lines = one.lines.filter((line) => !isOwnCheckpoint(line));
    expect(lines.length).toBe(one.lines.length - 1);
    expect((await judged(closed(lines))).isProven).toBe(true);
  });

  test('a line that is missing, repeated or elsewhere is found', async () => {
    const places = one.lines.flatMap((line, index) =>
      index > 0 && !isBeside(line) ? [index] : [],
    );
    const counts = new Map<string, number>();
    const how = fc.constantFrom(
      ...(Object.keys(unsignedChanges) as (keyof typeof unsignedChanges)[]),
    );
    const holds = fc.asyncProperty(fc.constantFrom(...places), how, async (index, name) => {
      fc.pre(!(name === 'removed' && isOwnCheckpoint(one.lines[index] as string)));
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const { isProven, faults } = await judged(closed(unsignedChanges[name](index)));
      expect([one.lines[index], isProven, faults.length > 0]).toEqual([
        one.lines[index],
        false,
        true,
      ]);
    });
    await fc.assert(holds, { numRuns: runs(30) });
    for (const name of Object.keys(unsignedChanges)) expect(counts.get(name)).toBeGreaterThan(2);
  });
});

/** A record that an author's key alone signed, with its line. */
interface Target {
  readonly index: number;
  readonly luid: string;
}

/** Changes of history by an operator with all keys. Each leaves an archive that is in order by itself. */
const forgeries = {
  'other data': (lines: readonly Line[], { luid }: Target) =>
    relogged(
      lines.map((line) => {
        if (!isVersion(line) || line.record.luid !== luid) return line;
        const data = { ...line.record.data, custom: { forged: true } };
        return resigned({ ...line, record: { ...line.record, data } }, keys);
      }),
      keys,
    ),
  'another balance': (lines: readonly Line[]) => relogged(lines.map(richer), keys),
  'another order': (lines: readonly Line[], { index }: Target) =>
    relogged(lines, keys, (all) => {
      const at = 1 + (index % (all.length - 2));
      return all.with(at, all[at + 1] ?? []).with(at + 1, all[at] ?? []);
    }),
  'a record less': (lines: readonly Line[]) => {
    const isGone = (line: Line) => isVersion(line) && line.record.data.handle === 'tel:+41555';
    return relogged(
      lines.filter((line) => !isGone(line)),
      keys,
    );
  },
  'another author': (lines: readonly Line[], { luid }: Target) =>
    relogged(
      lines.map((line) => {
        if (!isVersion(line) || line.record.luid !== luid) return line;
        const { record } = line;
        const proofs = record.meta.proofs.map((proof) =>
          proof.public === key.public ? { ...proof, public: thief.public } : proof,
        );
        const owners = record.meta.owners.map((by) => (by === key.public ? thief.public : by));
        const meta = { ...record.meta, proofs, owners };
        return resigned({ ...line, record: { ...record, meta } }, keys);
      }),
      keys,
    ),
} as const;

const thief = newKey();

/** A line of a history in which alice got 500 more at the beginning. */
function richer(line: Line): Line {
  if (line.what === 'balance' && line['wallet'] === 'alice' && line['symbol'] === 'usd')
    return { ...line, available: String(BigInt(String(line['available'])) + 500n) };
  if (!isVersion(line) || line.record.data.handle !== 'deposit') return line;
  const more = (part: unknown) =>
    JSON.parse(JSON.stringify(part).replaceAll('"amount":1000', '"amount":1500'));
  const { data, meta } = line.record;
  return resigned(
    { ...line, record: { ...line.record, data: more(data), meta: more(meta) } },
    keys,
  );
}

test('an operator who signs history again is found by whoever kept a checkpoint', async () => {
  const lines = objectsIn(one.lines);
  const targets = lines.flatMap((line, index): Target[] =>
    isVersion(line) && line.kind === 'wallet' && line.record.data.handle === 'bob'
      ? [{ index, luid: line.record.luid }]
      : [],
  );
  const counts = new Map<string, number>();
  const how = fc.constantFrom(...(Object.keys(forgeries) as (keyof typeof forgeries)[]));
  const holds = fc.asyncProperty(how, fc.nat(200), async (name, at) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const target = { ...(targets[at % targets.length] as Target), index: at };
    const text = closed(textsOf(forgeries[name](lines, target)));
    // The file by itself is in order.
    expect([name, await auditedFile(written(text))]).toEqual([name, []]);
    const { isProven, faults } = await judged(text);
    expect([name, isProven, faults]).toEqual([
      name,
      false,
      [expect.stringMatching(/it is another history|what was in it is not here/)],
    ]);
  });
  await fc.assert(holds, { numRuns: runs(20) });
  for (const name of Object.keys(forgeries))
    expect([name, counts.get(name)]).toEqual([name, expect.any(Number)]);
});
