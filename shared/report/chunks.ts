/** Texts of any length as parts that fit into items of the table. */

import type { AssetName, Reports, Stored } from '../port/reports.ts';
import { carriedBytesOf } from '../query/answer-size.ts';

/** What a part takes at most; an item holds 400 KB. */
const chunkBytesMax = 256 * 1024;
/** What it takes on its way as part of an answer, where quotes, line ends and the like take more. Decision 84. */
const carriedBytesMax = 512 * 1024;

/** Stores a text behind what is stored of an asset; answers what is stored then. */
export async function storeText(
  reports: Pick<Reports, 'put'>,
  name: AssetName,
  stored: Stored,
  text: string,
): Promise<Stored> {
  const bytes = Buffer.from(text);
  const chunks = chunksOf(bytes);
  if (chunks.length > 0) await reports.put(name, stored.chunks, chunks);
  return { chunks: stored.chunks + chunks.length, bytes: stored.bytes + bytes.length };
}

function chunksOf(bytes: Buffer): string[] {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    let length = chunkBytesMax;
    let end = boundaryIn(bytes, start + length);
    while (carriedBytesOf(bytes.toString('utf8', start, end)) > carriedBytesMax) {
      length = Math.floor(length / 2);
      end = boundaryIn(bytes, start + length);
    }
    chunks.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return chunks;
}

/** The last place up to here between two characters. RFC 3629 3. */
function boundaryIn(bytes: Buffer, place: number): number {
  let end = Math.min(place, bytes.length);
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
