/** Describes an endpoint by the line of its pattern. An endpoint without a line throws, so that none lacks a description. */
import type { ErrorReason } from '../ledger/errors.ts';
import { type Kind, kinds, lineOf } from '../ledger/kind.ts';
import type { OperationLine } from './line.ts';
import { operationLines } from './lines.ts';
import type { OperationMethod } from './openapi.ts';

export interface OperationInfo extends Omit<OperationLine, 'id'> {
  readonly status: NonNullable<OperationLine['status']>;
  readonly method: OperationMethod;
  readonly path: string;
  readonly operationId: string;
  readonly kind?: Kind;
  readonly tag: string;
  /** Names of the path parameters, in order. */
  readonly parameters: readonly string[];
}

/** The path of the addressed ledger, which needs no `{id}`. */
const ownPath = '/ledger';

export function operationInfoOf(endpoint: string): OperationInfo {
  const [method = '', path = ''] = endpoint.split(' ');
  const { kind, isOwn, rest } = placeOf(path);
  const line = operationLines[endpoint] ?? operationLines[`${method} ${rest}`];
  if (!line) throw new Error(`No line of shared/reference/lines.ts describes ${endpoint}.`);
  const { id, summary, status = 200, reasons, ...more } = line;
  return {
    ...more,
    status,
    reasons: reasons.filter((reason) => mayRefuse(reason, endpoint, kind)),
    ...(kind && { kind }),
    method: method.toLowerCase() as OperationMethod,
    path,
    operationId: kind ? idOf(id, kind, isOwn) : id,
    summary: kind ? summaryOf(summary, kind, isOwn) : summary,
    tag: kind ? titleOf(kind, isOwn) : serviceTagOf(path),
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  };
}

/** The tags of operations that are not about a kind of record, by the start of their path. */
const serviceTags: Readonly<Record<string, string>> = {
  balances: 'Balance',
  log: 'Log',
  oauth: 'Token',
};

function serviceTagOf(path: string): string {
  const [, first = ''] = path.split('/');
  return serviceTags[first] ?? 'Service';
}

/** True when an endpoint can answer this reason of its line. */
function mayRefuse(reason: ErrorReason, endpoint: string, kind: Kind | undefined): boolean {
  // Without a name in the path, no record is looked up; a log may have no checkpoint yet.
  if (reason === 'record.not-found')
    return endpoint.includes('{') || endpoint.startsWith('GET /log/');
  // A ledger refers to no other record.
  if (reason === 'record.relation-not-found') return kind !== 'ledger';
  // A bridge may state a status when it is created; an intent takes effect when it is created.
  if (reason === 'record.status-policy-violation')
    return kind === 'bridge' || kind === 'intent' || /\/(proofs|sign|activate)$/.test(endpoint);
  // An update duplicates a handle only where it may change the handle.
  if (reason === 'record.duplicated' && endpoint.startsWith('PUT '))
    return kind !== undefined && lineOf(kind).renames;
  return true;
}

interface EndpointPlace {
  readonly kind?: Kind;
  readonly isOwn: boolean;
  readonly rest: string;
}

/** Splits a path into its kind and the rest, with `*` for the path of the kind. */
function placeOf(path: string): EndpointPlace {
  if (path === ownPath || path.startsWith(`${ownPath}/`))
    return { kind: 'ledger', isOwn: true, rest: `*/{id}${path.slice(ownPath.length)}` };
  const names = Object.keys(kinds) as Kind[];
  // Nested kinds come first: `/signers/{signer}/factors` is no path of a signer.
  const nested = names.filter((kind) => lineOf(kind).within);
  for (const kind of [...nested, ...names]) {
    const [, rest] = patternOf(kind).exec(path) ?? [];
    if (rest !== undefined)
      return { kind, isOwn: false, rest: `*${rest.replace(/^\/\{\w+\}/, '/{id}')}` };
  }
  return { isOwn: false, rest: path };
}

function patternOf(kind: Kind): RegExp {
  const { group, within } = lineOf(kind);
  const outer = within ? `/${lineOf(within).group}/\\{\\w+\\}` : '';
  return new RegExp(`^${outer}/${group}((?:/.*)?)$`);
}

/** The name of a kind in schemas: `SignerFactor`. */
export function typeNameOf(kind: Kind): string {
  return kind.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The name of a kind for people. */
export function titleOf(kind: Kind, isOwn = false): string {
  return isOwn ? 'Own ledger' : lineOf(kind).title;
}

function idOf(id: string, kind: Kind, isOwn: boolean): string {
  const name = `${isOwn ? 'Own' : ''}${typeNameOf(kind)}`;
  return id.replace('**', pluralOf(name)).replace('*', name);
}

function summaryOf(summary: string, kind: Kind, isOwn: boolean): string {
  const name = lineOf(kind).title.toLowerCase();
  if (isOwn) return summary.replace('a *', 'the ledger that is addressed');
  const article = /^[aeiou]/.test(name) ? 'an' : 'a';
  return summary.replace('**', pluralOf(name)).replace('a *', `${article} ${name}`);
}

function pluralOf(name: string): string {
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}
