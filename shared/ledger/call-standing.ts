/**
 * Whether a call is still wanted, as its intent stands. What bridges are asked for was decided once; before it is
 * asked (again) the world may have gone on. Rulings 55 and 57, Decision 55.
 */
import type { BridgeCall } from './call.ts';
import { cancelled, type Verdict } from './delivery.ts';
import { bridgedIn, expiryOf } from './intent.ts';
import type { Version } from './record.ts';
import type { Report } from './thread.ts';

/** What there is to be said of a call before it is made. */
export type Standing =
  /** It need not be made any more. */
  | { readonly end: Verdict; readonly isEndless?: undefined }
  /** It is to be made: without end when the intent waits for it, and at most until a moment. */
  | { readonly end?: undefined; readonly isEndless: boolean; readonly until?: string };

/** What a call is about, and whether somebody asked for it again, who wants it made also when it was heeded. */
export interface Wish extends Pick<BridgeCall, 'action' | 'entry'> {
  readonly isAsked: boolean;
}

const permanent = 'delivery.permanent-failure';
/** What a bridge reports once it has done what a call asks. */
const answers: Readonly<Partial<Record<BridgeCall['action'], Report>>> = {
  commit: 'committed',
  abort: 'aborted',
};

/** How a call stands at a moment, ISO 8601 UTC. */
export function standingOf(
  { action, entry, isAsked }: Wish,
  intent: Version,
  moment: string,
): Standing {
  if (action === 'status') return { isEndless: false };
  const reported = bridgedIn(intent).find(({ handle }) => handle === entry)?.reported ?? [];
  const heeded =
    action === 'prepare' ? reported[0] : reported.find((one) => one === answers[action]);
  if (action === 'prepare' && reported.includes('unsupported'))
    return { end: cancelled(permanent, 'The bridge does not do such things.') };
  if (heeded && !isAsked) return { end: reportedVerdict(heeded) };
  if (action === 'prepare') return standingOfPrepare(intent, moment);
  // Of an entry that failed at its bridge nothing is awaited any more.
  const isAwaited =
    action === 'commit' || !reported.some((one) => one === 'failed' || one === 'unsupported');
  return { isEndless: isAwaited && !heeded };
}

/** Whatever the bridge answered to the call itself, it has done what was asked. */
function reportedVerdict(report: Report): Verdict {
  const detail = `The bridge has reported ${report}.`;
  return { status: 'delivered', words: { status: 'delivered', detail } };
}

/** An entry is prepared only as long as nothing is decided, and not beyond the time of the intent. Ruling 57. */
function standingOfPrepare({ record }: Version, moment: string): Standing {
  const { status, proofs } = record.meta;
  const expiry = expiryOf(record);
  const isExpired = proofs.some(
    ({ origin, custom }) => origin === undefined && custom?.['reason'] === 'core.intent-expired',
  );
  if (isExpired || (expiry !== undefined && moment >= expiry))
    return { end: cancelled(permanent, 'Given up at expiry.') };
  if (status !== 'processing')
    return { end: cancelled(permanent, `Given up: the intent is ${status}.`) };
  return { isEndless: true, ...(expiry !== undefined && { until: expiry }) };
}
