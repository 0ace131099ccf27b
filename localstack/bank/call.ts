/**
 * Reads and verifies calls of the ledger. The ledger's key must have signed the body. An entry must also agree with the
 * ledger's statement on the intent, and with the claims that the authors of the intent signed. Rulings 2 to 4, 48 and 54,
 * Decision 67.
 */
import { hashOf } from '../../shared/crypto/digest.ts';
import { verify } from '../../shared/crypto/proof.ts';
import { handleOf } from '../../shared/ledger/address.ts';
import type { ResolvedEntry } from '../../shared/ledger/intent.ts';
import { type KeyEntry, keyFor } from '../../shared/log/key-table.ts';
import type { Claim } from '../../shared/shape/intent.ts';
import type { Proof } from '../../shared/shape/proof.ts';
import type { BankBooks, BankEntry, BankEntryCall, IntentName } from './books.ts';
import { RefusedCallError } from './call-error.ts';

/** The ledger and the entries by which a call is judged. */
export interface TrustedLedger {
  /** The keys of the ledger that count now, the newest first. */
  readonly ledgerKeys: readonly string[];
  /** The keys that it had before: what they said while they counted stays true, and no call may be signed by them. */
  readonly formerKeys: readonly KeyEntry[];
  /** Handle of the bridge, which is also the domain of its addresses. */
  readonly name: string;
  /** The entries that this bank knows. */
  readonly entries: BankBooks['entries'];
}

/** A call about an entry, or about the status of an intent. */
export type BankCall =
  | BankEntryCall
  | { readonly action: 'status'; readonly intent: IntentName; readonly status: string };

interface SignedIntent {
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly proofs: readonly Proof[] };
}

const schemas = { debits: 'debit', credits: 'credit' } as const;

/** Reads a call, or throws `RefusedCallError`. Other calls are 501, which the ledger does not retry. Ruling 57. */
export function callOf(method: string, path: string, text: string, trust: TrustedLedger): BankCall {
  const [group = '', handle, action, ...rest] = partsOf(path);
  if (method === 'PUT' && group === 'intents' && handle && action === undefined)
    return statusOf(handle, bodyOf(text, trust), trust);
  const isEntry = method === 'POST' && (group === 'debits' || group === 'credits');
  if (isEntry && handle === undefined) return prepareOf(schemas[group], bodyOf(text, trust), trust);
  const isEnd = (action === 'commit' || action === 'abort') && rest.length === 0;
  if (isEntry && handle && isEnd)
    return endOf(schemas[group], handle, action, bodyOf(text, trust), trust);
  throw new RefusedCallError(501, 'unexpected-error', 'This bridge does not support the call.');
}

function partsOf(path: string): readonly (string | undefined)[] {
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** Parses a body, and verifies that the ledger has signed it. */
function bodyOf(text: string, { ledgerKeys }: TrustedLedger): SignedIntent {
  const body = parsed(text);
  if (!isSigned(body)) throw malformed('The body is not a signed record.');
  const { hash, data, meta } = body;
  if (!isHashOf(hash, data))
    throw new RefusedCallError(400, 'entry-hash-invalid', 'The hash does not match the data.');
  const byLedger = meta.proofs.filter((proof) => ledgerKeys.includes(proof.public));
  if (byLedger.length === 0)
    throw new RefusedCallError(
      401,
      'entry-signature-missing',
      'The body has no signature of the ledger.',
    );
  if (!byLedger.every((proof) => verify(hash, proof)))
    throw new RefusedCallError(
      401,
      'entry-signature-invalid',
      'The signature of the ledger is invalid.',
    );
  return body;
}

function prepareOf(
  schema: BankEntry['schema'],
  { data }: SignedIntent,
  trust: TrustedLedger,
): BankEntryCall {
  const { handle, amount } = data;
  if (typeof handle !== 'string' || !Number.isSafeInteger(amount) || Number(amount) < 1)
    throw malformed('An entry has a handle and an amount.');
  if (data['schema'] !== schema) throw mismatch(handle, `is not a ${schema}`);
  const symbol = nameOf(data['symbol'], 'symbol');
  const address = nameOf(data[schema === 'debit' ? 'source' : 'target'], 'account');
  const intent = intentOf(data['intent']);
  const statement = statementOn(schema, handle, intent, trust);
  if (statement.amount !== amount || statement.symbol !== symbol)
    throw mismatch(handle, 'differs from the statement on the intent');
  const claims = statement.inputs.map((input) => claimsOf(intent)[input]);
  const amounts = claims.map((claim) => amountOf(claim, schema, symbol, address));
  if (amounts.reduce((sum, one) => sum + one, 0n) !== BigInt(statement.amount))
    throw mismatch(handle, 'differs from the claims of the intent');
  const account = accountAt(address, trust.name);
  const entry: BankEntry = { handle, schema, account, symbol, amount: statement.amount };
  return { action: 'prepare', entry, intent: intentNameOf(intent) };
}

function endOf(
  schema: BankEntry['schema'],
  handle: string,
  action: 'commit' | 'abort',
  { data }: SignedIntent,
  trust: TrustedLedger,
): BankEntryCall {
  // The path is not signed, so handle and action must be in the signed body as well.
  if (data['handle'] !== handle || data['action'] !== action)
    throw mismatch(handle, `is not the entry that is signed to ${action}`);
  const intent = intentOf(data['intent']);
  if (!isHeard(schema, handle, intent, trust)) statementOn(schema, handle, intent, trust);
  return { action, handle, intent: intentNameOf(intent) };
}

/**
 * True for an entry that this bank was asked to prepare: the statement on it was verified then. The key that made it may
 * be known to others by now, and what is held must end by the word of the key that counts.
 */
function isHeard(
  schema: BankEntry['schema'],
  handle: string,
  { hash }: SignedIntent,
  { entries }: TrustedLedger,
): boolean {
  const known = entries.get(handle);
  return known?.entry?.schema === schema && known.intent.hash === hash;
}

function statusOf(handle: string, intent: SignedIntent, trust: TrustedLedger): BankCall {
  if (intent.data['handle'] !== handle) throw mismatch(handle, 'is not the intent that is signed');
  const statuses = statementsOf(intent, trust).flatMap(({ custom }) => custom?.['status'] ?? []);
  const status = String(statuses.at(-1) ?? 'unknown');
  return { action: 'status', intent: intentNameOf(intent), status };
}

function intentOf(value: unknown): SignedIntent {
  if (!isSigned(value)) throw malformed('The intent is missing.');
  if (!isHashOf(value.hash, value.data))
    throw new RefusedCallError(
      400,
      'intent-hash-invalid',
      'The hash does not match the data of the intent.',
    );
  return value;
}

function isHashOf(hash: string, data: unknown): boolean {
  try {
    return hash === hashOf(data);
  } catch {
    // Throws for data that is nested too deeply to print.
    return false;
  }
}

/** The ledger's own proofs on an intent, each by a key that it had then. Others may add proofs too, but not with its key. */
function statementsOf(
  { hash, meta }: SignedIntent,
  { ledgerKeys, formerKeys }: TrustedLedger,
): readonly Proof[] {
  const isOwn = (proof: Proof) =>
    ledgerKeys.includes(proof.public) || keyFor(formerKeys, proof) !== undefined;
  return meta.proofs.filter((proof) => isOwn(proof) && verify(hash, proof));
}

/** The statement by which the ledger resolved the entry: it proves the intent and the bridge of the entry. */
function statementOn(
  schema: BankEntry['schema'],
  handle: string,
  intent: SignedIntent,
  trust: TrustedLedger,
): ResolvedEntry {
  const resolved = statementsOf(intent, trust).flatMap(({ custom }) =>
    custom?.['status'] === 'resolved' ? (custom as unknown as ResolvedEntry) : [],
  );
  const statement = resolved.find((one) => one.handle === handle && one.schema === schema);
  if (!statement || statement.bridge !== trust.name || !Array.isArray(statement.inputs))
    throw new RefusedCallError(
      422,
      'intent-unrelated',
      `The intent has no ${schema} ${handle} for ${trust.name}.`,
    );
  return statement;
}

function claimsOf({ data }: SignedIntent): readonly (Claim | undefined)[] {
  return Array.isArray(data['claims']) ? data['claims'] : [];
}

function intentNameOf({ hash, data }: SignedIntent): IntentName {
  return { handle: String(data['handle']), hash };
}

/** The amount of this symbol that a claim moves from, or to, this address. */
function amountOf(
  claim: Claim | undefined,
  schema: BankEntry['schema'],
  symbol: string,
  address: string,
): bigint {
  if (claim?.action !== 'transfer' || handleOf(claim.symbol) !== symbol) return 0n;
  const own = handleOf(schema === 'debit' ? claim.source : claim.target);
  return own === address && Number.isSafeInteger(claim.amount) ? BigInt(claim.amount) : 0n;
}

/**
 * The number of the account at an address, `svgs:1001@blue` or `1001`. The address of another bank is returned whole,
 * which no account has as its number. Ruling 42.
 */
function accountAt(address: string, name: string): string {
  const [, number, domain = name] = /^(?:[^:@]+:)?([^:@]+)(?:@(.+))?$/.exec(address) ?? [];
  return number === undefined || domain !== name ? address : number;
}

function nameOf(target: unknown, what: string): string {
  const { handle } = (target ?? {}) as { readonly handle?: unknown };
  if (typeof handle !== 'string') throw malformed(`An entry has the handle of its ${what}.`);
  return handle;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('The body is not JSON.');
  }
}

function isSigned(value: unknown): value is SignedIntent {
  const { hash, data, meta } = (value ?? {}) as Partial<SignedIntent>;
  const isObject = typeof data === 'object' && data !== null;
  return typeof hash === 'string' && isObject && isProofs(meta?.proofs);
}

function isProofs(value: unknown): value is readonly Proof[] {
  return (
    Array.isArray(value) &&
    value.every((proof: unknown) => {
      const { public: key, digest, result } = (proof ?? {}) as Partial<Proof>;
      return [key, digest, result].every((text) => typeof text === 'string');
    })
  );
}

function malformed(detail: string): RefusedCallError {
  return new RefusedCallError(400, 'entry-schema-invalid', detail);
}

function mismatch(handle: string, why: string): RefusedCallError {
  return new RefusedCallError(422, 'entry-mismatch', `${handle} ${why}.`);
}
