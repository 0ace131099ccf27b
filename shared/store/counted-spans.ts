/**
 * Counts of the entries of a list, by spans of time that are over. An item holds the counts of spans that follow each
 * other; whoever replaces it states the tag that he has read. A span without a count has yet to be counted. Decision 140.
 */
import { randomUUID } from 'node:crypto';
import type { Listing } from '../port/catalog.ts';
import { type Key, spansKeyOf, startOfSpans } from './keys.ts';
import type { Item } from './request.ts';

/** The entries of a span when it is made. Later it may get a late one, or lose those that move on. */
export const spanLength = 512;
/** The spans in one item: some four kilobytes, which is a read unit. */
export const spanCountMax = 384;

/** The entries of a list from one millisecond to another, the second one exclusive. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
  /** Absent where nobody has counted since it changed. */
  readonly count?: number;
}

/** Spans that follow each other, as one item has them. */
export interface CountedSpans {
  readonly spans: readonly Span[];
  /** Differs each time that the item is written. */
  readonly tag: string;
}

const between = ',';
const numberBase = 36;
/** The length of a span, and its count. */
const spanForm = /^([1-9a-z][\da-z]{0,8})(?: ([\da-z]{1,9}))?$/;

/** The start of the first one, and the end of the last one. */
export function boundsOfSpans({ spans }: CountedSpans): { startMs: number; endMs: number } {
  return { startMs: spans[0]?.startMs ?? 0, endMs: spans.at(-1)?.endMs ?? 0 };
}

/** The key of the item that holds these spans of a list. */
export function keyOfSpans(listing: Listing, spans: CountedSpans): Key {
  return spansKeyOf(listing, boundsOfSpans(spans).startMs);
}

/** The attributes of an item: for each span its length in milliseconds, and its count. */
export function packSpans({ spans, tag }: CountedSpans): { spans: string; tag: string } {
  const texts = spans.map(({ startMs, endMs, count }) => {
    const length = (endMs - startMs).toString(numberBase);
    return count === undefined ? length : `${length} ${count.toString(numberBase)}`;
  });
  return { spans: texts.join(between), tag };
}

/** The spans that an item holds; throws for an item that was not packed here. */
export function unpackSpans({ sk, spans, tag }: Item): CountedSpans {
  let startMs = startOfSpans(String(sk));
  const unpacked = String(spans)
    .split(between)
    .map((text): Span => {
      const [, length = '', counted] = spanForm.exec(text) ?? [];
      if (length === '') throw new Error(`'${text}' is no span of a list.`);
      const count = counted === undefined ? undefined : Number.parseInt(counted, numberBase);
      const endMs = startMs + Number.parseInt(length, numberBase);
      const span = { startMs, endMs, ...(count !== undefined && { count }) };
      startMs = span.endMs;
      return span;
    });
  return { spans: unpacked, tag: String(tag) };
}

/** The spans that an item holds; undefined for one that cannot be read. */
export function spansIn(item: Item | undefined): CountedSpans | undefined {
  try {
    return item && unpackSpans(item);
  } catch {
    return undefined;
  }
}

/** These spans in place of those before, joined where neighbours have few entries together. */
export function newSpans(spans: readonly Span[]): CountedSpans {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    const count = (last?.count ?? spanLength) + (span.count ?? spanLength);
    if (last && count <= spanLength / 2)
      joined[joined.length - 1] = { ...last, endMs: span.endMs, count };
    else joined.push(span);
  }
  return { spans: joined, tag: randomUUID() };
}

/** True for a span in which one of these moments lies. */
export function isAmong({ startMs, endMs }: Span, timesMs: Iterable<number>): boolean {
  for (const ms of timesMs) if (ms >= startMs && ms < endMs) return true;
  return false;
}
