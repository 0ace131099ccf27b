/**
 * What the ledger does to an intent by itself, without a request: its time is over, or a bridge does not do what it was
 * asked. Whoever is first moves it; done again it changes nothing. Rulings 50 and 57.
 */
import { bridgedIn, isUndecided, stepsOf, threadOf, unsupportedOf } from '../ledger/intent.ts';
import type { Version } from '../ledger/record.ts';
import { transit } from '../ledger/transition.ts';
import type { Identity, Services } from '../port/action.ts';
import type { WaitingIntent } from '../port/expiries.ts';
import { commitDecided, laterMoment, newToken } from '../record/commit.ts';
import { readerOf } from '../record/reader.ts';
import { accepting, membersOf, othersOf, unchanged } from './members.ts';
import { isOver, whyOver } from './overdue.ts';
import { type Member, spokenOf } from './thread.ts';
import { type Happening, refused, turn } from './turn.ts';

/**
 * Ends an intent, and its thread, that has waited for too long. One about which something was decided already is
 * answered as it stands, and nothing happens to it.
 */
export async function expire(
  services: Services,
  ledger: Identity,
  waiting: WaitingIntent,
): Promise<Version | undefined> {
  let decided: Version | undefined;
  await goOnAlone(services, ledger, waiting, async (version, moment) => {
    decided = isUndecided(version.record) ? undefined : version;
    if (!isOver([version], moment)) return undefined;
    const refusal = await whyOver(services, waiting.scope, version);
    return { member: unchanged(version), happening: { event: refused, refusal } };
  });
  return decided;
}

/** Notes that a bridge does not do what was asked of it; the ledger says so in its place. Ruling 57. */
export async function refuseEntry(
  services: Services,
  ledger: Identity,
  { entry, bridge, ...intent }: WaitingIntent & { readonly entry: string; readonly bridge: string },
): Promise<void> {
  const detail = `Bridge ${bridge} does not support what was asked of it.`;
  const refusal = { fault: 'core.bridge-unsupported-operation', detail } as const;
  const event = { what: 'reported', entry, report: 'unsupported' } as const;
  await goOnAlone(services, ledger, intent, async (version, moment) => {
    const isKnown = bridgedIn(version).some(({ handle }) => handle === entry);
    // It changes nothing any more: then nothing is said either.
    if (!isKnown || !transit(threadOf([version]), event)) return undefined;
    const { record } = version;
    const status = record.meta.status;
    const advances = [{ status, words: [unsupportedOf(entry, detail, moment)] }];
    const said = spokenOf(ledger, record, advances);
    const steps = stepsOf(advances, record.meta.proofs.length, moment, 'update');
    const signals = [{ signal: 'intent-updated', change: version.change + 1 }];
    const member = accepting(
      { ...unchanged(version), record: said, steps, signals },
      said.meta.proofs.length - 1,
    );
    return { member, happening: { event, refusal } };
  });
}

/** What a service does to an intent by itself: with the version that stands, until that can be stored. */
async function goOnAlone(
  services: Services,
  ledger: Identity,
  { scope, luid, handle }: WaitingIntent,
  decide: (
    version: Version,
    moment: string,
  ) => Promise<{ readonly member: Member; readonly happening: Happening } | undefined>,
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
    const { happening } = decided;
    const done = await turn(services, ledger, { scope, members, moment }, happening);
    return done && { commit: done.commit, result: undefined };
  });
}
