/** What members mean, told once, by name: the shapes say what a member may be, and here is what for. */
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

/** The schema, and all in it, with the meaning of every member that has none of its own. */
export function explained(schema: Schema): Schema {
  const { properties, items, anyOf, oneOf } = schema;
  return {
    ...schema,
    ...(properties && { properties: explainedMembers(properties) }),
    ...(items && { items: explained(items) }),
    ...(anyOf && { anyOf: anyOf.map(explained) }),
    ...(oneOf && { oneOf: oneOf.map(explained) }),
  };
}

function explainedMembers(members: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const entries = Object.entries(members).map(([name, member]) => {
    const description = member.description ?? words[name];
    return [name, { ...(description && { description }), ...explained(member) }] as const;
  });
  return Object.fromEntries(entries);
}
