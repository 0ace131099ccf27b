/** Makes the reference: pages of the OpenAPI document and of written pages, and their scripts and style by esbuild. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { concepts, recipes } from '../../shared/reference/guide.ts';
import type { SentExamples } from '../../shared/reference/site/sent-pages.ts';
import { pageHtml, siteOf, type WrittenFolder } from '../../shared/reference/site/site.ts';
import { openApi } from '../openapi.ts';
import type { DocsAssets, DocsFile } from './assets.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The licences of what is put into the scripts. */
const banner =
  '/*! MiniSearch (c) Luca Ongaro, MIT. @noble/curves and @noble/hashes (c) Paul Miller, MIT. lossless-json (c) Jos de Jong, MIT. */';

const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  platform: 'browser',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Bodies that the ledger has sent in a test. */
const sentExamplesPath = 'shared/reference/sent-examples.json';

/** The folders of written pages, in the order of the contents. */
const folders = [
  { path: 'concepts', title: 'Concepts', pages: concepts },
  { path: 'recipes', title: 'Recipes', pages: recipes },
] as const;

/** All files of the reference. Throws where a script does not compile, and where the tools of the build are missing. */
export function buildDocs(): DocsAssets {
  const sent = JSON.parse(readFileSync(join(root, sentExamplesPath), 'utf8')) as SentExamples;
  const made = siteOf({ document: openApi, folders: folders.map(writtenIn), sent });
  const named = {
    style: fileOf('style.css', 'text/css', built('style.css')),
    script: fileOf('page.js', 'text/javascript', built('main.ts', banner)),
    trying: fileOf('try.js', 'text/javascript', built('try.ts', banner)),
    search: fileOf('search.json', 'application/json', made.search),
    icon: fileOf('icon.svg', 'image/svg+xml', read('icon.svg')),
  };
  const names = Object.fromEntries(Object.entries(named).map(([key, [name]]) => [key, name]));
  const pages = made.pages.map((page) => {
    const text = pageHtml(page, made, names as Record<keyof typeof named, string>, openApi);
    return [page.path, text] as const;
  });
  return { pages: Object.fromEntries(pages), files: Object.fromEntries(Object.values(named)) };
}

/** A file under a name with the hash of its content, so that it can be kept for good. */
function fileOf(name: string, type: string, text: string): readonly [string, DocsFile] {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
  return [name.replace('.', `-${hash}.`), { type: `${type}; charset=utf-8`, text }];
}

function writtenIn({ path, title, pages }: (typeof folders)[number]): WrittenFolder {
  const folder = join('shared', 'reference', path);
  const texts = pages.map((page) => ({
    ...page,
    path: `${folder}/${page.name}.md`,
    text: readFileSync(join(root, folder, `${page.name}.md`), 'utf8'),
  }));
  return { path, title, pages: texts };
}

function read(name: string): string {
  return readFileSync(join(root, 'functions', 'docs', 'page', name), 'utf8');
}

function built(entry: string, text = ''): string {
  // Required here: the package brings its reference ready-made, and no compiler.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    ...options,
    entryPoints: [join('functions', 'docs', 'page', entry)],
    ...(text && { banner: { js: text } }),
  });
  return outputFiles[0]?.text ?? '';
}
