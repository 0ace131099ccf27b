/** Where LocalStack is, and what is asked of it: the same for everything that handles it. */
import { fileURLToPath } from 'node:url';
import { stage } from '../../infra/topology.ts';

const port = process.env['EDGE_PORT'] || '4566';
/** The id of the API there, which LocalStack takes from us, and the account and region it plays. */
const api = 'countersign';
export const region = 'us-east-1';
export const environment = `aws://000000000000/${region}`;

/** Where LocalStack answers for AWS. By number: an address without a name needs no name server. */
export const endpoint = `http://127.0.0.1:${port}`;

/** The base address. LocalStack: API Gateway, Alternative URL format. */
export const address = `http://localhost:${port}/_aws/execute-api/${api}/${stage}`;

/** How `docker` finds the container again. */
export const compose = [
  'compose',
  '--file',
  fileURLToPath(new URL('../docker-compose.yml', import.meta.url)),
];

/** The parameters of the stack: `infra/README.md`. A ledger that is tested is open. */
export const parameters = { localstack: api, serverUrls: address, access: 'open' };

/** Where the deployment writes what the stack is made of. */
export const outputsFile = 'cdk.out/localstack.json';

/**
 * The environment of the tools. What the caller has of AWS, credentials above all, stays here, so
 * that nothing is ever asked of an account; two variables say where LocalStack is instead.
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
