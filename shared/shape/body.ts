/** The request bodies of every kind: create, update and proof. A new kind is one line here. */
import * as z from 'zod/mini';
import type { Kind } from '../ledger/kind.ts';
import { AnchorData } from './anchor.ts';
import { BridgeData, bridgeMeta } from './bridge.ts';
import { CircleData, CircleSignerData } from './circle.ts';
import { DomainData } from './domain.ts';
import { EffectData } from './effect.ts';
import { IntentData } from './intent.ts';
import { LedgerData } from './ledger.ts';
import { checkPolicyValues, PolicyData } from './policy.ts';
import { SentProof } from './proof.ts';
import { createBodyOf, updateBodyOf } from './record.ts';
import { ReportData, ReportProof } from './report.ts';
import { SchemaData } from './schema.ts';
import { SignerData } from './signer.ts';
import { SignerFactorData } from './signer-factor.ts';
import { SymbolData } from './symbol.ts';
import { WalletData } from './wallet.ts';

const dataOf = {
  ledger: LedgerData,
  signer: SignerData,
  symbol: SymbolData,
  wallet: WalletData,
  intent: IntentData,
  effect: EffectData,
  'signer-factor': SignerFactorData,
  circle: CircleData,
  'circle-signer': CircleSignerData,
  bridge: BridgeData,
  domain: DomainData,
  anchor: AnchorData,
  schema: SchemaData,
  policy: PolicyData,
  report: ReportData,
} as const satisfies Record<Kind, z.ZodMiniObject>;

/** Unsigned members of `meta` in a body, beside the proofs. */
const metaOf: Partial<Record<Kind, z.core.$ZodShape>> = { bridge: bridgeMeta };

/** Checks between members, which run once each member has its shape. */
const checkOf: Partial<Record<Kind, typeof checkPolicyValues>> = { policy: checkPolicyValues };

/** The data of a record of the kind, as its authors write it. */
export function dataShape(kind: Kind): z.ZodMiniObject {
  return dataOf[kind];
}

/** The members of the data of a record of the kind. No other one is stored. */
export function dataMembersOf(kind: Kind): readonly string[] {
  return [...Object.keys(dataOf[kind].shape), 'parent'];
}

export function createBody(kind: Kind): z.ZodMiniType {
  return checked(kind, createBodyOf(dataOf[kind], metaOf[kind]));
}

export function updateBody(kind: Kind): z.ZodMiniType {
  return checked(kind, updateBodyOf(dataOf[kind], metaOf[kind]));
}

function checked(kind: Kind, body: z.ZodMiniType): z.ZodMiniType {
  const check = checkOf[kind];
  return check
    ? body.check(
        z.superRefine((value, { issues }) => check(value, (issue) => issues.push(issue as never))),
      )
    : body;
}

/** The body of a proof that is added to a record of the kind. */
export function proofBody(kind: Kind): z.ZodMiniType {
  return kind === 'report' ? ReportProof : SentProof;
}

/** A shape to check a request body against. */
export type BodyShape = z.ZodMiniType;
