/** `npm run localstack:test`: the end-to-end tests, against the stack on LocalStack. */
import { address } from './place.ts';
import { main, run, ToolError } from './tool.ts';

/** Time limit in milliseconds; LocalStack may have to start a function first. */
const answerMsMax = 60_000;

async function test(): Promise<void> {
  await fetch(address, { signal: AbortSignal.timeout(answerMsMax) }).catch((error: unknown) => {
    const text = `Nothing answers at ${address}. \`npm run localstack\` starts it.`;
    throw new ToolError(text, { cause: error });
  });
  await run('npm', 'run', 'test:e2e', '--', '--url', address);
}

await main([test]);
