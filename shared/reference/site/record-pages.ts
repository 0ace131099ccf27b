/** A page for each tag: the members of its records, and its operations. And one with the shapes that many have. */
import { type Kind, kinds } from '../../ledger/kind.ts';
import { type Html, html, markedUp } from '../html.ts';
import type { OpenApi, Operation, Schema } from '../openapi.ts';
import { titleOf, typeNameOf } from '../operation.ts';
import { answerExample } from './answer-example.ts';
import { codeBlock } from './highlight.ts';
import { type MemberOptions, memberList } from './members.ts';
import { operationSection } from './operation-section.ts';
import { hrefFrom, type SectionLink, type SitePage } from './shell.ts';

interface TaggedEndpoint {
  readonly endpoint: string;
  readonly operation: Operation;
}

const shapesPath = 'shapes';

/** The path of the page of a tag: `signer-factors`. */
export function pathOfTag(tag: string): string {
  const name = tag.toLowerCase().replaceAll(' ', '-');
  const own: Readonly<Record<string, string>> = {
    'own-ledger': 'ledger',
    log: 'log',
    service: 'service',
  };
  return own[name] ?? (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`);
}

function titleOfTag(tag: string): string {
  const path = pathOfTag(tag);
  if (path === 'ledger') return 'The addressed ledger';
  return path.charAt(0).toUpperCase() + path.slice(1).replaceAll('-', ' ');
}

const kindOfTag = new Map((Object.keys(kinds) as Kind[]).map((kind) => [titleOf(kind), kind]));
const kindOfType = new Map((Object.keys(kinds) as Kind[]).map((kind) => [typeNameOf(kind), kind]));

/** The place of the description of a schema: on the page of its kind, or among the shapes. */
export function hrefOfSchema(document: OpenApi, from: string, name: string): string | undefined {
  const [, made = name] = /^(?:Create|Update)(.+)$/.exec(name) ?? [];
  const own = kindOfType.get(made.replace(/(?:Data|ChangeList|Change|List)$/, ''));
  if (own) {
    const path = pathOfTag(titleOf(own));
    return hrefFrom(from, path, /^(?:Create|Update)|Data$/.test(name) ? 'data' : 'record');
  }
  return shapesOf(document).includes(name) ? hrefFrom(from, shapesPath, name) : undefined;
}

/** The schemas that several operations have, and the shapes of texts. */
function shapesOf({ components }: OpenApi): string[] {
  const all = [
    'AccessRule',
    'SignerMatcher',
    'BearerMatcher',
    'Fact',
    'SentProof',
    'Proof',
    'ReportProof',
    'Drop',
    'Lookup',
    'Request',
    'CreateIntentBatch',
    'Error',
    'Page',
    'CountedPage',
    'Handle',
    'LedgerHandle',
    'Hash',
    'Custom',
  ];
  return all.filter((name) => components.schemas[name]);
}

/** The bodies and lists of all kinds, by those of one. */
const envelopes: Readonly<Record<string, string>> = {
  CreateSymbol: 'A create, here of a symbol',
  UpdateSymbol: 'An update, here of a symbol',
  SymbolList: 'A list, here of symbols',
  SymbolChangeList: 'A history, here of a symbol',
};

export function shapesPage(document: OpenApi): SitePage {
  const options = { document, hrefOf: (name: string) => hrefOfSchema(document, shapesPath, name) };
  const places = [
    ...shapesOf(document).map((name) => [name, name] as const),
    ...Object.entries(envelopes),
  ];
  const sections = places.map(([name, title]) => {
    const schema = document.components.schemas[name] ?? {};
    return html`<section class="prose" id="${name}"><h2><a class="anchor" href="#${name}">${title}</a></h2>
<p>${markedUp(schema.description ?? '')}</p>
${memberList(schema, { ...options, id: name })}</section>
`;
  });
  return {
    path: shapesPath,
    title: 'Shapes',
    description:
      'The shapes that several operations have: rules, matchers, proofs, pages and errors.',
    body: html`<h1>Shapes</h1><p class="lead">The shapes that several operations have: rules, matchers, proofs, pages and errors.</p>${sections}`,
    places: places.map(([id, title]) => ({ id, title })),
  };
}

interface TagPage {
  readonly document: OpenApi;
  readonly tag: string;
  readonly text: string;
  readonly endpoints: readonly TaggedEndpoint[];
  /** The concept pages about it. */
  readonly concepts: readonly { readonly path: string; readonly title: string }[];
}

export function tagPage({ document, tag, text, endpoints, concepts }: TagPage): SitePage {
  const path = pathOfTag(tag);
  const kind = tag === 'Own ledger' ? undefined : kindOfTag.get(tag);
  const options = { document, hrefOf: (name: string) => hrefOfSchema(document, path, name) };
  const reasonHref = (reason: string) => hrefFrom(path, 'errors', reason);
  const links = concepts.map(
    ({ path: to, title }) => html` <a href="${hrefFrom(path, to)}">${title}</a>`,
  );
  const more = links.length > 0 ? html`<p class="more">Read on:${links}</p>` : html``;
  const members = kind ? memberSections(kind, options) : { html: [], places: [] };
  const operations = endpoints.map(({ endpoint, operation }) =>
    operationSection({ endpoint, operation, options, reasonHref }),
  );
  const places = endpoints.map(({ endpoint, operation }): SectionLink => {
    const [method = ''] = endpoint.toLowerCase().split(' ');
    return { id: operation.operationId, title: placeTitle(endpoint, path), method };
  });
  return {
    path,
    title: titleOfTag(tag),
    description: text,
    body: html`<h1>${titleOfTag(tag)}</h1>
<p class="lead">${markedUp(text)}</p>
${more}
${members.html}
${operations}`,
    places: [...members.places, ...places],
  };
}

/** The path of an endpoint without the part that the page names: `/{id}/proofs`. */
function placeTitle(endpoint: string, page: string): string {
  const [, path = ''] = endpoint.split(' ');
  return path.startsWith(`/${page}/`) ? path.slice(page.length + 1) : path;
}

interface MemberSections {
  readonly html: readonly Html[];
  readonly places: readonly SectionLink[];
}

function memberSections(kind: Kind, options: MemberOptions): MemberSections {
  const { schemas } = options.document.components;
  const name = typeNameOf(kind);
  const data = schemas[`${name}Data`] ?? {};
  const record = schemas[name] ?? {};
  // The condition on members stands in the bodies alone.
  const body = schemas[`Create${name}`]?.properties?.['data'] ?? data;
  const parent = schemas[`Update${name}`]?.properties?.['data']?.properties?.['parent'];
  const update = parent
    ? html`<h3>In an update</h3>${memberList({ properties: { parent }, required: ['parent'] }, { ...options, id: 'update' })}`
    : html``;
  const { proofs: _, ...beside } = schemas[`Create${name}`]?.properties?.['meta']?.properties ?? {};
  const unsigned =
    Object.keys(beside).length > 0
      ? html`<h3>Beside the data, in meta</h3>${memberList({ properties: beside }, { ...options, id: 'beside' })}`
      : html``;
  const written = body.properties ?? {};
  const answered = Object.fromEntries(
    Object.entries(data.properties ?? {}).filter(
      ([member]) => member !== 'parent' && !Object.hasOwn(written, member),
    ),
  );
  const own =
    Object.keys(answered).length > 0
      ? html`<h3>In its data, by the ledger</h3>${memberList({ properties: answered }, { ...options, id: 'data' })}`
      : html``;
  const example = answerExample(options.document, name) as { readonly data: unknown };
  const replaced = data.properties?.['parent']?.description ?? '';
  return {
    html: [
      html`<section class="operation" id="data"><div class="words"><h2><a class="anchor" href="#data">Data</a></h2>
<p>The members that authors write and sign.</p>
${memberList(body, { ...options, id: 'data' })}${unsigned}${update}</div>
${exampleBlock('Data', example.data)}</section>
`,
      html`<section class="operation" id="record"><div class="words"><h2><a class="anchor" href="#record">The record</a></h2>
<p>The answer for one record. A list has many of them, and a history has each as it stood after a change.</p>
${memberList(record, { ...options, id: 'record' })}
${own}
${parent ? html`<p class="quiet">${markedUp(`\`data.parent\`: ${replaced}`)}</p>` : html``}
${changeMembers(schemas[`${name}Change`], options)}</div>
${exampleBlock('Record', example)}</section>
`,
    ],
    places: [
      { id: 'data', title: 'Data' },
      { id: 'record', title: 'The record' },
    ],
  };
}

function exampleBlock(title: string, value: unknown): Html {
  const block = codeBlock(JSON.stringify(value, null, 2), 'json', title);
  return html`<div class="samples"><div class="code answer"><div class="head"><span>${title}</span></div>${block}</div></div>`;
}

/** The members that a record has in its history alone. */
function changeMembers(change: Schema | undefined, options: MemberOptions): Html {
  const { properties = {}, required = [], description } = change?.properties?.['meta'] ?? {};
  const own = ['action', 'change', 'moment', 'status', 'drop'];
  const members = own.flatMap((name) =>
    properties[name] ? [[name, properties[name]] as const] : [],
  );
  if (!change) return html``;
  const schema = { properties: Object.fromEntries(members), required };
  return html`<h3>In its history</h3><p>${markedUp(`${change.description ?? ''} ${description ?? ''}`)}</p>
${memberList(schema, { ...options, id: 'change' })}`;
}
