import { checkOwnLedger } from '../../shared/action/check-access.ts';
import { ownLedgerChange, ownLedgerHistory } from '../../shared/action/history.ts';
import { proveOwnLedger } from '../../shared/action/prove.ts';
import { readOwnLedger } from '../../shared/action/read.ts';
import { ownLedgerReceipt } from '../../shared/action/receipt.ts';
import { updateOwnLedger } from '../../shared/action/update.ts';
import { api } from '../../shared/http/api.ts';
import { judging } from '../judging.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(judging, endpoints, {
  'GET /ledger': readOwnLedger,
  'PUT /ledger': updateOwnLedger,
  'POST /ledger/proofs': proveOwnLedger,
  'POST /ledger/access/!check': checkOwnLedger,
  'GET /ledger/changes': ownLedgerHistory,
  'GET /ledger/changes/{change}': ownLedgerChange,
  'GET /ledger/changes/{change}/receipt': ownLedgerReceipt,
});
