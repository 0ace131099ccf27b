/** `countersign localstack test`: the end-to-end tests, against the stack on LocalStack. */
import { address } from './place.ts';
import { run, runSteps, ToolError } from './tool.ts';

/** Time limit in milliseconds; LocalStack may have to start a function first. */
const answerMsMax = 60_000;

export async function test(): Promise<void> {
  await runSteps([testThere]);
}

async function testThere(): Promise<void> {
  await fetch(address, { signal: AbortSignal.timeout(answerMsMax) }).catch((error: unknown) => {
    const text = `Nothing answers at ${address}. \`countersign localstack\` starts it.`;
    throw new ToolError(text, { cause: error });
  });
  await run('npm', 'run', 'test:e2e', '--', '--url', address);
}
