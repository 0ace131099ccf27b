/** A call whose decision is looked at and not carried out: its store keeps nothing. Ruling 91. */
import type { Call } from '../port/action.ts';

/** As long as a signature, so that what is measured fits; and none, so that no store takes it. */
const unsigned = '-'.repeat(88);

/** The call with a store in which no balance is opened, and a commit is a bug, and with a key that does not sign. */
export function withoutWrites(call: Call): Call {
  const { services, ledger } = call;
  const key = { ...ledger.key, sign: () => unsigned };
  const store = {
    ...services.store,
    open: async () => true,
    commit: async () => Promise.reject(new Error('A trial commits nothing.')),
  };
  return { ...call, ledger: { ...ledger, key }, services: { ...services, store } };
}
