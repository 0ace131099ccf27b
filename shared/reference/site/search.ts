/** The index of the search: it is made when the site is built, and loaded when somebody searches. */
import MiniSearch from 'minisearch';
import { failureReasons } from '../../ledger/errors.ts';
import { signalNames } from '../../shape/signal-name.ts';
import { reasons } from '../errors.ts';
import type { OpenApi, Schema } from '../openapi.ts';
import { failureTexts, refusalTexts } from '../reason-texts.ts';
import { searchOptions } from '../search-options.ts';
import { sentCalls } from '../sent.ts';
import { signalText } from '../signal-texts.ts';

/** One thing that can be found. */
export interface SearchEntry {
  readonly title: string;
  /** The page, and the place on it. */
  readonly href: string;
  readonly type: string;
  readonly text: string;
}

export function searchIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch<SearchEntry & { readonly id: string }>(searchOptions);
  const known = new Set<string>();
  for (const entry of entries) {
    const id = `${entry.title} ${entry.href}`;
    if (known.has(id)) continue;
    known.add(id);
    index.add({ ...entry, id, text: shortened(entry.text) });
  }
  return JSON.stringify(index);
}

const lengthMax = 240;

function shortened(text: string): string {
  const plain = text.replaceAll('`', '');
  return plain.length <= lengthMax ? plain : `${plain.slice(0, lengthMax)}…`;
}

/** The members that a page lists. Those of a form are found at the member that has it. */
export function memberEntries(schema: Schema, page: string, id: string, depth = 0): SearchEntry[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], then } = schema;
  if (depth > 6) return [];
  const forms = [...anyOf, ...oneOf, ...allOf, ...(then ? [then] : [])];
  const own = Object.entries(properties).flatMap(([name, member]) => {
    if (typeof member !== 'object') return [];
    const at = `${id}-${name.replaceAll(/[^\w]+/g, '-').replace(/^-/, '')}`;
    const text = `${titleAt(at)}: ${member.description ?? ''}`;
    const entry = { title: name, href: `${page}#${at}`, type: 'member', text };
    return [entry, ...memberEntries(member, page, at, depth + 1)];
  });
  const below = items ? memberEntries(items, page, id, depth) : [];
  const inForms = forms.flatMap((form) => memberEntries(form, page, id, depth + 1));
  return [...own, ...below, ...inForms.map((one) => ({ ...one, href: `${page}#${id}` }))];
}

function titleAt(id: string): string {
  return id.replaceAll('-', '.');
}

export function reasonEntries(): SearchEntry[] {
  const entry = (title: string, text: string): SearchEntry => ({
    title,
    href: `errors#${title}`,
    type: 'reason',
    text,
  });
  return [
    ...reasons.map((reason) => entry(reason, refusalTexts[reason])),
    ...failureReasons.map((reason) => entry(reason, failureTexts[reason])),
  ];
}

export function signalEntries(): SearchEntry[] {
  return signalNames.map((signal) => ({
    title: signal,
    href: `events#${signal}`,
    type: 'signal',
    text: signalText(signal),
  }));
}

export function callEntries(): SearchEntry[] {
  return sentCalls.map(({ name, method, path, summary }) => ({
    title: `${method} {server}${path}`,
    href: `calls#${name}`,
    type: 'call',
    text: summary,
  }));
}

export function operationEntries(
  document: OpenApi,
  pageOf: (tag: string) => string,
): SearchEntry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, summary, tags }]) => ({
      title: `${method.toUpperCase()} ${path}`,
      href: `${pageOf(tags[0] ?? '')}#${operationId}`,
      type: 'endpoint',
      text: summary,
    })),
  );
}
