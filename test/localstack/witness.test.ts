/**
 * Goal: a witness cosigns what follows from all that it has cosigned, and nothing else, through restarts, races and
 * `kill -9`. The logs that it is asked by are second implementations, from the standard. Ruling 100.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { judged } from '../../localstack/witness/judge.ts';
import { type RunningWitness, startWitness } from '../../localstack/witness/start.ts';
import { keyOfVkey, type NoteKey } from '../../shared/log/note.ts';
import { runServer } from '../fixture/bridge.ts';
import { ran } from '../fixture/command.ts';
import { bodyOf, entriesOf, newSigningLog, type SigningLog } from '../fixture/signing-log.ts';
import { rfcRoot } from '../log/rfc.ts';
import { parseVkey, timesOf } from '../log/second-witness.ts';

const folders: string[] = [];
const running: RunningWitness[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-witness-'));
  folders.push(folder);
  return folder;
}

interface Room {
  readonly witness: RunningWitness;
  readonly log: SigningLog;
  readonly data: string;
  readonly said: string[];
}

async function roomOf(data = newFolder(), log = newSigningLog('example.com/log')): Promise<Room> {
  const said: string[] = [];
  const witness = await startWitness({
    ...{ name: 'witness.example/w1', port: 0, host: '127.0.0.1', data },
    keyFile: join(data, 'witness.key'),
    logs: new Map([[log.origin, [keyOfVkey(log.vkey) as NoteKey]]]),
    say: (line) => said.push(line),
    clock: () => 1_679_315_147_999,
  });
  running.push(witness);
  return { witness, log, data, said };
}

interface Heard {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

async function post(url: string, body: string, path = '/add-checkpoint'): Promise<Heard> {
  const answer = await fetch(`${url}${path}`, { method: 'POST', body });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: await answer.text(),
  };
}

const [three, seven] = [entriesOf(3), entriesOf(7)];
const sizeOf = (size: number) => ({ status: 409, type: 'text/x.tlog.size', text: `${size}\n` });
const evidenceIn = (data: string) =>
  readdirSync(join(data, 'evidence')).map((name) =>
    readFileSync(join(data, 'evidence', name), 'utf8'),
  );

describe('a witness', () => {
  test('cosigns a first checkpoint, one that follows from it, and the same again', async () => {
    const { witness, log, said } = await roomOf();
    expect(parseVkey(witness.vkey)).toMatchObject({ name: 'witness.example/w1', type: 4 });
    for (const [old, entries] of [
      [0, three],
      [3, seven],
      [7, seven],
    ] as const) {
      const { status, text } = await post(witness.url, bodyOf(log, old, entries));
      expect(status).toBe(200);
      const times = timesOf(log.checkpoint(entries) + text, witness.vkey);
      expect(times).toEqual([1_679_315_147]);
    }
    expect(said).toEqual([3, 7, 7].map((size) => `cosigned   example.com/log: ${size} leaves`));
  });

  test('tells the size that it knows to a log that thinks of another', async () => {
    const { witness, log } = await roomOf();
    expect(await post(witness.url, bodyOf(log, 3, seven))).toEqual(sizeOf(0));
    await post(witness.url, bodyOf(log, 0, seven));
    expect(await post(witness.url, bodyOf(log, 0, entriesOf(9)))).toEqual(sizeOf(7));
    expect(await post(witness.url, bodyOf(log, 3, three))).toEqual(sizeOf(7));
  });

  test('cosigns no second root of a size, and keeps both checkpoints', async () => {
    const { witness, log, data, said } = await roomOf();
    await post(witness.url, bodyOf(log, 0, seven));
    const other = entriesOf(7, 'b');
    expect(await post(witness.url, bodyOf(log, 7, other))).toEqual(sizeOf(7));
    expect(await post(witness.url, bodyOf(log, 7, other))).toEqual(sizeOf(7));
    const [evidence = '', ...more] = evidenceIn(data);
    expect(more).toEqual([]);
    expect(evidence).toContain(log.checkpoint(seven));
    expect(evidence).toContain(log.checkpoint(other));
    expect(said.at(-1)).toContain('409 Another root of the same 7 leaves was cosigned before.');
  });

  test('cosigns nothing that does not follow from what it has cosigned', async () => {
    const { witness, log, data } = await roomOf();
    await post(witness.url, bodyOf(log, 0, three));
    const other = entriesOf(7, 'b');
    expect((await post(witness.url, bodyOf(log, 3, other))).status).toBe(422);
    expect((await post(witness.url, bodyOf(log, 3, seven, []))).status).toBe(422);
    expect(evidenceIn(data).some((text) => text.includes(log.checkpoint(other)))).toBe(true);
    expect((await post(witness.url, bodyOf(log, 3, seven))).status).toBe(200);
  });

  test('takes no proof where there is nothing to prove', async () => {
    const { witness, log } = await roomOf();
    const proof = [Buffer.alloc(32)];
    expect((await post(witness.url, bodyOf(log, 0, three, proof))).status).toBe(422);
    await post(witness.url, bodyOf(log, 0, three));
    expect((await post(witness.url, bodyOf(log, 3, three, proof))).status).toBe(422);
  });

  test('knows its logs by origin and key', async () => {
    const { witness, log } = await roomOf();
    const stranger = newSigningLog('example.com/other');
    expect((await post(witness.url, bodyOf(stranger, 0, three))).status).toBe(404);
    const forger = newSigningLog(log.origin);
    expect((await post(witness.url, bodyOf(forger, 0, three))).status).toBe(403);
    const both = bodyOf(log, 0, three) + forger.checkpoint(three).split('\n').at(-2);
    expect((await post(witness.url, `${both}\n`)).status).toBe(200);
  });

  test.each([
    ['', 400],
    ['old 0\n\nno checkpoint\n', 400],
    ['old x\n\n', 400],
    ['x'.repeat(65 * 1024), 413],
  ])('refuses a body that is no submission', async (body, status) => {
    const { witness } = await roomOf();
    expect((await post(witness.url, body)).status).toBe(status);
  });

  test('refuses an old size that is more than the new one', async () => {
    const { witness, log } = await roomOf();
    expect((await post(witness.url, bodyOf(log, 9, three, []))).status).toBe(400);
  });

  test('has one endpoint', async () => {
    const { witness, log } = await roomOf();
    expect((await post(witness.url, bodyOf(log, 0, three), '/other')).status).toBe(404);
    expect((await fetch(`${witness.url}/add-checkpoint`)).status).toBe(405);
  });

  test('shows no control characters of a request', async () => {
    const { witness, said } = await roomOf();
    await post(witness.url, bodyOf(newSigningLog('a\u202eb'), 0, three));
    expect(said.join()).toContain('a\\u202eb');
  });
});

test('no other byte of a submission is cosigned', () => {
  const log = newSigningLog('example.com/log');
  const keys = new Map([[log.origin, [keyOfVkey(log.vkey) as NoteKey]]]);
  const last = { size: 3, root: rfcRoot(three) };
  const body = bodyOf(log, 3, seven);
  const judge = (text: string) => judged(text, { keys, seen: () => last });
  const good = judge(body);
  expect(good.status).toBe(200);
  const signed = good.status === 200 ? good.checkpoint.note.text : '';
  fc.assert(
    fc.property(fc.nat(body.length - 1), fc.string({ maxLength: 3 }), (at, text) => {
      const judgement = judge(body.slice(0, at) + text + body.slice(at + 1));
      if (judgement.status === 200) expect(judgement.checkpoint.note.text).toBe(signed);
      else expect([400, 403, 404, 409, 422]).toContain(judgement.status);
    }),
    { numRuns: 2_000 },
  );
  fc.assert(fc.property(fc.string(), (text) => judge(text).status === 400));
});

describe('what a witness knows', () => {
  test('is there after a restart, with its key, for its owner alone', async () => {
    const { witness, log, data } = await roomOf();
    await post(witness.url, bodyOf(log, 0, seven));
    await witness.stop();
    running.length = 0;
    const again = await roomOf(data, log);
    expect(again.witness.vkey).toBe(witness.vkey);
    expect(await post(again.witness.url, bodyOf(log, 3, three))).toEqual(sizeOf(7));
    for (const name of readdirSync(data))
      expect(statSync(join(data, name)).mode & 0o077, name).toBe(0);
  });

  test('is that of one process', async () => {
    const { data, log } = await roomOf();
    await expect(roomOf(data, log)).rejects.toMatchObject({ code: 3 });
  });

  test('is not forgotten when its file is damaged', async () => {
    const { witness, log, data } = await roomOf();
    await post(witness.url, bodyOf(log, 0, seven));
    await witness.stop();
    running.length = 0;
    const [name = ''] = readdirSync(data).filter((one) => one.endsWith('.checkpoint'));
    writeFileSync(join(data, name), 'x');
    await expect(roomOf(data, log)).rejects.toMatchObject({ code: 4 });
  });

  test('never goes back, whatever comes at a time', async () => {
    const { witness, log, data } = await roomOf();
    await post(witness.url, bodyOf(log, 0, three));
    const ends = await Promise.all(
      [4, 5, 6, 7].map((size) => post(witness.url, bodyOf(log, 3, entriesOf(size)))),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const [won] = [4, 5, 6, 7].filter((_, index) => ends[index]?.status === 200);
    const [name = ''] = readdirSync(data).filter((one) => one.endsWith('.checkpoint'));
    expect(readFileSync(join(data, name), 'utf8').split('\n')[1]).toBe(String(won));
  });
});

/** The command of a witness of one log, at any port. */
const wordsFor = (log: string, data: string) => [
  ...['witness', '--name', 'w.example/1', '--log', log],
  ...['--port', '0', '--data', data],
];

describe('countersign witness', () => {
  test('after kill -9 has all that it has answered, and ends by itself at SIGTERM', async () => {
    const [data, log] = [newFolder(), newSigningLog('example.com/log')];
    const words = wordsFor(log.vkey, data);
    let known = 0;
    for (const round of [1, 2, 3]) {
      const process = await runServer(words);
      expect(await post(process.url, bodyOf(log, 999, entriesOf(1000)))).toEqual(sizeOf(known));
      const stop = setTimeout(() => void process.end('SIGKILL'), 40 * round);
      for (;;) {
        const [next, old] = [known + 1, known];
        const heard = await post(process.url, bodyOf(log, old, entriesOf(next))).catch(
          () => undefined,
        );
        if (heard?.status === 200) known = next;
        else break;
      }
      clearTimeout(stop);
      // The last one may be kept, and its answer lost.
      const [name = ''] = readdirSync(data).filter((one) => one.endsWith('.checkpoint'));
      const size = name === '' ? 0 : Number(readFileSync(join(data, name), 'utf8').split('\n')[1]);
      expect([known, known + 1]).toContain(size);
      known = size;
    }
    const last = await runServer(words);
    expect(await last.end('SIGTERM')).toBe(0);
  });

  test('that has no space on its disk cosigns nothing', async () => {
    const [data, log] = [newFolder(), newSigningLog('example.com/log')];
    const words = wordsFor(log.vkey, data);
    const first = await runServer(words);
    await first.end('SIGTERM');
    const full = await runServer(words, 0);
    expect((await post(full.url, bodyOf(log, 0, three))).status).toBe(500);
    await full.end();
    const again = await runServer(words);
    expect((await post(again.url, bodyOf(log, 0, seven))).status).toBe(200);
    await again.end();
  });

  const vkey = newSigningLog('example.com/log').vkey;
  test.each([
    [['--name', 'a b', '--log', vkey], 2, "'a b' cannot be the name of a key"],
    [['--name', 'w'], 2, 'Name the logs that are witnessed'],
    [['--name', 'w', '--log', 'x'], 2, '--log must be the key of a log'],
    [['--name', 'w', '--log', vkey, '--host', 'here'], 2, '--host must be an IP address'],
    [
      ['--name', 'w', '--log', vkey, '--port', '70000'],
      2,
      'It must be a whole number from 0 to 65535.',
    ],
    [['--name', 'w', '--log', vkey, '--data', '/dev/null'], 4, "--data is '/dev/null'"],
    [['--log', vkey], 2, "required option '--name <name>' not specified"],
  ])('refuses %j in one line', async (words, code, text) => {
    const said = await ran(['witness', ...words]);
    expect([said.code, said.out]).toEqual([code, '']);
    expect(said.err).toContain(text);
    expect(said.err).toMatch(/^[^\n]+\n$/);
  });
});
