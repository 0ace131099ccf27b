/** Options and texts that several commands have. */
import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { mustOf, type VariableName } from '../runtime/variables.ts';

/** An option that sets a variable of the environment, and so wins over it. */
export function variableOption(flags: string, name: VariableName, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    const must = mustOf(name, text);
    if (text === '' || must !== undefined)
      throw new InvalidArgumentError(`It must be ${must ?? 'given'}.`);
    process.env[name] = text;
    return text;
  });
}

/** An option that may be given several times. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description}; repeatable`).argParser(
    (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
  );
}

/** The folder of a ledger. */
export function dataOption(): Option {
  return variableOption(
    '--data <folder>',
    'LEDGER_DATA',
    'the folder of the ledger (LEDGER_DATA, or .countersign)',
  );
}

/** The base address of a running ledger. */
export function serverOption(): Option {
  return variableOption(
    '--server <address>',
    'SERVER',
    'the base address of the ledger (SERVER, or http://127.0.0.1:3000/v2)',
  );
}

/** Witnesses, each of whom must have cosigned the log. */
export function witnessOption(): Option {
  return repeatable('--witness <vkey>', 'the key of a witness that must have cosigned the log');
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document, for programs');
}

/** A whole number from `least` to `most`. */
export function parseNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** A ledger by its handle. */
export function parseLedger(text: string): string {
  const must = mustOf('LEDGER_HANDLE', text);
  if (must === undefined) return text;
  throw new InvalidArgumentError(`It must be ${must}.`);
}

/** A file that is there, or a ledger by its handle. */
export function parseFileOrLedger(text: string): string {
  if (existsSync(text)) return text;
  if (mustOf('LEDGER_HANDLE', text) === undefined) return text;
  throw new InvalidArgumentError('There is no such file, and no ledger can have this handle.');
}

/** Adds examples, and other notes, to the help of a command. */
export function withExamples(
  command: Command,
  examples: readonly string[],
  ...notes: readonly string[]
): Command {
  const text = ['', 'Examples:', ...examples.map((line) => `  ${line}`)];
  return command.addHelpText('after', [...text, ...notes.flatMap((note) => ['', note])].join('\n'));
}
