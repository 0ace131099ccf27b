/** What there is to say about an endpoint, whatever its kind. */
import type { Refusal } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';

/** What an operation takes as its body. */
export type BodyName =
  | 'create'
  | 'update'
  | 'drop'
  | 'proof'
  | 'check'
  | 'lookup'
  | 'request'
  | 'retry'
  | 'token';

/** What an operation answers; without one, nothing. */
export type AnswerName =
  | 'record'
  | 'records'
  | 'change'
  | 'changes'
  | 'permissions'
  | 'balances'
  | 'limits'
  | 'delivery'
  | 'deliveries'
  | 'asset'
  | 'status'
  | 'openapi'
  | 'page'
  | 'token'
  | 'jwks';

export interface OperationLine {
  /** Its name in programs; `*` is the kind, `**` many of it. */
  readonly id: string;
  /** What it does, in the same signs. */
  readonly summary: string;
  /** What it costs when all is well; 200 unless said. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly body?: BodyName;
  readonly answers?: AnswerName;
  /** The kind of the records that it answers, when it is not that of the path. */
  readonly of?: Kind;
  /** Whether a page of what it answers can be asked for, and whether it can be filtered. */
  readonly query?: 'page' | 'filters';
  readonly refusals: readonly Refusal[];
  /** Whether the client is known by its credentials, and hears refusals in the words of OAuth 2.0. */
  readonly isOAuth?: true;
  /** Kept for old clients. */
  readonly deprecated?: true;
}
