import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Call } from '../../shared/port/action.ts';
import { html, joined, markedUp } from '../../shared/reference/html.ts';
import { pageOf } from '../../shared/reference/page.ts';
import { serveDocument, servePage } from '../../shared/reference/publish.ts';
import { newOpenApi } from './openapi-file.ts';

const document = newOpenApi();
const base = 'https://ledger.example/v2';
const page = pageOf(document, base);
const idsIn = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
const call = { services: { settings: { servers: [base] } } } as unknown as Call;

describe('the page', () => {
  test('has a place for every operation, with its method and its path', () => {
    for (const [path, item] of Object.entries(document.paths))
      for (const [method, { operationId }] of Object.entries(item)) {
        const place = page.indexOf(` id="${operationId}"`);
        const section = page.slice(place, page.indexOf('</article>', place));
        expect(section, operationId).toContain(`>${method.toUpperCase()}<`);
        expect(section, operationId).toContain(`<code>${path}</code>`);
        expect(section, operationId).toContain('api.route-not-found');
      }
  });

  test('leads nowhere that is not on it, and has no place twice', () => {
    const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((id) => !idsIn.includes(id))).toEqual([]);
    expect(new Set(idsIn).size).toBe(idsIn.length);
  });

  test('says nothing of limits that there are not, and no refusal twice', () => {
    expect(page).not.toMatch(/\bundefined\b/);
    for (const [, reasons = ''] of page.matchAll(/<td>([\w.-]+(?:, [\w.-]+)+)<\/td>/g)) {
      const all = reasons.split(', ');
      expect(new Set(all).size, reasons).toBe(all.length);
    }
  });

  test('asks for nothing from elsewhere and runs nothing', () => {
    expect(page).not.toMatch(
      /<script|<link|<img|<iframe|@import|url\(|\son\w+=|\sstyle=|javascript:/i,
    );
    const links = [...page.matchAll(/ (?:href|src)="([^"#]+)"/g)].map(([, target]) => target);
    expect(new Set(links)).toEqual(new Set(['openapi.json']));
  });

  test('closes every element that it opens', () => {
    const open: string[] = [];
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (['meta', 'br'].includes(name)) continue;
      if (slash) expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  test('tells the members of a body, which of them must be there, and their limits', () => {
    const place = page.indexOf('id="kind-Symbol"');
    const section = page.slice(place, page.indexOf('<article', place));
    expect(section).toContain('<code>factor</code>');
    expect(section).toContain('required');
    expect(section).toContain('one of 1, 10, 100');
  });
});

const sectionOf = (id: string) => {
  const place = page.indexOf(`id="${id}"`);
  return page.slice(place, page.indexOf('</section>', place));
};

describe('the page shows', () => {
  test('every form of a claim, limits too', () => {
    const section = sectionOf('kind-Intent');
    for (const action of ['issue', 'transfer', 'destroy', 'limit'])
      expect(section).toContain(`when <code>action</code> is <code>&quot;${action}&quot;</code>`);
    expect(section).toContain('<code>&quot;minBalance&quot;</code>');
    expect(section).toContain('one of maxBalance, dailyCount, dailyAmount');
  });

  test('what a report says that the ledger produces', () => {
    const section = sectionOf('kind-Report');
    expect(section).toContain(
      'when <code>schema</code> is <code>&quot;trans_details_rep&quot;</code>',
    );
    for (const name of ['start_timestamp', 'end_timestamp'])
      expect(section).toContain(`<code>${name}</code> <span class="must"`);
  });

  test('by which paths each list can be filtered', () => {
    const article = page.slice(page.indexOf('id="listIntents"'));
    expect(article.slice(0, article.indexOf('</article>'))).toContain(
      '<code>data.claims.symbol</code>',
    );
    expect(page.match(/<td><code>filters<\/code><\/td>/g)).toHaveLength(1);
  });
});

describe('what is served', () => {
  test('is the document, with the addresses of this deployment', async () => {
    const { status, document: served } = await serveDocument(document).run(call);
    expect([status, served?.type]).toEqual([200, 'application/json']);
    expect(JSON.parse(served?.text ?? '')).toEqual({ ...document, servers: [{ url: base }] });
  });

  test('is the page, which may do nothing but have its own style', async () => {
    const { status, document: served } = await servePage(document).run(call);
    expect([status, served?.type, served?.text]).toEqual([200, 'text/html; charset=utf-8', page]);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = served?.headers?.['content-security-policy'] ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", `style-src 'sha256-${hash}'`]),
    );
    expect(policy).not.toContain('unsafe');
  });
});

describe('a template', () => {
  test('escapes what is put into it, unless it is HTML already', () => {
    expect(html`<b title="${'"&'}">${'<i>'}${html`<u>${1}</u>`}</b>`.text).toBe(
      '<b title="&quot;&amp;">&lt;i&gt;<u>1</u></b>',
    );
    expect(markedUp('a `b<c` & d').text).toBe('a <code>b&lt;c</code> &amp; d');
    expect(joined([html`<b>x</b>`, html`y`], ' < ').text).toBe('<b>x</b> &lt; y');
  });
});
