/** The members of a schema as an HTML table: names, types, limits and meanings. */
import { Html, html, joined, markedUp } from './html.ts';
import { nameOfRef, type Schema } from './openapi.ts';

/** The link on the page to a schema. */
export type HrefOf = (name: string) => string;

const depthMax = 3;

export function fieldTable(schema: Schema, hrefOf: HrefOf): Html {
  const rows = memberRows(schema, hrefOf, 0);
  if (rows.length === 0) return html`<p class="quiet">${limitsOf(schema)}</p>`;
  return html`<div class="wide"><table><thead><tr><th>member</th><th>type</th><th></th></tr></thead><tbody>
${rows}</tbody></table></div>`;
}

function memberRows(schema: Schema, hrefOf: HrefOf, depth: number): Html[] {
  const { properties = {}, required = [], allOf = [schema] } = schema;
  const rows = Object.entries(properties).flatMap(([name, member]) =>
    rowsOf(name, member, required.includes(name), hrefOf, depth),
  );
  // Members that are required under a condition follow below it.
  const more = allOf.flatMap(({ if: condition, then }) =>
    condition && then ? [formRow(condition, depth), ...memberRows(then, hrefOf, depth)] : [],
  );
  return [...rows, ...more];
}

function rowsOf(
  name: string,
  member: Schema,
  isRequired: boolean,
  hrefOf: HrefOf,
  depth: number,
): Html[] {
  const must = isRequired ? html` <span class="must" title="required">required</span>` : html``;
  const limits = limitsOf(member);
  const row = html`<tr><td class="d${depth}"><code>${name}</code>${must}</td><td>${typeOf(member, hrefOf)}</td><td>${markedUp(member.description ?? '')} ${limits && html`<span class="limits">${limits}</span>`}</td></tr>
`;
  return depth === depthMax ? [row] : [row, ...nestedRows(member, hrefOf, depth + 1)];
}

/** The rows below a member: those of an object, of the items of an array, or of each form. */
function nestedRows(member: Schema, hrefOf: HrefOf, depth: number): Html[] {
  const inner = member.items ?? member;
  const forms = formsOf(inner).filter(({ properties }) => properties);
  if (forms.length === 0) return memberRows(inner, hrefOf, depth);
  return forms.flatMap((form) => [formRow(form, depth), ...memberRows(form, hrefOf, depth)]);
}

/** The forms of a value, with nested ones flattened. */
function formsOf({ oneOf, anyOf }: Schema): readonly Schema[] {
  const forms = oneOf ?? anyOf ?? [];
  return forms.flatMap((form) => (form.oneOf || form.anyOf ? formsOf(form) : [form]));
}

/** A heading for the rows of a form, by its constant members. */
function formRow({ properties = {} }: Schema, depth: number): Html {
  const fixed = Object.entries(properties).filter(([, { const: value }]) => value !== undefined);
  const said = fixed.map(
    ([name, { const: value }]) =>
      html`<code>${name}</code> is <code>${JSON.stringify(value)}</code>`,
  );
  const terms = said.length > 0 ? html`when ${joined(said, ' and ')}` : html`as an object`;
  return html`<tr><td class="d${depth} quiet" colspan="3">${terms}</td></tr>
`;
}

function typeOf(schema: Schema, hrefOf: HrefOf): Html {
  if (schema.$ref) {
    const name = nameOfRef({ $ref: schema.$ref });
    return html`<a href="${hrefOf(name)}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.items) return html`array of ${typeOf(schema.items, hrefOf)}`;
  const forms = schema.oneOf ?? schema.anyOf;
  if (forms) return joined(distinct(forms.map((form) => typeOf(form, hrefOf))), ' or ');
  return html`${schema.format ?? schema.type ?? 'any'}`;
}

function distinct(pieces: readonly Html[]): Html[] {
  return [...new Set(pieces.map(({ text }) => text))].map((text) => new Html(text));
}

/** The limits of a value as text; empty when there are none. */
export function limitsOf(schema: Schema): string {
  const {
    enum: values,
    pattern,
    minLength,
    maxLength,
    minimum,
    maximum,
    exclusiveMinimum,
  } = schema;
  const { minItems, maxItems, additionalProperties } = schema;
  const limits = [
    values && `one of ${values.join(', ')}`,
    bounds(minLength, maxLength, 'characters'),
    bounds(minItems, maxItems, 'items'),
    bounds(minimum, maximum, ''),
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    pattern && `matches ${pattern}`,
    additionalProperties === false && 'no other members',
  ];
  return limits.filter((limit) => limit).join('; ');
}

function bounds(min: number | undefined, max: number | undefined, of: string): string {
  const most = max === Number.MAX_SAFE_INTEGER ? undefined : max;
  if (most === undefined) return min === undefined ? '' : `at least ${min} ${of}`.trim();
  return min ? `${min} to ${most} ${of}`.trim() : `at most ${most} ${of}`.trim();
}
