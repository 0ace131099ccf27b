/** `npm run localstack:down`: removes LocalStack with all its data. */
import { assertEngine } from './engine.ts';
import { compose } from './place.ts';
import { main, run } from './tool.ts';

const down = () => run('docker', ...compose, 'down', '--volumes', '--remove-orphans');

await main([assertEngine, down]);
