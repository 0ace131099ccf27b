/** Addresses in texts, as the parser of the URL standard reads them. https://url.spec.whatwg.org */
import { domainToUnicode } from 'node:url';

/** The start of a label of a name that stands for other letters. RFC 5890 2.3.2.1. */
const codedStart = 'xn--';

/**
 * The address that a text is; undefined for any other text. `URL.canParse` is not asked: in Node 20, once it has been
 * called often enough to be compiled, it takes the letters between U+0080 and U+00FF for broken ones. A name that
 * stands for no letters is none either: the parser of Node 24 takes it, and that of Node 22 does not.
 */
export function addressIn(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return isReadable(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** True where each label that stands for letters can be read. One that cannot stays as it is, or leaves no name at all. */
function isReadable({ hostname }: URL): boolean {
  if (!hostname.includes(codedStart)) return true;
  const name = domainToUnicode(hostname);
  return name !== '' && !name.split('.').some((label) => label.startsWith(codedStart));
}
