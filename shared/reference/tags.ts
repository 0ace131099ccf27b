/** Texts of the tags of operations, in the order in which the reference shows them. */
export const tagTexts: Readonly<Record<string, string>> = {
  Intent:
    'An intent is a signed instruction to move value: 1 to 40 claims, all of which commit, or none. Nothing else moves money. Proofs advance it; it is never updated.',
  Wallet:
    'A wallet holds balances, one in each symbol. Its money lies in the ledger, or at a bridge; its routes pass on what reaches it.',
  Balance: 'Balances of many wallets at once, and their sums: a trial balance.',
  Symbol:
    'A symbol is what amounts are of: a dollar, a point, a share. Its factor says how many smallest units are in one.',
  Signer: 'A signer is somebody who signs, known by a public key, or by factors.',
  'Signer factor':
    'A factor is another key of a signer, or credentials with which an application gets tokens in the name of the signer.',
  Circle:
    'A circle is a group of signers. Its rules grant its members actions on all records in its reach.',
  'Circle signer': 'A circle signer links a signer to a circle as a member.',
  Policy:
    'A policy says which statuses or labels records may have, and who may set them; or it holds access rules that others name. Its quorums demand several pairs of eyes.',
  Schema: 'A schema is a JSON Schema that the data of records of a kind must satisfy.',
  Bridge:
    'A bridge is an outside system, such as a bank, that prepares and commits its side of an intent.',
  Effect:
    'An effect sends the events of a signal to a webhook or a bridge. A monitor is an effect that watches a balance.',
  Anchor: 'An anchor is a name by which a wallet is found, such as a telephone number.',
  Report:
    'A report is a document that the ledger produces, such as the statement of a wallet, or that its authors add.',
  Domain:
    'A domain is a part of a ledger with records and rules of its own; domains lie in domains.',
  Ledger:
    'A ledger holds all other records. One deployment has many; the header `x-ledger` selects one.',
  'Own ledger': 'The ledger that a request addresses, without a name in the path.',
  Log: 'The transparency log: a Merkle tree over all changes of a ledger, whose signed head proves that nothing was rewritten.',
  Token: 'Tokens for applications: OAuth 2.0 with client credentials.',
  Service: 'The health of the service, and this reference.',
};
