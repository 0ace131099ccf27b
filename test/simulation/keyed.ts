/**
 * Checks of the keys in the end: each key follows from the one before it, every proof of the ledger is by a key that it had
 * then, and every checkpoint by keys of its log. Ruling 99.
 */

import { isSignedBytes, verify } from '../../shared/crypto/proof.ts';
import { toBase64 } from '../../shared/log/bytes.ts';
import { checkpointOf } from '../../shared/log/checkpoint.ts';
import { keyFor, keysOf, linkFaults } from '../../shared/log/key-table.ts';
import { isSignedBy, noteOf, type VerifyBytes } from '../../shared/log/note.ts';
import { noteKeyOf } from '../../shared/record/log-signer.ts';
import type { RotatedSigner } from '../../shared/record/rotation.ts';
import { main } from './ledger.ts';
import type { World } from './simulation.ts';

const isByKey: VerifyBytes = (bytes, signature, { public: by }) =>
  isSignedBytes(bytes, signature, toBase64(by));

/** All that is wrong with the keys of a ledger. */
export async function wrongKeys(world: World): Promise<string[]> {
  const [system, log] = await Promise.all([signerIn(world, 'system'), signerIn(world, 'log')]);
  const keys = keysOf(system);
  return [
    ...[system, log].flatMap((signer) => linkFaults(signer, verify)),
    ...[...world.book.intents.values()].flatMap(({ record }) => {
      const own = record.meta.proofs.filter((proof) =>
        keys.some((key) => key.public === proof.public),
      );
      const wrong = own.filter((proof) => !keyFor(keys, proof) || !verify(record.hash, proof));
      return [
        ...(own.length > 0 ? [] : [`${record.data.handle} has no proof of the ledger`]),
        ...wrong.map(
          ({ public: by, custom }) =>
            `${record.data.handle} has a proof by ${by}, which is no key of ${JSON.stringify(custom)}`,
        ),
        ...(wrong.length > 0
          ? [JSON.stringify(keys.map(({ public: by, from, until }) => ({ by, from, until })))]
          : []),
      ];
    }),
    ...world.ledger.checkpoints.flatMap(({ size, note }) => {
      const origin = checkpointOf(note)?.origin ?? '';
      const read = noteOf(note);
      const isRight = keysOf(log).some(
        ({ public: key }) => read && isSignedBy(read, noteKeyOf(origin, key), isByKey),
      );
      return isRight ? [] : [`the checkpoint of ${size} leaves is by no key of the log`];
    }),
  ];
}

async function signerIn({ ledger }: World, handle: RotatedSigner) {
  const [signer] = await ledger.memory.load([
    { what: 'record', scope: main, kind: 'signer', handle },
  ]);
  if (!signer) throw new Error(`There is no signer ${handle}.`);
  return signer.record;
}
