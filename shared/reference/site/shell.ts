/** The frame of every page: contents, search and the addresses of its files. */
import { type Html, html } from '../html.ts';
import { sampleBase } from '../sample-base.ts';

export interface NavItem {
  readonly title: string;
  /** The path of the page below `docs`; empty for the overview. */
  readonly path: string;
}

export interface NavGroup {
  readonly title: string;
  readonly items: readonly NavItem[];
}

/** A place within a page, which the contents show while the page is read. */
export interface SectionLink {
  readonly id: string;
  readonly title: string;
  readonly method?: string;
}

export interface SitePage extends NavItem {
  /** The heading that a written page has in lists of its folder. */
  readonly group?: string;
  readonly description: string;
  readonly body: Html;
  readonly places: readonly SectionLink[];
}

/** The names of the files that pages load, which change with their content. */
export type SiteFiles = Readonly<Record<'style' | 'script' | 'trying' | 'search' | 'icon', string>>;

export interface Site {
  readonly title: string;
  readonly version: string;
  readonly groups: readonly NavGroup[];
  readonly files: SiteFiles;
}

/** The relative address of a page from another one, so that it holds behind any base path. */
export function hrefFrom(from: string, to: string, anchor = ''): string {
  const depth = from === '' ? 0 : from.split('/').length;
  const up = depth === 0 ? 'docs' : depth === 1 ? '.' : '..';
  const hash = anchor && `#${anchor}`;
  if (to === from) return hash || `${upTo(depth)}${to.split('/').at(-1) || 'docs'}`;
  if (to === '') return `${'../'.repeat(depth)}docs${hash}`;
  return `${up}/${to}${hash}`.replace(/^\.\//, '');
}

function upTo(depth: number): string {
  return depth === 0 ? '' : './';
}

export function shellOf(page: SitePage, site: Site): string {
  const { title, version, files } = site;
  const asset = (name: string) => hrefFrom(page.path, `assets/${name}`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.description}">
<title>${page.path === '' ? `${title} reference` : `${page.title} · ${title}`}</title>
<link rel="icon" href="${asset(files.icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${asset(files.style)}">
<script type="module" src="${asset(files.script)}"></script>
</head>
<body data-search="${asset(files.search)}" data-trying="${asset(files.trying)}" data-root="${hrefFrom(page.path, 'x').slice(0, -1)}" data-base="${sampleBase}">
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<button type="button" class="menu" aria-expanded="false" aria-controls="contents">Menu</button>
<a class="brand" href="${hrefFrom(page.path, '')}">${title} <span class="quiet">${version}</span></a>
<button type="button" class="find" aria-haspopup="dialog" aria-keyshortcuts="/ Control+K"><span>Search</span> <kbd>/</kbd></button>
</header>
<div class="frame">
<nav id="contents" aria-label="Contents">
${site.groups.map((group) => groupOf(group, page))}</nav>
<main id="content">
${page.body}
</main>
</div>
<dialog class="search" aria-label="Search"><form method="dialog"><input type="search" placeholder="Search endpoints, members, errors, concepts" aria-label="Search" autocomplete="off" spellcheck="false" aria-controls="hits"><button>Close</button></form><ul id="hits" aria-label="Results"></ul><p class="quiet" role="status"></p></dialog>
</body>
</html>
`.text;
}

function groupOf({ title, items }: NavGroup, page: SitePage): Html {
  const links = items.map((item) => itemOf(item, page));
  // The long folders of written pages are folded, unless one of them is read.
  const isFolded = items.some(({ path }) => path.includes('/'));
  const isOpen = items.some(({ path }) => path === page.path);
  const list = html`<ul>${links}</ul>`;
  return isFolded
    ? html`<details${isOpen ? html` open` : html``}><summary>${title}</summary>${list}</details>
`
    : html`<section><h2>${title}</h2>${list}</section>
`;
}

function itemOf({ title, path }: NavItem, page: SitePage): Html {
  const isHere = path === page.path;
  const current = isHere ? html` aria-current="page"` : html``;
  const places =
    isHere && page.places.length > 0
      ? html`<ul class="places">${page.places.map(placeOf)}</ul>`
      : html``;
  return html`<li><a href="${hrefFrom(page.path, path)}"${current}>${title}</a>${places}</li>
`;
}

function placeOf({ id, title, method }: SectionLink): Html {
  const badge = method
    ? html`<span class="method ${method}">${method === 'delete' ? 'del' : method}</span> `
    : html``;
  return html`<li><a href="#${id}">${badge}<span>${title}</span></a></li>
`;
}
