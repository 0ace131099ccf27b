/** Checkpoints: the head of a log at a size, as the text of a signed note. C2SP tlog-checkpoint. */
import { fromBase64, toBase64 } from './bytes.ts';
import { type Note, noteOf } from './note.ts';
import type { SeenTree } from './path.ts';
import { hashByteCount } from './tree.ts';

/** The content of a checkpoint: the log, and its tree. */
export interface Checkpoint extends SeenTree {
  /** The identity of the log, and the name of its key. */
  readonly origin: string;
}

/** The handle of the signer of a ledger's log. The ledger itself signs its record. */
export const logSigner = 'log';

/** The origin of the log of a ledger. It moves with the ledger, wherever that is served. Decision 115. */
export function originOf(ledgerLuid: string): string {
  return `countersign/${ledgerLuid}`;
}

/** The text that a log signs. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** A checkpoint and its signatures; undefined for a text that is none. Extension lines are left alone. */
export function checkpointOf(text: string): (Checkpoint & { readonly note: Note }) | undefined {
  const note = noteOf(text);
  const [origin = '', sizeText = '', rootText = '', ...rest] = note?.text.split('\n') ?? [];
  const extensions = rest.slice(0, -1);
  const root = fromBase64(rootText);
  const size = /^(0|[1-9]\d*)$/.test(sizeText) ? Number(sizeText) : Number.NaN;
  const isRead = Number.isSafeInteger(size) && root?.length === hashByteCount;
  if (!note || !root || !isRead || origin === '' || extensions.includes('')) return undefined;
  return { origin, size, root, note };
}
