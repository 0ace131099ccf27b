/** The description of an endpoint, the same for all kinds. */
import type { ErrorReason } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';

export type BodyName =
  | 'create'
  | 'preview'
  | 'batch'
  | 'update'
  | 'drop'
  | 'proof'
  | 'check'
  | 'lookup'
  | 'request'
  | 'retry'
  | 'token';

export type AnswerName =
  | 'record'
  | 'records'
  | 'change'
  | 'changes'
  | 'permissions'
  | 'preview'
  | 'batch'
  | 'balances'
  | 'entries'
  | 'all-balances'
  | 'sums'
  | 'supply'
  | 'limits'
  | 'delivery'
  | 'deliveries'
  | 'asset'
  | 'checkpoint'
  | 'tile'
  | 'log-proof'
  | 'consistency'
  | 'receipt'
  | 'status'
  | 'health'
  | 'openapi'
  | 'page'
  | 'script'
  | 'style'
  | 'file'
  | 'token'
  | 'jwks';

export interface OperationLine {
  /** The `operationId`; `*` stands for the kind, `**` for its plural. */
  readonly id: string;
  /** With the same placeholders. */
  readonly summary: string;
  /** The status of success, 200 by default. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly body?: BodyName;
  readonly answers?: AnswerName;
  /** The kind of the answered records, when it is not that of the path. */
  readonly of?: Kind;
  /** `index`: the answer has parts. `page`: it has pages. `filters`: it can be filtered too. */
  readonly query?: 'index' | 'page' | 'filters';
  /** Names of further query parameters. */
  readonly takes?: readonly string[];
  readonly reasons: readonly ErrorReason[];
  /** The client authenticates with its credentials, and errors are those of OAuth 2.0. */
  readonly isOAuth?: true;
  /** The same answer comes with 503 while the service is down. */
  readonly mayBeDown?: true;
  /** The answer is the same for everybody, 304 for a caller who has it, and 308 for a path with a slash at its end. */
  readonly isStatic?: true;
  readonly deprecated?: true;
}
