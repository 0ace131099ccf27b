/** `countersign/client`: a ledger from Node, Deno and browsers. */

export type {
  AnswerOf,
  DataOf,
  ElementOf,
  ListPath,
  ParamsOf,
  PathOf,
  Schemas,
} from './answer-types.ts';
export { type Address, type Claim, destroy, issue, type Money, money, transfer } from './claims.ts';
export { type ConnectOptions, connect, type IntentOptions, Ledger } from './connect.ts';
export { digestOf, hashOf, isProofOf, type ProofCustom, prove, type Signer } from './digest.ts';
export { LedgerRefused, LedgerUnreachable, LedgerUntrusted } from './errors.ts';
export { keyFrom, type MemoryKey, newKey } from './key.ts';
export { type LedgerEvent, verifyWebhook, WebhookRefused } from './webhook.ts';
