/** A cache for each request: access rules ask for the same records again and again. */
import { companions } from '../crypto/companions.ts';
import type { Call } from '../port/action.ts';

const memories = companions<Call, Map<string, unknown>>();

/** Returns the cached value of a name, or makes and caches it. */
export function oncePerCall<Thing>(call: Call, name: string, make: () => Thing): Thing {
  const memory = memories.get(call) ?? new Map<string, unknown>();
  memories.set(call, memory);
  if (!memory.has(name)) memory.set(name, make());
  return memory.get(name) as Thing;
}

/** Replaces the cached value of a name. */
export function remember(call: Call, name: string, thing: unknown): void {
  const memory = memories.get(call) ?? new Map<string, unknown>();
  memories.set(call, memory.set(name, thing));
}
