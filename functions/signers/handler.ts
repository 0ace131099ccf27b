import { checkAccess } from '../../shared/action/check-access.ts';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { change, history } from '../../shared/action/history.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { read } from '../../shared/action/read.ts';
import { changeReceipt } from '../../shared/action/receipt.ts';
import { update } from '../../shared/action/update.ts';
import { api } from '../../shared/http/api.ts';
import { wiring } from '../wiring.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(wiring, endpoints, {
  'POST /signers': create('signer'),
  'GET /signers': list('signer'),
  'GET /signers/{id}': read('signer'),
  'PUT /signers/{id}': update('signer'),
  'POST /signers/{id}/proofs': prove('signer'),
  'POST /signers/{id}/access/!check': checkAccess('signer'),
  'GET /signers/{id}/changes': history('signer'),
  'GET /signers/{id}/changes/{change}': change('signer'),
  'GET /signers/{id}/changes/{change}/receipt': changeReceipt('signer'),
  'POST /signers/{signer}/factors': create('signer-factor'),
  'GET /signers/{signer}/factors': list('signer-factor'),
  'GET /signers/{signer}/factors/{id}': read('signer-factor'),
  'PUT /signers/{signer}/factors/{id}': update('signer-factor'),
  'POST /signers/{signer}/factors/{id}/proofs': prove('signer-factor'),
  'POST /signers/{signer}/factors/{id}/access/!check': checkAccess('signer-factor'),
  'GET /signers/{signer}/factors/{id}/changes': history('signer-factor'),
  'GET /signers/{signer}/factors/{id}/changes/{change}': change('signer-factor'),
  'GET /signers/{signer}/factors/{id}/changes/{change}/receipt': changeReceipt('signer-factor'),
  'DELETE /signers/{signer}/factors/{id}': drop('signer-factor'),
  'POST /signers/{signer}/factors/{id}/drop': drop('signer-factor'),
});
