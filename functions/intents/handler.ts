import { batchIntents } from '../../shared/action/batch-intents.ts';
import { checkAccess } from '../../shared/action/check-access.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { change, history } from '../../shared/action/history.ts';
import { list } from '../../shared/action/list.ts';
import { previewIntent } from '../../shared/action/preview-intent.ts';
import { prove } from '../../shared/action/prove.ts';
import { readIntent } from '../../shared/action/read-intent.ts';
import { changeReceipt, receipt } from '../../shared/action/receipt.ts';
import { api } from '../../shared/http/api.ts';
import { wiring } from '../wiring.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(wiring, endpoints, {
  'POST /intents': createIntent,
  'GET /intents': list('intent'),
  'POST /intents/!batch': batchIntents,
  'POST /intents/!preview': previewIntent,
  'GET /intents/{id}': readIntent,
  'POST /intents/{id}/proofs': prove('intent'),
  'POST /intents/{id}/access/!check': checkAccess('intent'),
  'GET /intents/{id}/receipt': receipt('intent'),
  'GET /intents/{id}/changes': history('intent'),
  'GET /intents/{id}/changes/{change}': change('intent'),
  'GET /intents/{id}/changes/{change}/receipt': changeReceipt('intent'),
  'POST /intents/{id}/sign': prove('intent'),
});
