/**
 * The reference as a site: pages, and the index of its search, made of the OpenAPI document and of written pages. It is
 * made when the service is built, with packages that only the build has. Decision 119.
 */
import { type Kind, kinds } from '../../ledger/kind.ts';
import { type Html, html, markedUp } from '../html.ts';
import type { OpenApi } from '../openapi.ts';
import { titleOf, typeNameOf } from '../operation.ts';
import { sampleBase } from '../sample-base.ts';
import { ownMembersOf } from '../sent.ts';
import { errorsPage, requestsPage, signingPage } from './guide-pages.ts';
import { type LinkOf, rendered, type WrittenPage } from './markdown.ts';
import { hrefOfSchema, pathOfTag, shapesPage, tagPage } from './record-pages.ts';
import {
  callEntries,
  memberEntries,
  operationEntries,
  reasonEntries,
  type SearchEntry,
  searchIndex,
  signalEntries,
} from './search.ts';
import { callsPage, eventsPage, placeOfSent, type SentExamples } from './sent-pages.ts';
import {
  hrefFrom,
  type NavGroup,
  type Site,
  type SiteFiles,
  type SitePage,
  shellOf,
} from './shell.ts';

/** A folder of written pages. */
export interface WrittenFolder {
  /** The path of its pages below `docs`, as `concepts`. */
  readonly path: string;
  readonly title: string;
  readonly pages: readonly WrittenPage[];
}

export interface SiteSource {
  readonly document: OpenApi;
  readonly folders: readonly WrittenFolder[];
  readonly sent: SentExamples;
}

export interface MadeSite {
  /** The pages by their path below `docs`, without their files. */
  readonly pages: readonly SitePage[];
  readonly groups: readonly NavGroup[];
  readonly search: string;
}

const kindOfTag = new Map((Object.keys(kinds) as Kind[]).map((kind) => [titleOf(kind), kind]));

/** The groups of pages about operations, by their tags. */
const tagGroups: Readonly<Record<string, readonly string[]>> = {
  Money: ['Intent', 'Wallet', 'Balance', 'Symbol'],
  'Rights and rules': ['Signer', 'Signer factor', 'Circle', 'Circle signer', 'Policy', 'Schema'],
  'Outside world': ['Bridge', 'Effect', 'Anchor', 'Report'],
  Ledger: ['Ledger', 'Own ledger', 'Domain', 'Log', 'Token', 'Service'],
};

/** Makes the site without the names of its files, which are known once they are built. */
export function siteOf(source: SiteSource): MadeSite {
  const { document } = source;
  const guides = [signingPage(), requestsPage(document), errorsPage(), shapesPage(document)];
  const written = source.folders.map((folder) => writtenPages(source, folder));
  const byTag = Object.entries(tagGroups).map(([title, tags]) => ({
    title,
    pages: tags.flatMap((tag) => [pageOfTag(source, tag), ...sentPages(source, tag)]),
  }));
  const folders = source.folders.map(({ title }, index) => ({
    title,
    pages: written[index] ?? [],
  }));
  const groups = [{ title: 'Start', pages: guides }, ...byTag, ...folders].filter(
    ({ pages }) => pages.length > 0,
  );
  const first = overview(document, groups);
  const pages = [first, ...groups.flatMap((group) => group.pages)];
  return {
    pages,
    groups: [
      { title: 'Start', items: [first, ...guides] },
      ...groups.slice(1).map(({ title, pages: items }) => ({ title, items })),
    ],
    search: searchIndex(entriesOf(source, pages)),
  };
}

/** A page as HTML, with the base address of samples in it. */
export function pageHtml(
  page: SitePage,
  made: MadeSite,
  files: SiteFiles,
  { info }: OpenApi,
): string {
  const site: Site = { title: info.title, version: info.version, groups: made.groups, files };
  return shellOf(page, site);
}

/** The pages of what is sent to the records of a tag, which follow it in the contents. */
function sentPages({ document, sent }: SiteSource, tag: string): SitePage[] {
  if (tag === 'Bridge') return [callsPage(document, sent)];
  return tag === 'Effect' ? [eventsPage(document, sent)] : [];
}

function pageOfTag({ document, folders }: SiteSource, tag: string): SitePage {
  const endpoints = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ endpoint: `${method.toUpperCase()} ${path}`, operation })),
  );
  const text = document.tags.find(({ name }) => name === tag)?.description ?? '';
  const kind = kindOfTag.get(tag);
  const concepts = folders.flatMap(({ path, pages }) =>
    pages
      .filter(({ kinds: about }) => kind && about?.includes(kind))
      .map((page) => ({
        path: `${path}/${page.name}`,
        title: `${rendered(page, () => undefined).title}: what it is and guarantees`,
      })),
  );
  return tagPage({ document, tag, text, endpoints, concepts });
}

function writtenPages(source: SiteSource, folder: WrittenFolder): SitePage[] {
  return folder.pages.map((page) => {
    const path = `${folder.path}/${page.name}`;
    const { title, body, headings } = rendered(page, linkFrom(source, page, path));
    const [first] = headings;
    const description = first?.words.split(/(?<=\.)\s/)[0] ?? '';
    return {
      path,
      title,
      description,
      body: html`<h1>${title}</h1>
<div class="prose written">${body}</div>`,
      places: headings.filter(({ id }) => id).map(({ id, text }) => ({ id, title: text })),
      group: page.group,
    };
  });
}

/** Links between written pages stay on the site; those to other files of the repository become plain text. */
function linkFrom({ folders }: SiteSource, from: WrittenPage, path: string): LinkOf {
  const pathOf = new Map(
    folders.flatMap(({ path: folder, pages }) =>
      pages.map((page) => [page.path, `${folder}/${page.name}`] as const),
    ),
  );
  return (href) => {
    if (/^https?:/.test(href)) return href;
    const [file = '', anchor = ''] = href.split('#');
    if (file === '') return `#${anchor}`;
    const target = pathOf.get(resolvedPath(from.path, file));
    return target === undefined ? undefined : hrefFrom(path, target, anchor);
  };
}

function resolvedPath(from: string, to: string): string {
  return new URL(to, `file:///${from}`).pathname.slice(1);
}

interface PageGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

function overview({ info, tags, paths }: OpenApi, groups: readonly PageGroup[]): SitePage {
  const count = (tag: string) =>
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .filter((one) => one.tags.includes(tag)).length;
  const counts = new Map(tags.map(({ name }) => [pathOfTag(name), count(name)]));
  const sections = groups.map(
    ({
      title,
      pages,
    }) => html`<section class="prose" id="${idOf(title)}"><h2><a class="anchor" href="#${idOf(title)}">${title}</a></h2>
${pages[0]?.group === undefined ? cardsOf(pages, counts) : shelvesOf(pages)}</section>
`,
  );
  return {
    path: '',
    title: 'Overview',
    description: `The interface of ${info.title}: every endpoint, member, error and signal.`,
    body: html`<h1>${info.title} reference</h1>
<p class="lead">${markedUp(firstSentence(info.description))}</p>
<p>The base address is <code>${sampleBase}</code>. Programs read the same as <a href="openapi.json">openapi.json</a>. Each operation has samples that can be pasted, and can be tried from its page.</p>
${sections}`,
    places: groups.map(({ title }) => ({ id: idOf(title), title })),
  };
}

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function cardsOf(pages: readonly SitePage[], counts: ReadonlyMap<string, number>): Html {
  return html`<ul class="cards">${pages.map((page) => cardOf(page, counts.get(page.path)))}</ul>`;
}

/** Written pages, a line for each of their groups. */
function shelvesOf(pages: readonly SitePage[]): Html {
  const groups = [...new Set(pages.map(({ group }) => group ?? ''))];
  const linkOf = ({
    path,
    title,
  }: SitePage) => html`<li><a href="${hrefFrom('', path)}">${title}</a></li>
`;
  const shelves = groups.map(
    (
      name,
    ) => html`<h3>${name}</h3><ul class="shelf">${pages.filter(({ group }) => group === name).map(linkOf)}</ul>
`,
  );
  return html`${shelves}`;
}

function cardOf({ title, path, description }: SitePage, count: number | undefined): Html {
  const operations = count ? html` <span class="quiet">${count}</span>` : html``;
  return html`<li><a href="${hrefFrom('', path)}">${title}</a>${operations}<p>${markedUp(firstSentence(description))}</p></li>
`;
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text;
}

function entriesOf(source: SiteSource, pages: readonly SitePage[]): SearchEntry[] {
  const { document, folders } = source;
  const { schemas } = document.components;
  const members = (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const page = pathOfTag(titleOf(kind));
    const name = typeNameOf(kind);
    return [
      ...memberEntries(schemas[`Create${name}`]?.properties?.['data'] ?? {}, page, 'data'),
      ...memberEntries(schemas[name]?.properties?.['meta'] ?? {}, page, 'record-meta'),
    ];
  });
  const shapes = Object.entries(schemas).flatMap(([name, schema]) =>
    hrefOfSchema(document, 'shapes', name) === `#${name}`
      ? [
          { title: name, href: `shapes#${name}`, type: 'shape', text: schema.description ?? '' },
          ...memberEntries(schema, 'shapes', name),
        ]
      : [],
  );
  const inSent = Object.entries(schemas).flatMap(([name, schema]) => {
    if (!/Event$|Call$|^BridgeEntry$/.test(name)) return [];
    const [path = '', id = ''] = placeOfSent(name).split('#');
    const { data } = ownMembersOf(schema).properties ?? {};
    return data ? memberEntries(data, path, `${id}-data`) : memberEntries(schema, path, id);
  });
  const sections = folders.flatMap((folder) =>
    folder.pages.flatMap((page) => sectionEntries(page, `${folder.path}/${page.name}`)),
  );
  return [
    ...pages.map(({ title, path, description }) => ({
      title,
      href: path,
      type: 'page',
      text: description,
    })),
    ...operationEntries(document, pathOfTag),
    ...members,
    ...shapes,
    ...inSent,
    ...callEntries(),
    ...reasonEntries(),
    ...signalEntries(),
    ...sections,
  ];
}

function sectionEntries(page: WrittenPage, path: string): SearchEntry[] {
  const { title, headings } = rendered(page, () => undefined);
  return headings.map(({ id, text, words }) => ({
    title: id ? `${title}: ${text}` : title,
    href: id ? `${path}#${id}` : path,
    type: 'text',
    text: words,
  }));
}
