/**
 * The tokens for calls to bridges, in the memory of this process. A token is fetched when it is needed, once for all
 * calls that wait for it, and kept until a minute before it ends. Ruling 53, Decision 56.
 */

import type { AttemptOutcome } from '../ledger/delivery.ts';
import type { OutgoingRequest, SendOutcome } from '../outgoing/send.ts';
import {
  type CredentialsPlace,
  type TokenCredentials,
  tokenIn,
  tokenRequest,
} from '../outgoing/token-request.ts';
import type { Clock } from '../port/ports.ts';

export interface TokenHolder {
  /** The name of the bridge, unique on this server. */
  readonly name: string;
  /** Changes when the credentials may have changed. */
  readonly version: string;
  readonly credentials: TokenCredentials;
}

/** A token, or why there is none. */
export type TokenOutcome = { readonly token: string } | (AttemptOutcome & { kind: 'unreachable' });

export interface Tokens {
  readonly of: (holder: TokenHolder) => Promise<TokenOutcome>;
  /**
   * Notes how the bridge took a token. A refused token is dropped, once until the bridge accepts one; the next that is
   * refused is used for a minute at most, so that a bridge that refuses every token asks for few.
   */
  readonly reportUse: (name: string, token: string, isRefused: boolean) => void;
}

export interface TokenPorts {
  /** Sends a request safely, and keeps the body of the answer. Ruling 62. */
  readonly ask: (request: OutgoingRequest, timeoutMs: number) => Promise<SendOutcome>;
  readonly clock: Clock;
}

interface KnownToken {
  readonly version: string;
  token?: { readonly text: string; readonly sinceMs: number; untilMs: number };
  fetching?: Promise<TokenOutcome>;
  /** The place in which its server accepts the credentials. */
  place: CredentialsPlace;
  mayDrop: boolean;
}

const earlyMs = 60_000;
/** The longest use of a token that was refused, while none before it was accepted, in milliseconds. */
const refusedMsMax = 60_000;
/** The time for a token, from resolving the name of its server to the last byte of the answer, in milliseconds. */
export const tokenMsMax = 10_000;
const knownCountMax = 1_000;
const refusals: ReadonlySet<number> = new Set([400, 401]);

export function tokens(ports: TokenPorts): Tokens {
  const all = new Map<string, KnownToken>();
  const knownOf = ({ name, version }: TokenHolder): KnownToken => {
    const before = all.get(name);
    if (before?.version === version) return before;
    const known: KnownToken = { version, place: 'header', mayDrop: true };
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
    reportUse: (name, token, isRefused) => {
      const known = all.get(name);
      if (known?.token?.text !== token) return;
      if (isRefused && known.mayDrop) delete known.token;
      else if (isRefused)
        known.token.untilMs = Math.min(known.token.untilMs, known.token.sinceMs + refusedMsMax);
      known.mayDrop = !isRefused;
    },
  };
}

/** Fetches a token; a server that refuses the credentials in one place is asked once more with the other. */
async function fetched(
  ports: TokenPorts,
  known: KnownToken,
  credentials: TokenCredentials,
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

function kept({ clock }: TokenPorts, known: KnownToken, outcome: SendOutcome): TokenOutcome {
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

/** True while a token is valid. After the clock was set back behind it, its age is unknown. Decision 87. */
function isWithin({ sinceMs, untilMs }: NonNullable<KnownToken['token']>, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs;
}

/** The body of an error of the token server is not repeated: it may hold the credentials. Ruling 61. */
function none(why: string): TokenOutcome {
  return { kind: 'unreachable', why: `no token: ${why}` };
}
