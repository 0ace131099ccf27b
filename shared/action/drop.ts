/** End of a record. Its handle becomes free, and its history stays readable by luid. Rulings 12, 16, 44. */
import { toDrop } from '../access/required-permission.ts';
import { LedgerError } from '../ledger/errors.ts';
import { assertNoHandover } from '../ledger/handover.ts';
import { type Kind, lineOf } from '../ledger/kind.ts';
import { type Version, versionOf } from '../ledger/record.ts';
import type { Action, Call, RequiredPermission } from '../port/action.ts';
import type { Balance } from '../port/ports.ts';
import { acceptedProofs, publicsOf, requiresAnchors } from '../record/author.ts';
import { commitForCall, type Decided, laterMoment, newToken } from '../record/commit.ts';
import { byPath, scopeOf } from '../record/find.ts';
import { readerFor, signersOf } from '../record/reader.ts';
import { endingWork } from '../record/report-work.ts';
import { countersign } from '../record/sign.ts';
import { assertNotStale } from '../record/stale-proof.ts';
import type { Proof } from '../shape/proof.ts';
import { DropBody, type SignedBody } from '../shape/record.ts';
import { assertOwesNothing } from './owed.ts';
import { isHeldFor, keysOf, signerOf } from './rules.ts';
import { assertParent, assertSameLuid } from './update.ts';

/**
 * Drops the record in the path. Errors:
 * - `auth.forbidden`, `record.not-found`: no permission to drop it, or no such record
 * - `record.invalid`: the body names another luid
 * - `crypto.parent-hash-invalid`: the body names another hash than the current one
 * - `crypto.signature-invalid`: a proof is older than the record
 * - `record.drop-rejected`: others refer to it, a wallet holds or awaits something or still has anchors, a bridge has yet
 *   to carry out an intent, or the signature ended an earlier record
 * - `api.body-malformed`, `api.request-timeout`: too large to store, or too many conflicts
 */
export function drop(kind: Kind): Action {
  const requires = toDrop(kind, byPath(kind));
  return {
    requires,
    body: DropBody,
    signed: 'record',
    run: async (call) => {
      await commitForCall(call, (own) => decide(own, kind, requires));
      return { status: 204 };
    },
  };
}

async function decide(
  call: Call,
  kind: Kind,
  requires: RequiredPermission<Version>,
): Promise<Decided<undefined>> {
  const { services, ledger } = call;
  const { luid, hash, data, meta } = call.body as SignedBody & { data: { parent: string } };
  const scope = scopeOf(kind, ledger.handle);
  const previous = await requires.allow(call);
  assertSameLuid(luid, previous.record);
  const closes = kind === 'wallet' ? await emptyBalances(call, previous) : [];
  const freedom = kind === 'wallet' ? await abandoning(call, previous) : {};
  await assertParent(call, data.parent, previous);
  assertNotStale(previous, meta.proofs, services.clock());
  assertNoHandover(kind, meta.proofs);
  if (kind === 'bridge') await assertOwesNothing(call, previous);
  const keys = keysOf(kind, previous.record.data);
  const holders = await readerFor(call).holders([...publicsOf(meta.proofs), ...keys]);
  const proofs = acceptedProofs(meta.proofs, signersOf(holders));
  const signedDrop = {
    hash: hash.toLowerCase(),
    data: { parent: previous.record.hash },
    meta: { proofs },
  };
  const next: Version = { ...lastVersion(call, previous), drop: signedDrop };
  const signals = [{ signal: `${kind}-dropped`, change: next.change }];
  const owner = signerOf(kind, previous.record.data);
  const releases = keys.filter((key) => isHeldFor(holders.get(key), owner, previous.record));
  const work = endingWork(previous, services.clock());
  const write = {
    scope,
    next,
    previous,
    signals,
    replayGuards: proofs,
    closes,
    releases,
    ...freedom,
    ...work,
  };
  return { commit: { token: newToken(), writes: [write] }, result: undefined };
}

/** The anchors of a wallet may stay, unless the ledger requires a wallet for each anchor. */
async function abandoning(call: Call, { record }: Version): Promise<{ abandons?: true }> {
  const { services, ledger } = call;
  if (!requiresAnchors(await readerFor(call).home())) return { abandons: true };
  const anchors = await services.store.indexed(ledger.handle, 'anchor', record.data.handle);
  if (anchors.length === 0) return {};
  const handles = anchors.map((anchor) => anchor.record.data.handle);
  throw new LedgerError(
    'record.drop-rejected',
    `${lineOf('wallet').title} ${record.data.handle} still has anchors.`,
    { anchors: handles },
  );
}

/** The balances of a wallet; refuses with `record.drop-rejected` when one is in use. Ruling 44. */
async function emptyBalances({ services, ledger }: Call, wallet: Version): Promise<Balance[]> {
  const { handle } = wallet.record.data;
  const balances = await services.store.balances(ledger.handle, handle);
  const symbols = balances
    .filter(({ available, reserved }) => available !== 0n || (reserved ?? 0n) !== 0n)
    .map(({ symbol }) => symbol);
  if (symbols.length > 0)
    throw new LedgerError(
      'record.drop-rejected',
      `${lineOf('wallet').title} ${handle} still holds ${symbols.join(', ')}.`,
      { symbols },
    );
  const awaited = balances.filter(({ holds = 0 }) => holds > 0).map(({ symbol }) => symbol);
  if (awaited.length > 0)
    throw new LedgerError(
      'record.drop-rejected',
      `${lineOf('wallet').title} ${handle} is needed by undecided intents for ${awaited.join(', ')}.`,
      { symbols: awaited },
    );
  return balances;
}

/** The record with the status `dropped`, in a last proof of the ledger. Decision 1. */
function lastVersion({ services, ledger }: Call, previous: Version): Version {
  const { luid, hash, meta } = previous.record;
  const moment = laterMoment(services.clock(), previous);
  const status = 'dropped';
  const proof: Proof = countersign(ledger, hash, { luid, moment, status });
  const proofs = [...meta.proofs, proof];
  const record = { ...previous.record, meta: { ...meta, proofs, status } };
  const step = { action: 'drop', status, moment, proofs: proofs.length } as const;
  return versionOf(previous.kind, record, [step], previous);
}
