/** Calls to bridges: what a transition of an intent requires of them, and the path of each call. Rulings 54 and 55. */

/** `status` tells a bridge the status of an intent; the others act on an entry. */
export type CallAction = 'prepare' | 'commit' | 'abort' | 'status';

/** One call. It is stored with the transition that requires it, and becomes a delivery. */
export interface BridgeCall {
  readonly bridge: string;
  readonly action: CallAction;
  /** Handle of the entry, `deb_…` or `cre_…`; absent for a status, which is about the intent. */
  readonly entry?: string;
  /** Handle of the intent, when the call is about another intent of the same thread. */
  readonly intent?: string;
  /** The number of the change of that intent after which it is brought; absent in what earlier releases stored. */
  readonly intentChange?: number;
}

/** Method and path of a call, relative to the base address of the bridge. */
export interface CallPlace {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
}

/** The method and path of a call; `handle` is that of the entry, or of the intent for a status. Ruling 54. */
export function callPlaceOf({ action }: Pick<BridgeCall, 'action'>, handle: string): CallPlace {
  const name = encodeURIComponent(handle);
  if (action === 'status') return { method: 'PUT', path: `/intents/${name}` };
  const entries = handle.startsWith('deb_') ? '/debits' : '/credits';
  return { method: 'POST', path: action === 'prepare' ? entries : `${entries}/${name}/${action}` };
}
