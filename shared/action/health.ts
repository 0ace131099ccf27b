/**
 * Health of the service with its backlogs and the last audit, for load balancers and operators. It has no errors of its
 * own: a database that does not answer is reported as `DOWN`, with 503. Ruling 96, Decisions 112 and 121.
 */
import { open } from '../access/required-permission.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Action, Call } from '../port/action.ts';
import type { Audits, NotedAudit } from '../port/audits.ts';
import type { Backlogs, DueBacklog, OutboxBacklog } from '../port/backlogs.ts';
import { momentOf, signed } from '../record/sign.ts';
import { witnessBacklog } from '../record/witness-backlog.ts';
import { readOwnLedger } from './read.ts';

/** A signal that waits for longer shows that publishing stands still, in milliseconds; as the alarm `OutboxLag`. */
const lateMs = 3 * 60_000;

/** Answers the health of the service; the backlogs of the ledger and its last audit to those who may read it. */
export function health(backlogs: Backlogs, audits: Pick<Audits, 'last'>): Action {
  return {
    requires: open(
      'A load balancer has no key. Backlogs are shown to those who may read the ledger.',
    ),
    run: async (call) => {
      const { services, ledger } = call;
      const { clock, settings, store } = services;
      const isReachable = await store.isReachable();
      const found = isReachable ? await findingsOf(call, backlogs, audits) : undefined;
      const data = {
        handle: ledger.handle,
        ledger: ledger.handle,
        server: settings.servers[0] ?? '',
        semver: settings.semver,
        status: found?.status ?? 'DOWN',
        dependencies: { db: isReachable ? 'CONNECTED' : 'ERROR' },
        ...found?.shown,
      };
      return { status: isReachable ? 200 : 503, body: signed(ledger, data, clock()) };
    },
  };
}

async function findingsOf(call: Call, backlogs: Backlogs, audits: Pick<Audits, 'last'>) {
  const nowMs = call.services.clock();
  const scope = call.ledger.handle;
  const [outbox, mayRead] = await Promise.all([backlogs.outbox(scope), mayReadLedger(call)]);
  const isLate = outbox.oldestMs !== undefined && nowMs - outbox.oldestMs > lateMs;
  const status = isLate ? 'DEGRADED' : 'UP';
  if (!mayRead) return { status, shown: {} };
  const [{ deliveries, intents, reports }, witnesses, audit] = await Promise.all([
    backlogs.due(nowMs, scope),
    witnessBacklog(call.services, scope, nowMs),
    audits.last(scope),
  ]);
  const all = {
    outbox: shownOutbox(outbox, nowMs),
    deliveries: shownDue(deliveries, nowMs),
    intents: shownDue(intents, nowMs),
    reports: shownDue(reports, nowMs),
    ...(witnesses && { witnesses: shownDue(witnesses, nowMs) }),
  };
  return { status, shown: { backlogs: all, ...(audit && { audit: shownAudit(audit) }) } };
}

function shownAudit({ startMs, isPartial, ...audit }: NotedAudit) {
  return { moment: momentOf(startMs), ...audit, ...(isPartial && { isPartial }) };
}

async function mayReadLedger(call: Call): Promise<boolean> {
  try {
    if ('allow' in readOwnLedger.requires) await readOwnLedger.requires.allow(call);
    return true;
  } catch (error) {
    if (error instanceof LedgerError && error.reason.startsWith('auth.')) return false;
    throw error;
  }
}

function shownOutbox({ count, oldestMs, isPartial }: OutboxBacklog, nowMs: number) {
  return { count, ...ageOf(oldestMs, nowMs), ...(isPartial && { isPartial }) };
}

function shownDue({ due, waiting, oldestMs, isPartial }: DueBacklog, nowMs: number) {
  return { due, waiting, ...ageOf(oldestMs, nowMs), ...(isPartial && { isPartial }) };
}

/** The age of the oldest in whole seconds; a writer's clock may be ahead of ours. */
function ageOf(oldestMs: number | undefined, nowMs: number): { readonly oldestSeconds?: number } {
  if (oldestMs === undefined) return {};
  return { oldestSeconds: Math.max(0, Math.floor((nowMs - oldestMs) / 1000)) };
}
