import { checkAccess } from '../../shared/action/check-access.ts';
import { create } from '../../shared/action/create.ts';
import { drop } from '../../shared/action/drop.ts';
import { activate } from '../../shared/action/effect-status.ts';
import { listEvents, readEvent, retryEvents } from '../../shared/action/events.ts';
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
  'POST /bridges': create('bridge'),
  'GET /bridges': list('bridge'),
  'GET /bridges/{id}': read('bridge'),
  'PUT /bridges/{id}': update('bridge'),
  'POST /bridges/{id}/proofs': prove('bridge'),
  'POST /bridges/{id}/access/!check': checkAccess('bridge'),
  'GET /bridges/{id}/changes': history('bridge'),
  'GET /bridges/{id}/changes/{change}': change('bridge'),
  'GET /bridges/{id}/changes/{change}/receipt': changeReceipt('bridge'),
  'DELETE /bridges/{id}': drop('bridge'),
  'POST /bridges/{id}/drop': drop('bridge'),
  'GET /bridges/{id}/events': listEvents('bridge'),
  'GET /bridges/{id}/events/{delivery}': readEvent('bridge'),
  'POST /bridges/{id}/events/retry': retryEvents('bridge'),
  'POST /bridges/{id}/activate': activate('bridge'),
});
