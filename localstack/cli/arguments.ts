/** Parses the words of a command line. What cannot be meant is refused in one line, which ends with the usage. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

export function argumentsOf<const Config extends Omit<ParseArgsConfig, 'args'>>(
  args: readonly string[],
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs<Config>({ ...config, args: [...args] });
  } catch (error) {
    // Node explains at length how to write a positional argument that begins with a dash.
    const [why = ''] = (error as Error).message.split('. ');
    throw new Error(`${why.replace(/[.\n]+/g, ' ').trim()}. ${usage}`, { cause: error });
  }
}
