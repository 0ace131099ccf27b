/** Activation of effects and bridges after they became inactive. Rulings 18 and 61. */

import { requiringFreshProofs } from '../access/fresh-proofs.ts';
import { toDo } from '../access/required-permission.ts';
import { assertActivatable } from '../access/vouch.ts';
import type { Kind } from '../ledger/kind.ts';
import { active, inactive } from '../ledger/vouching.ts';
import type { Action } from '../port/action.ts';
import { advance } from '../record/advance.ts';
import { byPath } from '../record/find.ts';
import { replayWaiting } from '../record/resend.ts';
import { RequestBody } from '../shape/effect.ts';

/**
 * Activates a record of the kind. An effect changes only from `inactive`. A bridge becomes active from any status,
 * since the permission is that of vouching for it; its waiting calls are due at once. Rulings 18 and 69, Decisions 55
 * and 79. Errors:
 * - `auth.forbidden`, `record.not-found`: no permission to activate it, or no such record
 * - `crypto.signature-invalid`: a proof that is needed for the permission is too old, or its data could be a record
 * - `record.status-policy-violation`: a policy forbids the status, or requires the proofs of several
 * - `api.body-malformed`, `api.request-timeout`: too large to store, or too many conflicts or waiting calls
 */
export function activate(kind: Kind): Action {
  const requires = toDo('activate', kind, byPath(kind));
  return {
    requires,
    body: RequestBody,
    signed: 'record',
    run: requiringFreshProofs(async (call) => {
      const version = await requires.allow(call);
      const { record } = version;
      const isChanged = kind === 'bridge' || record.meta.status === inactive;
      if (isChanged) await assertActivatable(call, version);
      const to = { status: active, ...(kind === 'effect' && { after: [inactive] }) };
      await advance(call.services, call.ledger, kind, record, to);
      if (kind === 'bridge') await replayWaiting(call.services, call.ledger.handle, record.luid);
      return { status: 202 };
    }),
  };
}
