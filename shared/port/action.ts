/**
 * The contract between HTTP and the actions. An action gets a checked call and returns an answer. It reaches the
 * world through `Services` only, and of HTTP it knows nothing but the status of its answer.
 */
import type { SigningKey } from '../crypto/proof.ts';
import type { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { PatternMaker } from '../ledger/match.ts';
import type { KnownQuery, Query } from '../ledger/query.ts';
import type { Version } from '../ledger/record.ts';
import type { SchemaJudge } from '../ledger/schema.ts';
import type { BodyShape } from '../shape/body.ts';
import type { accessActions } from '../shape/rule.ts';
import type { Bearer } from './bearer.ts';
import type { Books } from './books.ts';
import type { Catalog } from './catalog.ts';
import type { Deliveries } from './deliveries.ts';
import type { Logs } from './logs.ts';
import type { Notes } from './notes.ts';
import type { AccessDecision } from './permission-query.ts';
import type { Clock, Keyring, Luids, Store } from './ports.ts';
import type { ReportStore } from './reports.ts';
import type { Work } from './request-budget.ts';

/** A ledger that answers requests: its handle and its `system` key. */
export interface Identity {
  readonly handle: string;
  readonly key: SigningKey;
  /** The key before, as long as it signs answers beside the newest one. Ruling 99. */
  readonly former?: SigningKey;
}

/** Configuration of this deployment. */
export interface Settings {
  /** The ledger that answers without `x-ledger`. Ruling 25. */
  readonly defaultLedger: string;
  /** The public base addresses of this deployment; tokens are checked against them. Ruling 27. */
  readonly servers: readonly string[];
  /** The only origins whose pages may read answers; absent where every origin may. Ruling 80. */
  readonly origins?: readonly string[];
  readonly semver: string;
  /** The start of this process, in milliseconds since 1970. */
  readonly startedMs: number;
  /** The highest number of effects of a ledger for one signal; absent where there is no bound. Decision 86. */
  readonly effectsPerSignal?: number;
  /** True where the gateway answers text only, as LocalStack's does: nothing is compressed. Ruling 102. */
  readonly isTextOnly?: boolean;
}

export interface Services {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly books: Books;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly luids: Luids;
  /** Undefined when the server does not host a ledger of this handle. */
  readonly identityOf: (handle: string) => Promise<Identity | undefined>;
  readonly settings: Settings;
  /** Refuses an endpoint that the service must never call, judged by its text alone; `at` is its JSON pointer. Ruling 62. */
  readonly assertEndpoint: (text: string, at: string) => void;
  /** Makes regular expressions that match in linear time. Ruling 20. */
  readonly patternMaker: PatternMaker;
  /** Compiles a JSON Schema that a caller wrote. Ruling 65. */
  readonly schemaMaker: (schema: unknown) => SchemaJudge | Promise<SchemaJudge>;
  readonly deliveries: Deliveries;
  readonly notes: Notes;
  readonly reports: ReportStore;
  readonly logs: Logs;
}

/** One request that has passed all checks before the action. */
export interface Call {
  readonly services: Services;
  readonly ledger: Identity;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Undefined where the action takes no body. */
  readonly body: unknown;
  /** The verified token, when one was sent. Ruling 29. */
  readonly bearer?: Bearer;
  /** The body as it arrived, for an action that reads it by itself. */
  readonly sent?: SentBody;
  /**
   * The work budget of the request. Every call that is derived from this one (for other callers, or another ledger)
   * shares it, so that all access checks of a request spend from one budget. Decision 83.
   */
  readonly work: Work;
  /** Receives each permission query of this call, with the decision on it. */
  readonly onVerdict?: (verdict: AccessDecision) => void;
  /** Set to weigh every rule, also those behind one that grants. */
  readonly isExplained?: true;
}

/** A body as it arrived, with the headers that an action needs to read it. */
export interface SentBody {
  /** The `content-type` header. */
  readonly type: string | undefined;
  readonly text: string;
  readonly authorization: string | undefined;
  /** The address of the sender. */
  readonly address: string;
}

export interface Answer {
  /** 4xx and 5xx stand here only for answers that are no API errors: those of OAuth, and of a health check. */
  readonly status: 200 | 201 | 202 | 204 | 304 | 308 | 400 | 401 | 429 | 500 | 503;
  /** Printed as canonical JSON; absent for an empty answer. */
  readonly body?: unknown;
  /** Answered in place of `body` when the answer is no signed record. */
  readonly document?: Document;
}

/** A text that is sent as it is, or bytes. */
export interface Document {
  readonly type: string;
  /** With `isBase64`, the bytes in base64. */
  readonly text: string;
  readonly isBase64?: true;
  /** The same for everybody, so that it is compressed, and answered with 304 to who has it. Ruling 102. */
  readonly isStatic?: true;
  /** HTTP headers, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The actions that a rule can grant. Ruling 33. */
type GrantedAction = Exclude<(typeof accessActions)[number], 'any'>;

/** The permission that an endpoint requires before it stores or answers anything. Rulings 30 and 33. */
export interface RequiredPermission<Found = unknown> {
  readonly action: GrantedAction;
  readonly record: Kind;
  /** Alternatives of which one is enough: about this record, or about a related one. */
  readonly or?: readonly (readonly [action: GrantedAction, record: Kind | `${Kind}-proof`])[];
  /** Finds the record in question; absent where it does not exist yet, and for lists. */
  readonly find?: (call: Call) => Promise<{ readonly current?: Version }>;
  /** Checks the permission, throws when no rule grants it, and returns what it found. */
  readonly allow: (call: Call) => Promise<Found>;
}

/** An endpoint that requires no permission, and the reason. */
export interface OpenToAll {
  readonly open: string;
}

/** An endpoint. Each exported one lists the errors that it adds to those of the steps in front of it (`http/api.ts`). */
export interface Action {
  /** The permission that it requires. An endpoint without this member does not compile. */
  readonly requires: RequiredPermission | OpenToAll;
  /** The shape of the body; absent where the action takes none. */
  readonly body?: BodyShape;
  /** Checks of the shape that a schema cannot express; refuses with `record.schema-invalid`. */
  readonly shape?: (body: unknown) => void;
  /** The query parameters that it knows; absent where it knows none. Ruling 20. */
  readonly query?: KnownQuery;
  /** `record`: hash and proofs of the body are checked before the action runs. */
  readonly signed?: 'record';
  /**
   * Set for an action that only tells what another would do: a single-use token stays unused, and the body may have no
   * proofs. Ruling 91.
   */
  readonly isTrial?: true;
  /** `form`: the action reads the body and the `authorization` header by itself. RFC 6749 2.3.1. */
  readonly reads?: 'form';
  /** Converts an API error for an endpoint with an error format of its own. */
  readonly refuse?: (error: LedgerError) => Answer;
  readonly run: (call: Call) => Promise<Answer>;
}
