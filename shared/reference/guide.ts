/**
 * The pages that explain the ledger, in the order in which they are read: what each concept is, and recipes to paste. A
 * page is a text in Markdown, `concepts/<name>.md` or `recipes/<name>.md`, whose first line is its title.
 */
import type { Kind } from '../ledger/kind.ts';

export interface GuidePage {
  /** The name of its file, and its fragment on the page. */
  readonly name: string;
  /** The first line of its file. */
  readonly title: string;
  /** The kinds of record that it explains. */
  readonly kinds?: readonly Kind[];
}

export const concepts: readonly GuidePage[] = [
  { name: 'ledger', title: 'Ledger', kinds: ['ledger'] },
  { name: 'record', title: 'Record' },
  { name: 'proof', title: 'Proof' },
  { name: 'signer', title: 'Signer', kinds: ['signer', 'signer-factor'] },
  { name: 'symbol', title: 'Symbol', kinds: ['symbol'] },
  { name: 'wallet', title: 'Wallet', kinds: ['wallet'] },
  { name: 'balance', title: 'Balance' },
  { name: 'intent', title: 'Intent', kinds: ['intent'] },
  { name: 'claim', title: 'Claim' },
  { name: 'hold', title: 'Hold' },
  { name: 'reversal', title: 'Reversal' },
  { name: 'batch', title: 'Batch' },
  { name: 'limit', title: 'Limit' },
  { name: 'route', title: 'Route' },
  { name: 'bridge', title: 'Bridge', kinds: ['bridge'] },
  { name: 'domain', title: 'Domain', kinds: ['domain'] },
  { name: 'circle', title: 'Circle', kinds: ['circle', 'circle-signer'] },
  { name: 'rule', title: 'Rule' },
  { name: 'policy', title: 'Policy', kinds: ['policy'] },
  { name: 'schema', title: 'Schema', kinds: ['schema'] },
  { name: 'anchor', title: 'Anchor', kinds: ['anchor'] },
  { name: 'effect', title: 'Effect', kinds: ['effect'] },
  { name: 'monitor', title: 'Monitor' },
  { name: 'report', title: 'Report', kinds: ['report'] },
  { name: 'log', title: 'Log and checkpoint' },
  { name: 'receipt', title: 'Receipt' },
];
