import { describe, expect, test } from 'vitest';
import {
  awaitedCalls,
  type BridgedEntry,
  type BridgeReport,
  bridgeReports,
  type Status,
  statuses,
  type Thread,
} from '../../shared/ledger/thread.ts';
import {
  type ThreadEvent,
  type TransitionEvent,
  table,
  transit,
} from '../../shared/ledger/transition.ts';

const finals: readonly Status[] = ['completed', 'rejected'];
function entry(handle: string): BridgedEntry {
  const schema = handle.startsWith('deb') ? 'debit' : 'credit';
  return { handle, schema, bridge: `bridge of ${handle}`, reported: [] };
}

function threadOf(isManual: boolean, ...intents: readonly (readonly string[])[]): Thread {
  return { status: 'pending', isManual, intents: intents.map((handles) => handles.map(entry)) };
}

/** What may happen to a thread at any time. */
function eventsOf({ intents }: Thread): ThreadEvent[] {
  const reports = intents
    .flat()
    .flatMap(({ handle }) =>
      bridgeReports.map((report) => ({ what: 'reported', entry: handle, report }) as const),
    );
  return [
    { what: 'signed' },
    { what: 'refused' },
    { what: 'decided', status: 'committed' },
    { what: 'decided', status: 'aborted' },
    ...reports,
  ];
}

function textOf(event: ThreadEvent): string {
  if (event.what === 'reported') return `${event.entry} ${event.report}`;
  return event.what === 'decided' ? `decided ${event.status}` : event.what;
}

interface Edge {
  readonly from: Thread;
  readonly event: ThreadEvent;
  readonly done: ReturnType<typeof transit>;
}

/** Every state that a thread can come to, and all that can happen in each. */
function edgesFrom(start: Thread): Edge[] {
  const seen = new Map([[JSON.stringify(start), start]]);
  const edges: Edge[] = [];
  for (const from of seen.values())
    for (const event of eventsOf(from)) {
      const done = transit(from, event);
      edges.push({ from, event, done });
      if (done) seen.set(JSON.stringify(done.thread), done.thread);
    }
  return edges;
}

const threads: readonly (readonly [string, Thread])[] = [false, true].flatMap((isManual) => {
  const how = isManual ? 'manual' : 'auto';
  return [
    [`${how}, without bridges`, threadOf(isManual, [])],
    [`${how}, a debit at a bridge`, threadOf(isManual, ['deb_1'])],
    [`${how}, a credit at a bridge`, threadOf(isManual, ['cre_1'])],
    [`${how}, a debit and a credit`, threadOf(isManual, ['deb_1', 'cre_1'])],
    [`${how}, two credits`, threadOf(isManual, ['cre_1', 'cre_2'])],
    [`${how}, two intents`, threadOf(isManual, ['deb_1'], ['cre_1', 'deb_2'])],
  ] as const;
});
const edges = threads.flatMap(([, thread]) => edgesFrom(thread));
const changes = edges.flatMap(({ from, event, done }) => (done ? [{ from, event, done }] : []));

/** A story: what happens, and what comes of it. */
function told(start: Thread, events: readonly ThreadEvent[]): string[] {
  let thread = start;
  return events.map((event) => {
    const done = transit(thread, event);
    if (!done) return `${textOf(event)}: nothing`;
    thread = done.thread;
    const calls = [...done.calls, ...done.steps.flatMap((one) => one.calls)].flat();
    const parts = [
      done.steps.map(({ status }) => status).join(' > ') || 'noted',
      ...done.effects,
      ...calls.map(({ action, entry: of, bridge }) => `${action} ${of ?? bridge}`),
    ];
    return `${textOf(event)}: ${parts.join(', ')}`;
  });
}

const signed: ThreadEvent = { what: 'signed' };
const refused: ThreadEvent = { what: 'refused' };
const says = (of: string, report: BridgeReport): ThreadEvent => ({
  what: 'reported',
  entry: of,
  report,
});
const decides = (status: 'committed' | 'aborted'): ThreadEvent => ({ what: 'decided', status });

describe('a thread', () => {
  test('that takes effect later is aborted until it begins, and not after', () => {
    const later = { ...threadOf(false, ['deb_1']), isLater: true };
    const unresolved = { ...later, intents: [[]] };
    expect(told(unresolved, [decides('committed'), decides('aborted')])).toEqual([
      'decided committed: nothing',
      'decided aborted: aborted > rejected',
    ]);
    expect(told(later, [signed, decides('aborted')])).toEqual([
      'signed: processing, reserve, prepare deb_1',
      'decided aborted: nothing',
    ]);
    expect(told(threadOf(false, []), [decides('aborted')])).toEqual(['decided aborted: nothing']);
  });

  test('without bridges is completed at once', () => {
    expect(told(threadOf(false, []), [signed, refused])).toEqual([
      'signed: prepared > committed > completed, reserve, move',
      'refused: nothing',
    ]);
  });

  test('that is refused or late before anything was asked is rejected at once', () => {
    expect(told(threadOf(false, []), [refused, signed])).toEqual([
      'refused: failed > aborted > rejected',
      'signed: nothing',
    ]);
  });

  test('with two bridges asks for debits, then credits, then commits', () => {
    const thread = threadOf(false, ['deb_1', 'cre_1']);
    const events = [
      signed,
      says('cre_1', 'prepared'),
      says('deb_1', 'prepared'),
      says('deb_1', 'prepared'),
      says('cre_1', 'prepared'),
      says('cre_1', 'failed'),
      says('deb_1', 'committed'),
      says('deb_1', 'committed'),
      says('cre_1', 'committed'),
    ];
    expect(told(thread, events)).toEqual([
      'signed: processing, reserve, prepare deb_1',
      'cre_1 prepared: nothing',
      'deb_1 prepared: noted, prepare cre_1',
      'deb_1 prepared: nothing',
      'cre_1 prepared: prepared > committed, move, status bridge of deb_1, status bridge of cre_1, commit deb_1, commit cre_1',
      'cre_1 failed: nothing',
      'deb_1 committed: noted',
      'deb_1 committed: nothing',
      'cre_1 committed: completed, status bridge of deb_1, status bridge of cre_1',
    ]);
  });

  test('of which a credit fails is undone where something was asked', () => {
    const events = [
      signed,
      says('deb_1', 'prepared'),
      says('cre_1', 'failed'),
      refused,
      says('cre_1', 'aborted'),
      says('deb_1', 'aborted'),
    ];
    expect(told(threadOf(false, ['deb_1', 'cre_1']), events)).toEqual([
      'signed: processing, reserve, prepare deb_1',
      'deb_1 prepared: noted, prepare cre_1',
      'cre_1 failed: failed > aborted, release, abort deb_1, abort cre_1',
      'refused: nothing',
      'cre_1 aborted: nothing',
      'deb_1 aborted: rejected, status bridge of deb_1, status bridge of cre_1',
    ]);
  });

  test('whose debit is not supported is over, and undone in case an earlier attempt was taken', () => {
    const events = [signed, says('deb_1', 'unsupported')];
    expect(told(threadOf(false, ['deb_1', 'cre_1']), events)).toEqual([
      'signed: processing, reserve, prepare deb_1',
      'deb_1 unsupported: failed > aborted > rejected, release, abort deb_1, status bridge of deb_1',
    ]);
  });

  test('whose time is over waits for what was asked to be undone', () => {
    const events = [signed, refused, says('deb_1', 'prepared'), says('deb_1', 'aborted')];
    expect(told(threadOf(false, ['deb_1', 'cre_1']), events)).toEqual([
      'signed: processing, reserve, prepare deb_1',
      'refused: failed > aborted, release, abort deb_1',
      'deb_1 prepared: nothing',
      'deb_1 aborted: rejected, status bridge of deb_1',
    ]);
  });

  test('that is manual waits for a word, and hears the first one', () => {
    const thread = threadOf(true, []);
    expect(
      told(thread, [decides('committed'), signed, decides('committed'), decides('aborted')]),
    ).toEqual([
      'decided committed: nothing',
      'signed: prepared, reserve',
      'decided committed: committed > completed, move',
      'decided aborted: nothing',
    ]);
    expect(told(thread, [signed, decides('aborted'), decides('committed')])).toEqual([
      'signed: prepared, reserve',
      'decided aborted: aborted > rejected, release',
      'decided committed: nothing',
    ]);
    expect(told(thread, [signed, refused])).toEqual([
      'signed: prepared, reserve',
      'refused: failed > aborted > rejected, release',
    ]);
  });

  test('that is automatic hears no decision', () => {
    const events = [decides('aborted'), signed, decides('aborted'), decides('committed')];
    expect(told(threadOf(false, ['deb_1']), events)).toEqual([
      'decided aborted: nothing',
      'signed: processing, reserve, prepare deb_1',
      'decided aborted: nothing',
      'decided committed: nothing',
    ]);
  });
});

describe('whatever happens, in all states that can be reached', () => {
  test('there is something to look at', () => {
    expect(edges.length).toBeGreaterThan(3_000);
  });

  test('every line of the table is used', () => {
    const used = new Set(changes.flatMap(linesOf));
    const missing = table.filter((row) => !used.has(lineOf(row.in, row.on, row.to)));
    expect(missing).toEqual([]);
  });

  test('nothing follows the end', () => {
    expect(changes.filter(({ from }) => finals.includes(from.status))).toEqual([]);
  });

  test('statuses are gone through in one direction', () => {
    for (const { from, done } of changes) {
      const path = [from.status, ...done.steps.map(({ status }) => status)];
      const places = path.map((status) => statuses.indexOf(status));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(new Set(path).size).toBe(path.length);
      expect(path.includes('committed') && path.includes('aborted')).toBe(false);
    }
  });

  test('nothing that is decided is decided otherwise', () => {
    for (const { from, done } of changes) {
      const after = done.thread.status;
      if (from.status === 'committed') expect(['committed', 'completed']).toContain(after);
      if (from.status === 'aborted') expect(['aborted', 'rejected']).toContain(after);
    }
  });

  test('what is reserved is moved or given back, once, with the decision', () => {
    for (const change of changes) expect(change.done.effects).toEqual(handlingsOf(change));
  });

  test('no credit is asked for before all debits are prepared, and nobody commits before the decision', () => {
    for (const { done } of changes) {
      const calls = [...done.calls, ...done.steps.flatMap((one) => one.calls)].flat();
      const debits = done.thread.intents.flat().filter(({ schema }) => schema === 'debit');
      const asksCredit = calls.some(
        ({ action, entry: of }) => action === 'prepare' && of?.startsWith('cre'),
      );
      if (asksCredit)
        expect(debits.every(({ reported }) => reported.includes('prepared'))).toBe(true);
      if (calls.some(({ action }) => action === 'commit'))
        expect(['committed', 'completed']).toContain(done.thread.status);
      if (calls.some(({ action }) => action === 'abort'))
        expect(['aborted', 'rejected']).toContain(done.thread.status);
    }
  });

  test('every report counts once', () => {
    for (const { event, done } of changes) {
      if (event.what === 'reported') expect(transit(done.thread, event)).toBeUndefined();
    }
  });

  test('every state waits for something that can still happen, or is an end', () => {
    const states = new Map(changes.map(({ done }) => [JSON.stringify(done.thread), done.thread]));
    for (const thread of states.values()) {
      const isOver = finals.includes(thread.status);
      const isAwaited = awaitedCalls(thread).length > 0;
      const isAsked = thread.isManual && thread.status === 'prepared';
      expect([isOver, isAwaited, isAsked].filter(Boolean)).toHaveLength(1);
    }
  });

  test('what is awaited, when it comes, leads to the end', () => {
    const answers: Readonly<Record<string, BridgeReport>> = {
      prepare: 'prepared',
      commit: 'committed',
      abort: 'aborted',
    };
    for (const { done } of changes) {
      let { thread } = done;
      for (let step = 0; step < 20 && !finals.includes(thread.status); step += 1) {
        const [call] = awaitedCalls(thread);
        const event: ThreadEvent = call
          ? says(call.entry ?? '', answers[call.action] as BridgeReport)
          : decides('committed');
        thread = transit(thread, event)?.thread ?? thread;
      }
      expect(finals).toContain(thread.status);
    }
  });
});

function happeningIn(
  thread: Thread,
  event: ThreadEvent & { readonly what: 'reported' },
): TransitionEvent {
  if (thread.status !== 'processing') return 'done';
  const schema = event.entry.startsWith('deb') ? 'debit' : 'credit';
  return event.report === 'prepared' ? `${schema} prepared` : 'denied';
}

type Made = (typeof changes)[number];

/** The lines of the table that a change goes along. */
function linesOf({ from, event, done }: Made): string[] {
  const path = done.steps.map(({ status }) => status);
  const first = event.what === 'reported' ? happeningIn(from, event) : textOf(event);
  // A report after the decision is noted, and what follows from it follows by itself.
  const isNoted = path.length === 0 || first === 'done';
  const [to, ...rest] = path;
  const begin = isNoted ? lineOf(from.status, first) : lineOf(from.status, first, to);
  const more = isNoted ? path : rest;
  const before = isNoted ? [from.status, ...path] : path;
  return [begin, ...more.map((status, place) => lineOf(before[place] as Status, 'then', status))];
}

function lineOf(status: Status, on: string, to?: Status): string {
  return `${status} ${on} ${to}`;
}

/** What is to become of balances, by the statuses that are gone through. */
function handlingsOf({ from, done }: Made): string[] {
  const path = done.steps.map(({ status }) => status);
  const begins = path[0] === 'processing' || (from.status === 'pending' && path[0] === 'prepared');
  const isHeld = begins || from.status === 'processing' || from.status === 'prepared';
  const isReleased = isHeld && path.includes('aborted');
  return [
    ...(begins ? ['reserve'] : []),
    ...(path.includes('committed') ? ['move'] : []),
    ...(isReleased ? ['release'] : []),
  ];
}
