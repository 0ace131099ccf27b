/**
 * Health of the service, for people, probes and load balancers. It has no errors of its own: a database that does not
 * answer is reported as `DOWN`. Ruling 18.
 */
import { open } from '../access/required-permission.ts';
import type { Action } from '../port/action.ts';
import { signed } from '../record/sign.ts';

export const status: Action = {
  requires: open('Whether the service is up tells nothing of what a ledger holds.'),
  run: async ({ services, ledger }) => {
    const { clock, settings, store } = services;
    const isReachable = await store.isReachable();
    const data = {
      handle: ledger.handle,
      ledger: ledger.handle,
      server: settings.servers[0] ?? '',
      semver: settings.semver,
      status: isReachable ? 'UP' : 'DOWN',
      uptime: Math.max(0, Math.floor((clock() - settings.startedMs) / 1000)),
      dependencies: { db: isReachable ? 'CONNECTED' : 'ERROR' },
    };
    return { status: 200, body: signed(ledger, data, clock()) };
  },
};
