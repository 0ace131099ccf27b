/**
 * Goal: the largest intent that is accepted passes each transition of the table, whatever bridges, who decides and the
 * ledger say of it at most: what each of them takes was kept for it from the first. Ruling 68, Decision 77.
 */
import { describe, expect, test } from 'vitest';
import { createSeed, privateKeyOf, publicOf } from '../../shared/crypto/key.ts';
import { accepting, unchanged } from '../../shared/intent/members.ts';
import { type ThreadMember, withStatements, writesOf } from '../../shared/intent/thread.ts';
import {
  bridgedIn,
  pendingOf,
  type ResolvedEntry,
  stepsOf,
  threadOf,
  unsupportedOf,
} from '../../shared/ledger/intent.ts';
import { attachmentOf, type Version, versionOf } from '../../shared/ledger/record.ts';
import {
  decisionBytesMax,
  proofCountMax,
  reportBytesMaxOf,
  reserveOf,
} from '../../shared/ledger/reserve.ts';
import {
  type BridgeReport,
  bridgeReports,
  statuses,
  type Thread,
} from '../../shared/ledger/thread.ts';
import { type ThreadEvent, table, transit } from '../../shared/ledger/transition.ts';
import type { Identity } from '../../shared/port/action.ts';
import { excessOf } from '../../shared/record/size.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { pack } from '../../shared/store/pack.ts';
import { created, newLuid, nextMs, proofBy } from '../fixture/version.ts';

const seed = createSeed();
const ledger: Identity = {
  handle: 'main',
  key: { public: publicOf(seed), privateKey: privateKeyOf(seed) },
};
/** As long as names may be. */
const longest = (name: string) => name.padEnd(256, 'x');
const moment = '2026-01-01T00:00:00.000Z';
/** Each of these takes six bytes. */
const worst = '\u0001'.repeat(500);
const refusal = {
  reason: 'core.bridge-unsupported-operation',
  detail: `A bridge refused the entry ${longest('deb')}: ${worst}.`,
} as const;

/** The intents of a thread, and the entries that each of them will be resolved to. */
interface State {
  readonly versions: readonly Version[];
  readonly entries: readonly (readonly ResolvedEntry[])[];
}

function entriesOf(claimCount: number): ResolvedEntry[] {
  return Array.from({ length: claimCount }).flatMap((_, index) =>
    (['debit', 'credit'] as const).map((schema) => ({
      ...{ handle: newLuid('deb').replace('$deb.', 'deb_'), schema },
      ...{ wallet: longest('wallet'), symbol: longest('usd'), bridge: longest('bank') },
      ...{ amount: Number.MAX_SAFE_INTEGER, inputs: [index] },
    })),
  );
}

/** An intent of so many transfers that waits for a signature, filled by its author to the last byte. */
async function pending(claimCount: number, isManual: boolean, isLater = false): Promise<State> {
  const party = longest('wallet');
  const transfer = { action: 'transfer', source: party, target: party, symbol: longest('usd') };
  const claims = Array.from({ length: claimCount }, () => ({ ...transfer, amount: 1 }));
  const begin = async (essay: string): Promise<Version> => {
    const config = {
      ...(isManual && { commit: 'manual' }),
      ...(isLater && { notBefore: moment }),
    };
    const { record } = created('intent', `full-${nextMs()}`, {
      ...{ claims, config },
      custom: { essay },
    });
    const authored = {
      ...record,
      meta: { ...record.meta, proofs: record.meta.proofs.slice(0, 1) },
    };
    const advances = [pendingOf(record.luid, moment, moment, isLater ? moment : undefined)];
    const said = await withStatements(ledger, authored, advances);
    return versionOf('intent', said, stepsOf(advances, 1, moment));
  };
  const empty = await begin('');
  const free = 340_000 - fullOf(empty).bytes;
  const version = await begin('x'.repeat(free));
  expect(excessOf({ writes: [writeOf(version)] })).toBeUndefined();
  const larger = await begin('x'.repeat(free + 1));
  expect(excessOf({ writes: [writeOf(larger)] })).toBeDefined();
  return { versions: [version], entries: [entriesOf(claimCount)] };
}

function writeOf(next: Version) {
  return { scope: 'main', next, signals: [] };
}

function fullOf(version: Version) {
  const { proofs, bytes } = reserveOf(version);
  const own = [version.record, attachmentOf(version)].map((one) => JSON.stringify(one));
  return {
    proofs: version.record.meta.proofs.length + proofs,
    bytes: own.reduce((sum, text) => sum + Buffer.byteLength(text), bytes),
  };
}

function threadIn({ versions, entries }: State): Thread {
  const thread = threadOf(versions);
  const planned = entries.map((some) =>
    some.map(({ handle, schema, bridge = '' }) => ({ handle, schema, bridge, reported: [] })),
  );
  return thread.status === 'pending' ? { ...thread, intents: planned } : thread;
}

/** A proof by a signer of the longest name that takes so many bytes. */
function proofOf(hash: string, custom: object, bytes: number): Proof {
  const by = (detail: string) => proofBy(longest('bank'), hash, { ...custom, detail, moment });
  const free = bytes - JSON.stringify(by('')).length;
  const proof = by('x'.repeat(free));
  expect(JSON.stringify(proof)).toHaveLength(bytes);
  return proof;
}

/** The member to which something happens, with the proof that brings it. */
async function told(version: Version, event: ThreadEvent): Promise<ThreadMember> {
  const { record } = version;
  const { hash, meta } = record;
  const member = unchanged(version);
  if (event.what === 'refused') return member;
  if (event.what === 'signed')
    return withProofs(member, [...meta.proofs, proofOf(hash, {}, decisionBytesMax)]);
  if (event.what === 'reported' && event.report === 'unsupported') {
    const detail = `Bridge ${longest('bank')} does not support what was asked of it.`;
    const words = [unsupportedOf(event.entry, detail, moment)];
    const said = await withStatements(ledger, record, [{ status: meta.status, statements: words }]);
    expect(JSON.stringify(said.meta.proofs.at(-1)).length).toBeLessThan(reportBytesMaxOf(version));
    return accepting(withProofs(member, said.meta.proofs), meta.proofs.length);
  }
  if (event.what === 'decided') {
    const decision = proofOf(hash, { status: event.status }, decisionBytesMax);
    return withProofs(member, [...meta.proofs, decision]);
  }
  const words = { handle: event.entry, status: event.report };
  const report = proofOf(hash, words, reportBytesMaxOf(version));
  return accepting(withProofs(member, [...meta.proofs, report]), meta.proofs.length);
}

function withProofs(member: ThreadMember, proofs: readonly Proof[]): ThreadMember {
  const { record } = member;
  const { status } = record.meta;
  const step = { action: 'update', status, moment, proofs: proofs.length } as const;
  const said = { ...record, meta: { ...record.meta, proofs } };
  return { ...member, record: said, steps: [step] };
}

/** What comes of an event, at its largest; undefined when nothing does. */
async function after(state: State, event: ThreadEvent): Promise<State | undefined> {
  const transition = transit(threadIn(state), event);
  if (!transition) return undefined;
  const hearing = state.versions.map(async (version, index) => {
    const isOwn = event.what !== 'reported' || holds(version, event.entry);
    const member =
      isOwn && index === ownOf(state, event) ? await told(version, event) : unchanged(version);
    const resolved = state.entries[index] ?? [];
    return event.what === 'signed' ? { ...member, resolved } : member;
  });
  const members = await Promise.all(hearing);
  const claims = state.versions[0]?.record.data['claims'] as unknown[];
  const captured = claims.map((_, claim) => ({ claim, amount: Number.MAX_SAFE_INTEGER }));
  const turn = { scope: 'main', members, transition, moment, failure: refusal };
  const { writes, unchanged: still } = await writesOf(
    ledger,
    isManual(state) ? { ...turn, captured } : turn,
  );
  const excess = excessOf({ writes, unchanged: still });
  expect(excess?.detail).toBeUndefined();
  for (const { next } of writes) expect(() => pack(next)).not.toThrow();
  const versions = state.versions.map(
    (version) => writes.find(({ previous }) => previous === version)?.next ?? version,
  );
  return { ...state, versions };
}

function isManual({ versions }: State): boolean {
  return threadOf(versions).isManual;
}

function holds(version: Version, entry: string): boolean {
  return bridgedIn(version).some(({ handle }) => handle === entry);
}

/** Which intent hears of an event. */
function ownOf({ versions }: State, event: ThreadEvent): number {
  if (event.what !== 'reported') return 0;
  return versions.findIndex((version) => holds(version, event.entry));
}

function eventsOf(state: State): ThreadEvent[] {
  const reports = threadIn(state)
    .intents.flat()
    .flatMap(({ handle }) =>
      bridgeReports.map((report) => ({ what: 'reported', entry: handle, report }) as const),
    );
  const decisions = (['committed', 'aborted'] as const).map(
    (status) => ({ what: 'decided', status }) as const,
  );
  return [{ what: 'signed' }, { what: 'refused' }, ...decisions, ...reports];
}

const nameOf = (state: State) => JSON.stringify(threadIn(state));

/** Every step from every state that can be reached. */
async function stepsFrom(start: State) {
  const seen = new Map([[nameOf(start), start]]);
  const steps: { readonly from: State; readonly event: ThreadEvent; readonly to: State }[] = [];
  for (const from of seen.values())
    for (const event of eventsOf(from)) {
      const to = await after(from, event);
      if (!to) continue;
      steps.push({ from, event, to });
      if (!seen.has(nameOf(to))) seen.set(nameOf(to), to);
    }
  return steps;
}

describe.each([
  ['automatic', false, false],
  ['manual', true, false],
  ['automatic and for later', false, true],
])('the largest intent that is accepted and is %s', async (_, isDecided, isLater) => {
  const steps = await stepsFrom(await pending(1, isDecided, isLater));

  test('passes each transition of the table, and never takes more than was kept for it', () => {
    expect(steps.length).toBeGreaterThan(25);
    for (const { from, event, to } of steps) {
      const [before, now] = [
        fullOf(from.versions[0] as Version),
        fullOf(to.versions[0] as Version),
      ];
      expect([event, now.bytes <= before.bytes, now.proofs <= before.proofs]).toEqual([
        event,
        true,
        true,
      ]);
    }
    const reached = new Set(steps.map(({ to }) => to.versions[0]?.record.meta.status));
    const decisive = table.flatMap(({ to }) =>
      to && to !== 'failed' && to !== 'prepared' ? to : [],
    );
    expect([...reached]).toEqual(expect.arrayContaining(decisive));
  });

  test('leaves nothing kept when it has ended, and something as long as it has not', () => {
    for (const { to } of steps) {
      const [version] = to.versions as [Version];
      const isEnd = ['completed', 'rejected'].includes(version.record.meta.status);
      expect(reserveOf(version).proofs > 0).toBe(!isEnd);
      if (isEnd) expect(reserveOf(version)).toEqual({ proofs: 0, bytes: 0 });
    }
  });
});

/** What brings forty claims to an end: all of it said, and each time at length. */
function courseOf(state: State, last: 'committed' | 'aborted'): ThreadEvent[] {
  const says = (report: BridgeReport, side = ''): ThreadEvent[] =>
    state.entries
      .flat()
      .filter(({ schema }) => schema.startsWith(side))
      .map(({ handle }) => ({ what: 'reported', entry: handle, report }));
  const prepared = [...says('prepared', 'debit'), ...says('prepared', 'credit')];
  return [{ what: 'signed' }, ...prepared, { what: 'decided', status: last }, ...says(last)];
}

test.each([
  ['automatic', 'committed', 'completed'],
  ['manual', 'aborted', 'rejected'],
  ['manual', 'committed', 'completed'],
] as const)('forty claims with two bridges each, %s, are %s to the end', async (how, last, end) => {
  let state = await pending(40, how === 'manual');
  for (const event of courseOf(state, last)) state = (await after(state, event)) ?? state;
  const [version] = state.versions as [Version];
  expect(version.record.meta.status).toBe(end);
  expect(version.record.meta.proofs.length).toBeLessThan(proofCountMax);
});

test('an intent for later has room for the word that it is due, and for the end that somebody may bring', async () => {
  const both = await Promise.all([false, true].map((isLater) => pending(1, false, isLater)));
  const [soon, later] = both.map(({ versions }) => versions[0]);
  const [own, more] = [soon, later].map((one) => reserveOf(one as Version).proofs);
  expect(Number(more) - Number(own)).toBe(2);
});

test('an intent that waits has room for what its claims may come to', () => {
  const claimOf = (action: string) => ({ action, target: 'a', symbol: 'usd', amount: 1 });
  const countOf = (...actions: readonly string[]) => {
    const { record } = created('intent', `waits-${nextMs()}`, { claims: actions.map(claimOf) });
    const version = { kind: 'intent', record, change: 1, steps: [] } as const;
    const meta = { ...record.meta, status: 'pending' };
    return reserveOf({ ...version, record: { ...record, meta } }).proofs;
  };
  // A signature and five words; a side of each wallet that moves, with two reports where a bank may have to do it.
  expect(countOf('limit')).toBe(6);
  expect(countOf('issue')).toBe(7);
  expect(countOf('destroy', 'limit')).toBe(7);
  expect(countOf('transfer')).toBe(12);
});

test('every status has room kept until its end', async () => {
  const { versions } = await pending(1, true);
  const [version] = versions as [Version];
  const wordsOf = (status: string) => {
    const { meta } = version.record;
    return reserveOf({ ...version, record: { ...version.record, meta: { ...meta, status } } });
  };
  const counts = statuses.map((status) => [status, wordsOf(status).proofs]);
  // Two entries, four reports, a signature, a decision and five words; then a decision and what is left of the words.
  expect(Object.fromEntries(counts)).toEqual({
    ...{ pending: 13, processing: 5, prepared: 4, committed: 1, completed: 0 },
    ...{ failed: 2, aborted: 1, rejected: 0 },
  });
});
