/** `countersign localstack down`: removes LocalStack with all its data. */
import { assertEngine } from './engine.ts';
import { compose } from './place.ts';
import { run, runSteps } from './tool.ts';

const remove = () => run('docker', ...compose, 'down', '--volumes', '--remove-orphans');

export async function down(): Promise<void> {
  await runSteps([assertEngine, remove]);
}
