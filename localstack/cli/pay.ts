/**
 * `npm run pay -- <source> <target> <amount>`: moves an amount from one address to another and prints what
 * each proof of it, by the ledger and by the banks, as it comes. Ends with 0 when the money has moved.
 */
import type { Proof } from '../../shared/shape/proof.ts';
import { exitWith } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import { argumentsOf } from './arguments.ts';
import { connect, type LedgerClient, newKey, type SignedRecord, signedRecord } from './client.ts';

const usage =
  'Usage: npm run pay -- <source> <target> <amount> [--symbol usd] [--server http://127.0.0.1:3000/v2] [--ledger <handle>]';
const pollMs = 100;
/** The time for which to poll, in milliseconds; an intent may wait for longer. */
const lookMsMax = 60_000;

async function main(): Promise<number> {
  const options = {
    symbol: { type: 'string', default: 'usd' },
    server: { type: 'string', default: variable('SERVER') },
    ledger: { type: 'string' },
  } as const;
  const args = process.argv.slice(2);
  const { values, positionals } = argumentsOf(args, { options, allowPositionals: true }, usage);
  const [source, target, amount = '', ...more] = positionals;
  if (!source || !target || !/^[1-9]\d{0,14}$/.test(amount) || more.length > 0)
    throw new Error(usage);
  const ledger = await connect(values.server, { ledger: values.ledger });
  const { symbol } = values;
  const claim = { action: 'transfer', source, target, symbol, amount: Number(amount) };
  const data = { handle: `pay-${Date.now().toString(36)}`, claims: [claim] };
  const intent = await ledger.post('/intents', signedRecord(data, newKey()));
  console.log(`${data.handle}: ${amount} ${symbol} from ${source} to ${target}`);
  const status = await watch(ledger, intent);
  console.log(`${data.handle} is ${status}.`);
  return status === 'completed' ? 0 : 1;
}

/** Prints each proof as it comes, until the intent ends. */
async function watch(ledger: LedgerClient, intent: SignedRecord): Promise<string> {
  const endMs = Date.now() + lookMsMax;
  let [latest, shown] = [intent, 0];
  for (;;) {
    const { status, proofs } = latest.meta;
    for (const proof of proofs.slice(shown)) console.log(lineOf(proof));
    shown = proofs.length;
    if (status === 'completed' || status === 'rejected' || Date.now() > endMs)
      return String(status);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    latest = await ledger.get(`/intents/${String(intent.data['handle'])}`);
  }
}

/** A proof as a line: time, signer, status and reason. */
function lineOf({ signer = 'you', custom = {} }: Proof): string {
  const { moment, status, handle, schema, wallet, reason, detail } = custom;
  const time = String(moment).slice('2026-01-01T'.length, -1);
  const entry = handle === undefined ? '' : `${handle}`;
  const what = schema === undefined ? '' : `${schema} of wallet ${wallet}`;
  const why = reason === undefined ? '' : `${reason}: ${detail}`;
  const rest = [what, entry, why].filter(Boolean).join(' ');
  return `  ${time}  ${signer.padEnd(8)} ${String(status).padEnd(10)} ${rest}`.trimEnd();
}

main().then((code) => process.exit(code), exitWith(2));
