/** The commands that run something on this machine: the ledger, an example bank, LocalStack. */
import type { Command } from 'commander';

export function addRuntimeCommands(program: Command): void {
  program
    .command('start')
    .description('run the ledger on this machine')
    .option('--port <number>', 'the port (PORT, or 3000)')
    .option('--data <folder>', 'the folder of the data, or :memory: (LEDGER_DATA, or .countersign)')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign start\n  countersign start --port 4000 --data :memory:',
    )
    .action(async ({ port, data }: { port?: string; data?: string }) => {
      if (port !== undefined) process.env['PORT'] = port;
      if (data !== undefined) process.env['LEDGER_DATA'] = data;
      const { start } = await import('../runtime/start.ts');
      await start();
    });
}
