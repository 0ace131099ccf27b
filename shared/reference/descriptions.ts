/**
 * Descriptions of the members of records and bodies, each by its place: the name of a schema and of the members below it,
 * with dots. A place is never found by the end of another one, so that a member has no description of its namesake. The
 * names `Record`, `Change`, `Create`, `Update`, `Body`, `List`, `Event`, `Call` and `Signed` stand for groups of schemas (`explain.ts`).
 */

/** Texts by place. */
export type Descriptions = Readonly<Record<string, string>>;

/** The members that all records, all bodies or all answers have in common. */
const common: Descriptions = {
  'Record.luid': 'The permanent identifier, which the ledger gives.',
  'Record.hash': 'Hex SHA-256 of the canonical JSON of `data`.',
  'Record.data': 'The members that the authors have signed.',
  'Record.data.handle':
    'The name, chosen by the author and unique for the kind while the record exists.',
  'Record.data.schema':
    'The name of the schema that the data satisfies. Required where the ledger has schemas for the kind, and free before that.',
  'Record.data.access': 'Rules that grant others an action on this record.',
  'Record.data.custom': 'Free-form data of the author.',
  'Record.data.domain':
    'The domain of the record, where no proof and no handle with `@` names one. It is set at the creation and never changes.',
  'Record.data.parent': 'The hash of the version that this one replaced; absent in the first.',
  'Record.meta': 'The members that the ledger adds. The hash does not cover them.',
  'Record.meta.proofs': 'The proofs, in their order: those of the authors and those of the ledger.',
  'Record.meta.status': 'The status, as the last proof that stated one. It begins as `created`.',
  'Record.meta.moment': 'The moment of the last change of `data`, ISO 8601, UTC.',
  'Record.meta.owners': 'The public keys of the proofs that created the record.',
  'Record.meta.labels': 'The labels, as proofs have set them.',
  'Record.meta.domain': 'The domain that the record belongs to, from its creation on.',
  'Change.meta': 'The members that the ledger adds, as they were after the change.',
  'Change.meta.moment': 'The moment of the change, ISO 8601, UTC.',
  'Change.meta.action': 'The change: `create`, `update` (an added proof too) or `drop`.',
  'Change.meta.change': 'The number of the change, from 1, without gaps.',
  'Change.meta.drop': 'The signed body of the drop, of a change with the action `drop`.',
  'Change.meta.drop.hash': 'Hex SHA-256 of the canonical JSON of the data of the drop.',
  'Change.meta.drop.data': 'The signed data of the drop.',
  'Change.meta.drop.data.parent': 'The hash of the last version.',
  'Change.meta.drop.meta': 'The unsigned members of the drop.',
  'Change.meta.drop.meta.proofs': 'The proofs of those who dropped the record.',
  'Create.luid': 'Ignored: the ledger gives the luid.',
  'Update.luid': 'The luid of the record; where it is sent, it must be that of the path.',
  'Update.data.parent': 'The hash of the current version, which this one replaces.',
  'Body.luid': 'The luid of the record in the path; not needed.',
  'Body.hash': 'Hex SHA-256 of the canonical JSON of `data`, which the proofs sign.',
  'Body.data': 'The members that are hashed and signed.',
  'Body.meta': 'The proofs. Other members of an earlier answer may stand here, and are ignored.',
  'Body.meta.proofs': 'A proof of each author: a signature over the hash and a statement.',
  'List.data': 'The elements of this page.',
  'List.page': 'The position of this page.',
  'List.meta': 'The proof of the list.',
  'List.meta.moment': 'The moment of the answer, ISO 8601, UTC.',
  'List.meta.proofs': 'The proof of the ledger over the hash, which covers all of `data`.',
  'Signed.hash': 'Hex SHA-256 of the canonical JSON of the `data` of this answer.',
  'Signed.data': 'The content of the answer.',
  'Signed.meta': 'The proof of the answer.',
  'Signed.meta.proofs': 'The proof of the ledger over the hash, made for this answer.',
};

const claims: Descriptions = {
  'Intent.data.claims': 'The movements of value and the limits; all of them commit, or none.',
  'Intent.data.claims.action':
    '`issue` creates an amount in `target` and needs the right `issue` on the symbol. `transfer` moves it from `source` to `target` and needs `spend` on the source. `destroy` takes it out of `source` and needs `spend` on it and `destroy` on the symbol. `limit` bounds a wallet and needs `limit` on it.',
  'Intent.data.claims.source': 'The wallet that gives the amount: a handle or an address.',
  'Intent.data.claims.source.handle': 'The handle or the address of the wallet that gives.',
  'Intent.data.claims.source.custom':
    'Free-form data about the wallet that gives, which a bridge is shown.',
  'Intent.data.claims.target': 'The wallet that receives the amount: a handle or an address.',
  'Intent.data.claims.target.handle': 'The handle or the address of the wallet that receives.',
  'Intent.data.claims.target.custom':
    'Free-form data about the wallet that receives, which a bridge is shown.',
  'Intent.data.claims.wallet.handle': 'The handle of the wallet that is limited.',
  'Intent.data.claims.wallet.custom': 'Free-form data about the wallet that is limited.',
  'Intent.data.claims.symbol': 'The symbol of the amount: a handle.',
  'Intent.data.claims.symbol.handle': 'The handle of the symbol of the claim.',
  'Intent.data.claims.symbol.custom': 'Free-form data about the symbol of the claim.',
  'Intent.data.claims.amount':
    'The amount in the smallest unit of the symbol, up to 2^53 − 1: with the factor 100, 2550 is 25.50.',
  'Intent.data.claims.custom': 'Free-form data about the claim, which a bridge is shown.',
  'Intent.data.claims.metric':
    'The figure that is limited: `minBalance` (0 by default; below 0 it is credit) and `maxBalance` in the smallest unit, or of all transfers of the wallet in the last 24 hours `dailyCount`, their number, and `dailyAmount`, their sum in the smallest unit.',
};

const intents: Descriptions = {
  ...claims,
  'Intent.data.handle':
    'The name, unique for good. It is the idempotency key: an intent is made once, and a second one with this handle is 409.',
  'Intent.data.config': 'The times of the intent, and who commits it.',
  'Intent.data.config.commit':
    '`auto`, the default: the ledger commits the intent once it is prepared. `manual`: it is held until a signer commits or aborts it.',
  'Intent.data.config.expiry':
    'The moment at which it is rejected unless it was committed before, ISO 8601, UTC.',
  'Intent.data.config.notBefore':
    'The moment from which it takes effect, ISO 8601, UTC. Until then it is `pending`, reserves nothing and can be aborted.',
  'Intent.meta.status':
    'The status, which the ledger states as it goes on: `pending`, `processing`, `prepared`, `committed`, `completed`; or `failed`, `aborted`, `rejected`. It ends as `completed` or `rejected`.',
  'Intent.meta.moment': 'The moment of its creation, ISO 8601, UTC. Its proofs have the others.',
  'IntentChange.meta.status': 'The status that the intent had after the change.',
  'Intent.meta.waiting.for':
    '`moment`: for its time. `signatures`: for rights or quorums. `decision`: for a signer who commits or aborts it. `bridge`: for the report of a bridge.',
  'Intent.meta.waiting.from': 'The moment from which the intent takes effect, ISO 8601, UTC.',
  'Intent.meta.waiting.until': 'The moment at which the intent expires, ISO 8601, UTC.',
  'Intent.meta.waiting.entry': 'The handle of the entry that the bridge has to act on.',
  'Intent.meta.waiting.bridge': 'The handle of the bridge that has to report.',
  'Intent.meta.waiting.action': 'The call to the bridge.',
  'Intent.meta.waiting.since': 'The moment at which the call was accepted, ISO 8601, UTC.',
  'Intent.meta.waiting.status':
    'The state of the call. After `delivered` the report of the bridge is missing.',
  'Intent.meta.waiting.attempts': 'The number of attempts to call the bridge.',
  'Intent.meta.waiting.reason': 'The reason why the last attempt failed, as a code.',
  'Intent.meta.waiting.detail': 'The reason why the last attempt failed, as a text.',
};

const signers: Descriptions = {
  'Signer.data.public':
    'The public key: the raw 32 bytes in base64. A signer that is known by its factors alone has none.',
  'Signer.data.format': 'The format of the public key, given together with it.',
  'Signer.meta.status':
    'The status. While it is `inactive`, its tokens are refused, and its keys count as those of nobody.',
  'Signer.data.secret':
    'The private key, encrypted by its owner (PKCS#8, DER, base64). It is stored and answered as sent; a plain key is refused.',
  'SignerFactor.data.handle': 'The name of the factor, unique for its signer while it exists.',
  'SignerFactor.data.signer': 'The signer that the factor belongs to; it must be that of the path.',
  'SignerFactor.data.schema':
    '`key-pair`, another key of the signer, or `oauth-client-credentials`, a client that gets tokens.',
  'SignerFactor.meta.status':
    'The status. While it is `inactive`, its tokens are refused, and its key counts as that of nobody.',
  'SignerFactor.data.public':
    'The public key of a key pair: the raw 32 bytes, or for RSA the SPKI in DER, in base64.',
  'SignerFactor.data.format':
    'The format of the public key of a key pair. `rsa-2048` only verifies tokens.',
  'SignerFactor.data.secret':
    'The private key of a key pair, encrypted by its owner (PKCS#8, DER, base64).',
};

const rules: Descriptions = {
  'AccessRule.action': 'The action that is granted; `any` grants all.',
  'AccessRule.action.$in': 'The actions, each of which is granted.',
  'AccessRule.record':
    'The kind of the records, or of the proofs added to them, that the action is granted on; by default the record that has the rule, and on a circle or a domain every record in its reach.',
  'AccessRule.record.$in': 'The kinds, on each of which the action is granted.',
  'AccessRule.signer':
    'The signer who must have signed the body, or the token of a request without one. Without `signer` and `bearer` it is anyone, and on a circle its members.',
  'AccessRule.bearer': 'The token that the request must carry.',
  'AccessRule.invoke': 'The name of a check about the wallets of claims, which must hold too.',
  'AccessRule.filter': 'Conditions on the data of the record, with the operators of lists.',
  'AccessRule.change': 'Conditions on what an update alters, with the operators of lists.',
  'AccessRule.policy': 'The policy whose rules stand here, instead of a rule.',
  'AccessRule.policy.$in': 'The policies whose rules stand here.',
  'SignerMatcher.handle': 'A condition on the handle of the signer.',
  'SignerMatcher.public': 'A condition on the key that has signed.',
  'SignerMatcher.format': 'A condition on the format of the key that has signed.',
  'SignerMatcher.schema': 'A condition on the schema of the signer.',
  'SignerMatcher.custom': 'Conditions on the `custom` of the signer, by dotted paths.',
  'SignerMatcher.$circle': 'The circle of which the signer must be a member.',
  'SignerMatcher.$circle.$in': 'The circles of one of which the signer must be a member.',
  'SignerMatcher.$record': 'Matches the owners of the record.',
  'SignerMatcher.$ledger': 'Matches the owners of the ledger.',
  'SignerMatcher.$in': 'Matchers of which one must match the signer.',
  'BearerMatcher.iss': 'A condition on the issuer of the token.',
  'BearerMatcher.sub': 'A condition on the subject of the token.',
  'BearerMatcher.aud': 'A condition on the audience of the token.',
  'BearerMatcher.hsh': '`true` demands a token that is bound to the request.',
  'BearerMatcher.$signer': 'The signer that the token must belong to.',
  'BearerMatcher.$in': 'Matchers of which one must match the token.',
  'Fact.$eq': 'Equal to this text.',
  'Fact.$ne': 'Not equal to this text.',
  'Fact.$gt': 'After this text.',
  'Fact.$gte': 'This text, or after it.',
  'Fact.$lt': 'Before this text.',
  'Fact.$lte': 'This text, or before it.',
  'Fact.$in': 'One of these texts.',
  'Fact.$nin': 'None of these texts.',
  'Fact.$regex': 'Matches this regular expression of at most 256 characters.',
  'Fact.$exists': 'True where there is a text, and false where there is none.',
};

const policies: Descriptions = {
  'Policy.data.schema': 'The subject of the policy: `access` rules, the `status` or the `labels`.',
  'Policy.data.record':
    'The kind of the records that it applies to. A status policy about `intent` decides when money moves: its values name `prepared`, `committed` or `aborted`.',
  'Policy.data.filter':
    'Conditions on the records that it applies to; about the status of intents also on `amounts.<symbol>`, `wallets.…`, `sources.…` and `targets.…`, which follow from the claims.',
  'Policy.data.access': 'Rules that grant others an action on the policy itself.',
  'Policy.data.values':
    'With the schema `access` the rules; with `status` or `labels` those that are allowed, and who may set them.',
  'Policy.data.values.status':
    'The status that is allowed. `null` stands for the first one; without the member it is any.',
  'Policy.data.values.status.$in': 'The statuses that are allowed.',
  'Policy.data.values.labels': 'The label, or the labels, that are allowed.',
  'Policy.data.values.labels.$in': 'The labels, each of which is allowed.',
  'Policy.data.extend': 'The policy, or the policies, whose values apply too.',
  'Policy.meta.status': 'The status. While it is `inactive`, the policy is not enforced.',
  'Schema.data.record': 'The kind of the records that the schema describes.',
  'Schema.data.format': 'The language of the schema.',
  'Schema.data.schema':
    'The constraints on the data of the records: a JSON Schema, of draft 7 unless it says 2020-12.',
  'Schema.data.extend':
    'Another schema for the same kind of record, which the data must satisfy too.',
};

const bridges: Descriptions = {
  'Bridge.data.schema': 'The protocol by which the bridge is called; `rest` is the only one.',
  'Bridge.data.config': 'The address of the bridge, and what is put into one call.',
  'Bridge.data.config.server': 'The base address of the bridge; calls go to paths below it.',
  'Bridge.data.config.debits.claims.groupBy':
    'The debits of an intent that form one entry: those of one address, or of one wallet.',
  'Bridge.data.config.credits.claims.groupBy':
    'The credits of an intent that form one entry: those of one address, or of one wallet.',
  'Bridge.data.traits':
    'The calls that the bridge takes; without the member, all. For `anchors` and `domains` there is no call yet.',
  'Bridge.data.traits.method': 'The call that the bridge takes.',
  'Bridge.data.traits.filter': 'Conditions on the content of the call.',
  'Bridge.data.secure': 'The ways in which calls to the bridge are authenticated.',
  'Bridge.data.secure.schema':
    '`header` sends a header with a secret, `oauth2` a token that is fetched by client credentials.',
  'Bridge.data.secure.key': 'The name of the header.',
  'Bridge.data.secure.value':
    'The value of the header, with `{{ secret.<name> }}` for each secret.',
  'Bridge.data.secure.clientId': 'The `client_id` that the ledger has at the token server.',
  'Bridge.data.secure.clientSecret':
    'The name of the secret that is the `client_secret`: `{{ secret.<name> }}`.',
  'Bridge.data.secure.tokenUrl': 'The address of the token endpoint.',
  'Bridge.data.secure.scope': 'The scope that is asked for.',
  'Bridge.meta.secret':
    'The values of the secrets that the data names, by name. They are encrypted and never answered.',
  'Bridge.meta.status':
    'The status. While it is `inactive`, the bridge takes no new entries; `active` also vouches for what its wallets owe.',
};

const effects: Descriptions = {
  'Effect.data.signal': 'The signal whose events are sent.',
  'Effect.data.filter':
    'Conditions on dotted paths of the data of the event, with the operators of lists; without them every event of the signal is sent.',
  'Effect.data.balance':
    'The balance that a monitor watches, an effect with the signal `balance-crossed`; no other effect has it.',
  'Effect.data.balance.wallet': 'The handle of the wallet that is watched.',
  'Effect.data.balance.symbol': 'The handle of the symbol that is watched.',
  'Effect.data.balance.threshold':
    'In the smallest unit of the symbol; 0 or negative, too. Events are sent when the available balance gets below it, and when it comes back to it or above.',
  'Effect.data.balance.direction': 'The side to be told of; both when absent.',
  'Effect.data.action': 'The target of the events.',
  'Effect.data.action.schema':
    'The way in which events are delivered: `webhook` to an address, `bridge` to a bridge.',
  'Effect.data.action.endpoint': 'The address that events are posted to.',
  'Effect.data.action.bridge': 'The bridge that receives the events.',
  'Effect.meta.status':
    'The status. `inactive`, also after too many failures, stops the deliveries until `activate`.',
  'Retry.data.handle': 'The handle of the event to deliver again, whatever its age.',
  'Retry.data.maxAge':
    'The age of the oldest delivery, in minutes, at most 2880; 0 means all, and 60 is the default. Not beside a handle.',
};

const others: Descriptions = {
  'Wallet.data.bridge': 'The bridge at which the money of the wallet lies.',
  'Wallet.data.routes':
    'Rules for claims that reach the wallet; the first one that matches decides.',
  'Wallet.data.routes.action':
    '`accept` takes the claim. `credit` and `debit` pass it on on that side, and `forward` by an intent of its own.',
  'Wallet.data.routes.target': 'The address of the wallet that the claim is passed on to.',
  'Wallet.data.routes.filter': 'Conditions on the claim, as the wallet sees it.',
  'Wallet.meta.status': 'The status. While it is `inactive`, the wallet neither pays nor receives.',
  'Symbol.data.factor': 'The number of smallest units in one unit of the symbol: a power of ten.',
  'Symbol.meta.status': 'The status. While it is `inactive`, nothing of the symbol moves.',
  'Anchor.data.target': 'The address that the anchor stands for.',
  'Anchor.data.target.handle': 'The address that the anchor stands for, as a handle or an address.',
  'Anchor.data.target.custom': 'Free-form data about that address.',
  'Anchor.data.wallet': 'The wallet that the anchor belongs to.',
  'Anchor.data.symbol': 'The symbol that the anchor is for.',
  'Anchor.data.source': 'The address that the anchor comes from.',
  'Anchor.data.source.handle': 'The address that the anchor comes from, as a handle or an address.',
  'Anchor.data.source.custom': 'Free-form data about the address that it comes from.',
  'Circle.data.access': 'Rules that grant an action on every record in the reach of the circle.',
  'Circle.meta.status': 'The status. While it is `inactive`, the circle grants nothing.',
  'CircleSigner.data.circle': 'The circle, which must be that of the path.',
  'CircleSigner.data.signer': 'The signer who becomes its member; it names the link in paths.',
  'Domain.data.handle': 'The name of the domain, as after the `@` of an address.',
  'Domain.data.access': 'Rules that grant an action on every record in the domain, and below it.',
  'Domain.data.domain': 'The parent of the domain.',
  'Domain.meta.domain': 'The parent that the domain belongs to, from its creation on.',
  'Report.data.schema':
    'The ledger produces `trans_details_rep`, the intents that were completed in an interval, and `wallet_statement_rep`, the statement of a wallet. Other reports get their assets from their authors.',
  'Report.data.custom':
    'Free-form data of the author; for reports that the ledger produces, the interval as `start_timestamp` and `end_timestamp`, and for `wallet_statement_rep` also `wallet`, `symbol` and perhaps `letterhead`.',
  'Report.meta.status':
    'The status: `created`, `pending` while it is produced, `completed`, `rejected` or `settled`.',
  'Report.meta.moment': 'The moment of its creation, ISO 8601, UTC.',
  'Ledger.data.handle':
    'The name of the ledger, which the header `x-ledger` takes. It never changes.',
  'Ledger.data.signer': 'A remark. The ledger signs by its own signer `system`.',
  'Ledger.data.access':
    'Rules that grant an action on every record of the ledger. Without any ledger-wide rule the ledger is open.',
  'Ledger.data.config': 'The settings of the ledger. Unknown ones are stored as they are.',
  'Ledger.data.config.intent.expiryThresholdMinutes':
    'The minutes that an intent may wait, 60 by default.',
  'Ledger.data.config.intent.expiryMaxMinutes':
    'The most minutes that an author or an extension may give an intent, 43,200 (30 days) by default.',
  'Ledger.data.config.anchor.walletRequired': 'True demands a wallet of every anchor.',
  'Ledger.data.config.proof.maxAgeSeconds':
    'The greatest age of the moment in the proof of a create, in seconds; without it there is no bound.',
  'Ledger.data.config.log.witnesses': 'The witnesses that the log asks to cosign its checkpoints.',
  'Ledger.data.config.log.witnesses.key':
    'The key of the witness: `<name>+<id>+<base64>`, a vkey of C2SP signed-note.',
  'Ledger.data.config.log.witnesses.url':
    'The address below which the witness takes checkpoints (C2SP tlog-witness).',
  'Ledger.data.config.access.strategy':
    '`record-based`, the default: rules of all records count. `policy-based`: only those of active access policies.',
  'Ledger.data.config.limits.aggregated.enabled': 'False ends the enforcement of daily limits.',
  'Ledger.data.config.oauth.provider':
    'The handle of the signer that issues tokens, `oauth-provider` by default.',
  'Ledger.data.config.oauth.tokenSeconds':
    'The lifetime of tokens that the ledger issues, in seconds, 3600 by default, and a day at most.',
};

export const recordDescriptions: Descriptions = {
  ...common,
  ...intents,
  ...signers,
  ...rules,
  ...policies,
  ...bridges,
  ...effects,
  ...others,
};
