/** The addresses and names of LocalStack, for all commands that use it. */
import { fileURLToPath } from 'node:url';
import { stage } from '../../infra/topology.ts';

const port = process.env['EDGE_PORT'] || '4566';
/** The id that the stack gives to its API on LocalStack. */
const api = 'countersign';
export const region = 'us-east-1';
export const environment = `aws://000000000000/${region}`;

/** The endpoint of the AWS APIs. An IP address, which needs no name server. */
export const endpoint = `http://127.0.0.1:${port}`;

/** The base address of the ledger. LocalStack: API Gateway, Alternative URL format. */
export const address = `http://localhost:${port}/_aws/execute-api/${api}/${stage}`;

/** The manifest of the CDK app, which a clone has and the package has not. */
export const appFile = fileURLToPath(new URL('../../cdk.json', import.meta.url));

/** Arguments of `docker` that select the container. */
export const compose = [
  'compose',
  '--file',
  fileURLToPath(new URL('../docker-compose.yml', import.meta.url)),
];

/** Parameters of the stack, see `infra/README.md`. The tests need an open ledger. */
export const parameters = { localstack: api, serverUrls: address, access: 'open' };

/** The file to which the deployment writes the outputs of the stack. */
export const outputsFile = 'cdk.out/localstack.json';

/**
 * The environment of the tools, without the caller's `AWS_` variables and so without credentials: no tool can reach an
 * account. Two variables point to LocalStack instead.
 */
export function toolEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^AWS_/i.test(name));
  return {
    ...Object.fromEntries(own),
    EDGE_PORT: port,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
  };
}
