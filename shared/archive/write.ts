/** Writing an archive: its lines in their order, counted and hashed. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ArchiveHeader, EndLine } from './form.ts';

/** Writes header, lines and the last line, which it returns; the file is on the disk then. */
export async function writeArchive(
  path: string,
  header: ArchiveHeader,
  lines: AsyncIterable<string>,
): Promise<EndLine> {
  const sha256 = createHash('sha256');
  const counts: Record<string, number> = {};
  let end: EndLine | undefined;
  const texts = async function* (): AsyncGenerator<string> {
    let count = 0;
    const written = (text: string): string => {
      const line = `${text}\n`;
      sha256.update(line);
      count += 1;
      return line;
    };
    yield written(JSON.stringify(header));
    for await (const text of lines) {
      const what = whatOf(text);
      counts[what] = (counts[what] ?? 0) + 1;
      yield written(text);
    }
    end = { what: 'end', lines: count, counts: sortedOf(counts), sha256: sha256.digest('hex') };
    yield `${JSON.stringify(end)}\n`;
  };
  await pipeline(texts, createWriteStream(path, { mode: 0o600, flush: true }));
  if (!end) throw new Error('The archive has no end.');
  return end;
}

/** The name of a line, its first member. */
function whatOf(text: string): string {
  return /^\{"what":"([a-z]+)"/.exec(text)?.[1] ?? 'unknown';
}

/** Members in the order of their names, so that equal ones read alike. */
export function sortedOf<Value>(members: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
