/** `npm run localstack`: starts LocalStack, deploys the stack to it, and says where it answers. */
import { assertEngine } from './engine.ts';
import { found } from './founder.ts';
import { address, compose, environment, outputsFile, parameters } from './place.ts';
import { main, run } from './tool.ts';

const advice = `What runs of LocalStack goes on running: \`docker compose --file localstack/docker-compose.yml logs\` shows it,
\`npm run localstack:down\` takes it away, and \`npm run localstack\` then begins anew.`;

async function up(): Promise<void> {
  const context = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const deploy = ['deploy', '--require-approval', 'never', '--outputs-file', outputsFile];
  await run('docker', ...compose, 'up', '--detach', '--wait');
  // The app is run for both, and wants to be told both times.
  await run('cdklocal', 'bootstrap', environment, ...context);
  await run('cdklocal', ...deploy, ...context);
  const { ledger, public: key } = await found();
  process.stdout.write(`Countersign is ready at ${address} (ledger ${ledger}, key ${key})\n`);
}

await main([assertEngine, up], advice);
