/**
 * The functions as the stack deploys them. Environments, limits and handlers are read from the CloudFormation template
 * that CDK makes, so that none is written twice.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { functionNames, root } from '../../infra/bundling.ts';
import { LedgerStack } from '../../infra/ledger-stack.ts';
import { parametersOf } from '../../infra/parameters.ts';
import type { FunctionGroup, Worker } from '../../infra/topology.ts';
import { account, region } from './instance.ts';

export interface Deployed {
  readonly handler: string;
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  /** Reserved concurrency, where the template has one. */
  readonly reserved?: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** Parameters of the deployment, by name, as `npx cdk deploy -c name=value` takes them. */
export type Parameters = Readonly<Record<string, string>>;

/** Names of the emulated resources. */
export const tableName = 'countersign';
export const busName = 'countersign';
export const keyArn = `arn:aws:kms:${region}:${account}:key/00000000-0000-0000-0000-000000000000`;

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}
type Resources = Readonly<Record<string, Resource>>;

/** The functions of a deployment with these parameters, whose API is at this address. */
export function deployed(
  address: string,
  parameters: Parameters,
): Map<FunctionGroup | Worker, Deployed> {
  const resources = templateOf(address, parameters);
  return new Map(
    functionNames.map((name) => {
      const found = Object.entries(resources).find(([id, { Type }]) => {
        return Type === 'AWS::Lambda::Function' && id.startsWith(`${name}Function`);
      });
      if (!found) throw new Error(`The stack has no function ${name}.`);
      return [name, deployedOf(found[1], resources)] as const;
    }),
  );
}

function deployedOf({ Properties }: Resource, resources: Resources): Deployed {
  const { Handler, MemorySize, Timeout, ReservedConcurrentExecutions, Environment } = Properties;
  const { Variables } = Environment as { readonly Variables: Readonly<Record<string, unknown>> };
  const environment = Object.entries(Variables).map(
    ([name, value]) => [name, textOf(value, resources)] as const,
  );
  return {
    handler: Handler as string,
    memoryMiB: MemorySize as number,
    timeoutSeconds: Timeout as number,
    ...(ReservedConcurrentExecutions !== undefined && {
      reserved: ReservedConcurrentExecutions as number,
    }),
    environment: Object.fromEntries(environment),
  };
}

/** Makes the template, without bundles. */
function templateOf(address: string, parameters: Parameters): Resources {
  const { context: flags } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as {
    readonly context: object;
  };
  const outdir = mkdtempSync(join(tmpdir(), 'countersign-template-'));
  try {
    const context = { ...flags, ...parameters, 'aws:cdk:bundling-stacks': [] };
    const app = new App({ context, outdir, analyticsReporting: false });
    const own = {
      ...parametersOf(app.node),
      serverUrls: [address, address.replace('127.0.0.1', 'localhost')],
    };
    const stack = new LedgerStack(app, 'Countersign', own);
    const { template } = app.synth().getStackArtifact(stack.artifactId);
    return (template as { readonly Resources: Resources }).Resources;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The emulated value of a reference in the template. */
function textOf(value: unknown, resources: Resources): string {
  if (typeof value === 'string') return value;
  const { Ref: id } = value as { readonly Ref?: string };
  const [owner, attribute] = (value as { readonly 'Fn::GetAtt'?: string[] })['Fn::GetAtt'] ?? [];
  const type = resources[id ?? owner ?? '']?.Type;
  const known: Readonly<Record<string, string>> = {
    'AWS::DynamoDB::Table': tableName,
    'AWS::Events::EventBus': busName,
    'AWS::KMS::Key Arn': keyArn,
  };
  const text = known[[type, attribute].filter(Boolean).join(' ')];
  if (text === undefined) throw new Error(`Not known here: ${JSON.stringify(value)}.`);
  return text;
}
