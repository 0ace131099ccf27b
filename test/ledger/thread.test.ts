import { describe, expect, test } from 'vitest';
import {
  awaitedCalls,
  type BridgedEntry,
  type BridgeReport,
  calledEntries,
  entriesIn,
  isOver,
  type Status,
  type Thread,
} from '../../shared/ledger/thread.ts';

function entry(handle: string, ...reported: readonly BridgeReport[]): BridgedEntry {
  const schema = handle.startsWith('deb') ? 'debit' : 'credit';
  return { handle, schema, bridge: 'bank', reported };
}

function threadOf(status: Status, ...intents: readonly (readonly BridgedEntry[])[]): Thread {
  return { status, isManual: false, intents };
}

const handlesOf = (entries: readonly BridgedEntry[]) => entries.map(({ handle }) => handle);
const callsOf = (thread: Thread) =>
  awaitedCalls(thread).map(({ action, entry: of }) => `${action} ${of}`);

test('entries are those of all intents, in their order', () => {
  const thread = threadOf('processing', [entry('deb_1'), entry('cre_1')], [entry('deb_2')]);
  expect(handlesOf(entriesIn(thread))).toEqual(['deb_1', 'cre_1', 'deb_2']);
  expect(handlesOf(entriesIn(thread, 'debit'))).toEqual(['deb_1', 'deb_2']);
});

describe('what was asked for', () => {
  test('is nothing before all have signed', () => {
    expect(calledEntries(threadOf('pending', [entry('deb_1')]))).toEqual([]);
  });

  test('are the debits, and the credits once all debits of the thread are prepared', () => {
    const some = threadOf(
      'processing',
      [entry('deb_1', 'prepared')],
      [entry('deb_2'), entry('cre_2')],
    );
    expect(handlesOf(calledEntries(some))).toEqual(['deb_1', 'deb_2']);
    const all = threadOf('processing', [entry('deb_1', 'prepared'), entry('cre_2')]);
    expect(handlesOf(calledEntries(all))).toEqual(['deb_1', 'cre_2']);
  });
});

describe('what is awaited', () => {
  test('is a first word of all that was asked, while nothing is decided', () => {
    expect(callsOf(threadOf('processing', [entry('deb_1', 'prepared'), entry('cre_1')]))).toEqual([
      'prepare cre_1',
    ]);
  });

  test('is that it is committed, of each', () => {
    const one = entry('deb_1', 'prepared', 'committed');
    expect(callsOf(threadOf('committed', [one, entry('cre_1', 'prepared')]))).toEqual([
      'commit cre_1',
    ]);
  });

  test('is that it is undone, of each that left something behind', () => {
    const undone = [
      entry('deb_1', 'prepared', 'aborted'),
      entry('deb_2', 'prepared'),
      entry('deb_3', 'unsupported'),
      entry('cre_1'),
    ];
    expect(callsOf(threadOf('aborted', undone))).toEqual(['abort deb_2']);
  });

  test('is nothing else', () => {
    for (const status of ['pending', 'prepared', 'completed', 'rejected'] as const)
      expect(awaitedCalls(threadOf(status, [entry('deb_1')]))).toEqual([]);
  });
});

test('an entry is over when its bridge could not, or has undone it', () => {
  const reports: readonly BridgeReport[] = [
    'prepared',
    'failed',
    'committed',
    'aborted',
    'unsupported',
  ];
  expect(reports.filter((report) => isOver(entry('deb_1', report)))).toEqual([
    'failed',
    'aborted',
    'unsupported',
  ]);
});
