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
  'POST /effects': create('effect'),
  'GET /effects': list('effect'),
  'GET /effects/{id}': read('effect'),
  'PUT /effects/{id}': update('effect'),
  'POST /effects/{id}/proofs': prove('effect'),
  'POST /effects/{id}/access/!check': checkAccess('effect'),
  'GET /effects/{id}/changes': history('effect'),
  'GET /effects/{id}/changes/{change}': change('effect'),
  'GET /effects/{id}/changes/{change}/receipt': changeReceipt('effect'),
  'DELETE /effects/{id}': drop('effect'),
  'POST /effects/{id}/drop': drop('effect'),
  'GET /effects/{id}/events': listEvents('effect'),
  'GET /effects/{id}/events/{delivery}': readEvent('effect'),
  'POST /effects/{id}/events/retry': retryEvents('effect'),
  'POST /effects/{id}/activate': activate('effect'),
});
