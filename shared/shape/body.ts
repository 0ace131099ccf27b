/** The bodies of every kind, by what they ask for. A new kind is one line here. */
import type * as z from 'zod';
import type { Kind } from '../ledger/kind.ts';
import { EffectData } from './effect.ts';
import { IntentData } from './intent.ts';
import { LedgerData } from './ledger.ts';
import { createBodyOf, updateBodyOf } from './record.ts';
import { SignerData } from './signer.ts';
import { SymbolData } from './symbol.ts';
import { WalletData } from './wallet.ts';

const dataOf = {
  ledger: LedgerData,
  signer: SignerData,
  symbol: SymbolData,
  wallet: WalletData,
  intent: IntentData,
  effect: EffectData,
} as const satisfies Record<Kind, z.ZodObject>;

/** The data of a record of the kind, as its authors write it. */
export function dataShape(kind: Kind): z.ZodObject {
  return dataOf[kind];
}

/** The body that creates a record of the kind. */
export function createBody(kind: Kind): z.ZodType {
  return createBodyOf(dataOf[kind]);
}

/** The body that updates a record of the kind. */
export function updateBody(kind: Kind): z.ZodType {
  return updateBodyOf(dataOf[kind]);
}

/** A shape that a request body can be checked against. */
export type Body = z.ZodType;
