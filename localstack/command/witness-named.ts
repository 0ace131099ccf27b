/** The key of a witness in the value of an option. */
import { witnessOf } from '../../shared/log/cosignature.ts';
import type { NoteKey } from '../../shared/log/note.ts';
import { misused } from '../runtime/failing.ts';

/** The key of a witness by its vkey. Throws an `ExitError` for a text that names none. */
export function witnessNamed(vkey: string): NoteKey {
  const key = witnessOf(vkey);
  if (key) return key;
  throw misused(
    `--witness must be the key of a witness as <name>+<id>+<base64>, with the type 4, not '${vkey}'.`,
  );
}
