/**
 * The tokens that bridges are called with, in the memory of this process. One is fetched when it is needed, once for
 * all who wait for it, and kept until a minute before it ends. Ruling 53, Decision 56.
 */

import type { AttemptOutcome } from '../ledger/delivery.ts';
import type { Outcome, OutgoingRequest } from '../outgoing/send.ts';
import {
  type Credentials,
  type CredentialsPlace,
  tokenIn,
  tokenRequest,
} from '../outgoing/token-request.ts';
import type { Clock } from '../port/ports.ts';

/** A bridge with its credentials as they are now. */
export interface TokenHolder {
  /** Names the bridge among all of this server. */
  readonly name: string;
  /** Another one when the credentials may be others. */
  readonly version: string;
  readonly credentials: Credentials;
}

/** A token, or why there is none. */
export type TokenOutcome = { readonly token: string } | (AttemptOutcome & { kind: 'unreachable' });

export interface Tokens {
  readonly of: (holder: TokenHolder) => Promise<TokenOutcome>;
  /** What the bridge made of a token. One that it refuses is dropped, once until it takes one. */
  readonly tell: (name: string, token: string, isRefused: boolean) => void;
}

export interface TokenPorts {
  /** Calls out, safely, and keeps the answer. Ruling 62. */
  readonly ask: (request: OutgoingRequest, timeoutMs: number) => Promise<Outcome>;
  readonly clock: Clock;
}

interface Known {
  readonly version: string;
  token?: { readonly text: string; readonly sinceMs: number; readonly untilMs: number };
  fetching?: Promise<TokenOutcome>;
  /** Where its server wants the credentials. */
  place: CredentialsPlace;
  mayDrop: boolean;
}

const earlyMs = 60_000;
/** For a token, from the name of its server to the last byte of its answer. */
export const tokenMsMax = 10_000;
const knownCountMax = 1_000;
const refusals: ReadonlySet<number> = new Set([400, 401]);

/** Knows of no token yet. */
export function tokens(ports: TokenPorts): Tokens {
  const all = new Map<string, Known>();
  const knownOf = ({ name, version }: TokenHolder): Known => {
    const before = all.get(name);
    if (before?.version === version) return before;
    const known: Known = { version, place: 'header', mayDrop: true };
    all.delete(name);
    all.set(name, known);
    // A map keeps the order of its keys: the first one is the oldest.
    const [oldest] = all.keys();
    if (all.size > knownCountMax && oldest !== undefined) all.delete(oldest);
    return known;
  };
  return {
    of: async (holder) => {
      const known = knownOf(holder);
      if (known.token && isWithin(known.token, ports.clock())) return { token: known.token.text };
      known.fetching ??= fetched(ports, known, holder.credentials).finally(() => {
        delete known.fetching;
      });
      return known.fetching;
    },
    tell: (name, token, isRefused) => {
      const known = all.get(name);
      if (known?.token?.text !== token) return;
      if (isRefused && known.mayDrop) delete known.token;
      known.mayDrop = !isRefused;
    },
  };
}

/** Fetches a token; one whose server wants the credentials elsewhere is asked for once more. */
async function fetched(
  ports: TokenPorts,
  known: Known,
  credentials: Credentials,
): Promise<TokenOutcome> {
  const startMs = ports.clock();
  const first = await ports.ask(tokenRequest(credentials, known.place), tokenMsMax);
  const isRefused = first.kind === 'answered' && refusals.has(first.status);
  const leftMs = tokenMsMax - (ports.clock() - startMs);
  if (!isRefused || leftMs <= 0) return kept(ports, known, first);
  const other = known.place === 'header' ? 'form' : 'header';
  const second = await ports.ask(tokenRequest(credentials, other), leftMs);
  const outcome = kept(ports, known, second);
  if ('token' in outcome) known.place = other;
  return outcome;
}

function kept({ clock }: TokenPorts, known: Known, outcome: Outcome): TokenOutcome {
  if (outcome.kind === 'unreachable') return none(outcome.why);
  if (outcome.status !== 200) return none(`status ${outcome.status}`);
  const granted = tokenIn(outcome.body);
  if (!granted) return none('an answer without one');
  const sinceMs = clock();
  known.token = {
    ...{ text: granted.text, sinceMs },
    untilMs: sinceMs + granted.seconds * 1_000 - earlyMs,
  };
  return { token: granted.text };
}

/** Whether a token is still good; how old one is cannot be told once the clock was set back behind it. Decision 87. */
function isWithin({ sinceMs, untilMs }: NonNullable<Known['token']>, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs;
}

/** What its server says beside a status is not repeated: it may hold the credentials. Ruling 61. */
function none(why: string): TokenOutcome {
  return { kind: 'unreachable', why: `no token: ${why}` };
}
