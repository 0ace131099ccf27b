/** Markdown pages of the repository as pages of the site. */
import { Marked, type Tokens } from 'marked';
import type { GuidePage } from '../guide.ts';
import { Html, html } from '../html.ts';
import { codeBlock } from './highlight.ts';

/** A page that is written in Markdown. */
export interface WrittenPage extends GuidePage {
  /** The path of its file in the repository. */
  readonly path: string;
  readonly text: string;
}

export interface Heading {
  readonly id: string;
  readonly text: string;
  /** The text below it, without marks, for the search. */
  readonly words: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly body: Html;
  readonly headings: readonly Heading[];
}

/** Finds the address of a link in a file; undefined for a target that is not on the site. */
export type LinkOf = (href: string) => string | undefined;

/** Renders a page. Its HTML is taken as text: the files are the project's own, and have none. */
export function rendered({ text }: WrittenPage, linkOf: LinkOf): RenderedPage {
  const headings: Heading[] = [];
  const { tokens, title } = titled(text);
  let tables = 0;
  const marked = new Marked({
    renderer: {
      html: ({ text: raw }) => html`${raw}`.text,
      code: ({ text: code, lang }) => framed(code, lang).text,
      heading({ tokens: inner, depth, text: words }) {
        const id = slugOf(words);
        const level = Math.max(2, depth);
        return `<h${level} id="${id}">${this.parser.parseInline(inner)}</h${level}>\n`;
      },
      link({ href, tokens: inner }) {
        const content = this.parser.parseInline(inner);
        const target = linkOf(href);
        return target === undefined
          ? content
          : html`<a href="${target}">${new Html(content)}</a>`.text;
      },
      table(token: Tokens.Table) {
        tables += 1;
        return wideTable(`Table ${tables}`, token, (one) => this.parser.parseInline(one.tokens));
      },
      image: ({ text: alternative }) => html`${alternative}`.text,
    },
  });
  for (const section of sectionsOf(tokens)) headings.push(section);
  return { title, body: new Html(marked.parse(tokens) as string), headings };
}

/** The title of a text, which is its first line, and the rest. */
function titled(text: string): { readonly title: string; readonly tokens: string } {
  const [, title = '', tokens = text] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  return { title, tokens };
}

function sectionsOf(text: string): Heading[] {
  const parts = text.split(/^#{2,3} /m);
  return parts.map((part, index) => {
    const [head = '', ...lines] = index === 0 ? ['', part] : part.split('\n');
    const name = head.replaceAll('`', '');
    return { id: index === 0 ? '' : slugOf(head), text: name, words: plain(lines.join(' ')) };
  });
}

function plain(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/\]\([^)]*\)/g, ' ')
    .replaceAll(/[`*|#[\]_-]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The id of a heading, as GitHub makes it. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function framed(code: string, language = ''): Html {
  return html`<div class="code">${codeBlock(code, language)}</div>`;
}

/** A table that scrolls by itself where it is too wide; on a phone each cell says the head of its column. */
function wideTable(
  label: string,
  { header, rows }: Tokens.Table,
  textOf: (one: Tokens.TableCell) => string,
): string {
  const heads = header.map(({ text }) => text.replaceAll('`', ''));
  const column = (one: Tokens.TableCell, index: number) => {
    const content = new Html(textOf(one));
    if (index === 0) return html`<td>${content}</td>`.text;
    return html`<td data-head="${heads[index] ?? ''}">${content}</td>`.text;
  };
  const head = header.map((one) => `<th>${textOf(one)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map(column).join('')}</tr>`).join('\n');
  return `<div class="wide" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`;
}
