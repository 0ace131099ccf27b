/** The files of the reference: ready-made beside this module in the package and on Lambda, and made at the first request in a clone. */
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

export interface DocsFile {
  readonly type: string;
  readonly text: string;
}

export interface DocsAssets {
  /** The pages as HTML, by their path below `docs`. */
  readonly pages: Readonly<Record<string, string>>;
  /** The files that pages load, by names that change with the content. */
  readonly files: Readonly<Record<string, DocsFile>>;
}

/** The name of the file that has all of them, beside the handler. */
export const docsAssetsName = 'docs.json';
const readyMade = new URL(`./${docsAssetsName}`, import.meta.url);
const maker = `./build${extname(import.meta.url)}`;
let known: Promise<DocsAssets> | undefined;

/** The files; they are read or made once. */
export function docsAssets(): Promise<DocsAssets> {
  known ??= found();
  return known;
}

async function found(): Promise<DocsAssets> {
  if (existsSync(readyMade)) return JSON.parse(readFileSync(readyMade, 'utf8')) as DocsAssets;
  // The name is in a constant, so that no bundle and no package has what only a clone needs.
  const { buildDocs } = (await import(maker)) as { readonly buildDocs: () => DocsAssets };
  return buildDocs();
}
