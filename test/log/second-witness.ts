/**
 * A second witness, written from the texts of C2SP tlog-witness, tlog-cosignature and signed-note alone, and sharing no
 * code with `shared/log`. Its signatures and its proofs are by `node:crypto` and `rfc.ts`.
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { rfcExtends } from './rfc.ts';

const derHead = Buffer.from('302a300506032b6570032100', 'hex');

interface Parsed {
  readonly name: string;
  readonly id: Buffer;
  readonly type: number;
  readonly raw: Buffer;
}

/** A vkey: name, key id in hex, and base64 of type and key, between plus signs. */
export function parseVkey(vkey: string): Parsed {
  const [name = '', hex = '', ...rest] = vkey.split('+');
  const typed = Buffer.from(rest.join('+'), 'base64');
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4);
  if (id.toString('hex') !== hex) throw new Error(`The id of ${vkey} is ${id.toString('hex')}.`);
  return { name, id, type: typed[0] ?? 0, raw: typed.subarray(1) };
}

/** A note: its text with the last line end, and its signature lines. */
function splitNote(note: string): { text: string; lines: string[] } {
  const at = note.lastIndexOf('\n\n');
  return {
    text: note.slice(0, at + 1),
    lines: note
      .slice(at + 2)
      .trimEnd()
      .split('\n'),
  };
}

/** The times at which a witness has cosigned a note, for each of its lines that verifies. */
export function timesOf(note: string, vkey: string): number[] {
  const { text, lines } = splitNote(note);
  const key = parseVkey(vkey);
  return lines.flatMap((line) => {
    const [, name, encoded = ''] = line.split(' ');
    const bytes = Buffer.from(encoded, 'base64');
    if (name !== key.name || !bytes.subarray(0, 4).equals(key.id) || key.type !== 4) return [];
    const time = bytes.readBigUInt64BE(4);
    const message = `cosignature/v1\ntime ${time}\n${text}`;
    return verify(null, Buffer.from(message), publicOf(key.raw), bytes.subarray(12))
      ? [Number(time)]
      : [];
  });
}

function publicOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([derHead, raw]), format: 'der', type: 'spki' });
}

export interface SecondAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

function parseBody(body: string) {
  const at = body.indexOf('\n\n');
  const [first = '', ...proofLines] = body.slice(0, at).split('\n');
  const { text, lines } = splitNote(body.slice(at + 2));
  const [origin = '', size = '', root = ''] = text.split('\n');
  return {
    old: Number(/^old (0|[1-9][0-9]*)$/.exec(first)?.[1] ?? Number.NaN),
    path: proofLines.map((line) => Buffer.from(line, 'base64')),
    ...{ text, lines, origin },
    size: Number(size),
    root: Buffer.from(root, 'base64'),
  };
}

/** A witness in memory, which knows logs by their vkeys. */
export class SecondWitness {
  readonly vkey: string;
  /** What it has cosigned last, by origin. */
  readonly seen = new Map<string, { size: number; root: Buffer }>();
  readonly #name: string;
  readonly #id: Buffer;
  readonly #secret: KeyObject;
  readonly #logs: readonly string[];
  readonly #now: () => number;

  constructor(name: string, logs: readonly string[], now: () => number = Date.now) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const typed = Buffer.concat([
      Buffer.of(4),
      publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
    ]);
    this.#id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4);
    this.vkey = `${name}+${this.#id.toString('hex')}+${typed.toString('base64')}`;
    this.#name = name;
    this.#secret = privateKey;
    this.#logs = logs;
    this.#now = now;
  }

  addCheckpoint(body: string): SecondAnswer {
    const { old, path, text, lines, origin, size, root } = parseBody(body);
    if (Number.isNaN(old) || path.length > 63) return { status: 400, body: 'No request.\n' };
    const keys = this.#logs.map(parseVkey).filter(({ name }) => name === origin);
    if (keys.length === 0) return { status: 404, body: 'Unknown origin.\n' };
    if (!keys.some((key) => isSigned(text, lines, key)))
      return { status: 403, body: 'No known key.\n' };
    if (old > size) return { status: 400, body: 'The old size is larger.\n' };
    const known = this.seen.get(origin) ?? { size: 0, root: Buffer.alloc(0) };
    const isOther = old === size && old > 0 && !root.equals(known.root);
    if (old !== known.size || isOther)
      return { status: 409, type: 'text/x.tlog.size', body: `${known.size}\n` };
    const isProven =
      old === size || old === 0
        ? path.length === 0
        : rfcExtends(old, size, path, [known.root, root]);
    if (!isProven) return { status: 422, body: 'The proof does not verify.\n' };
    this.seen.set(origin, { size, root });
    return { status: 200, body: this.#cosign(text) };
  }

  #cosign(text: string): string {
    const time = BigInt(Math.floor(this.#now() / 1000));
    const signature = sign(
      null,
      Buffer.from(`cosignature/v1\ntime ${time}\n${text}`),
      this.#secret,
    );
    const timed = Buffer.alloc(8);
    timed.writeBigUInt64BE(time);
    const encoded = Buffer.concat([this.#id, timed, signature]).toString('base64');
    return `\u2014 ${this.#name} ${encoded}\n`;
  }
}

function isSigned(text: string, lines: readonly string[], { name, id, raw }: Parsed): boolean {
  return lines.some((line) => {
    const [, by, encoded = ''] = line.split(' ');
    const bytes = Buffer.from(encoded, 'base64');
    return (
      by === name &&
      bytes.subarray(0, 4).equals(id) &&
      verify(null, Buffer.from(text), publicOf(raw), bytes.subarray(4))
    );
  });
}
