/**
 * Calls a bridge: an address below its base address, with the headers that authenticate the ledger. Rulings 53 and 54,
 * Decisions 36 and 56.
 */

import type { AttemptOutcome } from '../ledger/delivery.ts';
import type { Version } from '../ledger/record.ts';
import type { OutgoingRequest } from '../outgoing/send.ts';
import type { Services } from '../port/action.ts';
import type { Scope } from '../port/ports.ts';
import { securityOf } from '../record/bridge-secret.ts';
import type { BridgeData } from '../shape/bridge.ts';
import type { Tokens } from './tokens.ts';

export interface BridgePorts {
  readonly services: Pick<Services, 'store' | 'keyring'>;
  /** Sends a request safely. A failure of the network is an outcome, never an error. `givenUp` ends it at once. */
  readonly send: (request: OutgoingRequest, givenUp?: AbortSignal) => Promise<AttemptOutcome>;
  readonly tokens: Tokens;
}

export interface BridgeRequest extends Pick<OutgoingRequest, 'method'> {
  /** Below the base address. */
  readonly path: string;
  readonly body: string;
}

const json = { 'content-type': 'application/json' };

/** Calls a bridge once; when it asks for a token and there is none, the bridge is not called. */
export async function callBridge(
  ports: BridgePorts,
  scope: Scope,
  bridge: Version,
  { method, path, body }: BridgeRequest,
): Promise<AttemptOutcome> {
  const { luid, hash } = bridge.record;
  const rules = await securityOf(ports.services, scope, bridge);
  const secure = rules.flatMap((rule) =>
    rule.schema === 'header' ? [[rule.key.toLowerCase(), rule.value] as const] : [],
  );
  const [credentials] = rules.flatMap((rule) => (rule.schema === 'oauth2' ? rule : []));
  const name = `${scope} ${luid}`;
  // A change of the secrets changes the hash of the record.
  const granted = credentials && (await ports.tokens.of({ name, version: hash, credentials }));
  if (granted && !('token' in granted)) return granted;
  const bearer = granted && { authorization: `Bearer ${granted.token}` };
  const headers = { ...Object.fromEntries(secure), ...bearer, ...json };
  const outcome = await ports.send({ endpoint: addressOf(bridge, path), method, headers, body });
  if (granted && outcome.kind === 'answered')
    ports.tokens.reportUse(name, granted.token, outcome.status === 401);
  return outcome;
}

/** The address of a path below the base address of a bridge, in the letters of its author: who sends it checks them. */
function addressOf({ record }: Version, path: string): string {
  const { config } = record.data as unknown as BridgeData;
  const [base = ''] = /^[^?#]*/.exec(config.server) ?? [];
  return `${base.replace(/\/$/, '')}${path}${config.server.slice(base.length)}`;
}
