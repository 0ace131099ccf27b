/** Runs the tools that LocalStack is handled with: `docker`, `cdklocal` and `npm`. */
import { spawn } from 'node:child_process';
import { assertVariables } from '../runtime/variables.ts';
import { toolEnvironment } from './place.ts';

/** What went wrong, in words for who called us. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

type Step = () => Promise<void>;

/** How a tool ended, and the last it had to say. */
interface End {
  readonly status: number;
  readonly complaint: string;
}

/** Runs a tool in sight of the caller. It has to end well. */
export async function run(tool: string, ...args: readonly string[]): Promise<void> {
  process.stderr.write(`> ${[tool, ...args].join(' ')}\n`);
  const { status } = await ended(tool, args, 'inherit');
  if (status !== 0) throw new ToolError(`${tool} ${verbOf(args)} ended with ${status}.`);
}

/** Runs a tool unseen, to learn whether it works. */
export async function tried(tool: string, ...args: readonly string[]): Promise<End> {
  return ended(tool, args, 'pipe');
}

function ended(tool: string, args: readonly string[], output: 'inherit' | 'pipe'): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, {
      env: toolEnvironment(),
      stdio: output === 'pipe' ? ['ignore', 'ignore', 'pipe'] : 'inherit',
    });
    let said = '';
    child.stderr?.on('data', (part: Buffer) => {
      said += String(part);
    });
    child.once('error', () => {
      reject(new ToolError(`There is no command ${tool} here.`));
    });
    child.once('close', (code, signal) => {
      const complaint = said.trim().split('\n')[0] ?? '';
      resolve({ status: code ?? 1, complaint: complaint || String(signal ?? '') });
    });
  });
}

/** The word of a call that says what it is for. */
function verbOf(args: readonly string[]): string {
  return args[0] === 'compose' ? `compose ${args[3]}` : (args[0] ?? '');
}

/**
 * Does the work step by step, and ends the process with 0, or with 1 and a sentence. Advice follows
 * it once the first step is done: from then on something may run that does not end with us.
 */
export async function main(steps: readonly Step[], advice?: string): Promise<void> {
  let done = 0;
  try {
    assertVariables('EDGE_PORT');
    for (const step of steps) {
      await step();
      done += 1;
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (advice && done > 0) process.stderr.write(`${advice}\n`);
    process.exitCode = 1;
  }
}
