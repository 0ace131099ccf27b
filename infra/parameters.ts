/**
 * What an operator chooses at deployment, by CDK context: `npx cdk deploy -c ledger=bank`. A value
 * that cannot be right is refused here, before anything is built.
 */
import type { Node } from 'constructs';
import { NameHandle } from '../shared/shape/record.ts';

export interface Parameters {
  /** The handle of the ledger that answers without `x-ledger`. Ruling 25. */
  readonly ledger: string;
  /** The base addresses that clients use. Without them it is the API's own. */
  readonly serverUrls?: readonly string[];
  /** The stack is for LocalStack, and its API has this id there. */
  readonly localstack?: string;
}

/** A context parameter that is not what it has to be. */
export class ParameterError extends Error {
  constructor(name: string, must: string, value: unknown) {
    super(`The context parameter ${name} must be ${must}, not ${JSON.stringify(value)}.`);
    this.name = 'ParameterError';
  }
}

const ledgerDefault = 'main';

/** Reads and checks the parameters. */
export function parametersOf(node: Node): Parameters {
  const ledger: unknown = node.tryGetContext('ledger') ?? ledgerDefault;
  const serverUrls: unknown = node.tryGetContext('serverUrls');
  const localstack: unknown = node.tryGetContext('localstack');
  return {
    ledger: ledgerOf(ledger),
    ...(serverUrls !== undefined && { serverUrls: serverUrlsOf(serverUrls) }),
    ...(localstack !== undefined && { localstack: apiIdOf(localstack) }),
  };
}

function ledgerOf(value: unknown): string {
  const { success, data } = NameHandle.safeParse(value);
  if (!success) throw new ParameterError('ledger', 'the handle of a ledger', value);
  return data;
}

function apiIdOf(value: unknown): string {
  if (typeof value === 'string' && /^[a-z0-9]{1,32}$/.test(value)) return value;
  throw new ParameterError('localstack', '1 to 32 small letters and digits', value);
}

/** A list, or one text in which commas separate: the command line has no lists. */
function serverUrlsOf(value: unknown): readonly string[] {
  const urls: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
  if (urls.length > 0 && urls.every(isServerUrl)) return urls;
  const must = 'https addresses without a query and without a slash at the end';
  throw new ParameterError('serverUrls', must, value);
}

function isServerUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname, origin, pathname } = new URL(value);
  const isOfThisMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isProtected = protocol === 'https:' || (protocol === 'http:' && isOfThisMachine);
  return (
    isProtected && value === `${origin}${pathname === '/' ? '' : pathname}` && !value.endsWith('/')
  );
}
