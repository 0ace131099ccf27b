/**
 * The address that a text is; undefined for any other text. `URL.canParse` is not asked: in Node 20, once it has been
 * called often enough to be compiled, it takes the letters between U+0080 and U+00FF for broken ones.
 */
export function addressIn(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
