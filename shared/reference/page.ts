/** The OpenAPI document as one HTML page: no script, no other resource, and it can be printed. */
import { fieldTable, limitsOf } from './fields.ts';
import { Html, html, joined, markedUp } from './html.ts';
import {
  nameOfRef,
  type OpenApi,
  type Operation,
  type OperationMethod,
  type Parameter,
  type Reference,
  type Response,
  type Schema,
} from './openapi.ts';
import { signingSection } from './signing.ts';
import { style } from './style.ts';

interface ReferenceEntry extends Operation {
  readonly method: OperationMethod;
  readonly path: string;
}

interface Section {
  readonly tag: string;
  readonly id: string;
  readonly entries: readonly ReferenceEntry[];
}

/** Makes the page; its examples contain the base address. */
export function pageOf(document: OpenApi, base: string): string {
  const { title, version, description } = document.info;
  const sections = sectionsOf(document);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} ${version}: reference</title>
<style>${new Html(style)}</style>
</head>
<body>
<nav aria-label="Contents">${contents(title, sections)}</nav>
<main>
<header id="top"><h1>${title}</h1>
<p class="quiet">Version ${version} · <code>${base}</code> · <a href="openapi.json">openapi.json</a></p>
<p>${markedUp(description)}</p></header>
${signingSection(base)}
${everyRequest(document)}
${sections.map((section) => sectionOf(document, section))}
${shapesSection(document)}
</main>
</body>
</html>
`;
  return page.text;
}

function sectionsOf({ tags, paths }: OpenApi): Section[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => ({ ...operation, method, path }) as unknown as ReferenceEntry,
    ),
  );
  return tags.map(({ name }) => ({
    tag: name,
    id: `kind-${typeName(name)}`,
    entries: all.filter(({ tags: own }) => own.includes(name)),
  }));
}

/** `Signer factor` is `SignerFactor` in the names of schemas. */
function typeName(tag: string): string {
  return tag.replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase());
}

function contents(title: string, sections: readonly Section[]): Html {
  const items = sections.map(
    ({ tag, id, entries }) => html`<li><a class="top" href="#${id}">${tag}</a><ul>
${entries.map(
  ({ method, path, operationId }) =>
    html`<li><a href="#${operationId}">${methodOf(method)}<span>${path}</span></a></li>
`,
)}</ul></li>
`,
  );
  return html`<a href="#top"><strong>${title}</strong></a>
<ul><li><a class="top" href="#signing">How to sign a request</a></li>
<li><a class="top" href="#requests">Every request</a></li>
${items}<li><a class="top" href="#shapes">Shapes</a></li></ul>`;
}

function methodOf(method: OperationMethod): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

/** The parameters and errors that all operations share. */
function everyRequest({ components }: OpenApi): Html {
  const { parameters, responses, securitySchemes } = components;
  // Each list has a parameter `filters` of its own, with the same text.
  const common = Object.values(parameters).filter(
    ({ name, in: place }, index, all) =>
      place !== 'path' && all.findIndex((one) => one.name === name) === index,
  );
  const rows = common.map(
    ({ name, description, schema }) =>
      html`<tr><td><code>${name}</code></td><td>${markedUp(description)} <span class="limits">${limitsOf(schema)}</span></td></tr>
`,
  );
  const reasons = Object.entries(responses).map(
    ([name, { description }]) =>
      html`<tr><td>${name.slice(0, 3)}</td><td>${markedUp(description)}</td></tr>
`,
  );
  return html`<section id="requests"><h2>Every request</h2>
<div class="wide"><table><tbody>${rows}<tr><td><code>authorization</code></td><td>Bearer: a JWT. ${securitySchemes['bearer']?.['description'] ?? ''}</td></tr></tbody></table></div>
<h3>Errors</h3>
<p>${markedUp('An error has the shape `Error`: `data.reason` is for programs, `data.detail` for people. An intent that fails is not an error: it is created, and a proof on it states the reason.')}</p>
<div class="wide"><table><thead><tr><th>status</th><th>when</th></tr></thead><tbody>${reasons}</tbody></table></div>
</section>
`;
}

const updateNote = html`<p class="quiet">${markedUp('An update also has `parent`: the hash of the version that it replaces.')}</p>`;

function sectionOf(document: OpenApi, { tag, id, entries }: Section): Html {
  const { schemas } = document.components;
  const data = schemas[`Create${typeName(tag)}`]?.properties?.['data'];
  const fields = data
    ? html`<h3>Data</h3>
${fieldTable(data, (name) => hrefOf(document, name))}
${schemas[`Update${typeName(tag)}`] ? updateNote : html``}`
    : html``;
  return html`<section id="${id}"><h2>${tag}</h2>
${fields}
${entries.map((entry) => operationOf(document, entry))}</section>
`;
}

function operationOf(document: OpenApi, entry: ReferenceEntry): Html {
  const { operationId, method, path, summary, description, deprecated } = entry;
  const { requestBody, responses } = entry;
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  const body = content?.schema?.$ref
    ? html`<dt>body</dt><dd>${schemaLink(document, content.schema)}</dd>`
    : html`${type ? html`<dt>body</dt><dd><code>${type}</code></dd>` : ''}`;
  const example = content?.example
    ? html`<details><summary>Example body</summary><pre>${JSON.stringify(content.example, null, 2)}</pre></details>`
    : html``;
  const [[status, answer] = ['', {}]] = Object.entries(responses).filter(([code]) => code < '300');
  return html`<article class="operation${deprecated ? ' old' : ''}" id="${operationId}">
<h3>${methodOf(method)} <code>${path}</code></h3>
<p>${markedUp(summary)}.${deprecated ? ' Deprecated.' : ''}</p>
${description ? html`<p class="quiet">${markedUp(description)}</p>` : html``}
<dl>${parameterRows(document, entry)}${body}<dt>answers</dt><dd>${status} ${answerLink(document, answer as Response)}</dd>
<dt>errors</dt><dd>${errorsOf(document, entry)}</dd></dl>${example}
</article>
`;
}

function parameterRows({ components }: OpenApi, { parameters }: ReferenceEntry): Html[] {
  const all = parameters.map((one) => resolved(one, components.parameters));
  const inPath = all.filter((parameter) => parameter.in === 'path');
  const query = all.filter((parameter) => parameter.in === 'query');
  const rows = inPath.map(
    ({ name, description }) =>
      html`<dt><code>{${name}}</code></dt><dd>${markedUp(description)}</dd>`,
  );
  if (query.length === 0) return rows;
  const names = query.map(({ name }) => html`<a href="#requests"><code>${name}</code></a>`);
  return [...rows, html`<dt>query</dt><dd>${joined(names, ', ')}</dd>`];
}

function resolved(one: Parameter | Reference, parameters: Readonly<Record<string, Parameter>>) {
  const found = '$ref' in one ? parameters[nameOfRef(one)] : one;
  if (!found) throw new Error('The document has no such parameter.');
  return found;
}

function answerLink(document: OpenApi, { description, content }: Response): Html {
  const [type, answer] = Object.entries(content ?? {})[0] ?? [];
  if (!type) return html`no body (${description})`;
  return answer?.schema?.$ref ? schemaLink(document, answer.schema) : html`<code>${type}</code>`;
}

function schemaLink(document: OpenApi, { $ref = '' }: Schema): Html {
  const name = nameOfRef({ $ref });
  return html`<a href="${hrefOf(document, name)}">${name}</a>`;
}

/** The reasons of an operation, status by status. */
function errorsOf({ components }: OpenApi, { responses }: ReferenceEntry): Html[] {
  return Object.entries(responses).flatMap(([status, one]) => {
    const response = '$ref' in one ? components.responses[nameOfRef(one)] : (one as Response);
    const schema = response?.content?.['application/json']?.schema;
    const [, narrowed] = schema?.allOf ?? [];
    const { reason } = narrowed?.properties?.['data']?.properties ?? {};
    const reasons = reason?.enum ?? schema?.properties?.['error']?.enum ?? [];
    const names = reasons.map((reason) => html`<code>${String(reason)}</code>`);
    return names.length === 0
      ? []
      : [html`<span class="refusal"><b>${status}</b> ${joined(names, ', ')}</span> `];
  });
}

/** The kind that a schema is of, by its name; undefined for a schema that kinds share. */
function kindOf({ tags }: OpenApi, name: string): string | undefined {
  const kinds = tags.map(({ name: tag }) => typeName(tag));
  const parts = /^(?:Create|Update)?(.+?)(?:Data|List|Change|ChangeList)?$/.exec(name);
  return [name, parts?.[1]].find((one) => one !== undefined && kinds.includes(one));
}

function hrefOf(document: OpenApi, name: string): string {
  const kind = kindOf(document, name);
  return kind ? `#kind-${kind}` : `#schema-${name}`;
}

function shapesSection(document: OpenApi): Html {
  const shared = Object.entries(document.components.schemas).filter(
    ([name]) => !kindOf(document, name),
  );
  const record = document.components.schemas['Wallet'];
  const tables = shared.map(
    ([name, schema]) => html`<section id="schema-${name}"><h3>${name}</h3>
<p>${markedUp(schema.description ?? '')}</p>
${fieldTable(schema, (other) => hrefOf(document, other))}</section>
`,
  );
  const shape = record
    ? html`<section><h3>A record, here a wallet</h3>
${fieldTable(record, (other) => hrefOf(document, other))}
<p>${markedUp('A list has `hash`, an array of records as `data`, `page` and `meta.proofs`. A change is a record with `action` and `change` in its `meta`.')}</p></section>`
    : html``;
  return html`<section id="shapes"><h2>Shapes</h2>
${shape}
${tables}</section>
`;
}
