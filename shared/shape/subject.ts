/** The kinds of record that effects, schemas and policies may be for. Rulings 58, 65 and 66. */
import type { Kind } from '../ledger/kind.ts';

export const subjects = [
  'ledger',
  'signer',
  'symbol',
  'wallet',
  'intent',
  'effect',
  'signer-factor',
  'circle',
  'circle-signer',
  'bridge',
  'domain',
  'anchor',
  'schema',
  'policy',
  'report',
] as const satisfies readonly Kind[];
