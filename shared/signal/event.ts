/**
 * Events: a signal as the record that is sent. An event is derived from stored data, so that making it again gives the
 * same event with the same handle, by which a receiver recognises a repetition. Rulings 58 and 59.
 */

import { namedLuid } from '../crypto/luid.ts';
import { assert } from '../ledger/assert.ts';
import type { BridgeCall } from '../ledger/call.ts';
import { domainOfHandle } from '../ledger/domain.ts';
import { type EntryNews, entryNewsOf } from '../ledger/entry-signals.ts';
import { changesOf, type LedgerRecord, type Version } from '../ledger/record.ts';
import { spreadMemberOf } from '../port/deliveries.ts';
import type { OutboxEntry } from '../port/outbox.ts';
import type { Scope, Signal, Want } from '../port/ports.ts';
import { recordAt } from './stood.ts';

/** Handle and signal, the record as it stood (by the name of its kind), and what the signal adds. */
export interface EventData {
  readonly handle: string;
  readonly signal: string;
  /** The number of the change in the record's history; its events are published in this order. */
  readonly change: number;
  /** The time of that change, ISO 8601 UTC. */
  readonly moment: string;
  readonly [member: string]: unknown;
}

/** An event, and what the bus and the courier need to route it. */
export interface LedgerEvent {
  readonly ledger: string;
  /** Luid of the record that the event is about. */
  readonly luid: string;
  /** The number of that record in a busy ledger, `Version.spread`; absent for 0. */
  readonly spread?: number;
  readonly data: EventData;
  /**
   * The domain of the wallet that the signal names, else of the record. Only effects of this domain, and of those that
   * it lies in, receive the event. Ruling 70.
   */
  readonly domain?: string;
  /** Luid of the one effect that receives the event; absent when all effects of the signal do. Ruling 95. */
  readonly effect?: string;
  /** The calls to bridges that the change requires. Ruling 54. */
  readonly calls?: readonly BridgeCall[];
  /** The entries at bridges that the change is about; effects of the entry signals receive each. Ruling 78. */
  readonly entries?: readonly EntryNews[];
  /** The luids of the bridges that the intent began with, by their handles then: another one may have the handle by now. */
  readonly bridgeLuids?: Readonly<Record<string, string>>;
  /** Present for an event of which nobody is told: no effect subscribes, and no bridge is called. Decision 146. */
  readonly hasReceiver?: false;
}

/** The wallets and symbols that signals name, by `recordName`, as they stood at the change. */
export type SignalRecords = ReadonlyMap<string, LedgerRecord>;

/** The limit for an event, in bytes of JSON: an item of the table holds 400 KB, with its keys. */
export const eventBytesMax = 380_000;

/** The events of an outbox entry, in the order of its signals. */
export function eventsOf(
  entry: OutboxEntry,
  version: Version,
  records: SignalRecords = new Map(),
): LedgerEvent[] {
  const changes = new Map(changesOf(version).map((change) => [change.meta.change, change]));
  // The records of ledgers belong to the server, but their events to the ledger itself.
  const ledger = entry.scope === '' ? version.record.data.handle : entry.scope;
  return entry.signals.map((signal, index) => {
    const change = changes.get(signal.change);
    assert(change, 'an outbox entry names changes of its own version');
    const data = {
      handle: handleOf(entry, index),
      signal: signal.signal,
      change: signal.change,
      moment: change.meta.moment,
      [entry.kind]: recordAt(change, version),
    };
    const domain = domainOf(signal, entry.scope, version.record, records);
    const of = {
      ...{ ledger, luid: entry.luid },
      ...spreadMemberOf(version),
      ...(domain !== undefined && { domain }),
    };
    if (!signal.custom) return { ...of, data, ...bridgesOf(signal, change, version) };
    const full = { ...data, ...additionsOf(signal, entry.scope, records) };
    // The record alone always fits (Decision 16). When wallet and symbol do not, they are named by handle.
    const fits = Buffer.byteLength(JSON.stringify(full)) <= eventBytesMax;
    const short = () => ({ ...data, ...additionsOf(signal, entry.scope, new Map()) });
    return { ...of, data: fits ? full : short() };
  });
}

/** The calls to bridges that a change requires, its news of their entries, and which bridges these are. */
function bridgesOf(
  { calls }: Signal,
  record: LedgerRecord,
  { kind, accepted = [], bridgeLuids }: Version,
): Pick<LedgerEvent, 'calls' | 'entries' | 'bridgeLuids'> {
  const entries = kind === 'intent' ? entryNewsOf({ record, accepted }, calls) : [];
  const isAboutBridges = calls !== undefined || entries.length > 0;
  return {
    ...(calls && { calls }),
    ...(entries.length > 0 && { entries }),
    ...(isAboutBridges && bridgeLuids && { bridgeLuids }),
  };
}

/** The wallets and symbols that an entry's signals name beside its own record. */
export function wantsNamedBy({ scope, signals }: OutboxEntry): (Want & { what: 'record' })[] {
  return signals.flatMap(({ custom = {} }) =>
    (['wallet', 'symbol'] as const).flatMap((kind) => {
      const handle = custom[kind];
      return handle === undefined ? [] : [{ what: 'record' as const, scope, kind, handle }];
    }),
  );
}

/** The domain of a signal. That of a dropped wallet follows from its handle. */
function domainOf(
  { custom }: Signal,
  scope: Scope,
  { meta }: LedgerRecord,
  records: SignalRecords,
): string | undefined {
  const wallet = custom?.['wallet'];
  if (wallet === undefined) return meta.domain;
  const known = records.get(recordName(scope, 'wallet', wallet));
  return known ? known.meta.domain : domainOfHandle(wallet);
}

export function recordName(scope: Scope, kind: string, handle: string): string {
  return `${scope} ${kind} ${handle}`;
}

/**
 * The members that a signal adds to the record. Wallet and symbol are records, or handles when they were dropped; an
 * amount beyond the safe integers stays a text. Decision 15.
 */
function additionsOf(
  { custom = {} }: Signal,
  scope: Scope,
  records: SignalRecords,
): Readonly<Record<string, unknown>> {
  const { amount, ...names } = custom;
  const named = Object.entries(names).map(
    ([kind, handle]) => [kind, records.get(recordName(scope, kind, handle)) ?? handle] as const,
  );
  const number = Number(amount);
  return {
    ...Object.fromEntries(named),
    ...(amount !== undefined && { amount: Number.isSafeInteger(number) ? number : amount }),
  };
}

/** `evt_` and 17 characters: the time of the change, then a digest of record, change and position. */
function handleOf({ scope, luid, change, momentMs }: OutboxEntry, index: number): string {
  const name = `${scope} ${luid} ${change} ${index}`;
  return namedLuid('evt', momentMs, name).replace('$evt.', 'evt_');
}
