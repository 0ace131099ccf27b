/** Descriptions of the members of events and of calls to bridges, each by its place (`descriptions.ts`). */
import { kinds } from '../ledger/kind.ts';
import type { Descriptions } from './descriptions.ts';
import { typeNameOf } from './operation.ts';

/** The record of an event, under the name of its kind. */
const records: Descriptions = Object.fromEntries(
  (Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => [
    `${typeNameOf(kind)}Event.data.${kind}`,
    `The ${kinds[kind].title.toLowerCase()} as it stood after the change.`,
  ]),
);

const events: Descriptions = {
  'Event.hash': 'Hex SHA-256 of the canonical JSON of the `data` of the event.',
  'Event.data': 'The event.',
  'Event.data.handle':
    'The name of the event, the same in every repeat: ignore one that was processed before.',
  'Event.data.signal': 'The signal to which the effect subscribes.',
  'Event.data.change':
    'The number of the change in the history of the record; of an entry or of a monitor, of its own. It only grows.',
  'Event.data.moment': 'The moment of the change that published the signal, ISO 8601, UTC.',
  'Event.meta': 'The proofs of the event, which its hash does not cover.',
  'Event.meta.proofs': 'The proof of the ledger over the hash of the event.',
  ...records,
  'BridgeEntryEvent.data.bridge-entry': 'The entry at the bridge, with its intent.',
  'BridgeEntryEvent.data.proof':
    'The report of the bridge, which signs the hash of the intent; only of `bridge-entry-proofs-added`.',
  'BalanceReceivedEvent.data.intent': 'The intent as it stood when it was completed.',
  'WalletLimitedEvent.data.intent': 'The intent as it stood when it was completed.',
  'BalanceReceivedEvent.data.wallet':
    'The wallet that was credited; its handle alone where it is gone, or would make the event too large.',
  'WalletLimitedEvent.data.wallet':
    'The wallet that is limited; its handle alone where it is gone, or would make the event too large.',
  'BalanceReceivedEvent.data.symbol':
    'The symbol of what moved or is limited; its handle alone where it would make the event too large.',
  'WalletLimitedEvent.data.symbol':
    'The symbol of what moved or is limited; its handle alone where it would make the event too large.',
  'BalanceReceivedEvent.data.amount':
    'The credited amount in the smallest unit; from 2^53 on a text of its digits.',
  'WalletLimitedEvent.data.metric': 'The figure that the limit bounds.',
  'WalletLimitedEvent.data.amount': 'The limit: in the smallest unit, or a number of transfers.',
  'BalanceCrossedEvent.data.effect': 'The monitor.',
  'BalanceCrossedEvent.data.balance': 'The balance that crossed the threshold.',
  'BalanceCrossedEvent.data.balance.wallet': 'The handle of the wallet whose balance it is.',
  'BalanceCrossedEvent.data.balance.symbol': 'The handle of the symbol of the balance.',
  'BalanceCrossedEvent.data.balance.threshold': 'The threshold of the monitor.',
  'BalanceCrossedEvent.data.balance.direction': 'The side on which the balance is now.',
  'BalanceCrossedEvent.data.balance.available':
    'The available balance after the crossing; from 2^53 on a text of its digits.',
  'BalanceCrossedEvent.data.intent':
    'The intent that moved it; absent where an entry was stored late.',
  'BalanceCrossedEvent.data.intent.luid': 'The permanent identifier of that intent.',
  'BalanceCrossedEvent.data.intent.handle': 'The handle of that intent.',
};

const calls: Descriptions = {
  'Call.hash': 'Hex SHA-256 of the canonical JSON of the `data` of the call.',
  'Call.data': 'The content of the call.',
  'Call.meta': 'The proofs of the call, which its hash does not cover.',
  'Call.meta.proofs': 'The proof of the ledger over the hash of the call.',
  'BridgeEntry.luid': 'The permanent identifier of the entry.',
  'BridgeEntry.hash': 'Hex SHA-256 of the canonical JSON of the entry.',
  'BridgeEntry.data': 'The entry, as its bridge is asked to prepare it.',
  'BridgeEntry.data.handle':
    'The name of the entry, `deb_…` or `cre_…`: the idempotency key of its calls.',
  'BridgeEntry.data.luid': 'The luid of the entry.',
  'BridgeEntry.data.schema':
    'The side: `debit` takes from the source, `credit` gives to the target.',
  'BridgeEntry.data.amount': 'The amount of the entry in the smallest unit of its symbol.',
  'BridgeEntry.data.symbol': 'The symbol of the entry, by its handle.',
  'BridgeEntry.data.symbol.handle': 'The handle of the symbol of the entry.',
  'BridgeEntry.data.source':
    'The address that gives; absent where the claims of the entry have several.',
  'BridgeEntry.data.source.handle': 'The address that gives, as the claims name it.',
  'BridgeEntry.data.source.custom':
    'Free-form data of the claims about the address that gives, where they agree.',
  'BridgeEntry.data.target':
    'The address that receives; absent where the claims of the entry have several.',
  'BridgeEntry.data.target.handle': 'The address that receives, as the claims name it.',
  'BridgeEntry.data.target.custom':
    'Free-form data of the claims about the address that receives, where they agree.',
  'BridgeEntry.data.custom': 'Free-form data of the claims, where they agree.',
  'BridgeEntry.data.inputs': 'The indexes of the claims of the entry in its intent.',
  'BridgeEntry.data.intent':
    'The intent as it stood then. Its proof `resolved` names the entries, and the bridge of each.',
  'BridgeEntry.data.bridge': 'The bridge of the entry.',
  'BridgeEntry.data.bridge.handle': 'The handle of the bridge of the entry.',
  'BridgeEntry.meta': 'What the ledger states of the entry; its hash does not cover it.',
  'BridgeEntry.meta.proofs': 'The proof of the ledger over the hash of the entry.',
  'BridgeEntry.meta.status': 'The status of the entry at its bridge.',
  'BridgeEntry.meta.moment': 'The moment of the status of the entry, ISO 8601, UTC.',
  'BridgeEntry.meta.domain': 'The domain of the bridge.',
  'DecisionCall.data.action': 'What to do; the path of the call ends in it, and is not signed.',
};

export const sentDescriptions: Descriptions = { ...events, ...calls };
