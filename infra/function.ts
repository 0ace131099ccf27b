/**
 * One Lambda: the handler of a folder in `functions/` as a single file, with a role and a log group
 * of its own. None is in a VPC: the database, the bus and the keys are reached by IAM, and whoever
 * delivers to webhooks has to reach the internet without a gateway of ours. The source map and the list of what is in the bundle stay out of it, in
 * `cdk.out/bundles/`.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import {
  type BundlingOptions,
  LogLevel,
  NodejsFunction,
  OutputFormat,
  SourceMapMode,
} from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acceptTraces } from './suppressions.ts';
import type { Group, Worker } from './topology.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Signatures are work for the CPU, and Lambda gives CPU by memory: 1,769 MB are one core. */
const memoryMiB = 1024;

export interface FunctionProps {
  readonly description: string;
  readonly timeoutSeconds: number;
  /** How many may run at a time; so many are also kept free for it. */
  readonly concurrency?: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly logDays: RetentionDays;
  readonly permissions: readonly PolicyStatement[];
}

/** Makes the function of a folder. */
export function ledgerFunction(
  scope: Construct,
  name: Group | Worker,
  props: FunctionProps,
): NodejsFunction {
  const home = new Construct(scope, name);
  const logGroup = new LogGroup(home, 'Logs', {
    retention: props.logDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(home, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  for (const permission of props.permissions) role.addToPolicy(permission);
  acceptTraces(role);
  return new NodejsFunction(home, 'Function', {
    description: props.description,
    entry: join(root, 'functions', name, 'handler.ts'),
    projectRoot: root,
    depsLockFilePath: join(root, 'package-lock.json'),
    bundling: bundlingOf(name),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: memoryMiB,
    timeout: Duration.seconds(props.timeoutSeconds),
    ...(props.concurrency !== undefined && { reservedConcurrentExecutions: props.concurrency }),
    tracing: Tracing.ACTIVE,
    environment: { ...props.environment },
    awsSdkConnectionReuse: false,
    role,
    logGroup,
  });
}

function bundlingOf(name: string): BundlingOptions {
  return {
    format: OutputFormat.ESM,
    target: 'node22',
    minify: true,
    // Our packages say here where their ES modules are, which esbuild can take apart.
    mainFields: ['module', 'main'],
    bundleAwsSDK: true,
    sourceMap: true,
    sourceMapMode: SourceMapMode.EXTERNAL,
    metafile: true,
    logLevel: LogLevel.WARNING,
    commandHooks: {
      beforeBundling: () => [],
      beforeInstall: () => [],
      afterBundling: (_, outputDir) => {
        const aside = join(dirname(outputDir), 'bundles');
        return [
          `mkdir -p "${aside}"`,
          `mv "${outputDir}/index.mjs.map" "${aside}/${name}.mjs.map"`,
          `mv "${outputDir}/index.meta.json" "${aside}/${name}.meta.json"`,
        ];
      },
    },
  };
}
