/** Search by hash: no index has hashes, and the log names the hash of each change. Ruling 97. */
import { parseExactly } from '../../../shared/client/client.ts';
import { checkpointOf } from '../../../shared/log/checkpoint.ts';
import type { Leaf } from '../../../shared/log/leaf.ts';
import { pathOfTile, tileWidth, widthIn } from '../../../shared/log/tile.ts';
import type { LedgerSession } from './session.ts';

/** The tiles that are read at once. */
const tileCount = 40;

export interface LogFindings {
  readonly leaves: readonly Leaf[];
  /** The leaves that were looked through, from the newest one on. */
  readonly seen: number;
  readonly size: number;
}

/** Looks for changes with this hash in the newest leaves of the log; `seen` leaves were looked through before. */
export async function searchLog(session: LedgerSession, hash: string): Promise<LogFindings> {
  const text = await session.bytes('/log/checkpoint');
  const size = text ? (checkpointOf(new TextDecoder().decode(text))?.size ?? 0) : 0;
  const last = Math.ceil(size / tileWidth) - 1;
  const numbers = Array.from({ length: Math.min(tileCount, last + 1) }, (_, index) => last - index);
  const found: Leaf[] = [];
  for (const number of numbers) {
    const tile = { level: 0, number, width: widthIn(size, { level: 0, number }) };
    const bundle = await session.bytes(`/log/tile/${pathOfTile(tile, 'entries')}`);
    const leaves = bundle ? leavesIn(bundle) : [];
    found.push(...leaves.filter((leaf) => leaf.hash === hash).reverse());
  }
  const first = numbers.at(-1) ?? 0;
  return { leaves: found, seen: size - first * tileWidth, size };
}

/** The leaves of a bundle of entries, each behind its length of two bytes. C2SP tlog-tiles. */
function leavesIn(bundle: Uint8Array): Leaf[] {
  const leaves: Leaf[] = [];
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  for (let at = 0; at + 2 <= bundle.length; ) {
    const end = at + 2 + view.getUint16(at);
    leaves.push(parseExactly(new TextDecoder().decode(bundle.subarray(at + 2, end))) as Leaf);
    at = end;
  }
  return leaves;
}
