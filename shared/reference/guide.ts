/**
 * The pages that explain the ledger, in the order in which they are read: what each concept is, and recipes to paste. A
 * page is a text in Markdown, `concepts/<name>.md` or `recipes/<name>.md`, whose first line is its title.
 */
import type { Kind } from '../ledger/kind.ts';

export interface GuidePage {
  /** The name of its file, and its fragment on the page. */
  readonly name: string;
  /** The kinds of record that it explains. */
  readonly kinds?: readonly Kind[];
  /** The heading under which a list of pages has it. */
  readonly group: string;
}

export const concepts: readonly GuidePage[] = [
  { name: 'ledger', group: 'Books', kinds: ['ledger'] },
  { name: 'record', group: 'Books' },
  { name: 'proof', group: 'Books' },
  { name: 'signer', group: 'Books', kinds: ['signer', 'signer-factor'] },
  { name: 'symbol', group: 'Books', kinds: ['symbol'] },
  { name: 'wallet', group: 'Books', kinds: ['wallet'] },
  { name: 'balance', group: 'Books' },
  { name: 'intent', group: 'Money', kinds: ['intent'] },
  { name: 'claim', group: 'Money' },
  { name: 'hold', group: 'Money' },
  { name: 'reversal', group: 'Money' },
  { name: 'batch', group: 'Money' },
  { name: 'limit', group: 'Money' },
  { name: 'route', group: 'Money' },
  { name: 'bridge', group: 'Money', kinds: ['bridge'] },
  { name: 'domain', group: 'Rights', kinds: ['domain'] },
  { name: 'circle', group: 'Rights', kinds: ['circle', 'circle-signer'] },
  { name: 'rule', group: 'Rights' },
  { name: 'policy', group: 'Rights', kinds: ['policy'] },
  { name: 'schema', group: 'Rights', kinds: ['schema'] },
  { name: 'anchor', group: 'Outside', kinds: ['anchor'] },
  { name: 'effect', group: 'Outside', kinds: ['effect'] },
  { name: 'monitor', group: 'Outside' },
  { name: 'report', group: 'Outside', kinds: ['report'] },
  { name: 'log', group: 'Outside' },
  { name: 'receipt', group: 'Outside' },
  { name: 'witness', group: 'Outside' },
];

/** Each of them runs after the first, in any order. */
export const recipes: readonly GuidePage[] = [
  { name: 'start', group: 'First' },
  { name: 'hold', group: 'Move money' },
  { name: 'fee', group: 'Move money' },
  { name: 'retry', group: 'Move money' },
  { name: 'refund', group: 'Move money' },
  { name: 'payouts', group: 'Move money' },
  { name: 'exchange', group: 'Move money' },
  { name: 'later', group: 'Move money' },
  { name: 'escrow', group: 'Keep it safe' },
  { name: 'approval', group: 'Keep it safe' },
  { name: 'credit-line', group: 'Keep it safe' },
  { name: 'spending-limit', group: 'Keep it safe' },
  { name: 'freeze', group: 'Keep it safe' },
  { name: 'key', group: 'Keep it safe' },
  { name: 'low-balance', group: 'Be told' },
  { name: 'webhook', group: 'Be told' },
  { name: 'past', group: 'Know where it is' },
  { name: 'statement', group: 'Know where it is' },
  { name: 'books', group: 'Know where it is' },
  { name: 'month-end', group: 'Know where it is' },
  { name: 'receipt', group: 'Prove it' },
  { name: 'checkpoint', group: 'Prove it' },
  { name: 'watch', group: 'Prove it' },
  { name: 'customers', group: 'Run it for others' },
  { name: 'service', group: 'Run it for others' },
  { name: 'move', group: 'Run it for others' },
  { name: 'rotate', group: 'Run it for others' },
  { name: 'other-clients', group: 'Run it for others' },
  { name: 'operate', group: 'Run it for others' },
];
