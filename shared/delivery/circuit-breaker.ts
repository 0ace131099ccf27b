/**
 * A circuit breaker for each target, in the memory of this process. A target that cannot be reached costs each delivery
 * a long wait. So its circuit opens, for a time that grows up to a minute. After that time one delivery probes the
 * target, and the others wait for the outcome.
 */

const firstMs = 15_000;
const longestMs = 60_000;
/** The number of misses in a row that opens a circuit. */
const missCountMin = 3;
/** The number of targets that are remembered as proven; beyond that, the oldest are forgotten. */
const provenCountMax = 50_000;

interface Circuit {
  missCount: number;
  /** The number of times in a row that it opened; 0 while it is closed. */
  rounds: number;
  untilMs: number;
  isProbed: boolean;
}

export class CircuitBreaker {
  readonly #circuits = new Map<string, Circuit>();
  readonly #proven = new Set<string>();

  /** The end of the time in which no delivery asks the target, in milliseconds; 0 when it may be asked now. */
  openUntil(target: string, nowMs: number): number {
    const circuit = this.#circuits.get(target);
    return circuit && circuit.rounds > 0 && isToCome(circuit.untilMs, nowMs) ? circuit.untilMs : 0;
  }

  /** As `openUntil`, by a delivery that is ready to go. The first one after that time becomes the probe. */
  ask(target: string, nowMs: number): { readonly untilMs: number; readonly isProbe: boolean } {
    const circuit = this.#circuits.get(target);
    const untilMs = this.openUntil(target, nowMs);
    if (!circuit || circuit.rounds === 0 || untilMs > 0) return { untilMs, isProbe: false };
    Object.assign(circuit, { untilMs: nowMs + firstMs, isProbed: true });
    return { untilMs, isProbe: true };
  }

  /** True from the opening of a circuit until the target answers. */
  isOpen(target: string): boolean {
    return (this.#circuits.get(target)?.rounds ?? 0) > 0;
  }

  /** True when the target answered quickly the last time. */
  isProven(target: string): boolean {
    return this.#proven.has(target);
  }

  /** Closes the circuit of a target that answered, with whatever status; true when it was open. */
  answered(target: string, isQuick = true): boolean {
    this.#proven.delete(target);
    if (isQuick) this.#proven.add(target);
    for (const oldest of this.#proven) {
      if (this.#proven.size <= provenCountMax) break;
      this.#proven.delete(oldest);
    }
    const wasOpen = this.isOpen(target);
    this.#circuits.delete(target);
    return wasOpen;
  }

  /** Counts a target that could not be reached. A timeout opens the circuit at once. */
  missed(target: string, isTimeout: boolean, nowMs: number): void {
    this.#proven.delete(target);
    const circuit = this.#circuits.get(target) ?? newCircuit();
    this.#circuits.set(target, circuit);
    circuit.missCount += isTimeout ? missCountMin : 1;
    // An attempt that was under way when the circuit opened is no news.
    const isNews = circuit.isProbed || !isToCome(circuit.untilMs, nowMs);
    if (circuit.missCount < missCountMin || !isNews) return;
    circuit.rounds += 1;
    circuit.isProbed = false;
    circuit.untilMs = nowMs + Math.min(longestMs, firstMs * 2 ** (circuit.rounds - 1));
  }
}

/** True for a time that this clock could have set. A later one was set before the clock was set back. Decision 87. */
function isToCome(untilMs: number, nowMs: number): boolean {
  return untilMs > nowMs && untilMs <= nowMs + longestMs;
}

function newCircuit(): Circuit {
  return { missCount: 0, rounds: 0, untilMs: 0, isProbed: false };
}
