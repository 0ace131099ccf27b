/** Runs the command-line tools: `docker`, `cdklocal` and `npm`. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { messageOf } from '../../shared/ledger/thrown.ts';
import { ExitError, exitCodes, misused } from '../runtime/failing.ts';
import { assertVariables } from '../runtime/variables.ts';
import { appFile, toolEnvironment } from './place.ts';

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
 * Runs the steps; throws the first error. `advice` follows its message once the first step is done: from then on
 * containers may run that outlive this process.
 */
export async function runSteps(
  steps: readonly ToolStep[],
  advice: readonly string[] = [],
): Promise<void> {
  assertVariables('EDGE_PORT');
  assertClone();
  let done = 0;
  try {
    for (const step of steps) {
      await step();
      done += 1;
    }
  } catch (error) {
    if (advice.length === 0 || done === 0) throw error;
    throw new ExitError(exitCodes.failed, messageOf(error), { advice, cause: error });
  }
}

/** Refuses to run in the package: LocalStack gets the CDK app and the tests of a clone. */
function assertClone(): void {
  if (!existsSync(appFile))
    throw misused('LocalStack needs a clone of the repository: the package has no CDK app.');
}
