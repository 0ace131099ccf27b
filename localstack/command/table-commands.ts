/** The commands that read or write the table of a ledger, whether it runs or not. */
import { Argument, type Command, Option } from 'commander';
import type { RotatedSigner } from '../../shared/record/rotation.ts';
import type { ExplainOptions } from '../cli/explain-request.ts';
import {
  dataOption,
  jsonOption,
  parseFileOrLedger,
  parseLedger,
  parseNumber,
  repeatable,
  variableOption,
  withExamples,
} from './options.ts';

export function addTableCommands(program: Command): void {
  addAudit(program);
  addReindex(program);
  addRotateKey(program);
  addExport(program);
  addImport(program);
  addDrill(program);
  explainCommand(program).action(
    async (method: string, path: string, options: ExplainOptions & JsonOption) => {
      const { explainRequestOf } = await import('../cli/explain-request.ts');
      const { runExplain } = await import('../cli/explain.ts');
      const { answering } = await import('../cli/answering.ts');
      await answering(async () =>
        runExplain(explainRequestOf(method, path, options), options.json ?? false),
      );
    },
  );
}

interface JsonOption {
  readonly json?: true;
}

const asAnswer = 'Exit codes: 0 the answer is yes, 1 it is no, 2 and above it cannot tell.';

function addAudit(program: Command): void {
  const command = program
    .command('audit')
    .description('check that money, balances, histories, signals and intents are in order')
    .argument(
      '[what]',
      'a ledger, or an exported file; all of the table without it',
      parseFileOrLedger,
    )
    .option('--all', 'go on after the first violation')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (what: string | undefined, { all, json }: { all?: true } & JsonOption) => {
      const { runAudit } = await import('../cli/audit.ts');
      const { answering } = await import('../cli/answering.ts');
      await answering(() => runAudit({ what, isAll: all ?? false, isJson: json ?? false }));
    });
  const examples = [
    'countersign audit',
    'countersign audit main --all',
    'countersign audit main.ndjson',
  ];
  withExamples(command, examples, asAnswer);
}

function addReindex(program: Command): void {
  const command = program
    .command('reindex')
    .description('rebuild the search index and the books from the records')
    .argument('[ledger]', 'a ledger; all of the table without it', parseLedger)
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (ledger: string | undefined, { json }: JsonOption) => {
      const { runReindex } = await import('../cli/reindex.ts');
      await runReindex({ ledger, isJson: json ?? false });
    });
  withExamples(command, ['countersign reindex', 'countersign reindex main --data .countersign']);
}

interface RotateOptions extends JsonOption {
  readonly overlap?: number;
  readonly compromised?: true;
}

/** The overlap of two keys, in hours: a week, and at most a year. */
const overlapHours = { default: 168, max: 8_784 };

function addRotateKey(program: Command): void {
  const command = program
    .command('rotate-key')
    .description('give a ledger, or its log, a new key, which the one before signs')
    .argument('<ledger>', 'the ledger', parseLedger)
    .addArgument(new Argument('<signer>', 'the signer whose key it is').choices(['system', 'log']))
    .option(
      '--overlap <hours>',
      `how long the key before counts beside the new one (${overlapHours.default})`,
      parseNumber(1, overlapHours.max),
    )
    .addOption(
      new Option(
        '--compromised',
        'others may have the key: it counts for ten minutes more, and nobody follows it',
      ).conflicts('overlap'),
    )
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (ledger: string, signer: RotatedSigner, options: RotateOptions) => {
      const { runRotateKey } = await import('../cli/rotate-key.ts');
      const { overlap = overlapHours.default, compromised, json } = options;
      const flags = { isCompromised: compromised ?? false, isJson: json ?? false };
      await runRotateKey({ ledger, signer, overlapHours: overlap, ...flags });
    });
  withExamples(
    command,
    [
      'countersign rotate-key main system',
      'countersign rotate-key main log --overlap 24',
      'countersign rotate-key main system --compromised',
    ],
    'Exit codes: 0 it is done, 1 it cannot be rotated now.',
  );
}

interface ExportOptions extends JsonOption {
  readonly out?: string;
  readonly withKey?: string;
  readonly resume?: true;
}

function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('write a ledger with all its history to a file')
    .addOption(
      variableOption('--ledger <handle>', 'LEDGER_HANDLE', 'the ledger (LEDGER_HANDLE, or main)'),
    )
    .option('--out <file>', 'the file, which must not be there yet (<ledger>.ndjson)')
    .option(
      '--with-key <file>',
      'encrypt the private keys under the passphrase in a file (- reads standard input), so that a server with another keyring can import them; without it they stay as they are',
    )
    .option('--resume', 'continue an export that was interrupted')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async ({ out, withKey, resume, json }: ExportOptions) => {
      const { runExport } = await import('../cli/export.ts');
      const flags = { isResumed: resume ?? false, isJson: json ?? false };
      await runExport({ out, passphrasePath: withKey, ...flags });
    });
  withExamples(command, [
    'countersign export',
    'countersign export --ledger shop --out shop.ndjson --with-key passphrase.txt',
  ]);
}

interface ImportOptions extends JsonOption {
  readonly passphrase?: string;
  readonly resume?: true;
  readonly unaudited?: true;
}

function addImport(program: Command): void {
  const command = program
    .command('import')
    .description('write an exported ledger into a folder, which is made if it is missing')
    .argument('<file>', 'the exported file')
    .option(
      '--passphrase <file>',
      'the passphrase of the export, in a file (- reads standard input)',
    )
    .option('--resume', 'continue an interrupted import of the same file')
    .option('--unaudited', 'import without the audit of the file')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (path: string, options: ImportOptions) => {
      const { passphrase, resume, unaudited, json } = options;
      const { runImport } = await import('../cli/import.ts');
      const flags = { isResumed: resume ?? false, isUnaudited: unaudited ?? false };
      await runImport({ path, passphrasePath: passphrase, ...flags, isJson: json ?? false });
    });
  withExamples(command, [
    'countersign import main.ndjson --data restored',
    'countersign import shop.ndjson --passphrase passphrase.txt',
  ]);
}

function addDrill(program: Command): void {
  const command = program
    .command('drill')
    .description(
      'practise a restore: lose the table of a ledger of its own, and bring it back twice',
    )
    .option('--seconds <number>', 'how long money moves (6)', parseNumber(1, 600), 6)
    .addOption(jsonOption())
    .action(async ({ seconds, json }: { seconds: number } & JsonOption) => {
      const { runDrill } = await import('../cli/drill.ts');
      const { answering } = await import('../cli/answering.ts');
      await answering(() => runDrill(seconds, json ?? false));
    });
  withExamples(command, ['countersign drill', 'countersign drill --seconds 20 --json'], asAnswer);
}

/** Declares `explain`, without what it does. */
export function explainCommand(program: Command): Command {
  const command = program
    .command('explain')
    .description('tell why a request is granted or refused')
    .argument('<method>', 'GET, POST, PUT or DELETE')
    .argument('<path>', 'its path and query, or its address')
    .addOption(
      repeatable(
        '--signer <handle>',
        'signer of the body, or sender of a token where there is no body',
      ),
    )
    .addOption(repeatable('--public <key>', 'the same, by a public key'))
    .option('--token-signer <handle>', 'signer whose token comes with the request')
    .option('--token-public <key>', 'the same, by a public key')
    .addOption(
      repeatable('--claim <name=value>', 'a claim of the token: iss, sub, aud, or hsh=true'),
    )
    .option('--ledger <handle>', 'the ledger of the request (LEDGER_HANDLE, or main)', parseLedger)
    .option(
      '--body <file>',
      'the body (- reads standard input): its data, and the signers of its proofs',
    )
    .option('--action <action>', 'ask for this action in place of what the endpoint asks')
    .option('--all', 'show all rules of each question')
    .addOption(dataOption())
    .addOption(jsonOption());
  return withExamples(
    command,
    [
      'countersign explain GET /wallets/alice --signer bob',
      'countersign explain POST /intents --body intent.json --all',
    ],
    'Without a signer, a key, a token or a proof the caller is a stranger.',
    asAnswer,
  );
}
