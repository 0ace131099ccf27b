/**
 * Running an action as its endpoint declares it: nothing is stored and nothing answered before the rules have
 * granted what it declares to ask. Where that does not hold, we are wrong, and the request fails. Ruling 30.
 */
import { assert } from '../ledger/assert.ts';
import type { Action, Answer, Asks, Call, Services } from '../port/action.ts';
import type { Asked, Verdict } from '../port/asked.ts';

/** Answers a call by an action that keeps to its declaration. */
export async function perform({ asks, run }: Action, call: Call): Promise<Answer> {
  if ('open' in asks) return run(call);
  let isGranted = false;
  const onVerdict = (verdict: Verdict): void => {
    isGranted ||= verdict.isGranted && isDeclared(asks, verdict.asked);
    call.onVerdict?.(verdict);
  };
  const check = (): void => {
    const { action, record } = asks;
    assert(
      isGranted,
      `the endpoint declares to ask for '${action}' on '${record}', and it was granted`,
    );
  };
  const answer = await run({ ...call, services: checked(call.services, check), onVerdict });
  check();
  return answer;
}

/** Whether a question is one of those that the endpoint declares, in all the ways in which it is asked. */
function isDeclared({ action, record, or = [] }: Asks, asked: Asked): boolean {
  const declared = [[action, record], ...or].map(String);
  const ways = [[asked.action, asked.about ?? asked.kind], ...(asked.or ?? [])].map(String);
  return ways.every((way) => declared.includes(way));
}

/** The services, of which those that store something check before they do. */
function checked(services: Services, check: () => void): Services {
  const { store, deliveries } = services;
  return {
    ...services,
    store: {
      ...store,
      open: async (openings) => {
        check();
        return store.open(openings);
      },
      commit: async (commit) => {
        check();
        return store.commit(commit);
      },
    },
    deliveries: {
      ...deliveries,
      add: async (wanted) => {
        check();
        return deliveries.add(wanted);
      },
      save: async (next, previous) => {
        check();
        return deliveries.save(next, previous);
      },
    },
  };
}
