/** `countersign pay | issue`: moves or creates an amount, and prints each proof of it as it comes. */
import {
  type ApiSchemas,
  type IntentClaim,
  issue as issueClaim,
  LedgerUnreachable,
  LedgerUntrusted,
  type Money,
  transfer,
} from '../../shared/client/client.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { colours, print } from '../cli/output.ts';
import { tableOf } from '../cli/table.ts';
import { exitCodes } from '../runtime/failing.ts';
import { amountText, factorsOf, moneyOf } from './amounts.ts';
import { type ConnectionOptions, type Session, withLedger } from './connection.ts';
import { proofLine, timeText } from './describe.ts';
import { printAnswer } from './printable.ts';
import { objectOf } from './records.ts';

type PaidIntent = ApiSchemas['Intent'];

interface PayOptions extends ConnectionOptions {
  /** The handle, by which the intent is made once, however often it is sent. */
  readonly handle?: string;
  readonly custom?: string;
  /** The seconds for which to wait for its end; false for none. */
  readonly wait?: number | false;
  readonly dryRun?: boolean;
}

/** An amount in words, and the claims that it becomes. */
interface PaidAmount {
  readonly amount: string;
  readonly symbol: string;
  readonly sentence: string;
  readonly claimOf: (money: Money) => IntentClaim;
}

const usualWaitSeconds = 60;

export async function pay(
  [source, target, amount, symbol]: readonly [string, string, string, string],
  options: PayOptions,
): Promise<void> {
  const claimOf = (money: Money) => transfer(source, target, money);
  await instruct({ amount, symbol, claimOf, sentence: `from ${source} to ${target}` }, options);
}

export async function issue(
  [target, amount, symbol]: readonly [string, string, string],
  options: PayOptions,
): Promise<void> {
  const claimOf = (money: Money) => issueClaim(target, money);
  await instruct({ amount, symbol, claimOf, sentence: `to ${target}` }, options);
}

/** Sends the intent. The exit code tells the end: 0 when it is completed, or accepted with `--no-wait`; otherwise 1. */
async function instruct(instruction: PaidAmount, options: PayOptions): Promise<void> {
  const { handle = newHandle(), custom, wait, dryRun, ...connection } = options;
  const said = custom === undefined ? undefined : await objectOf(custom);
  await withLedger(
    connection,
    async (session) => {
      const money = await moneyOf(session.ledger, instruction.symbol, instruction.amount);
      const claim = instruction.claimOf(money);
      const more = { handle, ...(said && { custom: said }) };
      if (dryRun) return preview(session, { ...more, claims: [claim] }, options);
      const { ledger } = session;
      const intent = await ledger.pay(claim, more).catch((error: unknown) => {
        throw mayBeStored(error, handle);
      });
      const { amount, symbol, sentence } = instruction;
      if (!options.json) print(printable(`${handle}: ${amount} ${symbol} ${sentence}`));
      await follow(session, intent, options);
    },
    { needsKey: true },
  );
}

/** Letters and digits only, so that a terminal selects it by a double click. */
function newHandle(): string {
  const random = crypto.randomUUID().slice(0, 8);
  return `pay-${Date.now().toString(36)}${random}`;
}

/** An intent whose answer was lost may be stored; with its handle it is safe to send it again. */
function mayBeStored(error: unknown, handle: string): unknown {
  if (!(error instanceof LedgerUnreachable)) return error;
  const hint = `It may have been stored: send it again with --handle ${handle}, which makes it once.`;
  return new LedgerUnreachable(`${error.message} ${hint}`, { cause: error });
}

/** Prints each proof as it comes, until the intent ends or the time is over. */
async function follow(
  { ledger, own }: Session,
  intent: PaidIntent,
  { wait = usualWaitSeconds, json = false }: PayOptions,
): Promise<void> {
  let shown = 0;
  const show = ({ meta }: PaidIntent) => {
    if (json) return;
    for (const proof of meta.proofs.slice(shown)) print(proofLine(proof, timeText, own));
    shown = meta.proofs.length;
  };
  show(intent);
  const latest = wait ? await ledger.settled(intent, wait * 1_000, show) : intent;
  const { status } = latest.meta;
  const isDone = status === 'completed' || (wait === false && status !== 'rejected');
  if (!isDone) process.exitCode = exitCodes.failed;
  if (json) printAnswer(latest);
  else print(endOf(latest, isDone));
}

function endOf({ data, meta }: PaidIntent, isDone: boolean): string {
  const { green, red, yellow } = colours();
  const { handle } = data;
  if (meta.status === 'rejected') {
    const failed = meta.proofs.findLast(({ custom }) => custom?.['reason'] !== undefined);
    const { reason, detail } = failed?.custom ?? {};
    return red(printable(`${handle} is rejected: ${reason}: ${detail}`));
  }
  if (meta.status === 'completed') return green(printable(`${handle} is completed.`));
  const hint = isDone ? '' : ` It goes on: countersign get intents/${handle}`;
  return yellow(printable(`${handle} is ${meta.status}.${hint}`));
}

/** Shows what the intent would do now; nothing is stored. Ruling 91. */
async function preview({ ledger }: Session, data: object, { json }: PayOptions): Promise<void> {
  const answer = await ledger.post('/intents/!preview', data as never);
  if (!answer) throw new LedgerUntrusted('The preview has no content.');
  const { status, reason, detail, missing, needsQuorum, balances } = answer.data;
  if (reason !== undefined) process.exitCode = exitCodes.failed;
  if (json) return printAnswer(answer);
  print(
    printable(
      `Nothing is stored. It would be ${status}${reason === undefined ? '.' : `: ${reason}: ${detail}`}`,
    ),
  );
  for (const { action, record, handle } of missing ?? [])
    print(printable(`It would wait for a signer who may ${action} ${record} ${handle}.`));
  if (needsQuorum) print('It would wait for more signers, by a policy.');
  if (balances.length === 0) return;
  const factors = await factorsOf(
    ledger,
    balances.map(({ symbol }) => symbol),
  );
  const rows = balances.map(({ wallet, symbol, schema, amount }) => [
    ...[wallet, symbol, schema].map(printable),
    amountText(amount, symbol, factors),
  ]);
  print(tableOf(['wallet', 'symbol', 'schema', 'balance then'], rows, 3));
}
