/** The words about signing a request, and a program that runs. Rulings 1 to 4. */

export const signingSteps = [
  '`hash` is the hex SHA-256 of the canonical JSON (RFC 8785: keys sorted by UTF-16 code unit, no white space) of `data`.',
  '`digest` is the hex SHA-256 of the 64 characters of the hash, followed by the canonical JSON of the `custom` of the proof. An absent `custom` adds nothing; an empty object adds `{}`.',
  '`result` is the base64 ed25519 signature over the 32 raw digest bytes; `public` is the raw 32 bytes of the key, in base64. `custom` may have any other members: they are signed and stored too.',
  'Set `custom.moment` to the time of signing, as ISO 8601 in UTC. A request that is not a record (activate, retry, lookup, access check) is valid for five minutes. For a record, the moment tells its signatures from those of an earlier record with the same data, which are refused.',
  'An update and a drop have the hash of the current version in `data.parent`; every proof of a drop has `status: dropped` in its `custom`.',
];

/** Signs and creates a wallet, with Node 20 or later and no package. */
export function signingProgram(base: string): string {
  return `import { createHash, generateKeyPairSync, sign } from 'node:crypto';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const canonical = (value) => {
  if (Array.isArray(value)) return \`[\${value.map(canonical)}]\`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => \`\${JSON.stringify(key)}:\${canonical(value[key])}\`);
  return \`{\${members}}\`;
};
const { publicKey, privateKey } = generateKeyPairSync('ed25519'); // store it: it is your identity
const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

const data = { handle: \`wallet-\${Date.now()}\` };
const custom = { moment: new Date().toISOString(), status: 'created' };
const hash = sha256(canonical(data));
const digest = sha256(hash + canonical(custom));
const result = sign(null, Buffer.from(digest, 'hex'), privateKey).toString('base64');
const proof = { method: 'ed25519-v2', public: key, digest, result, custom };
const body = JSON.stringify({ hash, data, meta: { proofs: [proof] } });
const headers = { 'content-type': 'application/json' };
const answer = await fetch('${base}/wallets', { method: 'POST', headers, body });
console.log(answer.status, await answer.json());
`;
}
