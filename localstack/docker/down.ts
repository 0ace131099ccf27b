/** `npm run localstack:down`: takes LocalStack away, with all that is in it. */
import { assertEngine } from './engine.ts';
import { compose } from './place.ts';
import { main, run } from './tool.ts';

const down = () => run('docker', ...compose, 'down', '--volumes', '--remove-orphans');

await main([assertEngine, down]);
