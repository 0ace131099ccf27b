/** The commands that run something on this machine: the ledger, an example bank, LocalStack. */
import type { Command } from 'commander';
import type { BridgeWords } from '../bank/options.ts';
import type { WitnessWords } from '../witness/options.ts';
import {
  dataOption,
  parseLedger,
  parseNumber,
  repeatable,
  serverOption,
  variableOption,
  withExamples,
} from './options.ts';

export function addRuntimeCommands(program: Command): void {
  addStart(program);
  addBridge(program);
  addWitness(program);
  addLocalstack(program);
}

function addStart(program: Command): void {
  const command = program
    .command('start')
    .description('run the ledger on this machine')
    .addOption(variableOption('--port <number>', 'PORT', 'the port (PORT, or 3000)'))
    .addOption(dataOption())
    .addOption(
      variableOption('--ledger <handle>', 'LEDGER_HANDLE', 'its ledger (LEDGER_HANDLE, or main)'),
    )
    .addOption(
      variableOption(
        '--owner <key>',
        'LEDGER_OWNER',
        'the public key of the owner, to whom a new ledger is closed (LEDGER_OWNER)',
      ),
    )
    .addOption(
      variableOption('--log <level>', 'LEDGER_LOG', 'info, error or none (LEDGER_LOG, or info)'),
    )
    .action(async () => {
      const { start } = await import('../runtime/start.ts');
      await start();
    });
  withExamples(command, [
    'countersign start',
    'countersign start --port 4000 --data :memory:',
    'countersign start --owner "$(countersign key)"',
  ]);
}

function addBridge(program: Command): void {
  bridgeCommand(program).action(async (name: string, words: BridgeWords) => {
    const { bridgeOptionsOf } = await import('../bank/options.ts');
    const { runBridge } = await import('../bank/start.ts');
    await runBridge(bridgeOptionsOf(name, words, process.env));
  });
}

/** Declares `bridge`, without what it does. */
export function bridgeCommand(program: Command): Command {
  const command = program
    .command('bridge')
    .description(
      'run an example of a bank, which holds and moves money when the ledger asks for it',
    )
    .argument('<name>', 'the name of the bank')
    .option('--port <number>', 'the port (PORT, or 4001)')
    .addOption(
      repeatable('--account <number=amount>', 'an account with its first balance, or =closed'),
    )
    .addOption(serverOption())
    .option('--ledger <handle>', 'the ledger (LEDGER, or the default ledger)', parseLedger)
    .option(
      '--ledger-key <key>',
      'the public key of the ledger (LEDGER_KEY; without it, the one of the first start is kept)',
    )
    .option('--address <address>', 'the address that the ledger calls (this port)')
    .option(
      '--data <folder>',
      'the folder of the bank (BRIDGE_DATA, or .countersign/bridge-<name>)',
    )
    .option('--key <file>', 'the key file of the bank (bridge.key in its folder)')
    .option('--symbol <handle>', 'the symbol of its accounts (usd)');
  return withExamples(command, [
    'countersign bridge blue --account 1001=70000 --account 1009=closed',
    'countersign bridge green --port 4002 --server http://127.0.0.1:4000/v2',
  ]);
}

function addWitness(program: Command): void {
  const command = program
    .command('witness')
    .description('cosign the checkpoints of logs, and refuse those that alter what was cosigned')
    .requiredOption('--name <name>', 'the name under which it cosigns, as witness.example/w1')
    .addOption(repeatable('--log <vkey>', 'the key of a log: <name>+<id>+<base64>'))
    .option('--port <number>', 'the port (4003)', parseNumber(0, 65_535), 4003)
    .option('--host <address>', 'the IP address to listen on (127.0.0.1)', '127.0.0.1')
    .option(
      '--data <folder>',
      'the folder of what it has cosigned (.countersign/witness)',
      '.countersign/witness',
    )
    .option('--key <file>', 'its key file, which is made if it is missing (witness.key there)')
    .action(async (words: WitnessWords) => {
      const { witnessOptionsOf } = await import('../witness/options.ts');
      const { runWitness } = await import('../witness/start.ts');
      await runWitness(witnessOptionsOf(words));
    });
  withExamples(
    command,
    [
      "countersign witness --name witness.example/w1 --log 'countersign/$ldg.-P732Lsx4hGd8yEQk+51c2b0ed+AVXg…'",
      "countersign witness --name witness.example/w1 --log '…' --host 0.0.0.0 --port 8080 --data /var/lib/witness",
    ],
    'It prints its own key, which a ledger names in its setting log.witnesses. It is one process for a folder.',
  );
}

function addLocalstack(program: Command): void {
  const command = program
    .command('localstack')
    .description('run the stack of AWS on LocalStack, in Docker (from a clone of the repository)');
  const up = command
    .command('up', { isDefault: true })
    .description('start it, deploy the stack, make the default ledger')
    .action(async () => (await import('../docker/up.ts')).up());
  const test = command
    .command('test')
    .description('run the end-to-end tests against it')
    .action(async () => (await import('../docker/test.ts')).test());
  const down = command
    .command('down')
    .description('remove it with all its data')
    .action(async () => (await import('../docker/down.ts')).down());
  withExamples(command, ['countersign localstack', 'countersign localstack down']);
  withExamples(up, ['countersign localstack up', 'EDGE_PORT=4567 countersign localstack up']);
  withExamples(test, ['countersign localstack test']);
  withExamples(down, ['countersign localstack down']);
}
