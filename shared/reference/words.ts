/**
 * What members mean: the shapes say what a member may be, and here is what for. Told once by name, and where the same
 * name means another thing, by where it stands.
 */
import type { Schema } from './openapi.ts';

const words: Readonly<Record<string, string>> = {
  luid: 'The name that the ledger gives, for ever.',
  hash: 'Hex sha256 of the canonical JSON of `data`.',
  handle: 'The name that people give, unique for its kind while the record lives.',
  parent: 'The hash of the version that this one replaces.',
  schema: 'The name of the schema that the record follows.',
  access: 'Access rules.',
  custom: 'Free-form data of the author.',
  proofs: 'Signatures over the hash.',
  status: 'Where the record stands.',
  moment: 'When the data last changed, ISO 8601, UTC.',
  owners: 'The public keys that signed its creation.',
  labels: 'Labels, set by proofs.',
  domain: 'The domain that it belongs to.',
  method: 'How it was signed.',
  public: 'The public key: the raw 32 bytes in base64.',
  digest: 'Hex sha256 of the hash and the canonical JSON of `custom`. This is signed.',
  result: 'The ed25519 signature over the 32 bytes of the digest, in base64.',
  signer: 'The handle of the signer.',
  origin: 'How the signer is known by its key.',
  format: 'The format of the public key.',
  secret: 'The private key, encrypted by the client: PKCS#8, DER, base64.',
  factor: 'How many smallest units make one of the symbol: a power of ten.',
  claims: 'What to move; all of it or nothing.',
  source: 'The wallet that gives.',
  target: 'The wallet that receives.',
  symbol: 'What is moved.',
  amount: 'In the smallest unit of the symbol.',
  signal: 'What is told.',
  filter: 'Conditions that must hold.',
  endpoint: 'The address that events are posted to.',
  maxAge: 'How many minutes back; 0 is all there is, 60 unless said.',
  reason: 'Why it was refused, for programs.',
  detail: 'Why it was refused, for people.',
  index: 'The number of the page, from 0.',
  limit: 'How many a page holds.',
  total: 'How many there are on all pages.',
  change: 'The number of the change, from 1.',
  drop: 'What the author of the drop signed.',
  uptime: 'Seconds since the service started.',
  linked: 'The luid of the record that the event is about.',
  replay: 'How often it was asked to be sent again.',
};

/**
 * By the end of the place: members below members, below the name of the schema. What creates, updates and lists a record is
 * the record there; arrays and forms have no names.
 */
export const wordsAt: Readonly<Record<string, string>> = {
  'AccessRule.action': 'What is granted.',
  'AccessRule.record': 'What it is granted on; the record that it stands on, unless said.',
  'AccessRule.signer':
    'Who must have signed the body; without `signer` and `bearer`, anybody, and on a circle its members.',
  'AccessRule.bearer': 'Which token must have been shown.',
  'AccessRule.invoke': 'A check of the service that must hold.',
  'AccessRule.filter': 'Conditions on the data of the record.',
  'AccessRule.change': 'Conditions on what an update alters.',
  'AccessRule.policy': 'The policy whose rules stand here.',
  'Permission.data.action': 'What is granted.',
  'Permission.data.record': 'What it is granted on.',
  'Permission.data.filter': 'Conditions on the data of the record.',
  'Permission.data.change': 'Conditions on what an update alters.',
  'Check.data.action': 'What is asked about.',
  'Check.data.record': 'On what; the record of the path, unless said.',
  'Anchor.data.target': 'The address that the anchor stands for.',
  'Anchor.data.wallet': 'The wallet that it belongs to.',
  'Anchor.data.symbol': 'The symbol that it is for.',
  'Anchor.data.source': 'The address that it comes from.',
  'source.handle': 'A handle or an address.',
  'target.handle': 'A handle or an address.',
  'wallet.handle': 'A handle or an address.',
  'symbol.handle': 'The handle of the symbol.',
  'Balance.data.wallet': 'Whose it is.',
  'Balance.data.symbol': 'What is held.',
  'Balance.data.schema': 'What can be spent, or what intents have reserved that are under way.',
  'Limit.data.wallet': 'Which wallet is limited.',
  'Limit.data.symbol': 'The symbol of which it is limited.',
  'Limit.data.metric': 'What is limited.',
  'Limit.data.amount': 'In the smallest unit of the symbol, or a number of transfers.',
  'claims.metric': 'What is limited.',
  'Bridge.data.schema': 'How the bridge is called.',
  'config.server': 'The base address of the bridge.',
  'debits.claims.groupBy': 'Which debits it is asked for together.',
  'credits.claims.groupBy': 'Which credits it is asked for together.',
  'traits.method': 'What it is called for.',
  'traits.filter': 'Conditions on what it is called for.',
  'secure.schema': 'How calls show who calls.',
  'Bridge.meta.secret': 'The values of the secrets that the data names, by name.',
  'CircleSigner.data.circle': 'The circle.',
  'CircleSigner.data.signer': 'The signer who is its member.',
  'action.schema': 'How it is told.',
  'action.bridge': 'The bridge that is told.',
  'Delivery.data.handle': 'The handle of the event, or of the entry that a bridge is called for.',
  'Delivery.data.record': 'What is sent.',
  'Delivery.meta.status': 'How far it has come.',
  'Drop.meta.proofs.custom.status': 'That the record is to end.',
  'Policy.data.schema': 'What it says something about: rules, statuses or labels.',
  'Policy.data.record': 'The kind of the records that it speaks of.',
  'Policy.data.filter': 'Conditions on the records that it speaks of.',
  'Policy.data.values': 'What may be, and by whom.',
  'Policy.data.extend': 'Policies whose values count too.',
  'Report.data.schema':
    '`trans_details_rep` is produced by the ledger: the intents that were completed in an interval. Others are reported by their authors.',
  'Report.data.custom':
    'Free-form data of the author; of a `trans_details_rep`, `start_timestamp` and `end_timestamp`.',
  'custom.assets': 'What the report was made for; with the status `completed`.',
  'assets.handle': 'The name of the asset within its report.',
  'assets.output': 'A text, or any JSON.',
  'Retry.data.handle': 'The event whose delivery is sent again.',
  'Schema.data.record': 'The kind of the records that it describes.',
  'Schema.data.format': 'The language that it is written in.',
  'Schema.data.schema':
    'What their data must be like: a JSON Schema, of draft 7 unless it says 2020-12.',
  'Schema.data.extend': 'A schema of the same kind that they must satisfy too.',
  'SignerFactor.data.schema': 'What the factor is.',
  'SignerFactor.data.public':
    'The public key: the raw 32 bytes, or of RSA the SPKI in DER, in base64.',
  'SignerMatcher.handle': 'By the handle of the signer.',
  'SignerMatcher.public': 'By the key that has signed.',
  'SignerMatcher.format': 'By the format of the key.',
  'SignerMatcher.schema': 'By the schema of the signer.',
  'SignerMatcher.custom': 'By conditions on the `custom` of the signer.',
  'SignerMatcher.$circle': 'Members of a circle, or of one of them.',
  'SignerMatcher.$record': 'Who owns the record.',
  'SignerMatcher.$ledger': 'Who owns the ledger.',
  'SignerMatcher.$in': 'Any of these.',
  'Status.data.handle': 'The handle of the server.',
  'Status.data.status': 'Whether requests can be served.',
  'Wallet.data.bridge': 'The bridge behind which its money is.',
  'Wallet.data.routes': 'What becomes of a claim that reaches it; the first one that fits decides.',
  'routes.action': 'What becomes of the claim: it is taken, or passed on.',
  'routes.target': 'The address of the wallet that it is passed on to.',
  'routes.filter': 'Conditions on the claim, as the wallet sees it.',
};

/** The schema of a name, and all in it, with the meaning of every member that has none of its own. */
export function explained(schema: Schema, name: string): Schema {
  return explainedAt(schema, placeOf(name));
}

/** Where the members of a schema stand: those of data, and of all that holds records, are those of the record. */
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

/** What a member means, by the longest end of its place that something is said of. */
function meaningOf(place: readonly string[]): string | undefined {
  const ends = place.map((_, index) => place.slice(index).join('.'));
  const found = ends.find((end) => Object.hasOwn(wordsAt, end));
  return found === undefined ? words[place.at(-1) ?? ''] : wordsAt[found];
}
