/**
 * The formats that a schema may ask for. Each reads a text once, or goes back over it a fixed number of
 * times, and none is held by a long text. Left out are `url`, whose pattern can be made to try
 * everything; `regex`, which speaks of another engine than ours; and those of numbers and of bytes.
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

/** In full these compare texts with the grammars of their RFCs, and take long for it. */
const fastNames = ['uri', 'uri-reference', 'email'] as const satisfies readonly FormatName[];

/** By name, whether a text is of the format. */
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
