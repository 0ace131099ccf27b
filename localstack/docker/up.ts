/** `countersign localstack up`: starts LocalStack, deploys the stack, and prints the base address. */
import { assertEngine } from './engine.ts';
import { found } from './founder.ts';
import { address, compose, environment, outputsFile, parameters } from './place.ts';
import { run, runSteps } from './tool.ts';

const advice = [
  'Started containers keep running: `docker compose --file localstack/docker-compose.yml logs` shows their logs.',
  '`countersign localstack down` removes them; then `countersign localstack` starts again.',
];

export async function up(): Promise<void> {
  await runSteps([assertEngine, deploy], advice);
}

async function deploy(): Promise<void> {
  const context = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const deployed = ['deploy', '--require-approval', 'never', '--outputs-file', outputsFile];
  await run('docker', ...compose, 'up', '--detach', '--wait');
  // Both commands run the CDK app, so both need the parameters.
  await run('cdklocal', 'bootstrap', environment, ...context);
  await run('cdklocal', ...deployed, ...context);
  const { ledger, public: key } = await found();
  process.stdout.write(`Countersign is ready at ${address} (ledger ${ledger}, key ${key})\n`);
}
