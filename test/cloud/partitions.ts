/**
 * The partitions of a table: a token bucket for reads and one for writes, each for a partition key, and for a part of
 * its sort keys once it was split for heat. A key that is used is taken to have a partition of its own already, as AWS
 * isolates keys that are used often.
 */

import { compareTexts } from '../../localstack/engine/value.ts';
import type { Charge } from './engine.ts';
import { partition } from './parameters.ts';

/** The units that a bucket holds; it fills as time passes. */
interface Bucket {
  readonly perSecond: number;
  units: number;
  atMs: number;
}

/** The sort keys of a partition from one on, until the next part. */
interface Part {
  readonly from: string;
  readonly reads: Bucket;
  readonly writes: Bucket;
  /** The sort keys of the last requests. */
  readonly samples: string[];
  /** The beginning of an unbroken time of heat. */
  hotSinceMs?: number | undefined;
  hotMs: number;
}

/** A partition that was cool for so long is not hot any more. */
const coolMs = 1_000;

export interface PartitionOptions {
  readonly savedSeconds: number;
  readonly capacity?: number | undefined;
}

export class Partitions {
  readonly #parts = new Map<string, Part[]>();
  readonly #savedSeconds: number;
  readonly #capacity: number;

  /**
   * `savedSeconds` is the unused capacity that each partition begins with, beyond that of its first second; `capacity`
   * the part of its documented units that it has.
   */
  constructor({ savedSeconds, capacity = 1 }: PartitionOptions) {
    this.#savedSeconds = savedSeconds;
    this.#capacity = capacity;
  }

  /** Takes the units of a request; false when the partition is throttled, with nothing taken. */
  take({ key, units, isWrite }: Charge, nowMs: number): boolean {
    const parts = this.#partsOf(key.pk, nowMs);
    const part = partAt(parts, key.sk ?? '');
    if (key.sk !== undefined) sample(part, key.sk);
    const bucket = isWrite ? part.writes : part.reads;
    fill(bucket, nowMs);
    const isTaken = bucket.units > 0;
    if (isTaken) bucket.units -= units;
    else this.#heat(parts, part, nowMs);
    return isTaken;
  }

  /** The number of parts of a partition key. */
  countOf(pk: string): number {
    return this.#parts.get(pk)?.length ?? 1;
  }

  #partsOf(pk: string, nowMs: number): Part[] {
    const known = this.#parts.get(pk);
    if (known) return known;
    const parts = [newPart('', nowMs, this.#capacity, 1 + this.#savedSeconds)];
    this.#parts.set(pk, parts);
    return parts;
  }

  /** Notes that a part was throttled; splits it when it has been hot for long and that would spread its load. */
  #heat(parts: Part[], part: Part, nowMs: number): void {
    const isNew = part.hotSinceMs === undefined || nowMs - part.hotMs > coolMs;
    if (isNew) part.hotSinceMs = nowMs;
    part.hotMs = nowMs;
    if (nowMs - (part.hotSinceMs ?? nowMs) < partition.splitAfterMs) return;
    const middle = middleOf(part.samples);
    if (middle === undefined || middle === part.from) return;
    part.hotSinceMs = undefined;
    part.samples.length = 0;
    parts.splice(parts.indexOf(part) + 1, 0, newPart(middle, nowMs, this.#capacity, 1));
  }
}

function newPart(from: string, atMs: number, capacity: number, seconds: number): Part {
  const bucketOf = (units: number): Bucket => {
    const perSecond = units * capacity;
    return { perSecond, units: perSecond * seconds, atMs };
  };
  return {
    from,
    reads: bucketOf(partition.readUnitsPerSecond),
    writes: bucketOf(partition.writeUnitsPerSecond),
    samples: [],
    hotMs: Number.NEGATIVE_INFINITY,
  };
}

function fill(bucket: Bucket, nowMs: number): void {
  const { perSecond, units, atMs } = bucket;
  const unitsMax = perSecond * (1 + partition.burstSeconds);
  bucket.units = Math.min(unitsMax, units + (perSecond * (nowMs - atMs)) / 1_000);
  bucket.atMs = nowMs;
}

/** The part that has a sort key. */
function partAt(parts: readonly Part[], sk: string): Part {
  return parts.findLast(({ from }) => compareTexts(from, sk) <= 0) ?? (parts[0] as Part);
}

function sample({ samples }: Part, sk: string): void {
  samples.push(sk);
  if (samples.length > partition.sampleCount) samples.shift();
}

/** The sort key in the middle of those used; undefined for a single one, or when they grow with time. */
function middleOf(samples: readonly string[]): string | undefined {
  const order = [...samples].sort(compareTexts);
  const middle = order[Math.floor(order.length / 2)];
  const isOne = middle === order[0];
  return isOne || isGrowing(samples) ? undefined : middle;
}

/** True when most sort keys are greater than all before. */
function isGrowing(samples: readonly string[]): boolean {
  let [last, count] = ['', 0];
  for (const sk of samples) {
    if (compareTexts(sk, last) <= 0) continue;
    last = sk;
    count += 1;
  }
  return count > samples.length / 2;
}
