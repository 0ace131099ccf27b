/** The witnesses of a checkpoint, for a verifier who knows their keys from elsewhere. Ruling 100. */
import { checkpointOf } from '../log/checkpoint.ts';
import { cosignatureBy, witnessOf } from '../log/cosignature.ts';
import type { VerifyBytes } from '../log/note.ts';

/** The statement of a witness that it saw a checkpoint, and nothing that contradicts it. */
export interface Sighting {
  /** The name of the witness. */
  readonly witness: string;
  /** ISO 8601 UTC. */
  readonly moment: string;
}

/** The fact that a statement proves, a sentence. */
export function factOf({ witness, moment }: Sighting): string {
  return `The witness ${witness} saw this checkpoint at ${moment}, and nothing before that contradicts it.`;
}

/** The statements of witnesses on a checkpoint, and the lack of others. */
export interface Sightings {
  readonly seen: readonly Sighting[];
  readonly faults: readonly string[];
}

/** Looks for the cosignature of each witness, by its vkey, on a checkpoint. */
export function sightingsOn(
  checkpoint: string,
  vkeys: readonly string[],
  verify: VerifyBytes,
): Sightings {
  const note = checkpointOf(checkpoint)?.note;
  const all = vkeys.map((vkey): Sighting | string => {
    const witness = witnessOf(vkey);
    if (!witness) return `'${vkey}' is not the key of a witness.`;
    const found = note && cosignatureBy(note, witness, verify);
    if (!found) return `The witness ${witness.name} has not cosigned the checkpoint.`;
    return { witness: witness.name, moment: new Date(found.seconds * 1000).toISOString() };
  });
  return {
    seen: all.filter((one): one is Sighting => typeof one !== 'string'),
    faults: all.filter((one): one is string => typeof one === 'string'),
  };
}
