/** A call whose decision is looked at and not carried out: its store keeps nothing. Ruling 91. */
import type { Call } from '../port/action.ts';

/** The call with a store in which no balance is opened, and a commit is a bug. */
export function withoutWrites(call: Call): Call {
  const { services } = call;
  const store = {
    ...services.store,
    open: async () => true,
    commit: async () => Promise.reject(new Error('A trial commits nothing.')),
  };
  return { ...call, services: { ...services, store } };
}
