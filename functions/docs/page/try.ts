/** A request from the page: signed with a key that stays in this tab, sent to the service that serves the page. */
import { parse, stringify } from 'lossless-json';
import { parseExactly } from '../../../shared/client/answer.ts';
import { hashOf, type ProofSigner, prove } from '../../../shared/client/digest.ts';
import { targetOf } from '../../../shared/client/path.ts';
import { tokenFor } from '../../../shared/client/token.ts';
import { canonicalOf } from '../../../shared/crypto/canonical.ts';
import { addCopyButtons } from './copy.ts';
import { element } from './element.ts';
import { keyPanel, ledgerNamed, signerOfTab } from './key-panel.ts';
import { verdictOf } from './verdict.ts';

interface TriedRequest {
  readonly method: string;
  readonly address: string;
  readonly body?: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly data?: object;
  readonly custom?: object;
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
  readonly isFiltered: boolean;
}

/** The answer of the service, as it came. */
interface TriedAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** The base address of the service, which is where the page comes from. */
const base = new URL(`${document.body.dataset['root'] ?? ''}..`, location.href).href.replace(
  /\/$/,
  '',
);
/** The address that the service knows itself by, for which tokens are made. */
const known = document.body.dataset['base'] ?? base;

/** Shows the form of a request. */
export function openTry(place: HTMLElement): void {
  const request = JSON.parse(place.dataset['request'] ?? '{}') as TriedRequest;
  const form = element('form', { class: 'request' }, keyPanel());
  const inputs = fieldsOf(request);
  const output = element('div', { class: 'outcome', 'aria-live': 'polite' });
  const send = element('button', { class: 'primary' }, `Send ${request.method.toUpperCase()}`);
  form.append(...inputs.elements, send, output);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send.disabled = true;
    void attempt(request, inputs, output).finally(() => {
      send.disabled = false;
    });
  });
  place.replaceChildren(form);
  form.querySelector<HTMLInputElement>('input, textarea')?.focus();
}

interface FormFields {
  readonly elements: readonly HTMLElement[];
  readonly path: () => Record<string, string>;
  readonly query: () => URLSearchParams;
  readonly data: () => object;
  readonly custom: () => object;
}

function fieldsOf(request: TriedRequest): FormFields {
  const path = Object.entries(request.path).map(
    ([name, value]) => [name, inputOf(name, value)] as const,
  );
  const query = request.parameters.map(
    ({ name }) => [name, inputOf(name, request.query[name] ?? '')] as const,
  );
  const filter = request.isFiltered ? inputOf('filters', '', 'data.handle=alice') : undefined;
  const data = request.data && areaOf('data', request.data);
  const custom = request.custom && areaOf('custom', request.custom);
  const inQuery = [...query.map(([, field]) => field.label), ...(filter ? [filter.label] : [])];
  const folded =
    inQuery.length > 0
      ? [
          element(
            'details',
            { open: Object.keys(request.query).length > 0 },
            element('summary', {}, 'Query'),
            ...inQuery,
          ),
        ]
      : [];
  return {
    elements: [
      ...path.map(([, field]) => field.label),
      ...folded,
      ...(data ? [data.label] : []),
      ...(custom ? [custom.label] : []),
    ],
    path: () => Object.fromEntries(path.map(([name, field]) => [name, field.control.value.trim()])),
    query: () => searchOf(query, filter),
    data: () => objectIn('data', data),
    custom: () => objectIn('custom', custom),
  };
}

interface FormField<Control extends HTMLElement = HTMLInputElement> {
  readonly label: HTMLElement;
  readonly control: Control;
}

function inputOf(name: string, value: string, placeholder = ''): FormField {
  const control = element('input', {
    value,
    placeholder,
    spellcheck: 'false',
    autocomplete: 'off',
  });
  return { label: element('label', {}, element('code', {}, name), control), control };
}

function areaOf(name: string, value: object): FormField<HTMLTextAreaElement> {
  const text = JSON.stringify(value, null, 2);
  const rows = String(Math.min(14, text.split('\n').length + 1));
  const control = element('textarea', { rows, spellcheck: 'false' }, text);
  return { label: element('label', {}, element('code', {}, name), control), control };
}

function searchOf(
  query: readonly (readonly [string, FormField])[],
  filter: FormField | undefined,
): URLSearchParams {
  const search = new URLSearchParams(filter?.control.value.trim() ?? '');
  for (const [name, { control }] of query)
    if (control.value !== '') search.append(name, control.value);
  return search;
}

/** The JSON object in a field. Throws an error that names the field. */
function objectIn(name: string, field: FormField<HTMLTextAreaElement> | undefined): object {
  if (!field) return {};
  try {
    const value = parseExactly(field.control.value);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new Error(`${name} is no JSON: ${(error as Error).message}`);
  }
  throw new Error(`${name} must be a JSON object.`);
}

async function attempt(
  request: TriedRequest,
  fields: FormFields,
  output: HTMLElement,
): Promise<void> {
  try {
    const { target, body } = await madeOf(request, fields);
    const answer = await sent(request.method, target, body);
    const verdict = await verdictOf(answer, (path) => sent('get', path));
    output.replaceChildren(...shown(request, target, body, answer, verdict));
    addCopyButtons(output);
  } catch (error) {
    output.replaceChildren(
      element('p', { class: 'bad', role: 'alert' }, String((error as Error).message)),
    );
  }
}

interface MadeRequest {
  readonly target: string;
  readonly body?: string;
}

/** The address of the request and its signed body. */
async function madeOf(request: TriedRequest, fields: FormFields): Promise<MadeRequest> {
  const filled = targetOf(request.address, { path: fields.path() });
  const search = fields.query();
  const target = search.size > 0 ? `${filled}?${search}` : filled;
  if (!request.body) return { target };
  if (request.body === 'token')
    throw new Error('Tokens are asked for by programs: see the sample.');
  const signer = signerOfTab();
  if (!signer) throw new Error('Choose a key first: this request is signed.');
  const body = await signedBody(request, filled, fields, signer);
  return { target, body: canonicalOf(body) };
}

/** The body that the operation takes, with the proof of the signer. */
async function signedBody(
  request: TriedRequest,
  path: string,
  fields: FormFields,
  signer: ProofSigner,
): Promise<object> {
  const custom = { moment: new Date().toISOString(), ...fields.custom() };
  const record = path.replace(/\/(proofs|sign|drop)$/, '');
  switch (request.body) {
    case 'proof':
      return prove((await current(record)).hash, custom, signer);
    case 'drop':
      return signed({ parent: (await current(record)).hash }, custom, signer);
    case 'update': {
      const { hash: parent, data } = await current(record);
      return signed({ ...data, ...fields.data(), parent }, custom, signer);
    }
    case 'batch':
      return { mode: 'atomic', data: [await signed(fields.data(), custom, signer)] };
    default:
      return signed(fields.data(), custom, signer);
  }
}

async function signed(
  data: object,
  custom: Readonly<Record<string, unknown>>,
  signer: ProofSigner,
): Promise<object> {
  const hash = hashOf(data);
  return { hash, data, meta: { proofs: [await prove(hash, custom, signer)] } };
}

/** The record as it stands, whose hash a change names. */
async function current(path: string): Promise<{ readonly hash: string; readonly data: object }> {
  const { status, text } = await sent('get', path);
  if (status !== 200)
    throw new Error(`The record could not be read: ${status} ${text.slice(0, 200)}`);
  return parseExactly(text) as { hash: string; data: object };
}

async function sent(method: string, target: string, body?: string): Promise<TriedAnswer> {
  const signer = signerOfTab();
  const ledger = ledgerNamed();
  const headers: Record<string, string> = {
    ...(ledger && { 'x-ledger': ledger }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(signer &&
      body === undefined && {
        authorization: `Bearer ${await tokenFor(known, signer, Date.now())}`,
      }),
  };
  const answer = await fetch(`${base}${target === '/' ? '' : target}`, {
    method: method.toUpperCase(),
    headers,
    credentials: 'omit',
    cache: 'no-store',
    ...(body !== undefined && { body }),
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
  };
}

function shown(
  { method }: TriedRequest,
  target: string,
  body: string | undefined,
  answer: TriedAnswer,
  verdict: string | undefined,
): HTMLElement[] {
  const head = element(
    'div',
    { class: 'head' },
    element('span', {}, 'Answer '),
    element(
      'span',
      { class: answer.status < 400 ? 'status good' : 'status bad' },
      String(answer.status),
    ),
  );
  const sentHead = element('div', { class: 'head' }, element('span', {}, 'Sent'));
  const words = `${method.toUpperCase()} ${base}${target}`;
  const request = element(
    'div',
    { class: 'code' },
    sentHead,
    element('pre', { tabindex: '0' }, body === undefined ? words : `${words}\n\n${pretty(body)}`),
  );
  const response = element(
    'div',
    { class: 'code answer' },
    head,
    element('pre', { tabindex: '0' }, answer.text === '' ? 'No body.' : pretty(answer.text)),
  );
  return [
    ...(verdict
      ? [element('p', { class: verdict.startsWith('✓') ? 'verdict' : 'verdict bad' }, verdict)]
      : []),
    response,
    element('details', {}, element('summary', {}, 'The request'), request),
  ];
}

function pretty(text: string): string {
  try {
    return stringify(parse(text), undefined, 2) ?? text;
  } catch {
    return text;
  }
}
