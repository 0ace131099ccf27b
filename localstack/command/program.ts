/**
 * The command `countersign`: its words, options and help, by commander. A command's module is imported when the command
 * runs, so that `--help` and completion need not load a ledger.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { printable } from '../../shared/ledger/printable.ts';
import { codeOf, exitCodes, printFailure } from '../runtime/failing.ts';
import { withAdvice } from '../runtime/unbuilt.ts';
import { addFirstCommands } from './first-commands.ts';
import { addLedgerCommands } from './ledger-commands.ts';
import { addReconcile } from './reconcile-command.ts';
import { addRuntimeCommands } from './runtime-commands.ts';
import { addTableCommands } from './table-commands.ts';

const manifest = new URL('../../package.json', import.meta.url);

/** The program with all its commands. */
export function newProgram(): Command {
  const { version, description } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    version: string;
    description: string;
  };
  const program = new Command('countersign')
    .description(description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showSuggestionAfterError()
    .exitOverride()
    // The error is printed once, by `run`.
    .configureOutput({ outputError: () => {} });
  program.commandsGroup('First steps, and what runs on this machine:');
  addRuntimeCommands(program);
  addFirstCommands(program);
  program.commandsGroup('Talk to a ledger:');
  addLedgerCommands(program);
  program.commandsGroup('Work on the table of a ledger, whether it runs or not:');
  addTableCommands(program);
  addReconcile(program);
  return program;
}

/** Runs the command of these words; returns the exit code. An error is one line on standard error. */
export async function run(words: readonly string[]): Promise<number> {
  const program = newProgram();
  process.exitCode = undefined;
  try {
    await program.parseAsync([...meant(program, words)], { from: 'user' });
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    if (error instanceof CommanderError) return endOfWords(error, commandIn(program, words));
    const failure = withAdvice(error);
    printFailure(failure);
    return codeOf(failure);
  }
}

/**
 * The words; `help` alone is asked for as `--help` is, and with a word that is no command it means that word, whose error
 * names the nearest command.
 */
function meant(program: Command, words: readonly string[]): readonly string[] {
  const [first, ...named] = words;
  if (first === 'help' && named.length === 0) return ['--help'];
  return first === 'help' && commandIn(program, named) === program.name() ? named : words;
}

/** The end by commander: help and version were asked for, everything else is a word that cannot be meant. */
function endOfWords({ code, exitCode, message }: CommanderError, command: string): number {
  if (exitCode === 0) return exitCodes.done;
  if (code === 'commander.help') return exitCodes.misconfigured;
  const line = message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(/\.?$/, '.');
  process.stderr.write(`${command}: ${printable(line)} See: ${command} --help\n`);
  return exitCodes.misconfigured;
}

/** The command that the words name, with its parents: `countersign localstack up`. */
function commandIn(program: Command, words: readonly string[]): string {
  const [word, ...more] = words;
  const named = program.commands.find(
    (one) => one.name() === word || one.aliases().includes(word ?? ''),
  );
  return named ? `${program.name()} ${commandIn(named, more)}` : program.name();
}
