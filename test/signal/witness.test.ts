/**
 * Goal: a log shows its checkpoints to its witnesses, keeps what they cosign, and says what is wrong when one does not.
 * The witnesses are second implementations, written from the standard. Ruling 100, Decision 117.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Version } from '../../shared/ledger/record.ts';
import { checkpointText } from '../../shared/log/checkpoint.ts';
import { type NoteKey, signatureLineOf, vkeyOf } from '../../shared/log/note.ts';
import { rootOf } from '../../shared/log/tree.ts';
import type { OutgoingRequest, SendOutcome } from '../../shared/outgoing/send.ts';
import type { Logs } from '../../shared/port/logs.ts';
import { witnessesOf } from '../../shared/record/witnesses.ts';
import { askWitnesses, type WitnessPorts } from '../../shared/witness/ask.ts';
import { versionsWith } from '../contract/log.ts';
import { memoryLogs } from '../fixture/memory-logs.ts';
import { created } from '../fixture/version.ts';
import { SecondWitness, timesOf } from '../log/second-witness.ts';

const scope = 'main';
const pair = generateKeyPairSync('ed25519');
const log: NoteKey = {
  name: 'countersign/$ldg.1',
  public: pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
};

let nowMs: number;
let logs: Logs;
let witnesses: Map<string, SecondWitness>;
/** What is answered in place of a witness, by address. */
let instead: Map<string, () => Promise<SendOutcome>>;
let named: readonly { readonly key: string; readonly url: string }[];
let failures: string[];
let sent: OutgoingRequest[];

const answered = (status: number, body = ''): SendOutcome => ({ kind: 'answered', status, body });
const urlOf = (name: string) => `https://${name}.example/w`;

function addWitness(name: string, logKeys = [vkeyOf(log)]): SecondWitness {
  const one = new SecondWitness(`${name}.example/w`, logKeys, () => nowMs);
  witnesses.set(`${urlOf(name)}/add-checkpoint`, one);
  named = [...named, { key: one.vkey, url: `${urlOf(name)}/` }];
  return one;
}

async function send(request: OutgoingRequest): Promise<SendOutcome> {
  sent.push(request);
  const other = instead.get(request.endpoint);
  if (other) return other();
  const one = witnesses.get(request.endpoint);
  if (!one) return { kind: 'unreachable', why: 'refused', detail: 'Nobody takes the connection.' };
  const { status, body } = one.addCheckpoint(String(request.body));
  return answered(status, body);
}

function home(): Version {
  const ledger = created('ledger', scope);
  const data = { ...ledger.record.data, config: { 'log.witnesses': named } };
  return { ...ledger, record: { ...ledger.record, data } };
}

const ports = (): WitnessPorts => ({
  logs,
  store: { load: async () => [home()] as never },
  clock: () => nowMs,
  send,
  failed: ({ fault, isNews, isContradiction }) => {
    failures.push(`${isNews ? 'new: ' : ''}${isContradiction ? 'contradicts: ' : ''}${fault}`);
  },
});

/** Appends changes and signs a checkpoint of all of them. */
async function grow(counts: readonly number[], to = logs): Promise<void> {
  const state = await to.append(scope, versionsWith(counts));
  if (!state) throw new Error('There is no log.');
  const { size } = state.tree;
  const text = checkpointText({ origin: log.name, size, root: rootOf(state.tree) });
  const line = signatureLineOf(log, sign(null, Buffer.from(text), pair.privateKey));
  await to.keep(scope, { size, note: `${text}\n${line}` });
}

async function newLog(counts: readonly number[]): Promise<Logs> {
  const made = memoryLogs();
  await made.begin(scope, true);
  await grow(counts, made);
  return made;
}

const ask = () => askWitnesses(ports(), scope);
const served = async () => (await logs.cosigned(scope))?.checkpoint;

beforeEach(async () => {
  nowMs = 1_000_000_000_000;
  witnesses = new Map();
  [named, failures, sent, instead] = [[], [], [], new Map()];
  logs = await newLog([3, 4]);
});

describe('witnesses', () => {
  test('of a ledger without any are not asked', async () => {
    expect(await ask()).toBe(true);
    expect([sent, await logs.cosigned(scope)]).toEqual([[], undefined]);
  });

  test('cosign each checkpoint once, from where they were', async () => {
    const [one, other] = [addWitness('one'), addWitness('other')];
    expect(await ask()).toBe(true);
    expect(await ask()).toBe(true);
    await grow([5]);
    nowMs += 1_000;
    expect(await ask()).toBe(true);
    expect(sent.map(({ body }) => String(body).split('\n')[0])).toEqual([
      ...['old 0', 'old 0'],
      ...['old 7', 'old 7'],
    ]);
    const { size, note = '' } = (await served()) ?? {};
    expect(size).toBe(12);
    expect(timesOf(note, one.vkey)).toEqual([1_000_000_001]);
    expect(timesOf(note, other.vkey)).toEqual([1_000_000_001]);
    expect(failures).toEqual([]);
  });

  test('that know another size are asked from there', async () => {
    const one = addWitness('one');
    await ask();
    await grow([2]);
    // As after an import of an older archive, or when another process has asked.
    logs = { ...logs, cosigned: async () => undefined, keepCosigned: async () => true };
    expect(await ask()).toBe(true);
    expect(sent.map(({ body }) => String(body).split('\n')[0])).toEqual([
      'old 0',
      'old 0',
      'old 7',
    ]);
    expect(one.seen.get(log.name)?.size).toBe(9);
    expect(failures).toEqual([]);
  });

  test('that do not answer keep nobody, and are asked later and later', async () => {
    const one = addWitness('one');
    named = [...named, { key: new SecondWitness('gone', []).vkey, url: urlOf('gone') }];
    expect(await ask()).toBe(false);
    expect(timesOf((await served())?.note ?? '', one.vkey)).toHaveLength(1);
    expect(failures).toEqual(['new: Nobody takes the connection.']);
    expect(await ask()).toBe(false);
    expect(sent).toHaveLength(2);
    nowMs += 5_000;
    await ask();
    nowMs += 9_999;
    await ask();
    expect(failures).toEqual(['new: Nobody takes the connection.', 'Nobody takes the connection.']);
    for (let round = 0; round < 20; round += 1) {
      nowMs += 600_000;
      await ask();
    }
    expect(failures).toHaveLength(22);
  });

  test('are asked for the newest checkpoint after a while', async () => {
    const one = addWitness('one');
    const endpoint = `${urlOf('one')}/add-checkpoint`;
    instead.set(endpoint, async () => answered(500));
    await ask();
    expect(failures).toEqual(['new: It answers (500).']);
    expect(await served()).toBeUndefined();
    instead.clear();
    await grow([1]);
    nowMs += 5_000;
    expect(await ask()).toBe(true);
    expect(one.seen.get(log.name)?.size).toBe(8);
    const progress = (await logs.cosigned(scope))?.progress[one.vkey];
    expect(progress).toEqual({ known: 8, failures: 0, nextMs: 0 });
  });

  test.each([
    [400, 'It takes the request for malformed (400).'],
    [403, 'It does not know the key of this log (403).'],
    [404, 'It does not know this log (404).'],
    [409, 'It answers (409).'],
    [200, 'It answers no cosignature that verifies.'],
  ])('that answer %d are named with what that means', async (status, fault) => {
    addWitness('one');
    instead.set(`${urlOf('one')}/add-checkpoint`, async () => answered(status));
    expect(await ask()).toBe(false);
    expect(failures).toEqual([`new: ${fault}`]);
  });

  test('whose cosignature is of another key are not served', async () => {
    addWitness('one');
    const other = new SecondWitness('one.example/w', [vkeyOf(log)]);
    instead.set(`${urlOf('one')}/add-checkpoint`, async () => {
      const { status, body } = other.addCheckpoint(String(sent.at(-1)?.body));
      return answered(status, body);
    });
    await ask();
    expect(failures).toEqual(['new: It answers no cosignature that verifies.']);
    expect(await served()).toBeUndefined();
  });

  test('only the verified line of an answer is kept', async () => {
    const one = addWitness('one');
    instead.set(`${urlOf('one')}/add-checkpoint`, async () => {
      const { body } = one.addCheckpoint(String(sent.at(-1)?.body));
      return answered(200, `\u2014 else.example AAAAAAAA\n${body}`);
    });
    expect(await ask()).toBe(true);
    expect((await served())?.note).not.toContain('else.example');
  });
});

describe('a log that another process goes on with', () => {
  test('is not contradicted by a witness that has seen the newer checkpoint already', async () => {
    const one = addWitness('one');
    const endpoint = `${urlOf('one')}/add-checkpoint`;
    instead.set(endpoint, async () => answered(500));
    await ask();
    nowMs += 5_000;
    instead.set(endpoint, async () => {
      await grow([5]);
      return answered(409, '12\n');
    });
    expect(await ask()).toBe(false);
    expect(failures).toEqual(['new: It answers (500).']);
    instead.clear();
    nowMs += 5_000;
    expect(await ask()).toBe(true);
    expect(one.seen.get(log.name)?.size).toBe(12);
  });

  test.each([
    [6, 'new: It names another size with each answer.'],
    [
      8,
      'new: contradicts: It has cosigned 8 leaves, and this log has 7: the log was put back to an older copy, or goes on elsewhere.',
    ],
  ])(
    'is told apart where the witness goes on to %i leaves between two answers',
    async (size, fault) => {
      addWitness('one');
      const sizes = [5, size];
      instead.set(`${urlOf('one')}/add-checkpoint`, async () =>
        answered(409, `${sizes.shift()}\n`),
      );
      expect(await ask()).toBe(false);
      expect(failures).toEqual([fault]);
    },
  );
});

describe('a log that was put back and went on differently', () => {
  test('has fewer leaves than its witness has cosigned', async () => {
    addWitness('one');
    await grow([8]);
    await ask();
    logs = await newLog([3, 4, 5]);
    expect(await ask()).toBe(false);
    expect(failures).toEqual([
      'new: contradicts: It has cosigned 15 leaves, and this log has 12: the log was put back to an older copy, or goes on elsewhere.',
    ]);
    expect(await served()).toBeUndefined();
  });

  test('has another root of the same size', async () => {
    addWitness('one');
    await ask();
    logs = await newLog([7]);
    expect(await ask()).toBe(false);
    expect(failures).toEqual([
      'new: contradicts: It has cosigned another tree of 7 leaves than this log has: one of the two was altered.',
    ]);
  });

  test('cannot prove that it goes on from what was cosigned', async () => {
    const one = addWitness('one');
    await ask();
    logs = await newLog([7, 4, 9]);
    expect(await ask()).toBe(false);
    expect(failures).toEqual([
      'new: contradicts: It has cosigned another tree of 7 leaves than this log has: one of the two was altered.',
    ]);
    expect(one.seen.get(log.name)?.size).toBe(7);
  });
});

test('two processes that ask at a time lose nothing', async () => {
  const one = addWitness('one');
  await Promise.all([ask(), ask()]);
  await ask();
  expect(timesOf((await served())?.note ?? '', one.vkey)).toHaveLength(1);
});

test('a setting from before there were witnesses names none', () => {
  const record = (config: unknown) => ({ ...home().record, data: { handle: scope, config } });
  expect(witnessesOf(record(undefined))).toEqual([]);
  expect(witnessesOf(record({ 'log.witnesses': 'all' }))).toEqual([]);
  expect(witnessesOf(record({ 'log.witnesses': [{ key: 'x', url: 'y' }, null] }))).toEqual([]);
});
