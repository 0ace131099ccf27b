/**
 * Descriptions of members for the OpenAPI document. A description holds for every member of its name; where a name has
 * another meaning, `descriptionAt` describes it by its place.
 */
import type { Schema } from './openapi.ts';

const descriptions: Readonly<Record<string, string>> = {
  luid: 'The permanent identifier that the ledger assigns.',
  hash: 'Hex SHA-256 of the canonical JSON of `data`.',
  handle: 'The name that the author chooses, unique for its kind until the record is dropped.',
  parent: 'The hash of the version that this one replaces.',
  schema: 'The name of the schema that the record follows.',
  access: 'Rules that grant access.',
  custom: 'Free-form data of the author.',
  proofs: 'Signatures over the hash.',
  status: 'The status of the record.',
  moment: 'The last change of the data, ISO 8601, UTC.',
  owners: 'The public keys that signed the creation.',
  labels: 'Labels, set by proofs.',
  domain: 'The domain that the record belongs to.',
  method: 'The method by which the digest was signed.',
  public: 'The public key: the raw 32 bytes in base64.',
  digest:
    'Hex SHA-256 of the hash followed by the canonical JSON of `custom`. This is what is signed.',
  result: 'The ed25519 signature over the 32 bytes of the digest, in base64.',
  signer: 'The handle of the signer.',
  origin: 'The credential that was used: a key pair.',
  format: 'The format of the public key.',
  secret: 'The private key, encrypted by the client: PKCS#8, DER, base64.',
  factor: 'The number of smallest units in one unit of the symbol: a power of ten.',
  claims: 'The movements of value; all of them commit, or none.',
  source: 'The wallet that gives the amount.',
  target: 'The wallet that receives the amount.',
  symbol: 'The symbol that is moved.',
  amount: 'The amount in the smallest unit of the symbol.',
  signal: 'The name of the signal.',
  filter: 'Conditions that must hold.',
  endpoint: 'The address that events are posted to.',
  maxAge: 'The age of the oldest delivery, in minutes; 0 means all, and 60 is the default.',
  reason: 'The cause, as a code for programs.',
  detail: 'The cause, as a text for people.',
  index: 'The number of the page, from 0.',
  limit: 'The most items on a page.',
  total: 'The number of items on all pages.',
  change: 'The number of the change, from 1.',
  drop: 'The body of the drop, as its author signed it.',
  uptime: 'Seconds since the service started.',
  linked: 'The luid of the record that the event is about.',
  replay: 'The number of retries that callers asked for.',
};

/**
 * By the end of a place: the name of the schema and of members below it, with dots. `CreateWallet`, `UpdateWallet` and
 * `WalletList` count as `Wallet`; arrays and forms add no name.
 */
export const descriptionAt: Readonly<Record<string, string>> = {
  'AccessRule.action': 'The action that is granted.',
  'AccessRule.record':
    'The records that the action is granted on; by default the record that has the rule.',
  'AccessRule.signer':
    'The signers who must have signed the body. Without `signer` and `bearer`: anyone, or on a circle its members.',
  'AccessRule.bearer': 'The token that the request must carry.',
  'AccessRule.invoke': 'A built-in check that must hold.',
  'AccessRule.filter': 'Conditions on the data of the record.',
  'AccessRule.change': 'Conditions on the members that an update alters.',
  'AccessRule.policy': 'The policy whose rules apply here.',
  'Permission.data.action': 'The action that is granted.',
  'Permission.data.record': 'The records that the action is granted on.',
  'Permission.data.filter': 'Conditions on the data of the record.',
  'Permission.data.change': 'Conditions on the members that an update alters.',
  'Check.data.action': 'The action in question.',
  'Check.data.record': 'The record in question; by default that of the path.',
  'Anchor.data.target': 'The address that the anchor stands for.',
  'Anchor.data.wallet': 'The wallet that the anchor belongs to.',
  'Anchor.data.symbol': 'The symbol that the anchor is for.',
  'Anchor.data.source': 'The address that the anchor comes from.',
  'source.handle': 'A handle or an address.',
  'target.handle': 'A handle or an address.',
  'wallet.handle': 'A handle or an address.',
  'symbol.handle': 'The handle of the symbol.',
  'Balance.data.wallet': 'The wallet that has the balance.',
  'Balance.data.symbol': 'The symbol of the balance.',
  'Balance.data.schema': '`available` can be spent; `reserved` is held by pending intents.',
  'Entry.data.handle': 'The handle of the resolved entry, as a proof of the intent states it.',
  'Entry.data.wallet': 'The wallet whose balance it is.',
  'Entry.data.symbol': 'The symbol of the balance.',
  'Entry.data.schema':
    '`debit` and `credit` move the balance; `reserve` and `release` set a part of it aside and give that back.',
  'Entry.data.amount': 'The amount in the smallest unit of the symbol, always positive.',
  'Entry.data.balance': 'All credits less all debits, up to this entry.',
  'Entry.data.reserved': 'The amount that is reserved after this entry.',
  'Entry.data.moment': 'The moment that the ledger stated for it, ISO 8601, UTC.',
  'Entry.data.intent': 'The intent that it comes from.',
  'Entry.data.inputs': 'The indexes of its claims, from 0.',
  'Entry.data.counterparty': 'The other side, as the claims name it, where it is one wallet.',
  'EntryBalance.data.wallet': 'The wallet that has the balance.',
  'EntryBalance.data.symbol': 'The symbol of the balance.',
  'EntryBalance.data.schema': 'The side of the entries.',
  'EntryBalance.data.balance': 'All credits less all debits.',
  'EntryBalance.data.reserved': 'The amount that is reserved.',
  'EntryBalance.data.available': 'The balance less what is reserved.',
  'EntryBalance.data.moment': 'The moment of the balance, ISO 8601, UTC.',
  'Limit.data.wallet': 'The wallet that is limited.',
  'Limit.data.symbol': 'The symbol that is limited.',
  'Limit.data.metric': 'The figure that is limited.',
  'Sum.data.symbol': 'The symbol that is summed.',
  'Sum.data.of':
    'The books that are summed: the `supply` of the symbol, `wallets`, or wallets that have been dropped since.',
  'Sum.data.domain': 'The domain of the wallets; absent for wallets without one.',
  'Sum.data.schema': 'The schema of the wallets; absent for wallets without one.',
  'Sum.data.wallets': 'The number of wallets.',
  'Sum.data.debits': 'All debits.',
  'Sum.data.credits': 'All credits.',
  'Sum.data.balance':
    'All credits less all debits, with what is reserved. The balances of a symbol come to zero.',
  'Sum.data.reserved': 'The amount that is reserved.',
  'Supply.data.symbol': 'The symbol.',
  'Supply.data.issued': 'All that was issued.',
  'Supply.data.destroyed': 'All that was destroyed.',
  'Supply.data.outstanding':
    'What was issued less what was destroyed: the balances of all wallets.',
  'Supply.data.reserved': 'The part of it that is reserved.',
  'Supply.data.atBridges': 'The balances of the wallets that lie at bridges.',
  'LogProof.data.leaf': 'The entry of the log that stands for the change.',
  'LogProof.data.index': 'The number of the leaf, from 0.',
  'LogProof.data.size': 'The number of leaves under the checkpoint.',
  'LogProof.data.checkpoint': 'The signed note.',
  'leaf.proofs': 'Hex SHA-256 of the canonical JSON of all proofs after the change.',
  'LogConsistency.data.from': 'The size of the older tree.',
  'LogConsistency.data.to': 'The size of the newer tree.',
  'SignerKey.from': 'The rotation to this key; of the first key, the creation of the signer.',
  'SignerKey.until': 'The last moment that a signature by it may state; absent for the newest key.',
  'SignerKey.size':
    'The number of leaves of the log when the next key came: whatever the log had by then counts.',
  'SignerKey.compromised': 'The moment at which it was reported that others may have the key.',
  'SignerKey.proofs':
    'The proofs by the key before it and by itself: over the hash of `{luid, after, public, from}`, where `after` is the key before.',
  'Receipt.data.ledger': 'The handle of the ledger.',
  'signers.system': 'The signer of the ledger.',
  'signers.log': 'The signer of its log.',
  'Limit.data.amount': 'The limit: in the smallest unit of the symbol, or a number of transfers.',
  'claims.metric': 'The figure that is limited.',
  'Bridge.data.schema': 'The protocol by which the bridge is called.',
  'config.server': 'The base address of the bridge.',
  'debits.claims.groupBy': 'The debits of an intent that form one entry.',
  'credits.claims.groupBy': 'The credits of an intent that form one entry.',
  'traits.method': 'The action that the bridge is called for.',
  'traits.filter': 'Conditions on the calls that the bridge takes.',
  'secure.schema': 'The method by which calls are authenticated.',
  'Bridge.meta.secret': 'The values of the secrets that the data names, by name.',
  'CircleSigner.data.circle': 'The circle.',
  'CircleSigner.data.signer': 'The signer who is a member.',
  'Effect.data.balance':
    'The balance that a monitor watches, an effect with the signal `balance-crossed`; no other effect has it.',
  'balance.wallet': 'The handle of the wallet.',
  'balance.symbol': 'The handle of the symbol.',
  'balance.threshold':
    'In the smallest unit of the symbol; 0 or negative, too. Events are sent when the available balance gets below it, and when it comes back to it or above.',
  'balance.direction': 'The side to be told of; both when absent.',
  'action.schema': 'The way in which events are delivered.',
  'action.bridge': 'The bridge that receives the events.',
  'Delivery.data.handle': 'The handle of the event, or of the entry that a bridge is called for.',
  'Delivery.data.record': 'The record that is sent.',
  'Delivery.meta.status': 'The state of the delivery.',
  'Drop.meta.proofs.custom.status': 'States that the record is to be dropped.',
  'Policy.data.schema': 'The subject of the policy: access rules, statuses or labels.',
  'Policy.data.record': 'The kind of the records that the policy applies to.',
  'Policy.data.filter':
    'Conditions on the records that the policy applies to; about the status of intents also on `amounts.<symbol>`, `wallets.…`, `sources.…` and `targets.…`, which follow from the claims.',
  'Policy.data.values':
    'The access rules; or the statuses or labels that are allowed, and who may set them.',
  'Policy.data.extend': 'Policies whose values apply too.',
  'Report.data.schema':
    'The ledger produces `trans_details_rep`, the intents that were completed in an interval, and `wallet_statement_rep`, the statement of a wallet. Other reports get their assets from their authors.',
  'Report.data.custom':
    'Free-form data of the author; for reports that the ledger produces, the interval as `start_timestamp` and `end_timestamp`, and for `wallet_statement_rep` also `wallet`, `symbol` and perhaps `letterhead`.',
  'custom.assets': 'The assets of the report, given together with the status `completed`.',
  'assets.handle': 'The name of the asset within its report.',
  'assets.output': 'The content of the asset: a text, or any JSON.',
  'Retry.data.handle': 'The handle of the event to deliver again.',
  'Schema.data.record': 'The kind of the records that the schema describes.',
  'Schema.data.format': 'The language of the schema.',
  'Schema.data.schema':
    'The constraints on the data of the records: a JSON Schema, of draft 7 unless it says 2020-12.',
  'Schema.data.extend':
    'Another schema for the same kind of record, which the data must satisfy too.',
  'SignerFactor.data.schema': 'The type of the factor.',
  'SignerFactor.data.public':
    'The public key: the raw 32 bytes, or for RSA the SPKI in DER, in base64.',
  'SignerMatcher.handle': 'Matches the handle of the signer.',
  'SignerMatcher.public': 'Matches the key that has signed.',
  'SignerMatcher.format': 'Matches the format of the key.',
  'SignerMatcher.schema': 'Matches the schema of the signer.',
  'SignerMatcher.custom': 'Matches by conditions on the `custom` of the signer.',
  'SignerMatcher.$circle': 'Matches the members of a circle, or of one of several circles.',
  'SignerMatcher.$record': 'Matches the owners of the record.',
  'SignerMatcher.$ledger': 'Matches the owners of the ledger.',
  'SignerMatcher.$in': 'Matches what any of these matchers does.',
  'Health.data.handle': 'The handle of the ledger.',
  'Health.data.status':
    '`UP`; `DEGRADED` while a signal waits to be published for more than three minutes; `DOWN` while the database does not answer.',
  'Health.data.backlogs':
    'What waits in this ledger. Left out for callers who may not read the ledger.',
  'backlogs.witnesses':
    'The witnesses who have not cosigned the newest checkpoint of the log; left out for a ledger without any.',
  'config.log.witnesses': 'The witnesses that the log asks to cosign its checkpoints.',
  'log.witnesses.key':
    'The key of the witness: `<name>+<id>+<base64>`, a vkey of C2SP signed-note.',
  'log.witnesses.url': 'The address below which the witness takes checkpoints (C2SP tlog-witness).',
  'Status.data.handle': 'The handle of the server.',
  'Status.data.status': '`UP` when requests can be served.',
  'Wallet.data.bridge': 'The bridge that holds the money of the wallet.',
  'Wallet.data.routes':
    'Rules for claims that reach the wallet; the first one that matches decides.',
  'routes.action': '`accept` takes the claim; the other actions pass it on.',
  'routes.target': 'The address of the wallet that the claim is passed on to.',
  'routes.filter': 'Conditions on the claim, as the wallet sees it.',
};

/** The schema of this name, with a description for every member that has none of its own. */
export function explained(schema: Schema, name: string): Schema {
  return explainedAt(schema, placeOf(name));
}

/** The place of a schema: the record's own, for schemas that create, update or list it, or hold its data. */
function placeOf(name: string): readonly string[] {
  const record = name
    .replace(/^(?:Create|Update)(?=[A-Z])/, '')
    .replace(/(?:Change)?(?:List)?$/, '');
  const own = record.replace(/Data$/, '');
  return own === record ? [own] : [own, 'data'];
}

function explainedAt(schema: Schema, place: readonly string[]): Schema {
  const { properties, items, anyOf, oneOf } = schema;
  const within = (inner: Schema) => explainedAt(inner, place);
  return {
    ...schema,
    ...(properties && { properties: explainedMembers(properties, place) }),
    ...(items && { items: within(items) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
    ...(oneOf && { oneOf: oneOf.map(within) }),
  };
}

function explainedMembers(
  members: Readonly<Record<string, Schema>>,
  place: readonly string[],
): Record<string, Schema> {
  const entries = Object.entries(members).map(([name, member]) => {
    const at = [...place, name];
    const description = member.description ?? meaningOf(at);
    return [name, { ...(description && { description }), ...explainedAt(member, at) }] as const;
  });
  return Object.fromEntries(entries);
}

/** The description of a member, by the longest end of its place that has one. */
function meaningOf(place: readonly string[]): string | undefined {
  const ends = place.map((_, index) => place.slice(index).join('.'));
  const found = ends.find((end) => Object.hasOwn(descriptionAt, end));
  return found === undefined ? descriptions[place.at(-1) ?? ''] : descriptionAt[found];
}
