/** The calls to bridges that a transition of an intent asks for. Rulings 54 and 55. */

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
