/** What one request has found out already: rules are asked about many records in the same request. */
import type { Call } from '../port/action.ts';

const memories = new WeakMap<Call, Map<string, unknown>>();

/** What was made under this name for the call, or what is made now. */
export function remembered<Thing>(call: Call, name: string, make: () => Thing): Thing {
  const memory = memories.get(call) ?? new Map<string, unknown>();
  memories.set(call, memory);
  if (!memory.has(name)) memory.set(name, make());
  return memory.get(name) as Thing;
}

/** Remembers under this name what is known now, in place of what was. */
export function remember(call: Call, name: string, thing: unknown): void {
  const memory = memories.get(call) ?? new Map<string, unknown>();
  memories.set(call, memory.set(name, thing));
}
