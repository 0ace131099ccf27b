/** The commands that talk to a running ledger. Each module is imported when its command runs. */
import { type Command, Option } from 'commander';
import { misused } from '../runtime/failing.ts';
import type { ConnectionOptions } from './connection.ts';
import { jsonOption, parseNumber, repeatable, withExamples, witnessOption } from './options.ts';
import { addCompletion, addProfileCommands } from './profile-commands.ts';
import { addSigning } from './signing-commands.ts';

const secondsMax = 86_400;
const recordsMax = 1_000_000_000;
const factorMax = 10 ** 15;

export function addLedgerCommands(program: Command): void {
  // Otherwise `wallet` takes the options of `wallet create`.
  program.enablePositionalOptions();
  addRead(program);
  addChange(program);
  addProve(program);
  addSigning(program, connecting);
  addPay(program);
  addWallet(program);
  addSymbol(program);
  addStatement(program);
  addVerify(program);
  addWatchLog(program);
  addProfileCommands(program);
  addCompletion(program);
}

function addWatchLog(program: Command): void {
  const command = connecting(
    program
      .command('watch-log')
      .description('keep the last checkpoint of a log, and see that the next one goes on from it')
      .argument('[ledger]', 'the ledger, as --ledger'),
  )
    .option('--folder <folder>', 'the folder of what is kept (one in your configuration folder)')
    .addOption(witnessOption());
  withExamples(
    command,
    [
      'countersign watch-log main --trust P7j9dVbzJbDRdwXCfEt6W9HVJHwDvZPu/zPvRWSkGic=',
      "countersign watch-log --folder /var/lib/watch --witness 'witness.example/w1+8d66cf3f+BF…'",
    ],
    'The first run keeps the key that --trust gives, or believes the one that is answered, and says so.',
    'It ends with 9 for a fork and 10 for a log that was put back, each with its evidence in the folder.',
  ).action(async (named: string | undefined, options: WatchLogWords) => {
    const { witness = [], ...others } = options;
    if (named !== undefined && others.ledger !== undefined)
      throw misused('Name the ledger once: as an argument, or by --ledger.');
    const { watchLog } = await import('../cli/watch-log.ts');
    const { witnessNamed } = await import('./witness-named.ts');
    const ledger = named ?? others.ledger;
    const witnesses = witness.map(witnessNamed);
    process.exitCode = await watchLog({
      ...others,
      ...(ledger !== undefined && { ledger }),
      witnesses,
    });
  });
}

interface WatchLogWords extends ConnectionOptions {
  readonly folder?: string;
  readonly witness?: readonly string[];
}

/** The options by which a command finds its ledger, and the form of its output. */
export function connecting(command: Command): Command {
  return command
    .option('--server <address>', 'the base address of the ledger (COUNTERSIGN_SERVER)')
    .option('--ledger <handle>', 'the ledger on that server (COUNTERSIGN_LEDGER)')
    .option('--key <file>', 'the key file that signs (COUNTERSIGN_KEY)')
    .option('--trust <public key>', "the ledger's own public key (COUNTERSIGN_TRUST)")
    .option('--profile <name>', 'the profile to use (COUNTERSIGN_PROFILE)')
    .addOption(jsonOption());
}

function addRead(program: Command): void {
  const query = () => repeatable('--query <name=value>', 'a filter or parameter of the reference');
  const get = connecting(program.command('get').argument('<path>', 'as wallets/alice/balances'))
    .description('show a record, or whatever has a path')
    .addOption(query());
  withExamples(get, [
    'countersign get wallets/alice',
    'countersign get wallets/alice/balances --query moment=2026-11-01T00:00:00Z',
    'countersign get intents/pay-1 --json',
  ]).action(async (path, options) => (await import('./records.ts')).get(path, options));

  const list = connecting(program.command('list').argument('<collection>', 'as wallets'))
    .description('list records, newest first')
    .addOption(query())
    .option('--limit <number>', 'list so many (20)', parseNumber(1, recordsMax))
    .option('--all', 'list all of them');
  withExamples(list, [
    'countersign list wallets --query data.schema=savings',
    'countersign list intents --query meta.status=rejected --limit 5',
    'countersign list wallets --all --json',
  ]).action(async (path, options) => (await import('./records.ts')).list(path, options));
}

const dataNote = 'JSON is given as an argument, as @file, or as - for standard input.';

function addChange(program: Command): void {
  const post = connecting(
    program.command('post').argument('<collection>').argument('<data>'),
  ).description('make a record of this data (JSON, @file, or - for standard input)');
  withExamples(
    post,
    [
      `countersign post wallets '{"handle": "alice", "custom": {"city": "Bern"}}'`,
      'countersign post policies @policy.json',
      'countersign post bridges/blue/activate {}',
    ],
    dataNote,
  ).action(async (path, data, options) => (await import('./records.ts')).post(path, data, options));

  const put = connecting(program.command('put').argument('<path>').argument('<changes>'))
    .description('replace members of the data of a record')
    .option('--hand-over', 'your key hands over what it owns to the new public key of a signer');
  withExamples(
    put,
    [
      `countersign put wallets/alice '{"schema": "savings", "custom": null}'`,
      `countersign put signers/ann '{"public": "vp8GW7k…="}' --hand-over`,
    ],
    `${dataNote} A member whose value is null is removed.`,
  ).action(async (path, data, options) => (await import('./records.ts')).put(path, data, options));

  const drop = connecting(program.command('drop').argument('<path>')).description(
    'end a record; its history stays',
  );
  withExamples(drop, ['countersign drop wallets/alice']).action(async (path, options) =>
    (await import('./records.ts')).drop(path, options),
  );
}

function addProve(program: Command): void {
  const prove = connecting(program.command('prove').argument('<path>'))
    .description('add a signed statement to a record')
    .option('--status <status>', 'the status that it states')
    .option('--custom <json>', 'its further members (JSON, @file, or -)');
  withExamples(prove, [
    'countersign prove wallets/alice --status inactive',
    'countersign prove intents/rent-1 --status committed',
    `countersign prove wallets/alice --custom '{"labels": {"$push": "vip"}}'`,
  ]).action(async (path, options) => (await import('./records.ts')).prove(path, options));
}

/** The options of commands that move value. */
function moving(command: Command): Command {
  return connecting(command)
    .option('--handle <handle>', 'the handle of the intent: sent again with it, it is made once')
    .option('--custom <json>', 'data of your own (JSON, @file, or -)')
    .addOption(
      new Option('--wait <seconds>', 'wait so long for its end (60)').argParser(
        parseNumber(1, secondsMax),
      ),
    )
    .option('--no-wait', 'do not wait for its end')
    .option('--dry-run', 'show what it would do; nothing is stored');
}

function addPay(program: Command): void {
  const amountNote =
    'The amount is in whole units of the symbol: 25.50 where its factor is 100.\nIt ends with 0 when the intent is completed, and with 1 when it is rejected, or has not ended yet.';
  const pay = program.command('pay').argument('<source>').argument('<target>');
  withExamples(
    moving(pay.argument('<amount>').argument('<symbol>')).description(
      'move an amount, and print each proof of it as it comes',
    ),
    [
      'countersign pay alice bob 25.50 usd',
      'countersign pay alice bob 25.50 usd --handle rent-2026-11',
      'countersign pay svgs:1001@blue svgs:2001@green 5 usd --dry-run',
    ],
    amountNote,
  ).action(async (source, target, amount, symbol, options) =>
    (await import('./pay.ts')).pay([source, target, amount, symbol], options),
  );

  const issue = program.command('issue').argument('<target>').argument('<amount>');
  withExamples(
    moving(issue.argument('<symbol>')).description('create an amount in a wallet'),
    ['countersign issue alice 100 usd'],
    amountNote,
  ).action(async (target, amount, symbol, options) =>
    (await import('./pay.ts')).issue([target, amount, symbol], options),
  );
}

function addWallet(program: Command): void {
  const wallet = connecting(program.command('wallet').argument('[handle]'))
    .description('show a wallet with its balances, or list the wallets')
    .enablePositionalOptions();
  withExamples(wallet, [
    'countersign wallet alice',
    'countersign wallet create alice',
    'countersign wallet',
  ]).action(async (handle, options) => (await import('./wallet.ts')).wallet(handle, options));
  const create = connecting(wallet.command('create').argument('<handle>')).description(
    'make a wallet',
  );
  withExamples(create, ['countersign wallet create alice']).action(async (handle, options) =>
    (await import('./wallet.ts')).createWallet(handle, options),
  );
}

function addSymbol(program: Command): void {
  const symbol = connecting(program.command('symbol').argument('[handle]'))
    .description('show a symbol, or list the symbols')
    .enablePositionalOptions();
  withExamples(symbol, [
    'countersign symbol create usd --factor 100',
    'countersign symbol usd',
  ]).action(async (handle, options) => (await import('./wallet.ts')).symbol(handle, options));
  const create = connecting(symbol.command('create').argument('<handle>'))
    .description('make a symbol, in which amounts are counted')
    .requiredOption(
      '--factor <number>',
      'its smallest units in one unit: 100 for cents',
      parseNumber(1, factorMax),
    );
  withExamples(create, ['countersign symbol create usd --factor 100']).action(
    async (handle, options) => (await import('./wallet.ts')).createSymbol(handle, options),
  );
}

function addStatement(program: Command): void {
  const statement = connecting(
    program.command('statement').argument('<wallet>').argument('[symbol]'),
  )
    .description('list the entries of a wallet, with the balance after each')
    .option('--from <day>', 'the first day or moment, in UTC (the beginning)')
    .option('--to <day>', 'the day or moment before which it ends, in UTC (now)');
  withExamples(statement, [
    'countersign statement alice usd',
    'countersign statement alice --from 2026-11-01 --to 2026-12-01',
  ]).action(async (wallet, symbol, options) =>
    (await import('./statement.ts')).statement(wallet, symbol, options),
  );
}

function addVerify(program: Command): void {
  const verify = connecting(program.command('verify').argument('<what>'))
    .description(
      'say what a record proves: by a path, a .json file, -, or an exported .ndjson file',
    )
    .option(
      '--checkpoint <file>',
      'a checkpoint that you kept: the exported file must be complete and unaltered up to it',
    )
    .option(
      '--signer <file>',
      'the answer of GET /signers/system of today: it leads from the trusted key to that of an older receipt',
    )
    .addOption(witnessOption());
  withExamples(
    verify,
    [
      'countersign verify intents/pay-1',
      'countersign get intents/pay-1 --json > pay-1.json && countersign verify pay-1.json',
      'countersign get intents/pay-1/receipt --json > receipt.json && countersign verify receipt.json',
      "countersign verify receipt.json --witness 'witness.example/w1+8d66cf3f+BF…'",
      'countersign get signers/system --json > system.json && countersign verify receipt.json --signer system.json',
      'countersign verify ledger.ndjson',
      'countersign verify ledger.ndjson --checkpoint checkpoint.txt',
    ],
    'It ends with 0 when everything verifies and the trusted key has signed it, and with 1 when not.',
  ).action(async (what, options) => (await import('./verify.ts')).verify(what, options));
}
