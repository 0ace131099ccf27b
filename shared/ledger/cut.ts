/** Texts of others in refusals. */

const lengthMax = 256;

/** The text, or its first 256 characters and `…` where it is longer. A surrogate pair is not divided. */
export function cut(text: string): string {
  if (text.length <= lengthMax) return text;
  return `${text.slice(0, lengthMax).replace(/\p{Surrogate}$/u, '')}…`;
}
