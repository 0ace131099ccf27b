/**
 * One Lambda: the handler of a folder in `functions/` as a single file, with a role and a log group of its own. It runs
 * outside of a VPC: IAM protects table, bus and keys, and webhooks are reached without a NAT gateway.
 */
import { dirname, join } from 'node:path';
import { AssetHashType, type CfnResource, Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as Lambda, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bundleFunction, root } from './bundling.ts';
import { acceptTracing } from './suppressions.ts';
import type { FunctionGroup, Worker } from './topology.ts';

const runtime = Runtime.NODEJS_24_X;

/** The part of a stack that CDK makes for its triggers. */
const triggerProvider = 'AWSCDK.TriggerCustomResourceProviderCustomResourceProvider';

/** Signing is CPU work, and Lambda gives CPU in proportion to memory: 1,769 MB are one core. */
const memoryMiB = 1024;

export interface FunctionProps {
  readonly description: string;
  readonly timeoutSeconds: number;
  /** Reserved concurrency: the most that run at a time, and as many are kept free for it. */
  readonly concurrency?: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly logDays: RetentionDays;
  readonly permissions: readonly PolicyStatement[];
}

/** Makes the function of the folder `name`. */
export function ledgerFunction(
  scope: Construct,
  name: FunctionGroup | Worker,
  props: FunctionProps,
): Lambda {
  const home = new Construct(scope, name);
  const logGroup = new LogGroup(home, 'Logs', {
    retention: props.logDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(home, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  for (const permission of props.permissions) role.addToPolicy(permission);
  acceptTracing(role);
  return new Lambda(home, 'Function', {
    description: props.description,
    code: codeOf(name),
    handler: 'index.handler',
    runtime,
    architecture: Architecture.ARM_64,
    memorySize: memoryMiB,
    timeout: Duration.seconds(props.timeoutSeconds),
    ...(props.concurrency !== undefined && { reservedConcurrentExecutions: props.concurrency }),
    tracing: Tracing.ACTIVE,
    environment: { ...props.environment },
    role,
    logGroup,
  });
}

/** Gives the function by which CDK calls a trigger a log group: Lambda would make one that keeps its logs for ever. */
export function triggerLogs(stack: Stack, retention: RetentionDays): void {
  const logGroup = new LogGroup(stack, 'FoundingLogs', {
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const provider = stack.node.findChild(triggerProvider);
  const handler = provider.node.findChild('Handler') as CfnResource;
  handler.addPropertyOverride('LoggingConfig', { LogGroup: logGroup.logGroupName });
}

/**
 * In the package, the bundle that was made with it. In a clone, bundles in this process, so that CDK never runs the Docker image that its interface requires. Source map and list of
 * inputs stay in `cdk.out/bundles`.
 */
function codeOf(name: FunctionGroup | Worker): Code {
  if (import.meta.url.endsWith('.js')) return Code.fromAsset(join(root, 'bundles', name));
  return Code.fromAsset(join(root, 'functions', name), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: runtime.bundlingImage,
      local: {
        tryBundle: (outputDir) => {
          bundleFunction(name, outputDir, join(dirname(outputDir), 'bundles'));
          return true;
        },
      },
    },
  });
}
