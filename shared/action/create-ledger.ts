/** Creation of a ledger through another one. Ruling 24. */
import { withoutHiddenHolder } from '../access/allow.ts';
import { toCreate } from '../access/required-permission.ts';
import type { Action } from '../port/action.ts';
import { assertFresh, draftOf } from '../record/author.ts';
import { readerFor } from '../record/reader.ts';
import { createBody } from '../shape/body.ts';
import { foundLedger } from './found-ledger.ts';
import { assertRules, shapeOf } from './rules.ts';

const requires = toCreate('ledger');

/**
 * Creates a ledger, signed by its own new key and by the addressed ledger. Decision 3. Errors:
 * - `auth.forbidden`: no permission to create ledgers
 * - `crypto.signature-invalid`: a proof is undated, too old or from the future
 * - `record.duplicated`: the handle is taken
 * - `record.invalid`: the access rules cannot be judged, or name too many policies; a witness has an address that may
 *   not be called
 * - `api.body-malformed`, `api.request-timeout`: too large to store, or too many conflicts
 */
export const createLedger: Action = {
  requires,
  body: createBody('ledger'),
  shape: shapeOf('ledger'),
  signed: 'record',
  run: async (call) => {
    const { services, ledger } = call;
    const draft = draftOf(call);
    assertFresh(draft.proofs, await readerFor(call).home(), services.clock());
    await requires.allow(call);
    await assertRules('ledger', draft.data, services);
    const body = await foundLedger(services, draft, [ledger]).catch(async (error) =>
      Promise.reject(await withoutHiddenHolder(call, 'ledger', error)),
    );
    return { status: 201, body };
  },
};
