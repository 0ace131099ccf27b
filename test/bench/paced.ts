/**
 * A clock that goes on with the work and not with the machine: what shares an item depends on what comes within some
 * milliseconds. A program imports this before all else, and it is the clock of everything that it imports afterwards.
 */
const True = Date;
let pacedMs: number | undefined;

globalThis.Date = class extends True {
  constructor(...parts: ConstructorParameters<typeof True> | []) {
    if (parts.length > 0) super(...(parts as [string]));
    else super(pacedMs ?? True.now());
  }
  static override now(): number {
    return pacedMs ?? True.now();
  }
} as DateConstructor;

/** Lets so much time pass; the first call stops the clock of the machine. */
export function pass(ms: number): void {
  pacedMs = Date.now() + ms;
}
