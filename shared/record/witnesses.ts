/** The witnesses of a ledger's log, as its settings name them. Ruling 100. */
import { isValidPublic } from '../crypto/key.ts';
import type { LedgerRecord, RecordData } from '../ledger/record.ts';
import { toBase64 } from '../log/bytes.ts';
import { witnessOf } from '../log/cosignature.ts';
import { type NoteKey, noteOf, signaturesBy } from '../log/note.ts';
import type { CosignedLog, StoredCheckpoint } from '../port/logs.ts';
import { invalid } from './invalid.ts';

/** A witness, whom the log asks for cosignatures. */
export interface Witness {
  readonly vkey: string;
  readonly key: NoteKey;
  /** The address below which it takes checkpoints, without a slash at its end. */
  readonly url: string;
}

interface WitnessSetting {
  readonly key: string;
  readonly url: string;
}

const witnessesSetting = 'log.witnesses';
/** The witnesses of a ledger in a body, as a JSON pointer. */
export const witnessesPlace = `/data/config/${witnessesSetting}`;

/** The settings of the witnesses in the data of a ledger. */
export function witnessSettings({ config }: Pick<RecordData, string>): readonly WitnessSetting[] {
  const settings = (config ?? {}) as Readonly<Record<string, unknown>>;
  return (settings[witnessesSetting] ?? []) as readonly WitnessSetting[];
}

/** Refuses a key that is no vkey of a witness, and one that is named twice, with `record.schema-invalid`. */
export function checkWitnesses(data: RecordData): void {
  const settings = witnessSettings(data);
  for (const [index, { key }] of settings.entries()) {
    const witness = witnessOf(key);
    if (!witness || !isValidPublic(toBase64(witness.public)))
      throw invalid(
        `${witnessesPlace}/${index}/key`,
        'format',
        { format: 'vkey' },
        'must be the key of a witness: <name>+<id>+<base64>, a vkey of C2SP signed-note with the type 4',
      );
    if (settings.findIndex((one) => one.key === key) < index)
      throw invalid(
        `${witnessesPlace}/${index}/key`,
        'uniqueItems',
        {},
        'must not be named before',
      );
  }
}

/** The witnesses of a ledger. A setting that an earlier release has stored, and which names no witness, is left out. */
export function witnessesOf(ledger: LedgerRecord): Witness[] {
  const settings = witnessSettings(ledger.data);
  if (!Array.isArray(settings)) return [];
  return settings.flatMap((setting) => {
    const { key: vkey, url } = Object(setting) as WitnessSetting;
    const key = witnessOf(String(vkey));
    return key ? [{ vkey, key, url: String(url).replace(/\/+$/, '') }] : [];
  });
}

/** True when the witness has cosigned this checkpoint, the newest of its log. */
export function hasCosigned(
  cosigned: CosignedLog | undefined,
  newest: StoredCheckpoint | undefined,
  { key }: Witness,
): boolean {
  const served = cosigned?.checkpoint;
  const note = served && served.size === newest?.size ? noteOf(served.note) : undefined;
  return note !== undefined && signaturesBy(note, key).length > 0;
}
