/** The commands about the user's own settings: profiles, and completion in the shell. */
import { Argument, type Command } from 'commander';
import { jsonOption, withExamples } from './options.ts';

export function addProfileCommands(program: Command): void {
  const profile = program
    .command('profile')
    .description('name a server, a ledger and a key once, and use them everywhere')
    .action((_, command: Command) => command.help({ error: true }));
  withExamples(profile, [
    'countersign profile set work --server https://ledger.example/v2 --key bank.key',
    'countersign profile use work',
  ]);
  addSet(profile);
  const list = profile.command('list').description('list the profiles').addOption(jsonOption());
  withExamples(list, ['countersign profile list']).action(async (options) =>
    (await import('./profile.ts')).listProfiles(options),
  );
  const use = profile.command('use').argument('<profile>');
  withExamples(use.description('use a profile wherever no other is named'), [
    'countersign profile use work',
  ]).action(async (name) => (await import('./profile.ts')).applyProfile(name));
  const drop = profile.command('drop').argument('<profile>').description('forget a profile');
  withExamples(drop, ['countersign profile drop work']).action(async (name) =>
    (await import('./profile.ts')).dropProfile(name),
  );
}

function addSet(profile: Command): void {
  const set = profile
    .command('set')
    .argument('<profile>', 'its name')
    .description('make a profile, or replace what is given of one')
    .option('--server <address>', 'the base address of the ledger')
    .option('--ledger <handle>', 'the ledger on that server')
    .option('--key <file>', 'the key file that signs')
    .option('--trust <public key>', "the ledger's own public key; otherwise the server is asked");
  withExamples(set, [
    'countersign profile set work --server https://ledger.example/v2 --ledger main',
    'countersign profile set work --key ./bank.key',
  ]).action(async (name, options) => (await import('./profile.ts')).setProfile(name, options));
}

export function addCompletion(program: Command): void {
  const completion = program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']));
  withExamples(completion, [
    'source <(countersign completion bash)',
    'countersign completion fish | source',
  ]).action(async (shell) => (await import('./completion.ts')).printScript(shell));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async (words) => (await import('./completion.ts')).printCandidates(program, words));
}
