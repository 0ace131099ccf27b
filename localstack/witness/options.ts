/** The options of `countersign witness`: those of the command line, then defaults. */
import { isIP } from 'node:net';
import { join } from 'node:path';
import { isValidPublic } from '../../shared/crypto/key.ts';
import { toBase64 } from '../../shared/log/bytes.ts';
import { keyOfVkey, type NoteKey } from '../../shared/log/note.ts';
import { misused } from '../runtime/failing.ts';
import type { WitnessOptions } from './start.ts';

/** The options of the command, as they are given. */
export interface WitnessWords {
  readonly name: string;
  readonly log?: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly data: string;
  readonly key?: string;
}

/** The witness that is meant; refuses, in one line, what cannot be. */
export function witnessOptionsOf({
  name,
  log = [],
  port,
  host,
  data,
  key,
}: WitnessWords): Omit<WitnessOptions, 'say'> {
  if (!/^[^\s+]{1,256}$/.test(name))
    throw misused(`'${name}' cannot be the name of a key: it has no spaces and no plus signs.`);
  if (isIP(host) === 0) throw misused(`--host must be an IP address, not '${host}'.`);
  if (log.length === 0)
    throw misused(
      'Name the logs that are witnessed: --log <vkey>, as `countersign watch-log` prints it.',
    );
  return { name, port, host, data, keyFile: key ?? join(data, 'witness.key'), logs: keysOf(log) };
}

/** The keys of logs by origin, which is the name of its keys; a log may have several. */
function keysOf(vkeys: readonly string[]): Map<string, NoteKey[]> {
  const byOrigin = new Map<string, NoteKey[]>();
  for (const vkey of vkeys) {
    const key = keyOfVkey(vkey);
    if (key?.type !== 1 || !isValidPublic(toBase64(key.public)))
      throw misused(`--log must be the key of a log as <name>+<id>+<base64>, not '${vkey}'.`);
    byOrigin.set(key.name, [...(byOrigin.get(key.name) ?? []), key]);
  }
  return byOrigin;
}
