/** One operation: its words on the left, and its samples, an answer and a try on the right. */
import { type Html, html, joined, markedUp } from '../html.ts';
import {
  nameOfRef,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from '../openapi.ts';
import { type OperationInfo, operationInfoOf } from '../operation.ts';
import { answerExample } from './answer-example.ts';
import { codeBlock } from './highlight.ts';
import { limitsOf, type MemberOptions, memberList } from './members.ts';
import { requestExample } from './request-example.ts';
import { samplesOf } from './samples.ts';

export interface OperationView {
  readonly endpoint: string;
  readonly operation: Operation;
  readonly options: MemberOptions;
  /** The address of the text about a reason. */
  readonly reasonHref: (reason: string) => string;
}

export function operationSection(view: OperationView): Html {
  const { endpoint, operation, options } = view;
  const info = operationInfoOf(endpoint);
  const { operationId, summary, description, deprecated } = operation;
  const { method, path } = info;
  return html`<section class="operation" id="${operationId}">
<div class="words">
<h2><a class="anchor" href="#${operationId}">${markedUp(titleOf(summary))}</a></h2>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${pathOf(path)}</code>${deprecated ? html` <span class="old">deprecated</span>` : html``}</p>
${restOf(summary)}
${description ? html`<p class="quiet">${markedUp(description)}</p>` : html``}
${parameterLists(view)}
${bodyOf(view, info)}
${answerOf(view)}
${errorsOf(view)}
</div>
<div class="samples">
${sampleTabs(view, info)}
${answerSample(view, options)}
</div>
</section>
`;
}

/** A summary may go on after a colon or a semicolon. */
function titleOf(summary: string): string {
  const [, title = summary] = /^([^:;]+)[:;] /.exec(summary) ?? [];
  return title;
}

function restOf(summary: string): Html {
  const rest = summary.slice(titleOf(summary).length).replace(/^[:;] /, '');
  return rest
    ? html`<p>${markedUp(`${rest.charAt(0).toUpperCase()}${rest.slice(1)}.`)}</p>`
    : html``;
}

/** The path, which may break at its slashes. */
function pathOf(path: string): Html {
  const [, ...segments] = path.split('/');
  return joined(
    segments.map((segment) => html`/<wbr>${segment}`),
    '',
  );
}

function parametersOf({ operation, options }: OperationView): readonly Parameter[] {
  const { parameters } = options.document.components;
  return operation.parameters.flatMap((one) => {
    const found = '$ref' in one ? parameters[nameOfRef(one)] : one;
    return found ? [found] : [];
  });
}

function parameterLists(view: OperationView): Html[] {
  const all = parametersOf(view).filter(({ name }) => !['x-ledger', 'filters'].includes(name));
  return (['path', 'query'] as const).flatMap((place) => {
    const own = all.filter((one) => one.in === place);
    const title = place === 'path' ? 'Path' : 'Query';
    const items = own.map(parameterItem);
    return own.length > 0
      ? [
          html`<h3>${title}</h3><ul class="members">${items}</ul>
`,
        ]
      : [];
  });
}

function parameterItem({ name, description, required, schema, in: place }: Parameter): Html {
  const must = required && place === 'query' ? html` <span class="must">required</span>` : html``;
  const limits = limitsOf(schema);
  const type =
    schema.format === 'date-time' ? 'moment' : (schema.type ?? 'text').replace('string', 'text');
  return html`<li><div class="member"><code class="name">${name}</code> <span class="type">${type}</span>${must}</div><p>${markedUp(description)}${limits ? html` <span class="limits">${limits}</span>` : ''}</p></li>
`;
}

function bodyOf({ operation, options }: OperationView, { body }: OperationInfo): Html {
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  const schema = content?.schema;
  if (!schema || !type) return html``;
  if (!schema.$ref)
    return html`<h3>Body</h3><p><code>${type}</code></p>${memberList(schema, options)}`;
  const name = nameOfRef({ $ref: schema.$ref });
  const href = options.hrefOf(name);
  const link = href ? html`<a href="${href}">${name}</a>` : html`${name}`;
  const target = options.document.components.schemas[name] ?? {};
  const data = target.properties?.['data'];
  const isOwn = body === 'check' || body === 'retry';
  const shown = isOwn && data ? memberList(data, options) : namesOf(data, href);
  return html`<h3>Body</h3><p>${link}. ${markedUp(target.description ?? '')}</p>${shown}`;
}

/** The names of the members of the data of a record, with links to their descriptions. */
function namesOf(data: Schema | undefined, href: string | undefined): Html {
  const { properties = {}, required = [] } = data ?? {};
  if (!href?.endsWith('#data')) return html``;
  const item = (name: string) => {
    const at = name === 'parent' ? href.replace(/data$/, 'update-parent') : `${href}-${name}`;
    const must = required.includes(name) ? html` <span class="must">required</span>` : html``;
    return html`<li><a href="${at}"><code>${name}</code></a>${must}</li>
`;
  };
  return html`<ul class="names">${Object.keys(properties).map(item)}</ul>`;
}

function successOf({ operation }: OperationView): readonly [status: string, answer: Response] {
  const [found] = Object.entries(operation.responses).filter(([status]) => status < '300');
  const [status = '', answer = { description: '' }] = found ?? [];
  return [status, answer as Response];
}

function schemaOf({ content }: Response): Schema | undefined {
  return content?.['application/json']?.schema;
}

function answerOf(view: OperationView): Html {
  const { options } = view;
  const [status, answer] = successOf(view);
  const schema = schemaOf(answer);
  const [type] = Object.keys(answer.content ?? {});
  const head = html`<h3>Answer</h3>`;
  if (!schema?.$ref)
    return html`${head}<p><span class="status">${status}</span> ${type ? html`<code>${type}</code>` : 'No body.'}</p>`;
  const name = nameOfRef({ $ref: schema.$ref });
  const target = options.document.components.schemas[name] ?? {};
  const href = options.hrefOf(name);
  const link = href ? html`<a href="${href}">${name}</a>. ` : html``;
  const members = href
    ? html``
    : html`<details><summary>Members of the answer</summary>${memberList(target, options)}</details>`;
  return html`${head}<p><span class="status">${status}</span> ${link}${markedUp(target.description ?? '')}</p>${members}`;
}

/** The reasons for a refusal, status by status. */
function errorsOf({ operation, options, reasonHref }: OperationView): Html {
  const rows = Object.entries(operation.responses).flatMap(([status, one]) => {
    const response = '$ref' in one ? options.document.components.responses[nameOfRef(one)] : one;
    const reasons = reasonsIn(response as Response | undefined);
    const links = reasons.map(
      (reason) => html`<a href="${reasonHref(reason)}"><code>${reason}</code></a>`,
    );
    return links.length > 0
      ? [html`<li><span class="status">${status}</span> ${joined(links, ' ')}</li>`]
      : [];
  });
  return html`<details class="errors"><summary>Errors</summary><ul>${rows}</ul></details>`;
}

function reasonsIn(response: Response | undefined): string[] {
  const schema = response && schemaOf(response);
  const [, narrowed] = schema?.allOf ?? [];
  const { reason } = narrowed?.properties?.['data']?.properties ?? {};
  return (reason?.enum ?? schema?.properties?.['error']?.enum ?? []).map(String);
}

const tabs = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const;

function sampleTabs(view: OperationView, info: OperationInfo): Html {
  const { operationId } = view.operation;
  const example = requestExample(view.options.document, info);
  const samples = samplesOf(info, example);
  const names = Object.keys(tabs) as (keyof typeof tabs)[];
  const buttons = names.map((name, index) => {
    const isFirst = index === 0;
    return html`<button type="button" role="tab" id="${operationId}-tab-${name}" aria-controls="${operationId}-${name}" aria-selected="${String(isFirst)}" tabindex="${isFirst ? 0 : -1}" data-language="${name}">${tabs[name]}</button>`;
  });
  const panels = names.map(
    (name, index) =>
      html`<div role="tabpanel" id="${operationId}-${name}" aria-labelledby="${operationId}-tab-${name}" data-language="${name}"${index > 0 ? html` hidden` : html``}>${codeBlock(samples[name], name, tabs[name])}</div>`,
  );
  const query = parametersOf(view)
    .filter((one) => one.in === 'query' && one.name !== 'filters')
    .map(({ name, required }) => ({ name, required: required === true }));
  const isFiltered = parametersOf(view).some(({ name }) => name === 'filters');
  const request = {
    ...example,
    method: info.method,
    address: info.path,
    body: info.body,
    parameters: query,
    isFiltered,
  };
  return html`<div class="code tabbed"><div class="head"><div role="tablist" aria-label="Language">${buttons}</div></div>${panels}</div>
<div class="try" data-request="${JSON.stringify(request)}"></div>`;
}

function answerSample(view: OperationView, { document }: MemberOptions): Html {
  const [status, answer] = successOf(view);
  const ref = schemaOf(answer)?.$ref;
  if (!ref) return html``;
  const text = JSON.stringify(answerExample(document, nameOfRef({ $ref: ref })), null, 2);
  return html`<div class="code answer"><div class="head"><span>Answer</span> <span class="status">${status}</span></div>${codeBlock(text, 'json', 'An answer')}</div>`;
}
