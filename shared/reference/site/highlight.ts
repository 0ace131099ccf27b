/** Code as HTML with its parts named, made when the site is built, so that no page has to do it. */
import { createRequire } from 'node:module';
import { Html, html } from '../html.ts';

/** The part of the highlighter that is used. Its own types bring those of a browser into every module. */
interface Highlighter {
  readonly registerLanguage: (name: string, language: unknown) => void;
  readonly highlight: (
    code: string,
    options: { readonly language: string },
  ) => { readonly value: string };
}

const require = createRequire(import.meta.url);
const highlighter = require('highlight.js/lib/core') as Highlighter;
const languages = {
  bash: require('highlight.js/lib/languages/bash') as unknown,
  json: require('highlight.js/lib/languages/json') as unknown,
  python: require('highlight.js/lib/languages/python') as unknown,
  typescript: require('highlight.js/lib/languages/typescript') as unknown,
};
for (const [name, language] of Object.entries(languages))
  highlighter.registerLanguage(name, language);

/** Other names of the languages, as documents write them. */
const aliases: Readonly<Record<string, keyof typeof languages>> = {
  curl: 'bash',
  sh: 'bash',
  bash: 'bash',
  ts: 'typescript',
  typescript: 'typescript',
  python: 'python',
  json: 'json',
};

/** The code in a block that scrolls by itself, and that a keyboard can reach. */
export function codeBlock(code: string, language = '', label = 'Code'): Html {
  return html`<pre tabindex="0" aria-label="${label}"><code>${highlighted(code, language)}</code></pre>`;
}

function highlighted(code: string, language: string): Html | string {
  const known = aliases[language];
  // The highlighter escapes the code itself.
  return known ? new Html(highlighter.highlight(code, { language: known }).value) : code;
}
