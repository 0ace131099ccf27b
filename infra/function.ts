/**
 * One Lambda: the handler of a folder in `functions/` as a single file, with a role and a log group
 * of its own. None is in a VPC: the database, the bus and the keys are reached by IAM, and whoever
 * delivers to webhooks has to reach the internet without a gateway of ours. The source map and the list of what is in the bundle stay out of it, in
 * `cdk.out/bundles/`.
 */
import { dirname, join } from 'node:path';
import { AssetHashType, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as Lambda, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bundleFunction, root } from './bundling.ts';
import type { Group, Worker } from './topology.ts';

const runtime = Runtime.NODEJS_24_X;

/** Signatures are work for the CPU, and Lambda gives CPU by memory: 1,769 MB are one core. */
const memoryMiB = 1024;

export interface FunctionProps {
  readonly description: string;
  readonly timeoutSeconds: number;
  /** How many may run at a time; so many are also kept free for it. */
  readonly concurrency?: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly permissions: readonly PolicyStatement[];
}

/** Makes the function of a folder. */
export function ledgerFunction(
  scope: Construct,
  name: Group | Worker,
  props: FunctionProps,
): Lambda {
  const home = new Construct(scope, name);
  const logGroup = new LogGroup(home, 'Logs', {
    retention: RetentionDays.THREE_MONTHS,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(home, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  for (const permission of props.permissions) role.addToPolicy(permission);
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

/** The bundle. It is made in this process, so that the image that CDK asks for is never used. */
function codeOf(name: Group | Worker): Code {
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
