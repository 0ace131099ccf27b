/**
 * Monitors, behind the relay: when the changes of a ledger were published and their books are written, the balances
 * that they moved are compared with the thresholds of effects. A crossing is first stored with the state of its monitor
 * and then published, and only then the entries leave the outbox: so a crash repeats it with the same content and handle,
 * and never loses it. A monitor that cannot look to the end of its book, as too much waits in the outbox, is noted and
 * looks again when more has left. Ruling 95, Decision 110.
 */
import { canonicalOf } from '../crypto/canonical.ts';
import { namedLuid } from '../crypto/luid.ts';
import { domainOfHandle } from '../ledger/domain.ts';
import { type Crossing, crossingsFrom, type MonitorPlace, sideOf } from '../ledger/monitor.ts';
import type { LedgerRecord, Version } from '../ledger/record.ts';
import type { BookName } from '../port/books.ts';
import type { MonitorState, Monitors } from '../port/monitors.ts';
import type { Outbox, OutboxEntry } from '../port/outbox.ts';
import type { Scope, Store } from '../port/ports.ts';
import type { BalanceWatch } from '../shape/effect.ts';
import { monitorSignal } from '../shape/signal-name.ts';
import type { LedgerEvent } from './event.ts';
import type { Bus } from './relay.ts';
import { recordBy } from './stood.ts';

export interface MonitorPorts {
  readonly outbox: Outbox;
  readonly monitors: Monitors;
  readonly store: Pick<Store, 'indexed' | 'load' | 'past'>;
  readonly bus: Bus;
}

/** An effect that watches a balance. */
interface Monitor {
  readonly scope: Scope;
  readonly effect: Version;
  readonly watch: BalanceWatch;
}

/** The attempts to store a state before the others that look at the same monitor. */
const saveCountMax = 20;

/** Wraps an outbox: crossings are on the bus before the entries are deleted that brought them about. */
export function monitoring(ports: MonitorPorts): Outbox {
  const { outbox } = ports;
  return {
    ...outbox,
    markPublished: async (entries) => {
      const behind: Scope[] = [];
      for (const scope of new Set(entries.map((entry) => entry.scope))) {
        const own = entries.filter((entry) => entry.scope === scope);
        if (!(await lookAfter(ports, scope, own))) behind.push(scope);
      }
      await outbox.markPublished(entries);
      // Entries that were too many have left now, and perhaps nobody else comes.
      for (const scope of behind) await lookAfter(ports, scope, []);
    },
  };
}

/** True where a monitor looks between the books of these entries and their end. */
export async function areWatched(
  store: Pick<Store, 'indexed'>,
  entries: readonly OutboxEntry[],
): Promise<boolean> {
  const scopes = new Set(entries.map(({ scope }) => scope));
  for (const scope of scopes) if ((await monitorsIn(store, scope)).length > 0) return true;
  return false;
}

function monitorsIn(store: Pick<Store, 'indexed'>, scope: Scope): Promise<Version[]> {
  return store.indexed(scope, 'effect', monitorSignal);
}

/**
 * Looks at the monitors of the balances that entries moved, and at those that have to look again; false when one has to
 * look again afterwards. A ledger without monitors pays for one reading.
 */
async function lookAfter(
  ports: MonitorPorts,
  scope: Scope,
  entries: readonly OutboxEntry[],
): Promise<boolean> {
  const effects = await monitorsIn(ports.store, scope);
  if (effects.length === 0) return true;
  const moved = await movedBy(ports, entries);
  const behind = new Map(await ports.monitors.behind(scope));
  let isThrough = true;
  for (const effect of effects) {
    const watch = watchOf(effect);
    const { luid } = effect.record;
    const times = behind.get(luid);
    if (!watch || !(times !== undefined || moved.has(nameOf({ scope, ...watch })))) continue;
    behind.delete(luid);
    if (!(await lookNoting(ports, { scope, effect, watch }, times))) isThrough = false;
  }
  // The effects of the others have ended, or watch nothing any more.
  for (const [luid, times] of behind) await ports.monitors.caughtUp(scope, luid, times);
  return isThrough;
}

/** Looks at a monitor of which that many notes were made before; false when it has to look again, which is noted. */
async function lookNoting(
  ports: MonitorPorts,
  monitor: Monitor,
  times: number | undefined,
): Promise<boolean> {
  const { luid } = monitor.effect.record;
  if ((await look(ports, monitor)) === 'behind') {
    await ports.monitors.noteBehind(monitor.scope, luid);
    return false;
  }
  if (times !== undefined) await ports.monitors.caughtUp(monitor.scope, luid, times);
  return true;
}

/** The names of the balances that entries moved. */
async function movedBy(
  { outbox, monitors }: MonitorPorts,
  entries: readonly OutboxEntry[],
): Promise<Set<string>> {
  const intents = entries.filter(({ kind }) => kind === 'intent');
  if (intents.length === 0) return new Set();
  const versions = await outbox.versions(intents);
  const changed = intents.flatMap((entry, index) => {
    const version = versions[index];
    return version ? [{ entry, version }] : [];
  });
  return new Set((await monitors.moved(changed)).map(nameOf));
}

function watchOf({ record }: Version): BalanceWatch | undefined {
  return record.data['balance'] as BalanceWatch | undefined;
}

function nameOf({ wallet = '', symbol }: BookName): string {
  return `${wallet} ${symbol}`;
}

/** The condition of a monitor as one text. */
function conditionOf(effect: Version): string {
  return canonicalOf(watchOf(effect) ?? null);
}

/** The balance that a state is about: the effect may have got another one since. */
function watchIn({ condition }: MonitorState): BalanceWatch {
  return JSON.parse(condition) as BalanceWatch;
}

/** Brings a monitor to the end of its book. Others may do so at the same time: one of them stores each step. */
async function look(ports: MonitorPorts, monitor: Monitor): Promise<'end' | 'behind'> {
  for (let count = 0; count < saveCountMax; ) {
    const step = await lookOnce(ports, monitor);
    if (step === 'end' || step === 'behind') return step;
    if (step === 'overtaken') count += 1;
  }
  throw new Error(`The monitor ${monitor.effect.record.luid} is looked at by too many at once.`);
}

async function lookOnce(
  ports: MonitorPorts,
  monitor: Monitor,
): Promise<'end' | 'behind' | 'more' | 'overtaken'> {
  const { monitors } = ports;
  const { scope, effect } = monitor;
  const state = await monitors.read(scope, effect.record.luid);
  const hasPending = state !== undefined && state.pending.length > 0;
  if (hasPending) await publish(ports, { scope, effect, watch: watchIn(state) }, state.pending);
  const step = hasPending
    ? { next: { ...state, pending: [], version: state.version + 1 }, hasMore: true }
    : await nextOf(ports, monitor, state);
  if (step === 'end' || step === 'behind') return step;
  if (!(await monitors.save(scope, effect.record.luid, step.next))) return endedOr(ports, monitor);
  return step.hasMore ? 'more' : 'end';
}

/** The next state of a monitor, unless there is nothing new, or nothing that it may look at yet. */
async function nextOf(
  ports: MonitorPorts,
  monitor: Monitor,
  state: MonitorState | undefined,
): Promise<{ readonly next: MonitorState; readonly hasMore: boolean } | 'end' | 'behind'> {
  const { scope, effect, watch } = monitor;
  const condition = conditionOf(effect);
  const known = (await isCurrent(ports, monitor, state)) ? state : undefined;
  const until = known?.until ?? (await beginningOf(ports, monitor));
  const rest = await ports.monitors.rest({ scope, ...watch }, until);
  if (!rest) return 'end';
  const { before, rows, hasMore, isBehind } = rest;
  if (!before) return 'behind';
  const side = known?.side ?? sideOf(before, BigInt(watch.threshold));
  const from: MonitorPlace = { until, side, count: state?.count ?? 0 };
  const { place, crossings } = crossingsFrom(watch, from, before, rows);
  if (known && rows.length === 0 && place.side === side) return isBehind ? 'behind' : 'end';
  const next = { ...place, condition, pending: crossings, version: (state?.version ?? 0) + 1 };
  return { next, hasMore: hasMore || isBehind || crossings.length > 0 };
}

/** True for a state of this condition, unless the effect had another one since: then the monitor has begun anew. */
async function isCurrent(
  ports: MonitorPorts,
  monitor: Monitor,
  state: MonitorState | undefined,
): Promise<boolean> {
  const { effect } = monitor;
  if (state?.condition !== conditionOf(effect)) return false;
  const updated = effect.steps.at(-1)?.moment ?? '';
  return updated <= state.until || (await beginningOf(ports, monitor)) <= state.until;
}

/** Asks why a state could not be stored: there is nothing to do for an effect that has ended. */
async function endedOr(
  { store }: MonitorPorts,
  { scope, effect }: Monitor,
): Promise<'end' | 'overtaken'> {
  const { luid } = effect.record;
  const [pointer] = await store.load([{ what: 'pointer', scope, kind: 'effect', luid }]);
  return !pointer || pointer.dropped !== undefined ? 'end' : 'overtaken';
}

/** The time from which a monitor looks: when its effect got this condition, or the books were made anew. */
async function beginningOf(
  { store, monitors }: MonitorPorts,
  { scope, effect }: Monitor,
): Promise<string> {
  const { luid } = effect.record;
  const condition = conditionOf(effect);
  const past = await store.past(scope, luid, 1, effect.change);
  const versions = [...past.filter(({ change }) => change < effect.change), effect];
  const before = versions.findLastIndex((version) => conditionOf(version) !== condition);
  const first = versions[before + 1]?.steps[0]?.moment ?? effect.record.meta.moment;
  return new Date(Math.max(Date.parse(first), await monitors.sinceMs(scope))).toISOString();
}

/** Publishes crossings, in order; throws when the bus does not accept them all. */
async function publish(
  { store, bus }: MonitorPorts,
  { scope, effect, watch }: Monitor,
  crossings: readonly Crossing[],
): Promise<void> {
  const { wallet: handle } = watch;
  const [wallet] = await store.load([{ what: 'record', scope, kind: 'wallet', handle }]);
  const domain = wallet ? wallet.record.meta.domain : domainOfHandle(handle);
  const line = await Promise.all(
    crossings.map(async (crossing) => {
      const record = await recordBy(store, scope, effect, Date.parse(crossing.moment));
      return eventOf({ scope, watch, record }, crossing, domain);
    }),
  );
  const [count = 0] = await bus.publish([line]);
  if (count < line.length) throw new Error('The bus did not accept a crossing.');
}

/** The event of a crossing, for the effect of the monitor alone, with that effect as it stood then. */
function eventOf(
  { scope, watch, record }: Pick<Monitor, 'scope' | 'watch'> & { readonly record: LedgerRecord },
  { number, moment, direction, available, intent }: Crossing,
  domain: string | undefined,
): LedgerEvent {
  const { luid } = record;
  const name = `${scope} ${luid} crossing ${number}`;
  const { wallet, symbol, threshold } = watch;
  const amount = Number(available);
  return {
    ...{ ledger: scope, luid, effect: luid, ...(domain !== undefined && { domain }) },
    data: {
      handle: namedLuid('evt', Date.parse(moment), name).replace('$evt.', 'evt_'),
      signal: monitorSignal,
      change: number,
      moment,
      effect: record,
      balance: {
        ...{ wallet, symbol, threshold, direction },
        available: Number.isSafeInteger(amount) ? amount : String(available),
      },
      ...(intent && { intent: { luid: intent.luid, handle: intent.handle } }),
    },
  };
}
