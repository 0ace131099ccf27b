/** Descriptions of the members of answers that are no records, each by its place (`descriptions.ts`). */
import type { Descriptions } from './descriptions.ts';

const proofs: Descriptions = {
  'SentProof.method': 'The method by which the digest was signed.',
  'SentProof.public': 'The public key of the author: the raw 32 bytes in base64.',
  'SentProof.digest':
    'Hex SHA-256 of the hash followed by the canonical JSON of `custom`. This is what is signed.',
  'SentProof.result': 'The ed25519 signature over the 32 bytes of the digest, in base64.',
  'SentProof.custom':
    'The statement of the author, which is signed with the hash: the `moment`, and where it applies a `status`, `labels`, `domain`, `ledger`, `expiry`, `capture` or `successor`. Other members are stored as they are.',
  'Proof.custom':
    'The statement, which is signed with the hash. In a proof of the ledger: the `luid`, the `moment`, the `status`, and of an intent its entries and reasons.',
  'Proof.signer':
    'The handle of the signer that the key belonged to when the proof was accepted. It is a remark, which nobody signed.',
  'Proof.origin': 'The credential that was used: a key pair. Absent in proofs of the ledger.',
  'SignerKey.public': 'A public key that the signer has, or had.',
  'SignerKey.from': 'The rotation to this key; of the first key, the creation of the signer.',
  'SignerKey.until': 'The last moment that a signature by it may state; absent for the newest key.',
  'SignerKey.size':
    'The number of leaves of the log when the next key came: whatever the log had by then counts.',
  'SignerKey.compromised': 'The moment at which it was reported that others may have the key.',
  'SignerKey.proofs':
    'The proofs by the key before it and by itself: over the hash of `{luid, after, public, from}`, where `after` is the key before.',
  'ReportProof.custom': 'The statement of the author, which is signed with the hash.',
  'ReportProof.custom.assets': 'The assets of the report, given with the status `completed`.',
  'ReportProof.custom.assets.handle': 'The name of the asset within its report.',
  'ReportProof.custom.assets.output': 'The content of the asset: a text, or any JSON.',
  'Drop.luid':
    'The luid of the record that is dropped; where it is sent, it must be that of the path.',
  'Drop.data.parent': 'The hash of the version that is dropped.',
  'Drop.meta.proofs.custom': 'The statement of the author.',
  'Drop.meta.proofs.custom.status': 'States that the record is to be dropped.',
};

const pages: Descriptions = {
  'Page.index': 'The number of the page, from 0.',
  'Page.limit': 'The most elements on a page.',
  'Page.next': 'The cursor of the next page; absent on the last one.',
  'CountedPage.total': 'The number of elements on all pages.',
  'BalanceList.data': 'The balances of this page, two for each symbol.',
  'PermissionList.data': 'The rules that grant the action; empty where none does.',
  'EntryList.meta.opening': 'The balance before the first entry that was asked for.',
  'EntryList.meta.closing': 'The balance after the last entry that was asked for.',
  'IntentBatch.data': 'The intents, in the order of the batch.',
  'BatchedIntent.meta.proofs': 'The proofs; where it is shortened, the last one of the ledger.',
};

const errors: Descriptions = {
  'Error.data': 'The cause of the refusal.',
  'Error.data.reason': 'The cause, as a code for programs.',
  'Error.data.detail': 'The cause, as a text for people.',
  'Error.data.custom':
    'Details for programs, by the reason: `errors` of a shape, the `parameter` and the `nearest` one, the `luid` and `hash` of the record that has the handle, or the id of the `request`.',
  'RefusedIntent.data': 'The cause of the refusal of this intent.',
};

const access: Descriptions = {
  'Check.data.action': 'The action in question.',
  'Check.data.record': 'The kind of record in question; by default that of the path.',
  'Check.data.explain':
    'True to be answered also the rules about the action that do not grant it, each with what is `missing`: of a record that the caller may read, and from places that the caller may read.',
  'Permission.data.record': 'The records that the rule grants the action on.',
  'Permission.data.record.$in': 'The kinds of records that the rule grants the action on.',
  'Permission.data.action': 'The action that the rule grants.',
  'Permission.data.action.$in': 'The actions that the rule grants.',
  'Permission.data.invoke': 'The name of a check that must hold besides.',
  'Permission.data.filter': 'Conditions of the rule on the data of the record.',
  'Permission.data.change': 'Conditions of the rule on what an update alters.',
  'Permission.data.missing':
    'Of a rule that does not grant the action: the first of its requirements that does not hold. `domain`: the record is out of its reach. `place`: owners cannot grant this to themselves. `circle`, `signer`, `bearer`: it means others. `filter`, `change`, `invoke`: the record, the change or the check is not as it says. `work`: it takes too much work to judge.',
  'Permission.data.source': 'With `missing`: the place of the rule.',
  'Permission.data.source.place': 'The kind of place; `record` is the record itself.',
  'Permission.data.source.handle': 'The handle of the record on which the rule stands.',
  'Permission.data.signer': 'With `missing`: who must have signed.',
  'Permission.data.bearer': 'With `missing`: which token it takes.',
};

const money: Descriptions = {
  'Balance.luid': 'The permanent identifier of the balance.',
  'Balance.data.wallet': 'The wallet that has the balance.',
  'Balance.data.symbol': 'The symbol of the balance.',
  'Balance.data.schema': '`available` can be spent; `reserved` is held by pending intents.',
  'Balance.data.amount': 'The balance in the smallest unit of the symbol.',
  'Balance.meta.moment': 'The moment of the balance: that of the answer, or the one asked for.',
  'Entry.data.handle': 'The handle of the resolved entry, as a proof of the intent states it.',
  'Entry.data.wallet': 'The wallet whose balance it changes.',
  'Entry.data.symbol': 'The symbol of the entry.',
  'Entry.data.schema':
    '`debit` and `credit` move the balance; `reserve` and `release` set a part of it aside and give that back.',
  'Entry.data.amount':
    'The amount of the entry in the smallest unit of the symbol, always positive.',
  'Entry.data.balance':
    'All credits less all debits, up to this entry, in the smallest unit of the symbol.',
  'Entry.data.reserved':
    'The amount that is reserved after this entry, in the smallest unit of the symbol.',
  'Entry.data.moment': 'The moment that the ledger stated for the entry, ISO 8601, UTC.',
  'Entry.data.intent': 'The intent that the entry comes from.',
  'Entry.data.intent.handle': 'The handle of that intent.',
  'Entry.data.intent.luid': 'The luid of that intent.',
  'Entry.data.inputs': 'The indexes of the claims that it comes from, from 0.',
  'Entry.data.counterparty': 'The other side, as the claims name it, where it is one wallet.',
  'Entry.meta.moment': 'The moment of the answer, ISO 8601, UTC.',
  'EntryBalance.data.wallet': 'The wallet whose balance it is.',
  'EntryBalance.data.symbol': 'The symbol of this balance.',
  'EntryBalance.data.schema': 'The side of the entries: `opening` or `closing`.',
  'EntryBalance.data.balance':
    'All credits less all debits then, in the smallest unit of the symbol.',
  'EntryBalance.data.reserved':
    'The amount that was reserved then, in the smallest unit of the symbol.',
  'EntryBalance.data.available': 'The balance then, less what was reserved.',
  'EntryBalance.data.moment': 'The moment of the balance, ISO 8601, UTC.',
  'EntryBalance.meta.moment': 'The moment at which this was answered, ISO 8601, UTC.',
  'Limit.luid': 'The permanent identifier of the limit.',
  'Limit.data.wallet': 'The wallet that the limit bounds.',
  'Limit.data.symbol': 'The symbol that the limit is about.',
  'Limit.data.metric': 'The figure that the limit is about.',
  'Limit.data.amount':
    'The limit: in the smallest unit of the symbol, or for `dailyCount` a number of transfers.',
  'Limit.meta.status': 'The status of the limit.',
  'Limit.meta.moment': 'The moment at which the limit was last set, ISO 8601, UTC.',
  'Sum.data.symbol': 'The symbol that is summed.',
  'Sum.data.of':
    'The books that are summed: the `supply` of the symbol, `wallets`, or wallets that have been dropped since.',
  'Sum.data.domain': 'The domain of the wallets; absent for wallets without one.',
  'Sum.data.schema': 'The schema of the wallets; absent for wallets without one.',
  'Sum.data.wallets': 'The number of wallets.',
  'Sum.data.debits': 'All debits, in the smallest unit of the symbol.',
  'Sum.data.credits': 'All credits, in the smallest unit of the symbol.',
  'Sum.data.balance':
    'All credits less all debits, with what is reserved. The balances of a symbol come to zero.',
  'Sum.data.reserved': 'The part of the sum that is reserved.',
  'Sum.meta.moment': 'The moment of the sum: that of its answer, or the one asked for.',
  'Supply.data.symbol': 'The symbol whose supply it is.',
  'Supply.data.issued': 'All that was issued, in the smallest unit of the symbol.',
  'Supply.data.destroyed': 'All that was destroyed, in the smallest unit of the symbol.',
  'Supply.data.outstanding':
    'What was issued less what was destroyed: the balances of all wallets.',
  'Supply.data.reserved': 'The part of the supply that is reserved.',
  'Supply.data.atBridges': 'The balances of the wallets that lie at bridges.',
  'Supply.meta.moment': 'The moment of the supply: that of its answer, or the one asked for.',
};

const preview: Descriptions = {
  'IntentPreview.data.handle': 'The handle as it was sent. It stays free.',
  'IntentPreview.data.status': 'The status that the intent would have.',
  'IntentPreview.data.entries.schema': 'The side of the entry.',
  'IntentPreview.data.entries.wallet': 'The wallet that the entry would change.',
  'IntentPreview.data.entries.symbol': 'The symbol that the entry would move.',
  'IntentPreview.data.entries.amount': 'The amount that it would move, in the smallest unit.',
  'IntentPreview.data.entries.bridge': 'The bridge that would be called for it.',
  'IntentPreview.data.balances.wallet': 'The wallet whose balance would change.',
  'IntentPreview.data.balances.symbol': 'The symbol whose balance would change.',
  'IntentPreview.data.balances.schema': 'The part of the balance: what can be spent, or is held.',
  'IntentPreview.data.balances.amount': 'The balance afterwards, in the smallest unit.',
  'IntentPreview.data.forwarded.claims': 'The claims of an intent that a route would add.',
  'IntentPreview.data.reason': 'The reason for which it would fail, such as `core.limit-exceeded`.',
  'IntentPreview.data.detail': 'The same reason, as a text for people.',
  'IntentPreview.data.missing.action': 'The right that is missing.',
  'IntentPreview.data.missing.record': 'The kind of the record on which it is missing.',
  'IntentPreview.data.missing.handle': 'The wallet or the symbol on which it is missing.',
};

const deliveries: Descriptions = {
  'Delivery.luid': 'The permanent identifier of the delivery.',
  'Delivery.data.handle': 'The handle of the event, or of the entry that a bridge is called for.',
  'Delivery.data.effect': 'The effect whose target gets the event.',
  'Delivery.data.bridge': 'The bridge that is called.',
  'Delivery.data.entry': 'The entry that the bridge is called for.',
  'Delivery.data.action': 'The call to the bridge: what it is asked to do.',
  'Delivery.data.record': 'The body that is sent: an event, an entry or an intent.',
  'Delivery.data.record.luid': 'The luid of the intent, in a call that tells its status.',
  'Delivery.data.record.hash': 'Hex SHA-256 of the canonical JSON of the data that is sent.',
  'Delivery.data.record.data': 'The data that is sent.',
  'Delivery.data.record.data.handle': 'The handle of the event, the entry or the intent.',
  'Delivery.data.record.data.signal': 'The signal of the event.',
  'Delivery.data.record.meta': 'The proofs of what is sent.',
  'Delivery.data.record.meta.proofs': 'The proofs of the body that is sent.',
  'Delivery.data.record.meta.moment': 'The moment of what is sent, ISO 8601, UTC.',
  'Delivery.data.linked': 'The luid of the record that the event is about.',
  'Delivery.meta.status': 'The state of the delivery.',
  'Delivery.meta.moment': 'The moment at which it was accepted, ISO 8601, UTC.',
  'Delivery.meta.replay': 'The number of retries that callers asked for.',
  'Delivery.meta.output': 'The outcome of the last attempt, such as the status of the answer.',
};

const log: Descriptions = {
  'LogProof.data.leaf': 'The entry of the log that stands for the change.',
  'LogProof.data.leaf.luid': 'The luid of the record that was changed.',
  'LogProof.data.leaf.change': 'The number of the change that the leaf stands for, from 1.',
  'LogProof.data.leaf.hash': 'The hash of the data after the change.',
  'LogProof.data.leaf.moment': 'The moment of the change that the leaf stands for, ISO 8601, UTC.',
  'LogProof.data.leaf.proofs': 'Hex SHA-256 of the canonical JSON of all proofs after the change.',
  'LogProof.data.index': 'The number of the leaf, from 0.',
  'LogProof.data.size': 'The number of leaves under the checkpoint.',
  'LogProof.data.checkpoint': 'The signed note.',
  'LogConsistency.data.from': 'The size of the older tree.',
  'LogConsistency.data.to': 'The size of the newer tree.',
  'Receipt.data.ledger': 'The handle of the ledger.',
  'Receipt.data.record.luid': 'The luid of the record that the receipt is of.',
  'Receipt.data.record.hash': 'Hex SHA-256 of the canonical JSON of the data of that record.',
  'Receipt.data.record.data': 'The data of the record after the change.',
  'Receipt.data.record.data.handle': 'The handle of the record that the receipt is of.',
  'Receipt.data.signers.system': 'The signer of the ledger.',
  'Receipt.data.signers.system.luid': 'The luid of the signer of the ledger.',
  'Receipt.data.signers.system.hash':
    'Hex SHA-256 of the canonical JSON of the data of that signer.',
  'Receipt.data.signers.system.data': 'The data of the signer, with its public key.',
  'Receipt.data.signers.system.data.handle': 'The handle of that signer, `system`.',
  'Receipt.data.signers.log': 'The signer of its log.',
  'Receipt.data.signers.log.luid': 'The luid of the signer of the log.',
  'Receipt.data.signers.log.hash':
    'Hex SHA-256 of the canonical JSON of the data of the log’s signer.',
  'Receipt.data.signers.log.data': 'The data of the signer of the log, with its public key.',
  'Receipt.data.signers.log.data.handle': 'The handle of the signer of the log.',
};

const health: Descriptions = {
  'Health.data.handle': 'The handle of the ledger that is asked about.',
  'Health.data.ledger': 'The same handle, under the name that other answers have.',
  'Health.data.server': 'The base address of the service.',
  'Health.data.semver': 'The version of the service.',
  'Health.data.status':
    '`UP`; `DEGRADED` while a signal waits to be published for more than three minutes; `DOWN` while the database does not answer.',
  'Health.data.dependencies': 'The state of what the service needs.',
  'Health.data.dependencies.db': 'Whether the database answers.',
  'Health.data.backlogs':
    'The work that waits in this ledger. Left out for callers who may not read the ledger.',
  'Health.data.backlogs.outbox': 'The changes whose signals are not published yet.',
  'Health.data.backlogs.outbox.count': 'The number of these changes, up to 100 of each partition.',
  'Health.data.backlogs.deliveries': 'Deliveries to effects and calls to bridges.',
  'Health.data.backlogs.intents': 'Intents that expire, take effect, or wait for bridges.',
  'Health.data.backlogs.reports': 'Reports that the ledger produces.',
  'Health.data.backlogs.witnesses':
    'The witnesses who have not cosigned the newest checkpoint of the log; left out for a ledger without any.',
  'Health.data.audit':
    'The last audit of the ledger, as whoever ran `countersign audit` on the table has noted it. Left out before the first, and for callers who may not read the ledger.',
  'Health.data.audit.moment': 'Its start.',
  'Health.data.audit.findings':
    'The violations that it found in the ledger, and in the records of ledgers.',
  'Health.data.audit.isPartial': 'True when it ended at its first finding.',
  'Health.data.audit.records': 'The records of the ledger that it checked.',
  'Health.data.audit.proofs': 'The proofs that it verified.',
  'Health.data.audit.semver': 'The release that checked them.',
  'Status.data.handle': 'The handle of the server.',
  'Status.data.ledger': 'The handle of the ledger that answers.',
  'Status.data.server': 'The address of the server.',
  'Status.data.semver': 'The version of the server.',
  'Status.data.status': '`UP` when requests can be served.',
  'Status.data.uptime': 'Seconds since this process of the service started.',
  'Status.data.dependencies': 'The state of the dependencies.',
  'Status.data.dependencies.db': 'The state of the database.',
};

const kindsOfWork = {
  outbox: 'changes',
  deliveries: 'attempts',
  intents: 'intents',
  reports: 'reports',
  witnesses: 'requests to witnesses',
};

/** The figures of each backlog. Ruling 96. */
const backlogs: Descriptions = Object.fromEntries(
  Object.entries(kindsOfWork).flatMap(([name, work]) => {
    const place = `Health.data.backlogs.${name}`;
    return [
      [`${place}.due`, `The number of ${work} whose time has come.`],
      [`${place}.waiting`, `The number of ${work} whose time is ahead.`],
      [`${place}.oldestSeconds`, `The age of the oldest of these ${work}, in seconds.`],
      [`${place}.isPartial`, `True where there may be more ${work} than were counted.`],
    ].filter(([at = '']) => name !== 'outbox' || !/due|waiting/.test(at));
  }),
);

export const answerDescriptions: Descriptions = {
  ...proofs,
  ...pages,
  ...errors,
  ...access,
  ...money,
  ...preview,
  ...deliveries,
  ...log,
  ...health,
  ...backlogs,
};
