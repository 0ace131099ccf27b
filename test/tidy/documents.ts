/** Parts of documents that are made from the code: they stand between markers and are never edited. */
import { readFileSync, writeFileSync } from 'node:fs';

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The text between the markers of a name; with `UPDATE_DOCS=1` it is first replaced by the part. */
export function partOf(path: string, name: string, part: string): string | undefined {
  const [begin, end] = [`<!-- ${name}: made by npm test -->`, `<!-- end of ${name} -->`];
  const marked = new RegExp(`${escaped(begin)}\n\n([^]*?)\n\n${escaped(end)}`);
  const text = readFileSync(path, 'utf8');
  if (process.env['UPDATE_DOCS'])
    writeFileSync(
      path,
      text.replace(marked, () => `${begin}\n\n${part}\n\n${end}`),
    );
  return marked.exec(readFileSync(path, 'utf8'))?.[1];
}
