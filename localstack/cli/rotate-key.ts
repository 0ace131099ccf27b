/** A new key for a ledger, or for its log, which the one before signs. Ruling 99, Decision 116. */
import type { KeyEntry } from '../../shared/log/key-table.ts';
import {
  overlapMsMin,
  type RotatedSigner,
  RotationRefused,
  rotateKey,
} from '../../shared/record/rotation.ts';
import { tableClient } from '../../shared/store/client.ts';
import { dynamoLogs, dynamoStore } from '../../shared/store/store.ts';
import { codeOf, ExitError } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import { keyringOf } from './keyrings.ts';
import { print, printJson } from './output.ts';
import { explained, placeOf } from './place.ts';

const hourMs = 60 * 60_000;

export interface RotationRequest {
  readonly ledger: string;
  readonly signer: RotatedSigner;
  readonly overlapHours: number;
  readonly isCompromised: boolean;
  readonly isJson: boolean;
}

/**
 * `countersign rotate-key`: gives the signer `system` or `log` of a ledger a new key, on the table of a data folder,
 * whether its ledger runs or not, or on that of `DYNAMODB_ENDPOINT`, with the keyring of its server. All of it is one
 * commit. Ends with the code of an answer no when the key cannot be rotated now.
 */
export async function runRotateKey(request: RotationRequest): Promise<void> {
  const { ledger: scope, signer, overlapHours, isCompromised, isJson } = request;
  const tableName = variable('TABLE_NAME');
  const folder = variable('LEDGER_DATA');
  const place = await placeOf(folder);
  const client = tableClient({ endpoint: place.endpoint });
  const overlapMs = isCompromised ? overlapMsMin : overlapHours * hourMs;
  try {
    const at = { client, tableName };
    const ports = {
      ...{ store: dynamoStore(at), logs: dynamoLogs(at) },
      ...{ keyring: keyringOf(folder), clock: Date.now },
    };
    const keys = await rotateKey(ports, { scope, signer, overlapMs, isCompromised });
    if (isJson) return printJson(keys);
    for (const line of linesOf(request, keys)) print(line);
  } catch (error) {
    if (error instanceof RotationRefused) throw new ExitError(codeOf(error), error.message);
    throw explained(error, tableName, place.endpoint);
  } finally {
    client.destroy();
    await place.close();
  }
}

function linesOf(
  { ledger, signer, isCompromised }: RotationRequest,
  { before, newest }: Record<'before' | 'newest', KeyEntry>,
): string[] {
  return [
    `The signer ${signer} of the ledger ${ledger} has the key ${newest.public} from ${newest.from}.`,
    `The key before, ${before.public}, counts until ${before.until}.`,
    isCompromised
      ? 'It is marked as compromised: publish the new key, since no client follows a chain through the old one.'
      : 'Within a minute all answers have a proof by each of the two; give the new key to those who keep the old one.',
  ];
}
