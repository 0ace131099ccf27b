/**
 * Descriptions of endpoints, a line for each pattern. A line holds for every kind of record, so that a new kind is
 * described as soon as its endpoints are listed. Ruling 18.
 */
import type { OperationLine } from './line.ts';
import {
  always,
  errorsOfBatch,
  errorsOfDrop,
  errorsOfList,
  errorsOfPreview,
  errorsOfProof,
  errorsOfRead,
  errorsOfRequest,
  errorsOfSigned,
  errorsOfUpdate,
} from './reasons.ts';

const drop = {
  summary: 'Drops a *: its handle becomes free, and its history stays readable by luid',
  body: 'drop',
  status: 204,
  reasons: errorsOfDrop,
} as const;

const prove = { body: 'proof', answers: 'record', reasons: errorsOfProof } as const;

const create = {
  id: 'create*',
  summary: 'Creates a *',
  body: 'create',
  status: 201,
  answers: 'record',
  reasons: [
    ...errorsOfSigned,
    'record.duplicated',
    'record.not-found',
    'record.relation-not-found',
    'record.status-policy-violation',
  ],
} as const;

/** By endpoint: `*` stands for the path of a kind. A line for one endpoint wins over the pattern for all kinds. */
export const operationLines: Readonly<Record<string, OperationLine>> = {
  'POST *': create,
  'POST */!batch': {
    id: 'batch**',
    summary:
      'Creates up to 100 **: each by itself, or all or none in one transaction; each line of the answer has the `status` of its own',
    body: 'batch',
    answers: 'batch',
    reasons: errorsOfBatch,
  },
  'POST */!preview': {
    id: 'preview*',
    summary:
      'Tells what the creation of a * would do now, and stores nothing; `meta.proofs` may be empty',
    body: 'preview',
    answers: 'preview',
    reasons: errorsOfPreview,
  },
  'POST /circles/{id}/signers': {
    ...create,
    summary: 'Makes a signer a member of a circle; the status is 200, and not 201',
    status: 200,
  },
  'GET *': {
    id: 'list**',
    summary: 'Lists **, newest first',
    answers: 'records',
    query: 'filters',
    reasons: errorsOfList,
  },
  'GET */{id}': {
    id: 'read*',
    summary: 'Reads a *',
    answers: 'record',
    takes: ['include.leaf'],
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'PUT */{id}': {
    id: 'update*',
    summary: 'Replaces the data of a *; `data.parent` is the hash of its current version',
    body: 'update',
    answers: 'record',
    reasons: [...errorsOfUpdate, 'record.duplicated', 'record.update-rejected'],
  },
  'DELETE */{id}': { id: 'drop*', ...drop },
  'POST */{id}/drop': {
    ...drop,
    id: 'drop*ByPost',
    summary: 'Drops a *, for clients that cannot send a body with DELETE',
  },
  'POST */{id}/proofs': {
    ...prove,
    id: 'add*Proof',
    summary:
      'Adds a proof to a *; its `custom` may set `status`, and `labels` as a whole list or by one of `$set`, `$push`, `$addToSet`, `$pull`, `$pullAll` and `$pop`',
  },
  'POST /intents/{id}/proofs': {
    ...prove,
    id: 'addIntentProof',
    summary:
      'Adds a proof to an intent: a signature; a decision (`custom.status` `committed`, of a part with `capture: [{claim, amount}]`, or `aborted`); a later expiry (`extended`, with `expiry`); the report of a bridge; or `labels`',
  },
  'POST */{id}/sign': {
    ...prove,
    id: 'sign*',
    summary: 'Adds a proof to a *, at the old path of this operation',
    deprecated: true,
  },
  'POST */{id}/access/!check': {
    id: 'check*Access',
    summary: 'Lists the rules that grant the caller an action on a *',
    body: 'check',
    answers: 'permissions',
    reasons: errorsOfRequest,
  },
  'GET */{id}/changes': {
    id: 'list*Changes',
    summary: 'Lists all changes of a *, newest first; by luid only, once it is dropped',
    answers: 'changes',
    query: 'filters',
    reasons: errorsOfList,
  },
  'GET */{id}/changes/{change}': {
    id: 'read*Change',
    summary: 'Reads one change of a *, by its number',
    answers: 'change',
    takes: ['include.leaf'],
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'GET */{id}/changes/{change}/receipt': {
    id: 'read*ChangeReceipt',
    summary:
      'Reads one change of a * with all that proves it, for those who do not trust the ledger',
    answers: 'receipt',
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'GET */{id}/receipt': {
    id: 'read*Receipt',
    summary: 'Reads the last change of a * with all that proves it',
    answers: 'receipt',
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'GET */{id}/balances': {
    id: 'list*Balances',
    summary: 'Lists the balances of a *, by symbol, as they are or as they were at a moment',
    answers: 'balances',
    query: 'page',
    takes: ['moment'],
    reasons: errorsOfList,
  },
  'GET */{id}/entries': {
    id: 'list*Entries',
    summary:
      'Lists the entries of a * in a symbol, oldest first, with the balance before and after',
    answers: 'entries',
    query: 'page',
    takes: ['symbol', 'from', 'to', 'include.holds'],
    reasons: errorsOfList,
  },
  'GET /balances': {
    id: 'listBalances',
    summary:
      'Lists the balances of all wallets that match, as they are or as they were at a moment; each row is signed',
    answers: 'all-balances',
    of: 'wallet',
    query: 'filters',
    takes: ['symbol.one', 'moment'],
    reasons: errorsOfRead,
  },
  'GET /balances/totals': {
    id: 'sumBalances',
    summary:
      'Sums the balances of wallets by symbol, domain or schema, with the supplies of the symbols: a trial balance',
    answers: 'sums',
    of: 'wallet',
    takes: ['symbol.one', 'moment', 'group', 'walletFilters'],
    reasons: errorsOfRead,
  },
  'GET */{id}/supply': {
    id: 'read*Supply',
    summary: 'Reads the supply of a *, as it is or as it was at a moment',
    answers: 'supply',
    takes: ['moment'],
    reasons: errorsOfList,
  },
  'GET */{id}/limits': {
    id: 'list*Limits',
    summary: 'Lists the limits of a *',
    answers: 'limits',
    query: 'page',
    reasons: errorsOfList,
  },
  'GET */{id}/anchors': {
    id: 'list*Anchors',
    summary: 'Lists the anchors of a *, newest first',
    answers: 'records',
    of: 'anchor',
    query: 'filters',
    reasons: errorsOfList,
  },
  'POST */{id}/anchors/!lookup': {
    id: 'lookUp*Anchors',
    summary: 'Lists the anchors of a * that meet the conditions in the body',
    body: 'lookup',
    answers: 'records',
    of: 'anchor',
    query: 'page',
    reasons: [...errorsOfRequest, 'record.invalid'],
  },
  'GET */{id}/domains': {
    id: 'list*Domains',
    summary: 'Lists the domain of a * and the domains above it, nearest first',
    answers: 'records',
    of: 'domain',
    query: 'page',
    reasons: errorsOfList,
  },
  'GET */{id}/events': {
    id: 'list*Events',
    summary: 'Lists the deliveries of a *, newest first',
    answers: 'deliveries',
    query: 'filters',
    reasons: errorsOfList,
  },
  'GET */{id}/events/{delivery}': {
    id: 'read*Event',
    summary: 'Reads one delivery of a *',
    answers: 'delivery',
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'POST */{id}/events/retry': {
    id: 'retry*Events',
    summary: 'Repeats one delivery of a *, or all of the last minutes',
    body: 'retry',
    status: 202,
    reasons: errorsOfRequest,
  },
  'POST */{id}/activate': {
    id: 'activate*',
    summary: 'Resumes the deliveries of a *',
    body: 'request',
    status: 202,
    reasons: [...errorsOfRequest, 'record.status-policy-violation'],
  },
  'GET */{id}/assets/{asset}': {
    id: 'read*Asset',
    summary: 'Downloads an asset of a *',
    answers: 'asset',
    query: 'index',
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'GET /': {
    id: 'readStatus',
    summary: 'Reads the health of the service',
    answers: 'status',
    reasons: always,
  },
  'GET /health': {
    id: 'readHealth',
    summary:
      'Reads the health of the service, and what waits to be done, in numbers, for those who may read the ledger',
    answers: 'health',
    mayBeDown: true,
    reasons: always,
  },
  'GET /openapi.json': {
    id: 'readOpenApi',
    summary: 'This document',
    answers: 'openapi',
    isStatic: true,
    reasons: always,
  },
  'GET /docs': {
    id: 'readDocs',
    summary: 'The reference for people, with this document in it',
    answers: 'page',
    isStatic: true,
    reasons: always,
  },
  'GET /docs/{page}': {
    id: 'readDocsPage',
    summary: 'A page of the reference',
    answers: 'page',
    isStatic: true,
    reasons: always,
  },
  'GET /docs/concepts/{page}': {
    id: 'readConcept',
    summary: 'A page of the reference about a concept',
    answers: 'page',
    isStatic: true,
    reasons: always,
  },
  'GET /docs/recipes/{page}': {
    id: 'readRecipe',
    summary: 'A recipe of the reference',
    answers: 'page',
    isStatic: true,
    reasons: always,
  },
  'GET /docs/assets/{file}': {
    id: 'readDocsFile',
    summary: 'A script, a style or the search index of the reference',
    answers: 'file',
    isStatic: true,
    reasons: always,
  },
  'GET /console': {
    id: 'readConsole',
    summary:
      'The console: a page in which people look at a ledger, and sign with a key that stays in the browser',
    answers: 'page',
    isStatic: true,
    reasons: always,
  },
  'GET /console/app.js': {
    id: 'readConsoleScript',
    summary: 'The script of the console',
    answers: 'script',
    isStatic: true,
    reasons: always,
  },
  'GET /console/app.css': {
    id: 'readConsoleStyle',
    summary: 'The style of the console',
    answers: 'style',
    isStatic: true,
    reasons: always,
  },
  'GET /log/checkpoint': {
    id: 'readLogCheckpoint',
    summary:
      'Reads the newest checkpoint of the log: a signed note (C2SP tlog-checkpoint), with the cosignatures of witnesses that it has',
    answers: 'checkpoint',
    takes: ['cosigned'],
    reasons: errorsOfList,
  },
  'GET /log/tile/{level}/{part1}': {
    id: 'readLogTile',
    summary: 'Reads a full tile of the log, or with the level `entries` a bundle (C2SP tlog-tiles)',
    answers: 'tile',
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'GET /log/tile/{level}/{part1}/{part2}': {
    id: 'readLogTileOfTwoParts',
    summary:
      'Reads a partial tile of the log, such as `000.p/12`, or a full one, such as `x001/234`',
    answers: 'tile',
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'GET /log/tile/{level}/{part1}/{part2}/{part3}': {
    id: 'readLogTileOfThreeParts',
    summary: 'Reads a tile of the log, such as `x001/234.p/12`',
    answers: 'tile',
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'GET /log/tile/{level}/{part1}/{part2}/{part3}/{part4}': {
    id: 'readLogTileOfFourParts',
    summary: 'Reads a tile of the log, such as `x001/x234/567.p/12`',
    answers: 'tile',
    reasons: [...errorsOfRead, 'record.not-found'],
  },
  'GET /log/proof': {
    id: 'readLogProof',
    summary:
      'Proves that a change of a record is in the log, under the newest checkpoint, or the newest one with cosignatures that includes it',
    answers: 'log-proof',
    takes: ['luid', 'change.of'],
    reasons: errorsOfList,
  },
  'GET /log/consistency': {
    id: 'readLogConsistency',
    summary: 'Proves that the log of one size is the beginning of that of another',
    answers: 'consistency',
    takes: ['size.from', 'size.to'],
    reasons: errorsOfList,
  },
  'POST /oauth/token': {
    id: 'giveToken',
    summary: 'Issues a token to a client, in the name of its signer',
    body: 'token',
    answers: 'token',
    reasons: ['api.route-not-found'],
    isOAuth: true,
  },
  'GET /oauth/jwks': {
    id: 'readTokenKeys',
    summary: 'Lists the keys that verify the tokens of clients',
    answers: 'jwks',
    reasons: always,
  },
};
