/**
 * How references in schemas find what they mean. Schemas of callers refer to places in themselves, and those that
 * judge schemas to each other, by plain URLs; of what else a URI may be nothing is needed. RFC 3986 5.2.
 */
import type { UriResolver } from 'ajv/dist/types/index.js';

/** Splits, joins and resolves references for ajv. */
export const resolver: UriResolver = {
  parse: (reference) => {
    const [path = '', ...rest] = reference.split('#');
    return rest.length > 0 ? { path, fragment: rest.join('#') } : { path };
  },
  serialize: ({ path = '', fragment }) => (fragment === undefined ? path : `${path}#${fragment}`),
  resolve: (base, reference) => {
    const [from = ''] = base.split('#');
    if (reference === '' || reference.startsWith('#')) return `${from}${reference}`;
    return from === '' ? reference : new URL(reference, from).href;
  },
};
