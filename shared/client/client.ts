/** `countersign/client`: a ledger from Node, Deno and browsers. */

export { parseExactly } from './answer.ts';
export type {
  AnswerOf,
  ApiSchemas,
  DataOf,
  ElementOf,
  ListPath,
  ParamsOf,
  PathOf,
} from './answer-types.ts';
export {
  type Address,
  destroy,
  type IntentClaim,
  issue,
  type Money,
  money,
  transfer,
} from './claims.ts';
export { connect, type IntentOptions, Ledger, type LedgerOptions } from './connect.ts';
export {
  digestOf,
  hashOf,
  isProofOf,
  type ProofCustom,
  type ProofSigner,
  prove,
} from './digest.ts';
export { LedgerRefused, LedgerUnreachable, LedgerUntrusted } from './errors.ts';
export { keyFrom, type MemoryKey, newKey } from './key.ts';
export { ledgerKeysOf } from './ledger-keys.ts';
export {
  isReceipt,
  type ReceiptOptions,
  receiptVerifier,
  type VerifiedReceipt,
  verifyReceipt,
} from './receipt.ts';
export {
  type ProofVerdict,
  type RecordVerdict,
  type VerifyOptions,
  verifyRecord,
} from './verify.ts';
export { verifyWebhook, type WebhookEvent, WebhookRefused } from './webhook.ts';
export type { Sighting } from './witnesses.ts';
