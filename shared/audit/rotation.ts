/** Invariant 3, of the signers of a ledger and its log: each key is signed by the one before it. Ruling 99. */
import { verify } from '../crypto/proof.ts';
import { isSame } from '../ledger/alteration.ts';
import type { Version } from '../ledger/record.ts';
import { type KeyEntry, keysOf, linkFaults } from '../log/key-table.ts';
import { systemSigner } from './history.ts';
import type { Finding, Say } from './violation.ts';

/** Checks the new data of a signer of the ledger: one key more, signed by the one before, and nothing else. */
export function* checkRotation(previous: Version, version: Version, say: Say): Finding {
  const [before, after] = [keysOf(previous.record), keysOf(version.record)];
  const kept = after.slice(0, -1);
  if (!isSame(kept.map(nameOf), before.map(nameOf)) || !isSame(withoutEnd(kept), before))
    yield say('The signer does not have the keys of the version before and one more.', {
      expected: before.map((key) => key.public),
      found: after.map((key) => key.public),
    });
  for (const fault of linkFaults(version.record, verify)) yield say(fault);
  const [expected, found] = [previous, version].map(({ record }) => lasting(record.data));
  if (!isSame(expected, found)) yield say('A rotation changed more than the key.');
  const { data, meta } = version.record;
  const [last] = before.slice(-1);
  const isProven = meta.proofs.some((proof) => proof.public === last?.public);
  if (data.handle === systemSigner && !isProven)
    yield say('The key before has not signed the new one.', {
      expected: last?.public,
      found: meta.proofs.map((proof) => proof.public),
    });
}

function nameOf({ public: key, from }: KeyEntry): string {
  return `${key} ${from}`;
}

/** The keys as they were before the rotation, which ends the last one. */
function withoutEnd(keys: readonly KeyEntry[]): readonly KeyEntry[] {
  return keys.map((key, index) => {
    if (index < keys.length - 1) return key;
    const { until: _until, size: _size, compromised: _compromised, ...rest } = key;
    return rest;
  });
}

/** The members of a signer that no rotation changes. */
function lasting(data: Readonly<Record<string, unknown>>): object {
  const { public: _public, keys: _keys, parent: _parent, ...rest } = data;
  return rest;
}
