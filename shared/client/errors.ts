/** Errors between a client and a ledger. */

/** A member of the API's errors: numbers that JavaScript cannot hold are bigints. */
export interface ErrorAnswer {
  readonly reason: string;
  readonly detail: string;
  readonly custom?: Readonly<Record<string, unknown>>;
}

interface RefusedAttempt {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly attempt: number;
  readonly isSigned: boolean;
}

/** There was no answer in time, after all attempts. A change may have been stored: send it again. */
export class LedgerUnreachable extends Error {
  override readonly name = 'LedgerUnreachable';
}

/** The answer is not the ledger's: its hash or its signature does not hold. Or it is the ledger's, and to something else. */
export class LedgerUntrusted extends Error {
  override readonly name = 'LedgerUntrusted';
}

/** The request was refused: by the ledger, or by what stands before it. */
export class LedgerRefused extends Error {
  override readonly name = 'LedgerRefused';
  /** The status of HTTP. */
  readonly status: number;
  /** `record.duplicated` and the others of the reference. */
  readonly reason: string;
  readonly custom: Readonly<Record<string, unknown>>;
  /** The id by which the operator finds the request. */
  readonly requestId: string | undefined;
  /** The number of the attempt that was refused, from 1: an earlier one may have been stored. */
  readonly attempt: number;
  /**
   * False for a refusal that no key of the ledger has signed: by a gateway, by a service without its database, by the
   * server for a ledger that it does not host. Anybody on the way could have made it, and the change may be stored.
   */
  readonly isSigned: boolean;

  constructor(what: string, answer: ErrorAnswer, given: RefusedAttempt) {
    super(`${what}: ${answer.reason}: ${answer.detail}`);
    this.status = given.status;
    this.reason = answer.reason;
    this.custom = answer.custom ?? {};
    this.requestId = given.requestId;
    this.attempt = given.attempt;
    this.isSigned = given.isSigned;
  }
}
