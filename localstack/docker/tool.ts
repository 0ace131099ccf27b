/** Runs the command-line tools: `docker`, `cdklocal` and `npm`. */
import { spawn } from 'node:child_process';
import { assertVariables } from '../runtime/variables.ts';
import { toolEnvironment } from './place.ts';

/** An error whose message is printed without a stack. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

type ToolStep = () => Promise<void>;

/** The exit code of a tool, and the first line of its standard error, or its signal. */
interface ToolEnd {
  readonly status: number;
  readonly complaint: string;
}

/** Runs a tool with its output shown; throws when it fails. */
export async function run(tool: string, ...args: readonly string[]): Promise<void> {
  process.stderr.write(`> ${[tool, ...args].join(' ')}\n`);
  const { status } = await ended(tool, args, 'inherit');
  if (status !== 0) throw new ToolError(`${tool} ${verbOf(args)} ended with ${status}.`);
}

/** Runs a tool without output, to check that it works. */
export async function runQuietly(tool: string, ...args: readonly string[]): Promise<ToolEnd> {
  return ended(tool, args, 'pipe');
}

function ended(
  tool: string,
  args: readonly string[],
  output: 'inherit' | 'pipe',
): Promise<ToolEnd> {
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

/** The subcommand in the arguments of a tool. */
function verbOf(args: readonly string[]): string {
  return args[0] === 'compose' ? `compose ${args[3]}` : (args[0] ?? '');
}

/**
 * Runs the steps, and ends the process with 0, or with 1 and a message. `advice` follows the message once the first step
 * is done: from then on containers may run that outlive this process.
 */
export async function main(steps: readonly ToolStep[], advice?: string): Promise<void> {
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
