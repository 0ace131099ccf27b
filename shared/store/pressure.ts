/**
 * The memory of one process about the places of the table at which its transactions were turned away: items that others
 * were on, and partitions that were throttled. Where most are turned away, some attempts are left out, so that those of all
 * processes together stay near what the place takes: as "Handling Overload" in Site Reliability Engineering (Google) has
 * it for clients, each by what it sees itself. Decision 131.
 */

/** The attempts for each one that is done, beyond which some are left out. */
const attemptsEach = 2;
/** The attempts that are turned away before any is left out. */
const patience = 3;
/** The time in which a memory loses half of its weight. */
const fadeMs = 5_000;
/** The places that a process remembers. */
const placeCountMax = 1_000;

export interface PressureOptions {
  readonly nowMs?: () => number;
  /** From 0 to below 1. */
  readonly random?: () => number;
}

export interface Pressure {
  /** Draws whether an attempt at these places is left out; returns those that are the reason. */
  readonly heldBackBy: (places: readonly string[]) => readonly string[];
  /** True for a place at which attempts were turned away again and again just now. */
  readonly isOften: (place: string) => boolean;
  /** Notes an attempt at these places that was done, or turned away at some of them. */
  readonly note: (places: readonly string[], busy: readonly string[]) => void;
}

interface Gauge {
  readonly place: string;
  /** Attempts, those left out among them; those done; and those turned away. All fade. */
  tried: number;
  done: number;
  busy: number;
  atMs: number;
}

/** The memory of a process that has been turned away nowhere. */
export function newPressure(options: PressureOptions = {}): Pressure {
  const { nowMs = Date.now, random = Math.random } = options;
  const gauges = new Map<string, Gauge>();
  const known = (places: readonly string[]): readonly Gauge[] =>
    gauges.size === 0
      ? []
      : places.flatMap((place) => {
          const gauge = gauges.get(place);
          return gauge ? fade(gauge, nowMs()) : [];
        });
  const busyAt = (place: string): Gauge => {
    const gauge = known([place])[0] ?? { place, tried: 0, done: 0, busy: 0, atMs: nowMs() };
    gauges.set(place, gauge);
    return gauge;
  };
  return {
    heldBackBy: (places) => {
      const held = known(places).filter((gauge) => isLeftOut(gauge, random()));
      for (const gauge of held) gauge.tried += 1;
      return held.map(({ place }) => place);
    },
    isOften: (place) => known([place]).some(({ busy }) => Math.round(busy) >= patience),
    note: (places, busy) => {
      if (gauges.size > placeCountMax) gauges.clear();
      for (const gauge of busy.map(busyAt)) {
        gauge.tried += 1;
        gauge.busy += 1;
      }
      // Of the other places nothing is known when one has turned the attempt away.
      for (const gauge of busy.length > 0 ? [] : known(places)) {
        gauge.tried += 1;
        gauge.done += 1;
      }
    },
  };
}

function isLeftOut({ tried, done }: Gauge, drawn: number): boolean {
  return drawn * (tried + 1) < tried - attemptsEach * done - patience;
}

/** Takes from a memory what it has lost by now. */
function fade(gauge: Gauge, nowMs: number): Gauge {
  const share = 0.5 ** (Math.max(0, nowMs - gauge.atMs) / fadeMs);
  gauge.tried *= share;
  gauge.done *= share;
  gauge.busy *= share;
  gauge.atMs = nowMs;
  return gauge;
}
