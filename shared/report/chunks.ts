/** Splits texts of any length into chunks that fit into items of the table. */

import type { AssetName, ReportStore, StoredAsset } from '../port/reports.ts';
import { carriedBytesOf } from '../query/answer-size.ts';

/** An item holds at most 400 KB. */
const chunkBytesMax = 256 * 1024;
/** The limit of a chunk inside an answer, where JSON escapes quotes and line ends. Decision 84. */
const carriedBytesMax = 512 * 1024;

/** Appends a text to an asset; returns the new extent of the asset. */
export async function storeText(
  reports: Pick<ReportStore, 'put'>,
  name: AssetName,
  stored: StoredAsset,
  text: string,
): Promise<StoredAsset> {
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

/** The last boundary of a UTF-8 character up to an offset. RFC 3629 3. */
function boundaryIn(bytes: Buffer, offset: number): number {
  let end = Math.min(offset, bytes.length);
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
