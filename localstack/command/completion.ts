/**
 * Completion of the command in a shell. The script that a shell loads is small: it runs `countersign __complete` with the
 * words up to the cursor, and offers the lines that it prints, or else files.
 */
import type { Command } from 'commander';
import { groups } from '../../infra/topology.ts';
import { print } from '../cli/output.ts';
import { readProfiles } from './profiles.ts';

const bash = `# countersign: completion of bash. In ~/.bashrc: source <(countersign completion bash)
_countersign() {
  local IFS=$'\\n'
  COMPREPLY=($(countersign __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _countersign countersign`;

const zsh = `#compdef countersign
# countersign: completion of zsh. In ~/.zshrc, after compinit: source <(countersign completion zsh)
_countersign() {
  local -a candidates
  candidates=("\${(@f)$(countersign __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -- "\${candidates[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" == "_countersign" ]]; then _countersign "$@"; else compdef _countersign countersign; fi`;

const fish = `# countersign: completion of fish. In ~/.config/fish/config.fish: countersign completion fish | source
function __countersign_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l token (commandline -ct)
  set -l candidates (countersign __complete -- $words "$token" 2>/dev/null)
  if test (count $candidates) -gt 0
    string join \\n -- $candidates
  else
    __fish_complete_path "$token"
  end
end
complete -c countersign -f -a '(__countersign_complete)'`;

const scripts = { bash, zsh, fish } as const;

/** The lists of records: `wallets`, `intents`, and others. */
const collections = Object.values(groups)
  .flat()
  .flatMap((endpoint) => /^POST \/(\w+)$/.exec(endpoint)?.[1] ?? []);

/** Prints the script of a shell. */
export function printScript(shell: keyof typeof scripts): void {
  print(scripts[shell]);
}

/** Prints the words that may stand in place of the last word, a line each. */
export function printCandidates(program: Command, words: readonly string[]): void {
  for (const candidate of candidatesOf(program, words)) print(candidate);
}

/** Words that may stand in place of the last one: commands, options, and names that are known without a ledger. */
function candidatesOf(program: Command, words: readonly string[]): string[] {
  // Bash makes a word of each equals sign.
  const own = words.filter((word) => word !== '=');
  const [last = ''] = own.slice(-1);
  const { command, given, awaited } = placeIn(program, own.slice(0, -1));
  const all = awaited ? namesFor(awaited) : possible(command, given, last);
  return all.filter((one) => one.startsWith(last));
}

interface Place {
  readonly command: Command;
  /** The number of its arguments so far. */
  readonly given: number;
  /** The option whose value comes next. */
  readonly awaited?: string;
}

function placeIn(command: Command, [word, ...rest]: readonly string[], given = 0): Place {
  if (word === undefined) return { command, given };
  if (word.startsWith('-')) {
    const option = optionsOf(command).find((one) => one.long === word || one.short === word);
    if (!option?.required) return placeIn(command, rest, given);
    if (rest.length === 0) return { command, given, awaited: word };
    return placeIn(command, rest.slice(1), given);
  }
  const next = visibleIn(command).find((one) => given === 0 && one.name() === word);
  return next ? placeIn(next, rest) : placeIn(command, rest, given + 1);
}

function possible(command: Command, index: number, last: string): string[] {
  if (last.startsWith('-')) return optionsOf(command).flatMap(({ long }) => long ?? []);
  const argument = command.registeredArguments[index];
  return [
    ...(index === 0 ? visibleIn(command).map((one) => one.name()) : []),
    ...(argument?.argChoices ?? namesFor(argument?.name() ?? '')),
  ];
}

/** Names for an option or an argument of this name. */
function namesFor(name: string): readonly string[] {
  if (name === '--profile' || name === 'profile') return [...readProfiles().profiles.keys()];
  if (name === 'path' || name === 'collection') return collections;
  return [];
}

function optionsOf(command: Command) {
  return command.createHelp().visibleOptions(command);
}

function visibleIn(command: Command): Command[] {
  return command.createHelp().visibleCommands(command);
}
