/** The members of a schema as a nested list: name, type, whether it must be there, meaning and limits. */
import { Html, html, joined, markedUp } from '../html.ts';
import { nameOfRef, type OpenApi, type Schema } from '../openapi.ts';

/** The address of the description of a schema; undefined for one that has no place of its own. */
export type HrefOf = (name: string) => string | undefined;

export interface MemberOptions {
  readonly document: OpenApi;
  readonly hrefOf: HrefOf;
  /** The start of the ids of members, by which they can be linked; without it they have none. */
  readonly id?: string;
}

/** The members whose own members are shown at once; others are folded. */
const unfolded: ReadonlySet<string> = new Set(['meta', 'claims', 'values']);
const depthMax = 6;

/** The list of the members; a note where there are none. */
export function memberList(schema: Schema, options: MemberOptions): Html {
  const items = itemsOf(schema, options, 0);
  return items.length > 0
    ? html`<ul class="members">${items}</ul>`
    : html`<p class="quiet">${limitsOf(schema) || 'Any members.'}</p>`;
}

function itemsOf(schema: Schema, options: MemberOptions, depth: number): Html[] {
  const { properties = {}, required = [], allOf = [] } = schema;
  const own = Object.entries(properties).map(([name, member]) =>
    itemOf(name, member, { isRequired: required.includes(name), depth, options }),
  );
  // Members that depend on the value of another one follow in a list of their own.
  const conditional = allOf.flatMap(({ if: condition, then }) =>
    condition && then?.properties ? [formItem(condition, then, options, depth)] : [],
  );
  const forms = formsOf(schema, options).filter(({ properties: own }) => own);
  return [...own, ...conditional, ...forms.map((form) => formItem(form, form, options, depth))];
}

interface MemberView {
  readonly isRequired: boolean;
  readonly depth: number;
  readonly options: MemberOptions;
}

function itemOf(name: string, member: Schema, { isRequired, depth, options }: MemberView): Html {
  if (typeof member !== 'object')
    return html`<li><code class="name">${name}</code> <span class="type">must be absent</span></li>`;
  const id = options.id === undefined ? undefined : `${options.id}-${idOf(name)}`;
  const must = isRequired ? html` <span class="must">required</span>` : html``;
  const limits = limitsOf(named(member, options.document));
  return html`<li${id ? html` id="${id}"` : ''}><div class="member"><code class="name">${name}</code> <span class="type">${typeOf(member, options)}</span>${must}</div>
<p>${markedUp(textOf(member))}${limits ? html` <span class="limits">${limits}</span>` : ''}</p>
${within(name, member, { ...options, ...(id && { id }) }, depth)}</li>
`;
}

/** The description, with that of the elements where these have no members that could be shown. */
function textOf({ description = '', items }: Schema): string {
  const more = items && !items.$ref && !items.properties ? (items.description ?? '') : '';
  return `${description} ${more}`.trim();
}

function idOf(name: string): string {
  return name.replaceAll(/[^\w]+/g, '-').replace(/^-/, '');
}

/** The members below a member: those of an object, of the elements of a list, or of each form. */
function within(name: string, member: Schema, options: MemberOptions, depth: number): Html {
  const inner = placed(elementOf(member), options);
  if (!inner || depth >= depthMax) return html``;
  const items = itemsOf(inner, options, depth + 1);
  if (items.length === 0) return html``;
  const about = inner === elementOf(member) ? '' : (inner.description ?? '');
  const list = html`${about ? html`<p class="quiet">${markedUp(about)}</p>` : html``}<ul class="members">${items}</ul>`;
  const isOpen = unfolded.has(name) && options.id !== undefined;
  return html`<details${isOpen ? html` open` : html``}><summary>Members of <code>${name}</code></summary>${list}</details>`;
}

/** The schema that a name stands for; undefined for one that is described at a place of its own. */
function placed(schema: Schema, { document, hrefOf }: MemberOptions): Schema | undefined {
  if (!schema.$ref) return schema;
  const name = nameOfRef({ $ref: schema.$ref });
  return hrefOf(name) === undefined ? document.components.schemas[name] : undefined;
}

function elementOf(schema: Schema): Schema {
  return schema.items ? elementOf(schema.items) : schema;
}

/** A list of the members that hold under a condition, which is told by the values that it fixes. */
function formItem(condition: Schema, form: Schema, options: MemberOptions, depth: number): Html {
  const fixed = Object.entries(condition.properties ?? {}).filter(
    ([, { const: value, enum: values }]) => value !== undefined || values,
  );
  const said = fixed.slice(0, 2).map(([name, member]) => {
    const values = (member.enum ?? [member.const]).map((one) => html`<code>${String(one)}</code>`);
    return html`<code>${name}</code> is ${joined(values, ' or ')}`;
  });
  const terms =
    said.length > 0
      ? html`When ${joined(said, ' and ')}`
      : markedUp(form.description ?? 'As an object');
  const { id: _, ...others } = options;
  return html`<li class="form"><div class="terms">${terms}</div><ul class="members">${itemsOf(form, others, depth + 1)}</ul></li>
`;
}

/** The forms of a value, with nested ones flattened, and named ones that have no place of their own. */
function formsOf({ oneOf, anyOf }: Schema, options: MemberOptions): readonly Schema[] {
  const forms = (oneOf ?? anyOf ?? []).flatMap((form) => placed(form, options) ?? []);
  return forms.flatMap((form) => (form.oneOf || form.anyOf ? formsOf(form, options) : [form]));
}

/** The schema that a name stands for, where it is that of a text. */
function named(schema: Schema, { components }: OpenApi): Schema {
  const target = schema.$ref && components.schemas[nameOfRef({ $ref: schema.$ref })];
  return target && target.type === 'string' ? target : schema;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  'date-time': 'moment',
  Hash: 'hash',
  Handle: 'handle',
  LedgerHandle: 'handle',
  Custom: 'object',
};

function typeOf(schema: Schema, options: MemberOptions): Html {
  if (schema.$ref) return namedType(nameOfRef({ $ref: schema.$ref }), options);
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.items) return html`list of ${typeOf(schema.items, options)}`;
  const forms = schema.oneOf ?? schema.anyOf;
  if (forms) return joined(distinct(forms.map((form) => typeOf(form, options))), ' or ');
  const type = schema.format ?? schema.type ?? (schema.properties ? 'object' : 'any');
  return html`${typeNames[type] ?? type}`;
}

function namedType(name: string, { hrefOf }: MemberOptions): Html {
  const href = hrefOf(name);
  const text = typeNames[name] ?? name;
  return href === undefined ? html`${text}` : html`<a href="${href}">${text}</a>`;
}

function distinct(pieces: readonly Html[]): Html[] {
  return [...new Set(pieces.map(({ text }) => text))].map((text) => new Html(text));
}

/** The limits of a value as text; empty when there are none. */
export function limitsOf(schema: Schema): string {
  const { enum: values, pattern, minLength, maxLength, minimum, maximum } = schema;
  const { minItems, maxItems, exclusiveMinimum, items } = schema;
  const limits = [
    values && `One of ${values.map(String).join(', ')}.`,
    items?.enum && `Each is one of ${items.enum.map(String).join(', ')}.`,
    bounds(minLength, maxLength, 'characters'),
    bounds(minItems, maxItems, 'elements'),
    bounds(minimum, maximum, ''),
    exclusiveMinimum !== undefined && `More than ${exclusiveMinimum}.`,
    pattern && pattern.length < 60 && `Matches ${pattern}`,
  ];
  return limits.filter((limit) => limit).join(' ');
}

function bounds(min: number | undefined, max: number | undefined, unit: string): string {
  const most = max === Number.MAX_SAFE_INTEGER ? undefined : max;
  const ofUnit = unit && ` ${unit}`;
  if (most === undefined) return min ? `At least ${min}${ofUnit}.` : min === 0 ? 'From 0.' : '';
  const least = min === Number.MIN_SAFE_INTEGER ? undefined : min;
  return least ? `${least} to ${most}${ofUnit}.` : `At most ${most}${ofUnit}.`;
}
