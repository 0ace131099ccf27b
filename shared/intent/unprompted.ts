/**
 * Steps of an intent without a request: it has expired, or a bridge lacks the called operation. The first process to
 * commit wins; repeating a step changes nothing. Rulings 50 and 57.
 */
import { bridgedIn, isUndecided, stepsOf, threadOf, unsupportedOf } from '../ledger/intent.ts';
import type { Version } from '../ledger/record.ts';
import { transit } from '../ledger/transition.ts';
import type { Identity, Services } from '../port/action.ts';
import type { WaitingIntent } from '../port/expiries.ts';
import { commitDecided, laterMoment, newToken } from '../record/commit.ts';
import { readerOf } from '../record/reader.ts';
import { accepting, membersOf, othersOf, unchanged } from './members.ts';
import { expiryReason, isDue, isExpired } from './overdue.ts';
import { type IntentEvent, refused, takeStep } from './step.ts';
import { type ThreadMember, withStatements } from './thread.ts';

/** The state of an intent that the sweeper does not end. */
export interface StillWaiting {
  /** The intent, once it was decided: it waits for bridges. */
  readonly decided?: Version;
  /** True when it takes effect now. Ruling 89. */
  readonly isDue?: boolean;
}

/** Rejects an expired intent with its thread. Any other stays as it is, and the answer says what it waits for. */
export async function expire(
  services: Services,
  ledger: Identity,
  waiting: WaitingIntent,
): Promise<StillWaiting> {
  let found: StillWaiting = {};
  await goOnAlone(services, ledger, waiting, async (version, moment) => {
    const { record } = version;
    found = isUndecided(record) ? { isDue: isDue(record, moment) } : { decided: version };
    if (!isExpired([version], moment)) return undefined;
    found = {};
    const failure = await expiryReason(services, waiting.scope, version);
    return { member: unchanged(version), event: { event: refused, failure } };
  });
  return found;
}

/** Records, in the name of the bridge, that it does not support the called operation. Ruling 57. */
export async function reportUnsupported(
  services: Services,
  ledger: Identity,
  { entry, bridge, ...intent }: WaitingIntent & { readonly entry: string; readonly bridge: string },
): Promise<void> {
  const detail = `Bridge ${bridge} does not support what was asked of it.`;
  const failure = { reason: 'core.bridge-unsupported-operation', detail } as const;
  const event = { what: 'reported', entry, report: 'unsupported' } as const;
  await goOnAlone(services, ledger, intent, async (version, moment) => {
    const isKnown = bridgedIn(version).some(({ handle }) => handle === entry);
    // The report would change nothing, so none is written.
    if (!isKnown || !transit(threadOf([version]), event)) return undefined;
    const { record } = version;
    const status = record.meta.status;
    const advances = [{ status, statements: [unsupportedOf(entry, detail, moment)] }];
    const said = await withStatements(ledger, record, advances);
    const steps = stepsOf(advances, record.meta.proofs.length, moment, 'update');
    const signals = [{ signal: 'intent-updated', change: version.change + 1 }];
    const member = accepting(
      { ...unchanged(version), record: said, steps, signals },
      said.meta.proofs.length - 1,
    );
    return { member, event: { event, failure } };
  });
}

/** Decides on the current version and commits, again when another process was faster. */
async function goOnAlone(
  services: Services,
  ledger: Identity,
  { scope, luid, handle }: WaitingIntent,
  decide: (
    version: Version,
    moment: string,
  ) => Promise<{ readonly member: ThreadMember; readonly event: IntentEvent } | undefined>,
): Promise<void> {
  await commitDecided(services, async () => {
    const previous = await readerOf(services.store, scope).record('intent', handle);
    const nothing = { commit: { token: newToken(), writes: [] }, result: undefined };
    if (previous?.record.luid !== luid) return nothing;
    const moment = laterMoment(services.clock(), previous);
    const decided = await decide(previous, moment);
    if (!decided) return nothing;
    const others = await othersOf(services, scope, previous);
    if (!others) return undefined;
    const members = membersOf(previous, decided.member, others);
    const { event } = decided;
    const done = await takeStep(services, ledger, { scope, members, moment }, event);
    return done && { commit: done.commit, result: undefined };
  });
}
