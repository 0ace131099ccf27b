/**
 * The target of the suite. All differences between the offline runtime, the bundles under the Lambda runtime API,
 * LocalStack and AWS are here; the tests only speak HTTP.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { inject } from 'vitest';
import {
  type Client,
  clientOf,
  type Item,
  type Json,
  type Key,
  newKey,
  open,
  signed,
  unique,
} from '../fixture/client.ts';
import { bearing } from '../fixture/token.ts';

export interface Target {
  /** The base address. */
  readonly url: string;
  /** The seed of a key that may create ledgers, in base64; absent where anyone may. */
  readonly owner?: string;
  /** True when the target can call this machine, so that webhooks and bridges can be tested. */
  readonly isInside: boolean;
  /** True for LocalStack, whose gateway answers text only: nothing is compressed there. */
  readonly isTextOnly?: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly target: Target;
  }
}

export const target = inject('target');

/** Time limit for work behind the endpoints; on AWS, schedules run once a minute. */
export const patienceMs = 180_000;

const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key of a seed of 32 bytes, in base64. */
function keyOfSeed(seed: string): Key {
  const der = Buffer.concat([pkcs8Prefix, Buffer.from(seed, 'base64')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { public: spki.subarray(-32).toString('base64'), privateKey };
}

/** The key that creates the ledgers of the suite. */
export const owner: Key = target.owner === undefined ? newKey() : keyOfSeed(target.owner);

/** A client of the default ledger. It trusts the key that signs the status. */
export async function home(): Promise<Client> {
  return clientOf(target.url, await keyAt());
}

/** The encoding that an answer has here where AWS would answer in this one. */
export const encodedHere = (encoding: string | null) => (target.isTextOnly ? null : encoding);

/** Creates a ledger of the owner under a new handle; open to everyone, unless `data` differs. */
export async function newLedger(data: Json = { access: open }): Promise<Client> {
  const handle = unique('e2e');
  const ledgers = await home();
  const made = await ledgers.post('/ledgers', signed({ handle, ...data }, owner));
  if (made.status !== 201) throw new Error(`POST /ledgers: ${made.status} ${made.text}`);
  return clientOf(target.url, await keyAt(handle), handle);
}

/** A request of the owner. */
export const asOwner = () => bearing(owner);

/** The challenge of a 401. API Gateway renames the header. */
export function challengeIn(headers: Headers): string | null {
  return headers.get('www-authenticate') ?? headers.get('x-amzn-remapped-www-authenticate');
}

async function keyAt(handle?: string): Promise<string> {
  const headers = handle === undefined ? {} : { 'x-ledger': handle };
  const response = await fetch(target.url, { headers });
  const { meta } = (await response.json()) as Item;
  const key = meta.proofs[0]?.public;
  if (key === undefined) throw new Error(`What answers at ${target.url} is no ledger.`);
  return key;
}
