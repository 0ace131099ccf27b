/**
 * Runs an action and enforces its declared permission: it can store and answer nothing before that permission was
 * granted. A violation is a bug, and the request fails. Ruling 30.
 */
import { assert } from '../ledger/assert.ts';
import type { Action, Answer, Call, RequiredPermission, Services } from '../port/action.ts';
import type { AccessDecision, PermissionQuery } from '../port/permission-query.ts';

/** Answers a call; throws when the action stores or answers anything before its declared permission was granted. */
export async function perform({ requires, run }: Action, call: Call): Promise<Answer> {
  if ('open' in requires) return run(call);
  let isGranted = false;
  const onVerdict = (verdict: AccessDecision): void => {
    isGranted ||= verdict.isGranted && isDeclared(requires, verdict.query);
    call.onVerdict?.(verdict);
  };
  const check = (): void => {
    const { action, record } = requires;
    assert(
      isGranted,
      `the endpoint declares to ask for '${action}' on '${record}', and it was granted`,
    );
  };
  const answer = await run({ ...call, services: checked(call.services, check), onVerdict });
  check();
  return answer;
}

/** True when a query, with all its alternatives, is covered by the declaration. */
function isDeclared(
  { action, record, or = [] }: RequiredPermission,
  query: PermissionQuery,
): boolean {
  const declared = [[action, record], ...or].map(String);
  const ways = [[query.action, query.about ?? query.kind], ...(query.or ?? [])].map(String);
  return ways.every((way) => declared.includes(way));
}

/** Wraps the services so that each write runs the check first. */
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
      watch: async (scope, balances) => {
        check();
        return store.watch(scope, balances);
      },
      fence: async (scope, wallet, atMs) => {
        check();
        return store.fence(scope, wallet, atMs);
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
