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

/** Each of them runs after the first, in any order. */
export const recipes: readonly GuidePage[] = [
  { name: 'start', title: 'Before you begin' },
  { name: 'hold', title: 'Authorise and capture' },
  { name: 'fee', title: 'Take a fee with a payment' },
  { name: 'retry', title: 'Send it again without paying twice' },
  { name: 'refund', title: 'Refund a payment' },
  { name: 'payouts', title: 'Pay out a list' },
  { name: 'exchange', title: 'Exchange two symbols' },
  { name: 'later', title: 'Schedule a payment' },
  { name: 'escrow', title: 'Hold money in escrow until two agree' },
  { name: 'approval', title: 'Let two people approve a large payment' },
  { name: 'credit-line', title: 'Give a credit line' },
  { name: 'spending-limit', title: 'Limit spending, and ask first' },
  { name: 'freeze', title: 'Freeze a wallet' },
  { name: 'low-balance', title: 'Be told when money runs low' },
  { name: 'webhook', title: 'Receive a webhook, and verify it' },
  { name: 'past', title: 'Look up a balance in the past' },
  { name: 'statement', title: 'Read a statement' },
  { name: 'books', title: 'Check that the books come to zero' },
  { name: 'month-end', title: 'Close the month, and reconcile with the bank' },
  { name: 'receipt', title: 'Prove a payment without the ledger' },
  { name: 'checkpoint', title: 'See that nothing was rewritten' },
  { name: 'customers', title: 'Keep customers apart' },
  { name: 'move', title: 'Move a ledger to another server' },
  { name: 'other-clients', title: 'Use another language' },
  { name: 'operate', title: 'See what it does' },
];
