/** `countersign/cdk`: the ledger as a stack of an app of yours. */
import type { StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { LedgerStack } from './ledger-stack.ts';
import { checkedParameters } from './parameters.ts';

export { ParameterError } from './parameters.ts';

/** The parameters of a ledger. `infra/README.md` says what each does, and its default. */
export interface CountersignProps extends StackProps {
  /** The handle of the ledger that answers without `x-ledger`: `main` by default. */
  readonly ledger?: string;
  /** The public key of the ledger's owner, who alone has rights in it at first: `countersign key` makes one. */
  readonly owner?: string;
  /** `closed` by default, which needs an owner. In an open ledger, everybody has every right until its first rule. */
  readonly access?: 'closed' | 'open';
  /** A custom domain of the API, and the ARN of its certificate in the same region. */
  readonly domain?: string;
  readonly certificate?: string;
  /** The base addresses that clients use; by default that of the domain, or the API's own. */
  readonly serverUrls?: readonly string[];
  /** The only hosts that webhooks and bridges may reach; by default any public one. */
  readonly outgoingHosts?: readonly string[];
  /** The only origins whose pages may read answers; by default any. */
  readonly allowedOrigins?: readonly string[];
  /** The most effects of a ledger with the same signal: 100 by default. */
  readonly effectsPerSignal?: number;
  /** The most bytes a second that are sent for a ledger: 10,000,000 by default. */
  readonly sentBytesPerSecond?: number;
  /** The e-mail address that receives alarms. */
  readonly alarmEmail?: string;
  /** The most requests a second, and at once: 5,000 and 2,500 by default. */
  readonly requestsPerSecond?: number;
  readonly requestsAtOnce?: number;
  /** The days for which logs are kept, and events in the archive of the bus: 90 by default. */
  readonly logDays?: number;
  readonly archiveDays?: number;
  /** A table to use instead of the stack's own, as after a restore, and the ARN of its stream. */
  readonly table?: string;
  readonly tableStream?: string;
}

/** The properties that every stack has. The compiler refuses a list with one too few, or too many. */
const stackNames: Readonly<Record<keyof StackProps, true>> = {
  description: true,
  env: true,
  stackName: true,
  tags: true,
  notificationArns: true,
  synthesizer: true,
  terminationProtection: true,
  analyticsReporting: true,
  crossRegionReferences: true,
  permissionsBoundary: true,
  suppressTemplateIndentation: true,
  propertyInjectors: true,
};

/**
 * One ledger service in one account and region. Throws a `ParameterError` for an invalid parameter, before anything is
 * made.
 *
 * @example
 * new Countersign(app, 'Ledger', { owner: 'vp8GW7k…=', env: { region: 'eu-central-1' } });
 */
export class Countersign extends LedgerStack {
  constructor(scope: Construct, id: string, props: CountersignProps) {
    const all = Object.entries(props);
    const ofStack = Object.fromEntries(all.filter(([name]) => name in stackNames)) as StackProps;
    const parameters = Object.fromEntries(all.filter(([name]) => !(name in stackNames)));
    super(scope, id, checkedParameters(parameters), ofStack);
  }
}
