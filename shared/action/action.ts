/**
 * What a caller may do. An action is told who was addressed and what was asked, and answers; it speaks
 * to the world through `Services` only and knows nothing of HTTP but the statuses of its answers.
 */
import type { SigningKey } from '../crypto/proof.ts';
import type { BearerClaims } from '../crypto/token.ts';
import type { PatternMaker } from '../ledger/match.ts';
import type { Query } from '../ledger/query.ts';
import type { Body } from '../shape/body.ts';
import type { Deliveries } from './deliveries.ts';
import type { Clock, Keyring, Luids, Store } from './ports.ts';

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
  readonly semver: string;
  /** When it started, in milliseconds since 1970. */
  readonly startedMs: number;
}

export interface Services {
  readonly store: Store;
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
  readonly deliveries: Deliveries;
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
  /** The claims of the token, when one was sent. It is valid. Ruling 29. */
  readonly bearer?: BearerClaims;
}

export interface Answer {
  readonly status: 200 | 201 | 202 | 204;
  /** What is answered, ready to be printed; absent for an empty answer. */
  readonly body?: unknown;
}

export interface Action {
  /** What the body must look like; absent where the action takes none. */
  readonly body?: Body;
  /** `record`: the body's hash and proofs are checked before the action runs. */
  readonly signed?: 'record';
  readonly run: (call: Call) => Promise<Answer>;
}
