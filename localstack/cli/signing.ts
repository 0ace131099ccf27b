/** The ledger and the key of a client command. */
import { existsSync } from 'node:fs';
import { connect, type Ledger, newKey } from '../../shared/client/client.ts';
import { signerIn } from '../bank/key.ts';
import { variable } from '../runtime/variables.ts';
import { defaultKeyPath } from './key.ts';

export interface SignedAccess {
  /** The handle of the ledger; without it, the server's default ledger. */
  readonly ledger?: string | undefined;
  /** The key file; without it the user's own, or where there is none a new key, which an open ledger takes. */
  readonly keyPath?: string | undefined;
}

/** Connects to the ledger at `SERVER` with the key of a file. */
export async function connectSigned({ ledger, keyPath }: SignedAccess): Promise<Ledger> {
  const own = existsSync(defaultKeyPath()) ? defaultKeyPath() : undefined;
  const path = keyPath ?? own;
  const signer = path === undefined ? newKey() : signerIn(path);
  return connect(variable('SERVER'), { signer, ...(ledger !== undefined && { ledger }) });
}
