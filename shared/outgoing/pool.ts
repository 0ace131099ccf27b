/**
 * Connections that wait to be used again. They are found by address, port and server name
 * (`Agent.getName`), so one is only reused for the address that was judged and the name that was
 * certified. Idle ones end before most servers end them (5 s in Node). The limit is for each of those
 * keys: a slow endpoint fills its own.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Policy } from './address.ts';

const pool = { keepAlive: true, maxSockets: 128, maxFreeSockets: 32, timeout: 4000 } as const;

const outside = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) } as const;
const inside = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) } as const;

/** The agents by protocol; what may go inside never shares a connection with what may not. */
export function agentsOf(policy: Policy): typeof outside {
  return policy.inside ? inside : outside;
}
