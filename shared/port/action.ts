/**
 * What a caller may do. An action is told who was addressed and what was asked, and answers; it speaks
 * to the world through `Services` only and knows nothing of HTTP but the statuses of its answers.
 */
import type { SigningKey } from '../crypto/proof.ts';
import type { LedgerError } from '../ledger/errors.ts';
import type { Kind } from '../ledger/kind.ts';
import type { PatternMaker } from '../ledger/match.ts';
import type { Query } from '../ledger/query.ts';
import type { Version } from '../ledger/record.ts';
import type { SchemaJudge } from '../ledger/schema.ts';
import type { Body } from '../shape/body.ts';
import type { accessActions } from '../shape/rule.ts';
import type { Verdict } from './asked.ts';
import type { Bearer } from './bearer.ts';
import type { Catalog } from './catalog.ts';
import type { Deliveries } from './deliveries.ts';
import type { Notes } from './notes.ts';
import type { Clock, Keyring, Luids, Store } from './ports.ts';
import type { Reports } from './reports.ts';
import type { Work } from './work.ts';

/** A ledger as the one that answers: its handle and its `system` key. */
export interface Identity {
  readonly handle: string;
  readonly key: SigningKey;
}

/** What this deployment was told about itself. */
export interface Settings {
  /** The ledger that answers without `x-ledger`. Ruling 25. */
  readonly defaultLedger: string;
  /** The base addresses under which it is reached; tokens are checked against them. Ruling 27. */
  readonly servers: readonly string[];
  /** The only origins whose pages may read answers; without them those of any. Ruling 80. */
  readonly origins?: readonly string[];
  readonly semver: string;
  /** When it started, in milliseconds since 1970. */
  readonly startedMs: number;
  /** How many effects of a ledger may hear one signal; absent where any number may. Decision 86. */
  readonly effectsPerSignal?: number;
}

export interface Services {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly luids: Luids;
  /** The ledger of this handle, or undefined when the server does not host it. */
  readonly identityOf: (handle: string) => Promise<Identity | undefined>;
  readonly settings: Settings;
  /** Refuses an endpoint that the service must never call, as far as its text shows. Ruling 62. */
  readonly assertEndpoint: (text: string) => void;
  /** Regular expressions that end in time. Ruling 20. */
  readonly patternMaker: PatternMaker;
  /** Judges of data by JSON Schemas that callers wrote. Ruling 65. */
  readonly schemaMaker: (schema: unknown) => SchemaJudge | Promise<SchemaJudge>;
  readonly deliveries: Deliveries;
  readonly notes: Notes;
  readonly reports: Reports;
}

/** One request that came through all the doors. */
export interface Call {
  readonly services: Services;
  readonly ledger: Identity;
  /** The path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed body; undefined where the action takes none. */
  readonly body: unknown;
  /** Whom the token speaks for, when one was sent. It is valid. Ruling 29. */
  readonly bearer?: Bearer;
  /** What was sent to an action that reads it by itself. */
  readonly sent?: Sent;
  /**
   * What the request may make us do. Whatever is made of a call, for others whom it hears or another ledger, takes it
   * along, so that all questions of a request pay from one purse. Decision 83.
   */
  readonly work: Work;
  /** Hears what the rules are asked for this call, and what they say. */
  readonly onVerdict?: (verdict: Verdict) => void;
  /** That every rule is to be weighed, also those behind one that grants. */
  readonly isExplained?: true;
}

/** A body as it arrived, with what came beside it. */
export interface Sent {
  /** What the body says it is. */
  readonly type: string | undefined;
  readonly text: string;
  /** The `authorization` header. */
  readonly authorization: string | undefined;
  /** The address that it came from. */
  readonly address: string;
}

export interface Answer {
  /** A refusal is answered only in words that are not the ledger's own. */
  readonly status: 200 | 201 | 202 | 204 | 400 | 401 | 429 | 500;
  /** What is answered, ready to be printed; absent for an empty answer. */
  readonly body?: unknown;
  /** What is answered in place of a body, when it is no signed record. */
  readonly document?: Document;
}

/** A text that is answered as it is. */
export interface Document {
  /** Its content type. */
  readonly type: string;
  readonly text: string;
  /** HTTP headers that belong to it, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a rule grants, by name. Ruling 33. */
type AskedAction = Exclude<(typeof accessActions)[number], 'any'>;

/** What an endpoint asks of the rules before it stores or answers anything. Rulings 30 and 33. */
export interface Asks<Found = unknown> {
  readonly action: AskedAction;
  /** The kind of record that it asks about. */
  readonly record: Kind;
  /** Other questions of which one is enough: about this record, or one that has to do with it. */
  readonly or?: readonly (readonly [action: AskedAction, record: Kind | `${Kind}-proof`])[];
  /** Finds the record that is asked about; absent where there is none yet, or many. */
  readonly find?: (call: Call) => Promise<{ readonly current?: Version }>;
  /** Asks the rules, refuses what none of them grants, and hands on what it found. */
  readonly allow: (call: Call) => Promise<Found>;
}

/** An endpoint that asks no rule, and why it needs none. */
export interface Open {
  readonly open: string;
}

export interface Action {
  /** What it asks of the rules: an endpoint that does not say so does not compile. */
  readonly asks: Asks | Open;
  /** What the body must look like; absent where the action takes none. */
  readonly body?: Body;
  /** What belongs to the shape and a shape alone cannot tell; refuses with `record.schema-invalid`. */
  readonly shape?: (body: unknown) => void;
  /** `record`: the body's hash and proofs are checked before the action runs. */
  readonly signed?: 'record';
  /** `form`: the action reads body and `authorization` by itself. RFC 6749 2.3.1. */
  readonly reads?: 'form';
  /** How a refusal is answered where not the ledger's own words are expected. */
  readonly refuse?: (refusal: LedgerError) => Answer;
  readonly run: (call: Call) => Promise<Answer>;
}
