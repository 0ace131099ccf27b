/** Values as the literals of the languages of samples, on one line where they fit. */

const widthMax = 64;

interface Language {
  readonly name: (text: string) => string;
  readonly text: (text: string) => string;
  readonly word: (value: boolean | null) => string;
  readonly open: string;
  readonly close: string;
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const json = (text: string) => JSON.stringify(text);

const languages = {
  json: { name: json, text: json, word: String, open: '{ ', close: ' }' },
  typescript: {
    name: (text) => (/^[A-Za-z_$][\w$]*$/.test(text) ? text : quoted(text)),
    text: quoted,
    word: String,
    open: '{ ',
    close: ' }',
  },
  python: {
    name: json,
    text: json,
    word: (value) => (value === null ? 'None' : value ? 'True' : 'False'),
    open: '{',
    close: '}',
  },
} as const satisfies Record<string, Language>;

export type LiteralLanguage = keyof typeof languages;

/** The value as a literal; `indent` is that of the line on which it begins. */
export function literal(
  value: unknown,
  language: LiteralLanguage,
  indent = '',
  width = widthMax,
): string {
  const short = flat(value, languages[language]);
  if (short.length + indent.length <= width || typeof value !== 'object' || value === null)
    return short;
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const lines = isList
    ? value.map((one) => `${deeper}${literal(one, language, deeper)}`)
    : Object.entries(value).map(
        ([name, one]) =>
          `${deeper}${languages[language].name(name)}: ${literal(one, language, deeper)}`,
      );
  const comma = language === 'json' ? '' : ',';
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}${comma}\n${indent}${close}`;
}

function flat(value: unknown, language: Language): string {
  if (typeof value === 'string') return language.text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return language.word(value as boolean | null);
  if (Array.isArray(value)) return `[${value.map((one) => flat(one, language)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, one]) => `${language.name(name)}: ${flat(one, language)}`,
  );
  return members.length === 0 ? '{}' : `${language.open}${members.join(', ')}${language.close}`;
}
