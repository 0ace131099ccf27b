/**
 * The formats that a schema may use. Each takes time proportional to the text. Excluded are `url`, whose pattern can
 * backtrack without end; `regex`, which means another engine than RE2; and those of numbers and bytes.
 */
import { type FormatName, fastFormats, fullFormats } from 'ajv-formats/dist/formats.js';

const textLengthMax = 1024;

const names = [
  'date',
  'time',
  'date-time',
  'duration',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
] as const satisfies readonly FormatName[];

/** The full versions of these follow the grammars of their RFCs and are slow. */
const fastNames = ['uri', 'uri-reference', 'email'] as const satisfies readonly FormatName[];

/** The test of each format, by name. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = Object.fromEntries([
  ...names.map((name) => [name, testOf(fullFormats[name])] as const),
  ...fastNames.map((name) => [name, testOf(fastFormats[name])] as const),
]);

function testOf(format: unknown): (text: string) => boolean {
  const { validate = format } = format as { validate?: unknown };
  const isOfFormat =
    validate instanceof RegExp
      ? (text: string) => validate.test(text)
      : (validate as (text: string) => boolean);
  return (text) => text.length <= textLengthMax && isOfFormat(text);
}
