import { create } from '../../shared/action/create.ts';
import { change, history } from '../../shared/action/history.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { read } from '../../shared/action/read.ts';
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
  'GET /signers/{id}/changes': history('signer'),
  'GET /signers/{id}/changes/{change}': change('signer'),
});
