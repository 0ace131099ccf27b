import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { hashOf, isProofOf } from '../../shared/client/client.ts';
import { failureReasons } from '../../shared/ledger/errors.ts';
import { kinds } from '../../shared/ledger/kind.ts';
import { producedSchemas } from '../../shared/ledger/report.ts';
import { statusOf } from '../../shared/port/status.ts';
import { html, joined, markedUp } from '../../shared/reference/html.ts';
import { nameOfRef, type Response } from '../../shared/reference/openapi.ts';
import { titleOf } from '../../shared/reference/operation.ts';
import { serveDocument } from '../../shared/reference/publish.ts';
import { answerExample } from '../../shared/reference/site/answer-example.ts';
import { pathOfTag } from '../../shared/reference/site/record-pages.ts';
import { pageHtml, siteOf } from '../../shared/reference/site/site.ts';
import { accessActions } from '../../shared/shape/rule.ts';
import { signalNames } from '../../shared/shape/signal-name.ts';
import { newOpenApi } from './openapi-file.ts';

const document = newOpenApi();
const written = [
  {
    name: 'wallet',
    group: 'Books',
    kinds: ['wallet'] as const,
    path: 'shared/reference/concepts/wallet.md',
    text: '# Wallet\n\nIt holds <b>money</b>. See [intents](intent.md#modes) and [code](../../ledger/bounds.ts).\n\n## Modes\n\n```sh\ncountersign wallet\n```\n',
  },
  {
    name: 'intent',
    group: 'Money',
    path: 'shared/reference/concepts/intent.md',
    text: '# Intent\n\nAn instruction.\n\n## Modes\n\n| a | b |\n| --- | --- |\n| `c` | d |\n',
  },
];
const made = siteOf({
  document,
  folders: [{ path: 'concepts', title: 'Concepts', pages: written }],
});
const files = { style: 's.css', script: 'p.js', trying: 't.js', search: 'i.json', icon: 'i.svg' };
const pages = new Map(made.pages.map((page) => [page.path, pageHtml(page, made, files, document)]));
const pageAt = (path: string) => pages.get(path) ?? '';
const idsOf = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const ids = new Map([...pages].map(([path, text]) => [path, idsOf(text)]));
/** The text that a reader sees. */
const readAs = (text: string) =>
  text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

describe('the pages', () => {
  test('have a place for every operation, with its method, its path and its reasons', () => {
    for (const { path, method, operation } of operations) {
      const { operationId, tags } = operation;
      const page = pageAt(pathOfTag(tags[0] ?? ''));
      const place = page.indexOf(` id="${operationId}"`);
      const section = page.slice(place, page.indexOf('</section>', place));
      expect(section, operationId).toContain(`>${method.toUpperCase()}<`);
      expect(readAs(section).replaceAll(/\s+/g, ''), operationId).toContain(path);
      expect(section, operationId).toContain('api.route-not-found');
      for (const language of ['curl', 'typescript', 'python'])
        expect(section, operationId).toContain(`data-language="${language}"`);
    }
  });

  test('are one for each tag, each in the contents', () => {
    const inContents = made.groups.flatMap(({ items }) => items.map(({ path }) => path));
    expect([...inContents].sort()).toEqual([...pages.keys()].sort());
    for (const { name } of document.tags) expect(inContents).toContain(pathOfTag(name));
  });

  test('have no place twice', () => {
    for (const [path, own] of ids) expect(own.length, path).toBe(new Set(own).size);
  });

  test.each([...pages])('lead nowhere that is not there: %s', (path, text) => {
    const from = `http://host/v2/docs${path && `/${path}`}`;
    const links = [...text.matchAll(/ href="([^"]*)"/g)].map(
      ([, href = '']) => new URL(href, from),
    );
    const inside = links.filter(
      ({ pathname }) => !/\/(assets\/[^/]+|openapi\.json)$/.test(pathname),
    );
    expect(links.filter(({ origin }) => origin !== 'http://host')).toEqual([]);
    for (const { pathname, hash } of inside) {
      const target = pathname.replace(/^\/v2\/docs\/?/, '');
      const known = ['', ...(ids.get(target) ?? [])];
      expect([...pages.keys()]).toContain(target);
      expect(known).toContain(decodeURIComponent(hash.slice(1)));
    }
  });

  test('say nothing that there is not', () => {
    for (const [path, text] of pages) expect(text, path).not.toMatch(/\bundefined\b|\[object/);
  });

  test('ask for nothing from elsewhere, and have neither scripts nor styles within them', () => {
    for (const text of pages.values()) {
      expect(text).not.toMatch(/<img|<iframe|<style|@import|\son\w+=|\sstyle=|javascript:/i);
      expect(text.match(/<script[^>]*>[^<]*/g)).toEqual([
        expect.stringMatching(/^<script type="module" src="[^":]+"[^>]*>$/),
      ]);
    }
  });

  test.each([...pages])('close every element that they open: %s', (_, text) => {
    const open: string[] = [];
    const all = [...text.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)];
    const single = ['meta', 'link', 'br', 'wbr', 'input'];
    for (const [, slash, name = ''] of all.filter(([, , one = '']) => !single.includes(one))) {
      if (slash) expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  test('put the text of written pages under their titles, with links to each other', () => {
    const page = pageAt('concepts/wallet');
    expect(page).toContain('<h1>Wallet</h1>');
    expect(page).toContain('href="../concepts/intent#modes"');
    expect(page).not.toContain('bounds.ts');
    expect(page).toContain('It holds &lt;b&gt;money&lt;/b&gt;');
    expect(pageAt('wallets')).toContain('href="concepts/wallet"');
    expect(pageAt('concepts/intent')).toMatch(/<td(?: data-head="\w+")?><code>c<\/code><\/td>/);
  });
});

/** Nothing that the service does is missing: each line compares a table of the product with a page. */
describe('the pages name every', () => {
  const named = (path: string) => new Set(ids.get(path));
  const missing = (all: readonly string[], path: string) =>
    all.filter((one) => !named(path).has(one));

  test('kind', () => {
    const titles = Object.keys(kinds).map((kind) => pathOfTag(titleOf(kind as keyof typeof kinds)));
    expect(titles.filter((path) => !pages.has(path))).toEqual([]);
    for (const path of titles) expect(missing(['data', 'record'], path), path).toEqual([]);
  });

  test('member of every record', () => {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const name = kind.replaceAll(/(?:^|-)(.)/g, (_, one: string) => one.toUpperCase());
      const { properties = {} } = document.components.schemas[`${name}Data`] ?? {};
      const members = Object.keys(properties).filter((one) => one !== 'parent');
      const path = pathOfTag(titleOf(kind));
      expect(
        missing(
          members.map((one) => `data-${one}`),
          path,
        ),
        path,
      ).toEqual([]);
    }
  });

  test('form of a claim, with limits and their metrics', () => {
    const text = readAs(pageAt('intents')).replaceAll(/\s+/g, ' ');
    for (const action of ['issue', 'transfer', 'destroy', 'limit'])
      expect(text).toContain(`When action is ${action}`);
    for (const metric of ['minBalance', 'maxBalance', 'dailyCount', 'dailyAmount'])
      expect(text).toContain(metric);
    expect(text).toContain('The least balance; it may be below zero.');
  });

  test('schema of policies, and their quorums', () => {
    const text = readAs(pageAt('policies')).replaceAll(/\s+/g, ' ');
    for (const schema of ['access', 'status', 'labels'])
      expect(text).toContain(`When schema is ${schema}`);
    expect(text.match(/quorum list of SignerMatcher/g)).toHaveLength(2);
  });

  test('report that the ledger produces, with what it is to say', () => {
    const text = readAs(pageAt('reports')).replaceAll(/\s+/g, ' ');
    for (const schema of producedSchemas) expect(text).toContain(`When schema is ${schema}`);
    for (const name of ['start_timestamp', 'end_timestamp', 'letterhead'])
      expect(text).toContain(name);
  });

  test('signal', () => expect(missing(signalNames, 'events')).toEqual([]));

  test('reason of a refusal, and of a failed intent', () => {
    expect(missing(Object.keys(statusOf), 'errors')).toEqual([]);
    expect(missing(failureReasons, 'errors')).toEqual([]);
  });

  test('action of a rule', () => {
    const text = readAs(pageAt('shapes'));
    expect(accessActions.filter((action) => !text.includes(action))).toEqual([]);
  });

  test('text about a member, wherever it stands in the document', () => {
    const bare = (words: string) => words.replaceAll(/[`\s]+/g, '');
    const text = bare([...pages.values()].map(readAs).join(' '));
    const all = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      // Texts of the name of a list or of a body stand where an operation has it.
      descriptionsIn(/List$|^(Create|Update)|Data$/.test(name) ? schema.properties : schema),
    );
    expect([...new Set(all)].filter((words) => !text.includes(bare(words)))).toEqual([]);
  });
});

/** The descriptions of all members, in any form. */
function descriptionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { description } = value as { readonly description?: unknown };
  const own = typeof description === 'string' ? [description] : [];
  return [...own, ...Object.values(value).flatMap(descriptionsIn)];
}

describe('an example of an answer', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  ajv.addSchema({ $id: 'document', components: document.components });
  const names = new Set(
    operations.flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, one]) => {
        const ref = (one as Response).content?.['application/json']?.schema?.$ref;
        return ref && status < '300' ? [nameOfRef({ $ref: ref })] : [];
      }),
    ),
  );

  test.each([...names])('%s is as declared, and its proofs verify', (name) => {
    const example = answerExample(document, name);
    const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
    validate(example);
    expect(validate.errors).toBeNull();
    const { hash, data, meta } = example as never as {
      hash: string;
      data: unknown;
      meta: { proofs: Parameters<typeof isProofOf>[1][] };
    };
    expect(hashOf(data)).toBe(hash);
    for (const proof of meta.proofs) expect(isProofOf(hash, proof)).toBe(true);
  });
});

test('the index of the search has every operation, member, reason and signal', () => {
  for (const word of [
    'POST /intents',
    'notBefore',
    'core.limit-exceeded',
    'balance-crossed',
    'Wallet: Modes',
  ])
    expect(made.search).toContain(JSON.stringify(word));
  for (const [, href = ''] of made.search.matchAll(/"href":"([^"]*)"/g)) {
    const [path = '', anchor] = href.split('#');
    expect(pages.has(path), href).toBe(true);
    if (anchor) expect(ids.get(path), href).toContain(anchor);
  }
});

test('the document is served with the addresses of this deployment', async () => {
  const base = 'https://ledger.example/v2';
  const call = { services: { settings: { servers: [base] } } } as never;
  const { status, document: served } = await serveDocument(document).run(call);
  expect([status, served?.type]).toEqual([200, 'application/json']);
  expect(JSON.parse(served?.text ?? '')).toEqual({ ...document, servers: [{ url: base }] });
});

test('a template escapes what is put into it, unless it is HTML already', () => {
  expect(html`<b title="${'"&'}">${'<i>'}${html`<u>${1}</u>`}</b>`.text).toBe(
    '<b title="&quot;&amp;">&lt;i&gt;<u>1</u></b>',
  );
  expect(markedUp('a `b<c` & d').text).toBe('a <code>b&lt;c</code> &amp; d');
  expect(joined([html`<b>x</b>`, html`y`], ' < ').text).toBe('<b>x</b> &lt; y');
});
