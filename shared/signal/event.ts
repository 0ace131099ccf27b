/**
 * Events: what a signal says, as the record that is sent. An event is made from what is stored, and
 * made again it is the same, with the same handle, so that whoever hears it twice can tell. Rulings 58
 * and 59.
 */

import { canonicalOf } from '../crypto/canonical.ts';
import { namedLuid } from '../crypto/luid.ts';
import { assert } from '../ledger/assert.ts';
import type { BridgeCall } from '../ledger/call.ts';
import { domainOfHandle } from '../ledger/domain.ts';
import { type EntryNews, entryNewsOf } from '../ledger/entry-news.ts';
import { type Change, changesOf, type LedgerRecord, type Version } from '../ledger/record.ts';
import type { OutboxEntry } from '../port/outbox.ts';
import type { Scope, Signal, Want } from '../port/ports.ts';

/** What an event says: its handle, its signal, the record as it stood, and what the signal adds. */
export interface EventData {
  readonly handle: string;
  readonly signal: string;
  /** The number of the change that it tells; a record's events are told in this order. */
  readonly change: number;
  /** When that change was made, ISO 8601 UTC. */
  readonly moment: string;
  readonly [member: string]: unknown;
}

/** An event, and where it comes from. */
export interface LedgerEvent {
  readonly ledger: string;
  /** Luid of the record that it is about. */
  readonly luid: string;
  readonly data: EventData;
  /**
   * The domain of what it is about: of the wallet where it tells of one, else of its record. Effects of other domains
   * than that, and those that it lies in, do not hear it. Ruling 70.
   */
  readonly domain?: string;
  /** The bridges that are to be called for what it tells. Ruling 54. */
  readonly calls?: readonly BridgeCall[];
  /** What it says of entries at bridges; those who ask for their signals are told of each. Ruling 78. */
  readonly entries?: readonly EntryNews[];
}

/** The wallets and symbols that signals name, by `partyName`, as they stand. */
export type Parties = ReadonlyMap<string, LedgerRecord>;

/** What an event may take, in bytes of canonical JSON; a larger one could not be kept or carried. */
export const eventBytesMax = 380_000;

/** The events of an outbox entry, in the order of its signals. */
export function eventsOf(
  entry: OutboxEntry,
  version: Version,
  parties: Parties = new Map(),
): LedgerEvent[] {
  const changes = new Map(changesOf(version).map((change) => [change.meta.change, change]));
  // The records of ledgers live with the server; what happens to one is told in that ledger.
  const ledger = entry.scope === '' ? version.record.data.handle : entry.scope;
  return entry.signals.map((signal, index) => {
    const change = changes.get(signal.change);
    assert(change, 'an outbox entry tells changes of its own version');
    const data = {
      handle: handleOf(entry, index),
      signal: signal.signal,
      change: signal.change,
      moment: change.meta.moment,
      [entry.kind]: recordAt(change, version),
    };
    const domain = domainTold(signal, entry.scope, version.record, parties);
    const of = { ledger, luid: entry.luid, ...(domain !== undefined && { domain }) };
    if (!signal.custom) return { ...of, data, ...besideOf(signal, change, version) };
    const told = { ...data, ...additionsOf(signal, entry.scope, parties) };
    // A record alone always fits (Decision 16), with others beside it perhaps not.
    const fits = Buffer.byteLength(canonicalOf(told)) <= eventBytesMax;
    const kept = fits ? told : { ...data, ...additionsOf(signal, entry.scope, new Map()) };
    return { ...of, data: kept };
  });
}

/** What comes of a change at bridges: whom it calls, and what it says of their entries. */
function besideOf(
  { calls }: Signal,
  record: LedgerRecord,
  { kind, accepted = [] }: Version,
): Pick<LedgerEvent, 'calls' | 'entries'> {
  const entries = kind === 'intent' ? entryNewsOf({ record, accepted }, calls) : [];
  return { ...(calls && { calls }), ...(entries.length > 0 && { entries }) };
}

/** The record as it stood after a change, as it would have been answered then. */
function recordAt(change: Change, { record }: Version): LedgerRecord {
  const { action: _action, change: _number, drop: _drop, ...meta } = change.meta;
  return { ...change, meta: { ...meta, moment: record.meta.moment } };
}

/** The wallets and symbols that an entry's signals name beside its own record. */
export function partiesNamedBy({ scope, signals }: OutboxEntry): (Want & { what: 'record' })[] {
  return signals.flatMap(({ custom = {} }) =>
    (['wallet', 'symbol'] as const).flatMap((kind) => {
      const handle = custom[kind];
      return handle === undefined ? [] : [{ what: 'record' as const, scope, kind, handle }];
    }),
  );
}

/** The domain of what a signal is about; a wallet that is gone lies where its handle says. */
function domainTold(
  { custom }: Signal,
  scope: Scope,
  { meta }: LedgerRecord,
  parties: Parties,
): string | undefined {
  const wallet = custom?.['wallet'];
  if (wallet === undefined) return meta.domain;
  const known = parties.get(partyName(scope, 'wallet', wallet));
  return known ? known.meta.domain : domainOfHandle(wallet);
}

/** Names a wallet or a symbol among the parties. */
export function partyName(scope: Scope, kind: string, handle: string): string {
  return `${scope} ${kind} ${handle}`;
}

/**
 * What a signal says beside the record. A wallet and a symbol are told as records, or by handle when
 * they are gone; an amount is a number as far as numbers are exact. Decision 15.
 */
function additionsOf(
  { custom = {} }: Signal,
  scope: Scope,
  parties: Parties,
): Readonly<Record<string, unknown>> {
  const { amount, ...names } = custom;
  const said = Object.entries(names).map(
    ([kind, handle]) => [kind, parties.get(partyName(scope, kind, handle)) ?? handle] as const,
  );
  const number = Number(amount);
  return {
    ...Object.fromEntries(said),
    ...(amount !== undefined && { amount: Number.isSafeInteger(number) ? number : amount }),
  };
}

/** `evt_` and 17 characters: the time of the change, then a digest of what is told. */
function handleOf({ scope, luid, change, momentMs }: OutboxEntry, index: number): string {
  const name = `${scope} ${luid} ${change} ${index}`;
  return namedLuid('evt', momentMs, name).replace('$evt.', 'evt_');
}
