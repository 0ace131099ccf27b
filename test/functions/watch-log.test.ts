/**
 * Goal: a watcher finds whatever a ledger could answer in place of a log that goes on, says it in one line with its code,
 * and never loses the last good checkpoint. Method: a stand-in that signs as a ledger does, whose log is a second
 * implementation from the standard. Ruling 100, Decision 117.
 */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWatchFolder } from '../../localstack/cli/watch-log-folder.ts';
import { type Json, type Key, newKey, signed } from '../fixture/client.ts';
import { ran } from '../fixture/command.ts';
import { bodyOf, entriesOf, newSigningLog, type SigningLog } from '../fixture/signing-log.ts';
import { type Entries, rfcProof } from '../log/rfc.ts';
import { parseVkey, SecondWitness } from '../log/second-witness.ts';

const root = mkdtempSync(join(tmpdir(), 'countersign-watch-log-'));
afterAll(() => rmSync(root, { recursive: true }));
const luid = '$ldg.00000000000000001';

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** A ledger that shows a log of these entries, but for what is answered instead. */
class StandInLedger {
  key: Key = newKey();
  readonly log: SigningLog = newSigningLog(`countersign/${luid}`);
  entries: Entries = entriesOf(5);
  /** The text of the cosigned checkpoint. */
  cosigned: string | undefined;
  readonly instead = new Map<string, () => Reply>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, answer) => {
      const { status, text } = this.#reply(new URL(request.url ?? '', 'http://localhost'));
      answer.writeHead(status).end(text);
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close().closeAllConnections();
  }

  /** An answer that a key signs. */
  signed(data: Json, more: Json = {}, key = this.key): Reply {
    const body = signed(data, key, { moment: '2026-11-23T00:00:00.000Z' });
    return { status: 200, text: JSON.stringify({ ...body, ...more }) };
  }

  /** The record of a signer. */
  signer(data: Json, key = this.key): Reply {
    return this.signed(data, { luid: `$snr.${data['handle']}` }, key);
  }

  #reply({ pathname, searchParams }: URL): Reply {
    const other = this.instead.get(pathname);
    if (other) return other();
    const publicKey = parseVkey(this.log.vkey).raw.toString('base64');
    switch (pathname) {
      case '/signers/system':
        return this.signer({ handle: 'system', public: this.key.public });
      case '/signers/log':
        return this.signer({ handle: 'log', public: publicKey });
      case '/ledger':
        return this.signed({ handle: 'main' }, { luid });
      case '/log/checkpoint': {
        const text = searchParams.has('cosigned')
          ? this.cosigned
          : this.log.checkpoint(this.entries);
        return text === undefined ? this.refused() : { status: 200, text };
      }
      case '/log/consistency':
        return this.proof(Number(searchParams.get('from')), Number(searchParams.get('to')));
      default:
        return this.refused();
    }
  }

  proof(from: number, to: number): Reply {
    const path = rfcProof(from, this.entries.slice(0, to)).map((hash) => hash.toString('base64'));
    return this.signed({ from, to, path });
  }

  refused(status = 404, reason = 'record.not-found'): Reply {
    const { text } = this.signed({ reason, detail: 'It is not there.' });
    return { status, text };
  }
}

let ledger: StandInLedger;
let folder: string;
let count = 0;
beforeEach(async () => {
  ledger = await new StandInLedger().start();
  count += 1;
  folder = join(root, `folder-${count}`);
});
afterEach(() => ledger.stop());

const watch = (...more: readonly string[]) =>
  ran(['watch-log', '--server', ledger.url, '--folder', folder, ...more], {
    COUNTERSIGN_CONFIG: join(root, 'config'),
  });
const kept = () => readFileSync(join(folder, 'checkpoint'), 'utf8');
const evidence = () => readdirSync(folder).filter((name) => name.startsWith('evidence-'));

describe('the first run', () => {
  test('says by which key it goes on, and that it was only believed', async () => {
    const { code, out, err } = await watch();
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`The first checkpoint of countersign/${luid} is kept: 5 leaves.`);
    expect(out).toContain(`Its key, for witnesses: ${ledger.log.vkey}`);
    expect(out).toContain(
      `The key of the ledger is ${ledger.key.public} (believed from the answer`,
    );
    expect(out).toContain('Who answers there could answer with any key');
    expect(kept()).toBe(ledger.log.checkpoint(ledger.entries));
  });

  test('takes the key that is given, and says so', async () => {
    const { code, out } = await watch('--trust', ledger.key.public);
    expect(code).toBe(0);
    expect(out).toContain(`The key of the ledger is ${ledger.key.public} (--trust).`);
    expect(out).not.toContain('could answer with any key');
  });

  test('keeps nothing of a ledger with another key than the one that is given', async () => {
    const { code, out, err } = await watch('--trust', newKey().public);
    expect([code, out]).toEqual([8, '']);
    expect(err).toMatch(/no link leads there from .*\(--trust\)\.\n$/);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('prints one document with --json', async () => {
    const { code, out } = await watch('--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      ...{ course: 'first', size: 5, seen: [], logKeys: [ledger.log.vkey] },
      ...{ origin: ledger.log.origin, key: ledger.key.public },
      trustedBy: expect.stringContaining('believed'),
    });
  });
});

describe('a later run', () => {
  beforeEach(async () => {
    await watch('--trust', ledger.key.public);
  });

  test('finds the same log, and one that has grown', async () => {
    expect((await watch()).out).toBe('The log has 5 leaves, as before, and they are the same.\n');
    ledger.entries = entriesOf(9);
    const grown = 'The log has grown from 5 to 9 leaves, and none before was altered.\n';
    expect(await watch()).toEqual({ code: 0, out: grown, err: '' });
    expect(kept()).toBe(ledger.log.checkpoint(ledger.entries));
    expect(evidence()).toEqual([]);
  });

  test('trusts the key that was kept, whatever is answered or given', async () => {
    const given = await watch('--trust', newKey().public);
    expect([given.code, given.out]).toEqual([8, '']);
    expect(given.err).toContain('and no link leads there from');
    const other = await new StandInLedger().start();
    const before = ledger;
    ledger = other;
    const { code, err } = await watch();
    expect([code, err]).toEqual([8, expect.stringContaining('no link leads there from')]);
    expect(err).toMatch(/\(kept in \S+\)\. If the operator .+ give it by --trust\.\n$/);
    before.stop();
  });

  describe('after its key was known to others, and replaced by one that it does not lead to', () => {
    let stolen: StandInLedger['key'];
    const trusted = () => JSON.parse(readFileSync(join(folder, 'trust.json'), 'utf8')).ledgerKey;
    beforeEach(() => {
      stolen = ledger.key;
      ledger.key = newKey();
      ledger.entries = entriesOf(9);
    });

    test('goes on with the key that is given, from the checkpoint that was kept', async () => {
      expect((await watch()).code).toBe(8);
      const { code, out, err } = await watch('--trust', ledger.key.public);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('The log has grown from 5 to 9 leaves');
      expect(out).toContain(`${ledger.key.public} now, which follows from the one that is given`);
      expect(trusted()).toBe(ledger.key.public);
      expect(await watch()).toMatchObject({ code: 0, err: '' });
    });

    test('keeps its key where the log under the given one does not go on', async () => {
      const good = kept();
      for (const [code, entries] of [
        [9, entriesOf(9, 'b')],
        [10, entriesOf(3)],
      ] as const) {
        ledger.entries = entries;
        const { key } = ledger;
        expect((await watch('--trust', key.public)).code).toBe(code);
        expect([trusted(), kept()]).toEqual([stolen.public, good]);
      }
    });

    test('never goes back to the old key, also where a crontab still gives it', async () => {
      const { key } = ledger;
      await watch('--trust', key.public);
      expect((await watch('--trust', stolen.public)).code).toBe(8);
      ledger.key = stolen;
      ledger.entries = entriesOf(12);
      const { code, err } = await watch('--trust', stolen.public);
      expect([code, err]).toEqual([8, expect.stringContaining('(kept in')]);
      expect(trusted()).toBe(key.public);
    });
  });

  const short = entriesOf(3);
  const other = entriesOf(5, 'b');
  const longer = entriesOf(9, 'b');
  test.each([
    ['rolled-back', 10, short, 'ROLLED BACK: the log shows 3 leaves, and has signed 5 before.'],
    ['forked', 9, other, `FORK: the log countersign/${luid} has signed two histories`],
    ['forked', 9, longer, `FORK: the log countersign/${luid} has signed two histories`],
  ])(
    'finds one that is %s, with the code %d, keeps the evidence once, and the good checkpoint',
    async (course, code, entries, text) => {
      const good = kept();
      ledger.entries = entries;
      const found = await watch();
      expect([found.code, found.err]).toEqual([code, '']);
      expect(found.out).toContain(text);
      expect((await watch()).code).toBe(code);
      const [name = '', ...more] = evidence();
      expect(more).toEqual([]);
      const said = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json;
      expect(said).toMatchObject({ course, before: good, now: ledger.log.checkpoint(entries) });
      expect(kept()).toBe(good);
      const { out } = await watch('--json');
      expect(JSON.parse(out)).toMatchObject({ course, before: 5, evidence: join(folder, name) });
    },
  );

  test('finds a proof that proves nothing', async () => {
    ledger.entries = entriesOf(9);
    ledger.instead.set('/log/consistency', () => ledger.signed({ from: 5, to: 9, path: ['x'] }));
    expect((await watch()).code).toBe(9);
    ledger.instead.clear();
    expect((await watch()).code).toBe(0);
  });
});

describe('what is answered in place of a checkpoint', () => {
  const stranger = newSigningLog(`countersign/${luid}`);
  const elsewhere = newSigningLog('countersign/$ldg.00000000000000002');
  const five = entriesOf(5);
  const cases: readonly (readonly [
    string,
    number,
    string,
    (of: StandInLedger) => Reply,
    string?,
  ])[] = [
    ['a text that is none', 8, 'is no checkpoint', () => ({ status: 200, text: '<html>' })],
    ['nothing', 8, 'is no checkpoint', () => ({ status: 200, text: '' })],
    [
      'that of another log',
      8,
      'and not of countersign',
      () => ({ status: 200, text: elsewhere.checkpoint(five) }),
    ],
    [
      'one by another key',
      8,
      'is not signed by the log',
      () => ({ status: 200, text: stranger.checkpoint(five) }),
    ],
    ['a refusal', 6, 'auth.forbidden', (of) => of.refused(403, 'auth.forbidden')],
    ['an error page', 7, 'is no ledger', () => ({ status: 404, text: '<html>' })],
    [
      'a proof that nobody signed',
      8,
      'is not signed',
      () => ({ status: 200, text: '{"data":{"path":[]}}' }),
      '/log/consistency',
    ],
    [
      'a key of the log that the ledger has not signed',
      8,
      'not signed by the ledger',
      (of) => of.signed({ handle: 'log', public: newKey().public }, {}, newKey()),
      '/signers/log',
    ],
    [
      'another key of the log',
      8,
      'is not signed by the log',
      (of) => of.signer({ handle: 'log', public: newKey().public }),
      '/signers/log',
    ],
  ];
  test.each(cases.map((one) => [one[0], one] as const))(
    'is told in one line with its code: %s',
    async (_, [, code, line, reply, path = '/log/checkpoint']) => {
      await watch();
      const good = kept();
      ledger.entries = entriesOf(9);
      ledger.instead.set(path, () => reply(ledger));
      const { code: ended, out, err } = await watch();
      expect([ended, out]).toEqual([code, '']);
      expect(err).toContain(line);
      expect(err).toMatch(/^[^\n]+\n$/);
      expect(kept()).toBe(good);
    },
  );

  test('is nobody: no ledger answers', async () => {
    await watch();
    const { url } = ledger;
    ledger.stop();
    const { code, err } = await ran(['watch-log', '--server', url, '--folder', folder]);
    expect([code, err]).toEqual([7, expect.stringContaining('No ledger answers at')]);
  });
});

describe('a split view', () => {
  test('of which each side is in order alone is found by the witness of the other', async () => {
    const [ours, theirs] = [entriesOf(9), entriesOf(7, 'b')];
    const witness = new SecondWitness('w.example', [ledger.log.vkey]);
    const other = join(root, 'other');
    const watchOther = () => ran(['watch-log', '--server', ledger.url, '--folder', other]);
    for (const end of [4, 7]) {
      ledger.entries = theirs.slice(0, end);
      expect((await watchOther()).code).toBe(0);
      ledger.entries = ours.slice(0, end + 1);
      expect((await watch()).code).toBe(0);
    }
    ledger.entries = theirs;
    const { body } = witness.addCheckpoint(bodyOf(ledger.log, 0, theirs));
    ledger.cosigned = ledger.log.checkpoint(theirs) + body;
    expect((await watchOther()).code).toBe(0);
    ledger.entries = ours;
    // Our side can only be shown as cosigned what the witness saw, or nothing.
    const found = await watch('--witness', witness.vkey);
    expect([found.code, found.err]).toEqual([9, '']);
    expect(found.out).toContain('FORK');
    expect(witness.addCheckpoint(bodyOf(ledger.log, 7, ours)).status).toBe(422);
    ledger.cosigned = undefined;
    expect((await watch('--witness', witness.vkey)).code).toBe(6);
    ledger.cosigned = ledger.log.checkpoint(ours);
    expect((await watch('--witness', witness.vkey)).code).toBe(1);
  });
});

describe('the folder of a watcher', () => {
  test('is that of one process', async () => {
    const open = openWatchFolder(folder);
    expect(await watch()).toMatchObject({ code: 3, out: '' });
    open.close();
    expect((await watch()).code).toBe(0);
  });

  test.each([
    ['trust.json', 'x', 'it names no log'],
    ['trust.json', '{"origin":7}', 'it names no log'],
    ['trust.json', '{"origin":"o","ledgerKey":"k","earlierKeys":7}', 'it names no log'],
    ['checkpoint', 'x', 'The checkpoint that was kept cannot be used'],
  ])('with a damaged %s is not begun anew', async (name, text, line) => {
    await watch();
    writeFileSync(join(folder, name), text);
    const { code, out, err } = await watch();
    expect([code, out]).toEqual([4, '']);
    expect(err).toContain(line);
  });

  test.skipIf(process.getuid?.() === 0)('that cannot be written keeps what it has', async () => {
    await watch();
    ledger.entries = entriesOf(9);
    chmodSync(folder, 0o500);
    expect((await watch()).code).toBe(4);
    chmodSync(folder, 0o700);
  });
});

test.each([
  [['a', '--ledger', 'b'], 'Name the ledger once'],
  [['--witness', 'x'], '--witness must be the key of a witness'],
])('countersign watch-log %j is misused', async (words, text) => {
  const { code, out, err } = await watch(...words);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(text)]);
});
