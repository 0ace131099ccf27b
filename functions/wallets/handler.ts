import { listAnchors, lookupAnchors } from '../../shared/action/anchors.ts';
import { balances } from '../../shared/action/balances.ts';
import { checkAccess } from '../../shared/action/check-access.ts';
import { create } from '../../shared/action/create.ts';
import { walletDomains } from '../../shared/action/domains.ts';
import { drop } from '../../shared/action/drop.ts';
import { entries } from '../../shared/action/entries.ts';
import { change, history } from '../../shared/action/history.ts';
import { limits } from '../../shared/action/limits.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { read } from '../../shared/action/read.ts';
import { changeReceipt } from '../../shared/action/receipt.ts';
import { update } from '../../shared/action/update.ts';
import { api } from '../../shared/http/api.ts';
import { wiring } from '../wiring.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(wiring, endpoints, {
  'POST /wallets': create('wallet'),
  'GET /wallets': list('wallet'),
  'GET /wallets/{id}': read('wallet'),
  'PUT /wallets/{id}': update('wallet'),
  'POST /wallets/{id}/proofs': prove('wallet'),
  'POST /wallets/{id}/access/!check': checkAccess('wallet'),
  'GET /wallets/{id}/changes': history('wallet'),
  'GET /wallets/{id}/changes/{change}': change('wallet'),
  'GET /wallets/{id}/changes/{change}/receipt': changeReceipt('wallet'),
  'DELETE /wallets/{id}': drop('wallet'),
  'POST /wallets/{id}/drop': drop('wallet'),
  'GET /wallets/{id}/balances': balances,
  'GET /wallets/{id}/entries': entries,
  'GET /wallets/{id}/limits': limits,
  'GET /wallets/{id}/anchors': listAnchors,
  'POST /wallets/{id}/anchors/!lookup': lookupAnchors,
  'GET /wallets/{id}/domains': walletDomains,
});
