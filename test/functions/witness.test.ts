/**
 * A log, its witnesses and a watcher over HTTP: the log shows its checkpoints, a witness cosigns them, everybody is served
 * the cosignatures, and receipts hold only with them. Then the ledger is put back to an old copy and goes on differently,
 * which the witness refuses and the watcher finds; both keep the evidence. Ruling 100, Decision 117.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyReceipt } from '../../shared/client/client.ts';
import { vkeyOf } from '../../shared/log/note.ts';
import {
  type Client,
  clientOf,
  type Item,
  type Json,
  newKey,
  newLedger,
} from '../fixture/client.ts';
import { ran } from '../fixture/command.ts';
import { ann, forbidden, houseOf, outcome, owner } from '../fixture/house.ts';
import { until } from '../fixture/receiver.ts';
import { assertSilent, audit, command, type Runtime, start } from '../fixture/runtime.ts';
import { sharedHome } from '../fixture/served.ts';
import { nameWitnesses, vkeyOfLog, witnessBacklog, witnessOf } from '../fixture/witnessed.ts';
import { SecondWitness, timesOf } from '../log/second-witness.ts';

const key = newKey();
const folder = mkdtempSync(join(tmpdir(), 'countersign-watch-'));
afterAll(() => rmSync(folder, { recursive: true }));
const home = await sharedHome();

/** Names the witnesses of a log. */
const name = (ledger: Client, witnesses: Parameters<typeof nameWitnesses>[1], by = key) =>
  nameWitnesses(ledger, witnesses, by);

async function checkpointAt({ url, ledger }: Client, query = ''): Promise<string | undefined> {
  const answer = await fetch(`${url}/log/checkpoint${query}`, {
    headers: { 'x-ledger': ledger ?? 'main' },
  });
  const note = await answer.text();
  return answer.status === 200 ? note : undefined;
}

const sizeIn = (note = ''): number => Number(note.split('\n')[1] ?? 0);
const linesIn = (note = ''): number => note.split('\u2014').length - 1;

/** Waits until every one of so many witnesses has cosigned a checkpoint with the record. */
async function cosigned(ledger: Client, { luid }: Item, count = 1): Promise<string> {
  const proof = `/log/proof?luid=${luid}&change=1`;
  let note: string | undefined;
  await until('it is not cosigned', async () => {
    const { status, body } = await ledger.get(proof);
    note = status === 200 ? String(body.data['checkpoint']) : undefined;
    return linesIn(note) === count + 1;
  });
  return note ?? '';
}

/** A second implementation over HTTP. */
async function served(one: SecondWitness) {
  const server = createServer(async (request, answer) => {
    const { status, type = 'text/plain', body } = one.addCheckpoint(await text(request));
    answer.writeHead(status, { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** The lines of a runtime's log about witnesses. */
const linesOfWitnesses = ({ complaints }: Runtime): Json[] =>
  complaints.map((line) => JSON.parse(line) as Json).filter(({ where }) => where === 'witness');

/** Runs `countersign watch-log` on a folder that keeps its own state. */
const watch = ({ url, key: trust, ledger = 'main' }: Client, name: string, ...more: string[]) =>
  ran(
    [
      'watch-log',
      ledger,
      '--server',
      url,
      '--trust',
      trust,
      '--folder',
      join(folder, name),
      ...more,
    ],
    { COUNTERSIGN_CONFIG: join(folder, 'config') },
  );

describe('a log with two witnesses', () => {
  test('shows them its checkpoints, and serves what they have cosigned', async () => {
    const ledger = await newLedger(home, key);
    const logKey = await vkeyOfLog(ledger);
    const own = await witnessOf([logKey], join(folder, 'w1'));
    const second = new SecondWitness('second.example/w2', [logKey]);
    const other = await served(second);
    try {
      expect(await checkpointAt(ledger, '?cosigned=true')).toBeUndefined();
      const named = await name(ledger, [
        { key: own.vkey, url: own.url },
        { key: second.vkey, url: `${other.url}/` },
      ]);
      expect(named.status).toBe(200);
      const alice = await ledger.make('wallets', { handle: 'alice' }, key);
      const note = await cosigned(ledger, alice, 2);
      for (const vkey of [own.vkey, second.vkey]) expect(timesOf(note, vkey)).toHaveLength(1);
      await until('the newest checkpoint is not cosigned', async () => {
        return linesIn(await checkpointAt(ledger)) === 3;
      });
      const newest = await checkpointAt(ledger);
      expect(await checkpointAt(ledger, '?cosigned=true')).toBe(newest);
      expect(second.seen.get(logKey.split('+')[0] ?? '')?.size).toBe(sizeIn(newest));
      expect(await witnessBacklog(ledger, key)).toEqual({ due: 0, waiting: 0 });

      const witnesses = [own.vkey, second.vkey];
      const { text: receipt } = await ledger.get(`/wallets/alice/changes/1/receipt`);
      const verdict = verifyReceipt(receipt, { key: ledger.key, witnesses });
      expect(verdict.faults).toEqual([]);
      expect(verdict.seen?.map(({ witness }) => witness)).toEqual([
        'auditor.example/w1',
        'second.example/w2',
      ]);
      expect(verdict.facts.at(-1)).toMatch(
        /^The witness second.example\/w2 saw this checkpoint at 20/,
      );
      const third = new SecondWitness('third.example', []).vkey;
      const unseen = verifyReceipt(receipt, { key: ledger.key, witnesses: [...witnesses, third] });
      expect(unseen).toMatchObject({ isProven: false, facts: [] });
      expect(unseen.faults).toEqual(['The witness third.example has not cosigned the checkpoint.']);
      expect(unseen.moment).toBeUndefined();

      const first = await watch(ledger, 'two', '--witness', own.vkey, '--witness', second.vkey);
      expect([first.code, first.err]).toEqual([0, '']);
      expect(first.out).toContain('auditor.example/w1 saw ');
      expect(first.out).toContain(`Its key, for witnesses: ${logKey}`);
      const missing = await watch(ledger, 'two', '--witness', third);
      expect([missing.code, missing.err]).toEqual([1, '']);
      expect(missing.out).toContain('third.example has not cosigned the checkpoint of ');
    } finally {
      await own.stop();
      await other.stop();
    }
  });

  test('has its backlog in the health of the ledger while one is away, who cosigns once it is back', async () => {
    const data = join(folder, 'away');
    let runtime = await start({ data, env: { LEDGER_LOG: 'info' } });
    let ledger = clientOf(runtime.url, runtime.key);
    // At first it does not know this log.
    const known: string[] = [];
    const away = new SecondWitness('away.example', known);
    const elsewhere = await served(away);
    const backlog = () => witnessBacklog(ledger, key);
    try {
      await name(ledger, [{ key: away.vkey, url: elsewhere.url }]);
      await until('nobody is asked', async () => (await backlog())?.['waiting'] === 1);
      await until('nobody is told', () => linesOfWitnesses(runtime).length > 0);
      expect(linesOfWitnesses(runtime)).toMatchObject([
        {
          ...{ level: 'warn', ledger: 'main', witness: away.vkey },
          why: 'It does not know this log (404).',
        },
      ]);
      // The ledger goes on, and its checkpoints with it.
      const later = await ledger.make('wallets', { handle: 'later' }, key);
      await until('the log stands still', async () => {
        const { status } = await ledger.get(`/log/proof?luid=${later.luid}&change=1`);
        return status === 200;
      });
      expect(linesIn(await checkpointAt(ledger))).toBe(1);
      known.push(await vkeyOfLog(ledger));
      await runtime.stop();
      runtime = await start({ data });
      ledger = clientOf(runtime.url, runtime.key);
      // Nothing changes meanwhile.
      await cosigned(ledger, later);
      expect(await backlog()).toEqual({ due: 0, waiting: 0 });
      await name(ledger, []);
      expect(await backlog()).toBeUndefined();
    } finally {
      await elsewhere.stop();
      await runtime.stop();
    }
  });
});

test('a witness that cannot be reached is a warning, and no error of the service', async () => {
  // As the shared runtimes are run, whose lines are complaints.
  const runtime = await start({ env: { LEDGER_LOG: 'error' } });
  try {
    const ledger = clientOf(runtime.url, runtime.key);
    const gone = new SecondWitness('gone.example', []);
    // RFC 6761: no such name has an address.
    await name(ledger, [{ key: gone.vkey, url: 'https://gone.invalid' }]);
    await until('nobody is asked', async () => {
      return (await witnessBacklog(ledger, key))?.['waiting'] === 1;
    });
    await runtime.stop();
    assertSilent(runtime.complaints);
  } finally {
    await runtime.stop();
  }
});

describe('the witnesses of a ledger', () => {
  const vkey = new SecondWitness('w.example', []).vkey;
  const good = { key: vkey, url: 'https://w.example' };
  const notOfWitness = vkeyOf({ name: 'w.example', public: new Uint8Array(32) });
  test.each([
    ['a key that is none', [{ ...good, key: 'x' }], [422, 'record.schema-invalid']],
    ['the key of a log', [{ ...good, key: notOfWitness }], [422, 'record.schema-invalid']],
    ['a witness twice', [good, good], [422, 'record.schema-invalid']],
    ['no list', good, [422, 'record.schema-invalid']],
    ['another member', [{ ...good, name: 'w' }], [422, 'record.schema-invalid']],
    ['nine of them', Array(9).fill(good), [422, 'record.schema-invalid']],
    ['an address inside', [{ ...good, url: 'https://10.0.0.1' }], [422, 'record.invalid']],
    ['no address', [{ ...good, url: 'w.example' }], [422, 'record.invalid']],
  ])('cannot be %s', async (_, witnesses, refused) => {
    const ledger = await newLedger(home, key);
    expect(outcome(await name(ledger, witnesses as (typeof good)[]))).toEqual(refused);
    const config = { 'log.witnesses': witnesses };
    const made = newLedger(home, key, { config });
    await expect(made).rejects.toThrow(String(refused[1]));
  });

  test('are named by whoever may change the ledger', async () => {
    const house = await houseOf(home, { action: 'read', record: 'ledger', bearer: {} });
    expect(outcome(await name(house, [good], ann))).toEqual(forbidden);
    expect((await name(house, [good], owner)).status).toBe(200);
    expect((await name(house, [], owner)).status).toBe(200);
  });

  test.each(['yes', '', '1'])('are asked for by true or false, and not by %j', async (value) => {
    const reply = await fetch(`${home.url}/log/checkpoint?cosigned=${value}`);
    expect(reply.status).toBe(400);
  });
});

describe('a ledger that was put back to an old copy, and went on differently', () => {
  test('is refused by the witness and found by the watcher, who keep the evidence', async () => {
    const [data, old, witnessData] = ['ledger', 'old', 'w'].map((one) =>
      join(folder, `fork-${one}`),
    );
    const run = async (place = '') => {
      const runtime = await start({ data: place });
      return { runtime, ledger: clientOf(runtime.url, runtime.key) };
    };
    const make = async (ledger: Client, names: readonly string[]) => {
      let last: Item | undefined;
      for (const handle of names) last = await ledger.make('wallets', { handle }, key);
      return last as Item;
    };
    let { runtime, ledger } = await run(data);
    const logKey = await vkeyOfLog(ledger);
    const witness = await witnessOf([logKey], witnessData ?? '');
    try {
      await name(ledger, [{ key: witness.vkey, url: witness.url }]);
      await cosigned(ledger, await make(ledger, ['a1', 'a2']));
      expect((await watch(ledger, 'fork', '--witness', witness.vkey)).code).toBe(0);
      await runtime.stop();
      cpSync(data ?? '', old ?? '', { recursive: true });

      ({ runtime, ledger } = await run(data));
      await cosigned(ledger, await make(ledger, ['b1', 'b2', 'b3']));
      const grown = await watch(ledger, 'fork', '--witness', witness.vkey);
      expect([grown.code, grown.err]).toEqual([0, '']);
      expect(grown.out).toMatch(
        /^The log has grown from \d+ to \d+ leaves, and none before was altered\.\nauditor/,
      );
      const kept = readFileSync(join(folder, 'fork', 'checkpoint'), 'utf8');
      await runtime.stop();
      expect((await audit(data ?? '')).code).toBe(0);

      ({ runtime, ledger } = await run(old));
      const back = await watch(ledger, 'fork');
      expect([back.code, back.err]).toEqual([10, '']);
      expect(back.out).toMatch(
        /^ROLLED BACK: the log shows \d+ leaves, and has signed \d+ before\.\nThe evidence is in /,
      );
      const later = await make(ledger, ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']);
      await until('the log has not grown', async () => {
        const { status } = await ledger.get(`/log/proof?luid=${later.luid}&change=1`);
        return status === 200 && sizeIn(await checkpointAt(ledger)) > sizeIn(kept);
      });
      const forked = await watch(ledger, 'fork');
      expect([forked.code, forked.err]).toEqual([9, '']);
      expect(forked.out).toMatch(/^FORK: the log countersign\/\S+ has signed two histories/);
      const [, path = ''] = /The evidence is in (\S+)\. The/.exec(forked.out) ?? [];
      const evidence = JSON.parse(readFileSync(path, 'utf8')) as Json;
      expect(evidence).toMatchObject({ course: 'forked', before: kept });
      expect(evidence['proof']).toHaveProperty('data.path');
      expect(sizeIn(String(evidence['now']))).toBeGreaterThan(sizeIn(kept));
      // What was good stays, so the next run finds it again.
      expect(readFileSync(join(folder, 'fork', 'checkpoint'), 'utf8')).toBe(kept);
      expect((await watch(ledger, 'fork')).code).toBe(9);

      const evidenceFolder = join(witnessData ?? '', 'evidence');
      await until('the witness has no evidence', () => {
        try {
          return readdirSync(evidenceFolder).length > 0;
        } catch {
          return false;
        }
      });
      const [first = ''] = readdirSync(evidenceFolder);
      expect(readFileSync(join(evidenceFolder, first), 'utf8')).toContain(kept.split('\n\n')[0]);
      expect(linesIn(await checkpointAt(ledger))).toBe(1);
      await until('nobody is told', () =>
        linesOfWitnesses(runtime).some(({ level, error }) => {
          const isMeant = String(error).includes('It has cosigned another tree of');
          return isMeant && level === 'error';
        }),
      );
      const { text: receipt } = await ledger.get('/wallets/c7/changes/1/receipt');
      const verdict = verifyReceipt(receipt, { key: ledger.key, witnesses: [witness.vkey] });
      expect(verdict.faults).toEqual([
        'The witness auditor.example/w1 has not cosigned the checkpoint.',
      ]);
    } finally {
      await runtime.stop();
      await witness.stop();
    }
  });
});

test('a watcher goes on over rotated keys of the log and of the ledger', async () => {
  const data = join(folder, 'rotated-ledger');
  let runtime = await start({ data });
  try {
    const trust = runtime.key;
    const again = async (which?: string) => {
      if (which !== undefined) {
        await runtime.stop();
        const { code, said } = await command('rotate-key', data, { words: ['main', which] });
        expect([code, code === 0 ? '' : said]).toEqual([0, '']);
        runtime = await start({ data });
      }
      const ledger = clientOf(runtime.url, runtime.key);
      const { luid } = await ledger.make('wallets', { handle: `w-${which}` }, key);
      await until('it is not in the log', async () => {
        const { status } = await ledger.get(`/log/proof?luid=${luid}&change=1`);
        return status === 200;
      });
      const { code, out, err } = await watch({ ...ledger, key: trust }, 'rotated');
      expect([code, err]).toEqual([0, '']);
      return out;
    };
    expect(await again()).toContain('The first checkpoint of');
    expect(await again('log')).toMatch(
      /^The log has grown from \d+ to \d+ leaves, and none before was altered\.\n$/,
    );
    const rotated = await again('system');
    expect(rotated).toContain(
      `The ledger signs with the key ${runtime.key} now, which follows from`,
    );
    expect(runtime.key).not.toBe(trust);
    const kept = JSON.parse(readFileSync(join(folder, 'rotated', 'trust.json'), 'utf8')) as Json;
    expect(kept['ledgerKey']).toBe(runtime.key);
  } finally {
    await runtime.stop();
  }
});
