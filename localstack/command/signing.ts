/** `countersign sign | token`: what a request needs of a key, printed for another program that sends it. */
import { hashOf, type ProofCustom, type ProofSigner, prove } from '../../shared/client/client.ts';
import { tokenFor } from '../../shared/client/token.ts';
import { print } from '../cli/output.ts';
import { misused } from '../runtime/failing.ts';
import {
  type ConnectionOptions,
  serverIn,
  settingsOf,
  signerOf,
  withLedger,
} from './connection.ts';
import { printAnswer } from './printable.ts';
import { objectOf, recordAt, targetOf } from './records.ts';

interface SignOptions extends ConnectionOptions {
  readonly update?: string;
  readonly drop?: string;
  readonly prove?: string;
  readonly status?: string;
  readonly custom?: string;
}

/** Prints a signed body: of a create, or with a path that of an update, a drop or a proof. */
export async function sign(given: string | undefined, options: SignOptions): Promise<void> {
  const paths = [options.update, options.drop, options.prove].filter((path) => path !== undefined);
  if (paths.length > 1) throw misused('--update, --drop and --prove exclude each other.');
  const needsData = options.drop === undefined && options.prove === undefined;
  if (needsData !== (given !== undefined))
    throw misused(
      needsData
        ? 'The data is missing: JSON, @file, or - for standard input.'
        : '--drop and --prove take no data.',
    );
  const data = given === undefined ? {} : await objectOf(given);
  const said = options.custom === undefined ? {} : await objectOf(options.custom);
  const signer = signerFor(options);
  const [path] = paths;
  if (path === undefined)
    return printAnswer(await bodyOf(data, stated(options, said, 'created'), signer));
  await withLedger(options, async ({ any }) => {
    const record = await recordAt(any, targetOf(path).path);
    const { hash: parent } = record;
    if (options.prove !== undefined)
      return printAnswer(await prove(parent, stated(options, said), signer));
    if (options.drop !== undefined)
      return printAnswer(await bodyOf({ parent }, stated(options, said, 'dropped'), signer));
    const whole = membersOf({ ...record.data, ...data, parent });
    printAnswer(await bodyOf(whole, stated(options, said), signer));
  });
}

/** The members with a value; `null` removes one. */
function membersOf(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

/** The statement of the proof. */
function stated({ status }: SignOptions, said: ProofCustom, usual?: string): ProofCustom {
  const own = status ?? usual;
  return {
    moment: new Date().toISOString(),
    ...(own !== undefined && { status: own }),
    ...said,
  };
}

async function bodyOf(data: unknown, custom: ProofCustom, signer: ProofSigner): Promise<object> {
  const hash = hashOf(data);
  return { hash, data, meta: { proofs: [await prove(hash, custom, signer)] } };
}

/** Prints a token of the key for the server. */
export async function token(options: ConnectionOptions): Promise<void> {
  print(await tokenFor(serverIn(settingsOf(options)), signerFor(options), Date.now()));
}

function signerFor(options: ConnectionOptions): ProofSigner {
  const signer = signerOf(settingsOf(options));
  if (signer) return signer;
  throw misused(
    'It is signed with a key. Make one by `countersign key`, or name its file by --key.',
  );
}
