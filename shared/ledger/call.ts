/** The calls to bridges that a transition of an intent asks for, and where they go. Rulings 54 and 55. */

/** What a bridge is asked to do with an entry, or what it is told of an intent. */
export type CallAction = 'prepare' | 'commit' | 'abort' | 'status';

/** One call. It is stored with the transition that asks for it, and becomes a delivery. */
export interface BridgeCall {
  /** Handle of the bridge. */
  readonly bridge: string;
  readonly action: CallAction;
  /** Handle of the entry, `deb_…` or `cre_…`; absent for a status, which is of the intent. */
  readonly entry?: string;
  /** Handle of the intent that it is about, when that is another one of the same thread. */
  readonly intent?: string;
}

/** Where a bridge is asked, below its base address. */
export interface CallPlace {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
}

/** The place that a call goes to; `handle` is that of what it is about: its entry, or the intent. Ruling 54. */
export function callPlaceOf({ action }: Pick<BridgeCall, 'action'>, handle: string): CallPlace {
  const name = encodeURIComponent(handle);
  if (action === 'status') return { method: 'PUT', path: `/intents/${name}` };
  const entries = handle.startsWith('deb_') ? '/debits' : '/credits';
  return { method: 'POST', path: action === 'prepare' ? entries : `${entries}/${name}/${action}` };
}
