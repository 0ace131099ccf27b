/**
 * Decides, just before each attempt, whether a call to a bridge is still needed. The intent may have been decided or
 * expired since the call was stored. Rulings 55 and 57, Decision 55.
 */
import type { BridgeCall } from './call.ts';
import { cancelled, type DeliveryVerdict } from './delivery.ts';
import { bridgedIn, expiryOf } from './intent.ts';
import type { Version } from './record.ts';
import type { BridgeReport } from './thread.ts';

/** The state of a call before an attempt. */
export type CallState =
  /** The call is over, with this verdict. */
  | { readonly end: DeliveryVerdict; readonly isEndless?: undefined }
  /** The call is to be made. `isEndless`: as long as the intent waits for it. `until`: not after this moment. */
  | { readonly end?: undefined; readonly isEndless: boolean; readonly until?: string };

/** The request of a call. `isRepeatRequested`: a caller wants it repeated, even after the bridge has reported. */
export interface RequestedCall extends Pick<BridgeCall, 'action' | 'entry'> {
  readonly isRepeatRequested: boolean;
}

const permanent = 'delivery.permanent-failure';
/** The report by which a bridge says that a call is done. */
const finalReports: Readonly<Partial<Record<BridgeCall['action'], BridgeReport>>> = {
  commit: 'committed',
  abort: 'aborted',
};

/** The state of a call at a moment, ISO 8601 UTC. */
export function callStateOf(
  { action, entry, isRepeatRequested }: RequestedCall,
  intent: Version,
  moment: string,
): CallState {
  if (action === 'status') return { isEndless: false };
  const reported = bridgedIn(intent).find(({ handle }) => handle === entry)?.reported ?? [];
  const answer =
    action === 'prepare' ? reported[0] : reported.find((one) => one === finalReports[action]);
  if (action === 'prepare' && reported.includes('unsupported'))
    return { end: cancelled(permanent, 'The bridge does not support the operation.') };
  if (answer && !isRepeatRequested) return { end: reportedVerdict(answer) };
  if (action === 'prepare') return prepareStateOf(intent, moment);
  // An entry that failed at its bridge has nothing left to abort, so the intent does not wait for the call.
  const isAwaited =
    action === 'commit' || !reported.some((one) => one === 'failed' || one === 'unsupported');
  return { isEndless: isAwaited && !answer };
}

/** A report counts more than the response to the call: the bridge has done what was required. */
function reportedVerdict(report: BridgeReport): DeliveryVerdict {
  const detail = `The bridge has reported ${report}.`;
  return { status: 'delivered', statement: { status: 'delivered', detail } };
}

/** An entry is prepared only while the intent is undecided, and until it expires. Ruling 57. */
function prepareStateOf({ record }: Version, moment: string): CallState {
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
