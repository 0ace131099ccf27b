/**
 * What the suite runs against. All that is different between an offline runtime, the bundles under the Lambda
 * runtime API, LocalStack and AWS is here; the tests speak HTTP and know no other difference.
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
  /** The seed of a key that may make ledgers, as base64; where everybody may, there is none. */
  readonly owner?: string;
  /** Whether it runs on this machine and may call it, so that webhooks and bridges can be tested. */
  readonly isInside: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly target: Target;
  }
}

export const target = inject('target');

/** How long may pass until what happens behind the endpoints has happened: clocks tick once a minute on AWS. */
export const patienceMs = 180_000;

const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key of a seed of 32 bytes, in base64. */
function keyOfSeed(seed: string): Key {
  const der = Buffer.concat([pkcs8Prefix, Buffer.from(seed, 'base64')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { public: spki.subarray(-32).toString('base64'), privateKey };
}

/** Who makes the ledgers of the suite. */
export const owner: Key = target.owner === undefined ? newKey() : keyOfSeed(target.owner);

/** The default ledger, whose key is that of the server: whoever signs the status is believed. */
export async function home(): Promise<Client> {
  return clientOf(target.url, await keyAt());
}

/** A new ledger of the owner, under a handle that nobody has: open to everyone unless its data says otherwise. */
export async function newLedger(data: Json = { access: open }): Promise<Client> {
  const handle = unique('e2e');
  const ledgers = await home();
  const made = await ledgers.post('/ledgers', signed({ handle, ...data }, owner));
  if (made.status !== 201) throw new Error(`POST /ledgers: ${made.status} ${made.text}`);
  return clientOf(target.url, await keyAt(handle), handle);
}

/** A request of the owner. */
export const asOwner = () => bearing(owner);

/** What an answer asks of those whom it does not know. API Gateway gives the header another name. */
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
