/**
 * The records for payments: two banks, each behind a bridge of its own, with wallets at both. A payment is a debit at
 * one bank and a credit at the other.
 */
import { type SigningKey, sign } from '../../shared/crypto/proof.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import { type Body, type Json, newKey, signed } from '../fixture/client.ts';
import type { Post } from './scene.ts';

/** Between random wallets, or all from one wallet to one other. */
export const paymentWorkloads = ['uniform', 'hot'] as const;
export type PaymentWorkload = (typeof paymentWorkloads)[number];

/** A bank: the handle of its bridge, and its key. */
export interface Bank {
  readonly name: string;
  readonly key: SigningKey;
}

const source: Bank = { name: 'blue', key: newKey() };
const target: Bank = { name: 'green', key: newKey() };
export const banks: readonly Bank[] = [source, target];

const walletCount = 50;
const symbol = 'usd';
const payer = newKey();

/** The wallets of a bank. */
export function walletsOf({ name }: Bank): string[] {
  return Array.from(
    { length: walletCount },
    (_, index) => `${name}-${String(index).padStart(2, '0')}`,
  );
}

/** The posts that create the records; each inner list needs the ones before it. `serverOf` gives addresses of banks. */
export function bankingOf(serverOf: (bank: Bank) => string): Post[][] {
  const post = (path: string, data: Json, key: SigningKey) => ({
    ...{ path, body: signed(data, key) },
  });
  const signers = [{ name: 'payer', key: payer }, ...banks];
  return [
    [
      ...signers.map(({ name, key }) =>
        post('/signers', { handle: name, format: 'ed25519-raw', public: key.public }, key),
      ),
      post('/symbols', { handle: symbol, factor: 100 }, payer),
    ],
    banks.map((bank) =>
      post('/bridges', { handle: bank.name, config: { server: serverOf(bank) } }, bank.key),
    ),
    banks.flatMap((bank) =>
      walletsOf(bank).map((handle) => post('/wallets', { handle, bridge: bank.name }, bank.key)),
    ),
  ];
}

/** A payment from a wallet at one bank to a wallet at the other. Numbers have seven digits. */
export function paymentOf(workload: PaymentWorkload, number: number): Body {
  const place = (bank: Bank) => walletsOf(bank)[workload === 'hot' ? 0 : number % walletCount];
  const claim = {
    action: 'transfer',
    source: `alice@${place(source)}`,
    target: `bob@${place(target)}`,
    ...{ symbol, amount: 1 },
  };
  const handle = `payment-${String(number).padStart(7, '0')}`;
  return signed({ handle, claims: [claim] }, payer);
}

/** A report of a bank on an entry, as a proof on the intent of this hash. */
export function reportOf({ key }: Bank, hash: string, entry: string, status: string): Proof {
  const why = status === 'failed' && { reason: 'bridge.entry-account-not-found' };
  return sign(hash, { handle: entry, status, moment: new Date().toISOString(), ...why }, key);
}

export function reportsPathOf(intent: string): string {
  return `/intents/${encodeURIComponent(intent)}/proofs`;
}
