/** Options of `npm run lambda`: flags, then defaults. */
import { parseArgs } from 'node:util';
import { freePort } from '../../localstack/runtime/database.ts';
import type { EmulatorOptions } from './emulator.ts';

export const usage =
  'npm run lambda -- [--port 3000] [--inside] [--instances 4] [--tick 1] [-c parameter=value …]';

/** An invalid option. */
export class UsageError extends Error {}

const text = { type: 'string' } as const;
const flags = {
  port: text,
  inside: { type: 'boolean' },
  instances: text,
  tick: text,
  context: { type: 'string', short: 'c', multiple: true },
} as const;

/** Reads the arguments of the command line; throws for unknown ones. */
export async function optionsOf(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Omit<EmulatorOptions, 'onLine'>> {
  const values = valuesOf(words);
  const port = numberOf('port', values.port ?? env['PORT'] ?? '3000', 0, 65_535);
  return {
    instances: numberOf('instances', values.instances ?? '4', 1, 100),
    tickSeconds: numberOf('tick', values.tick ?? '1', 1, 3_600),
    isInside: values.inside ?? false,
    parameters: parametersIn(values.context ?? []),
    port: port === 0 ? await freePort() : port,
  };
}

function valuesOf(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: flags }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function numberOf(name: string, told: string, least: number, most: number): number {
  const number = /^\d{1,5}$/.test(told) ? Number(told) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}, not '${told}'.`);
}

/** Without an owner the ledger is open, as by `npm start`. */
function parametersIn(told: readonly string[]): EmulatorOptions['parameters'] {
  const parameters = Object.fromEntries(told.map(parameterOf));
  return 'owner' in parameters ? parameters : { access: 'open', ...parameters };
}

function parameterOf(told: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(told) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`A parameter must be name=value, not '${told}'.`);
  return [name, value];
}
