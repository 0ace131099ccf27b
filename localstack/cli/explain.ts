/** The explanation of a request, from the command line. */
import { extname } from 'node:path';
import { groupOf, stage } from '../../infra/topology.ts';
import type { Handler } from '../../shared/http/api.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { exitCodes, misused } from '../runtime/failing.ts';
import { variable } from '../runtime/variables.ts';
import { documentOf, pageOf } from './explain-page.ts';
import type { ExplainRequest } from './explain-request.ts';
import { type Explanation, explain } from './explanation.ts';
import { print, printJson } from './output.ts';
import { explained, placeOf } from './place.ts';

/**
 * `countersign explain`: prints why a request is granted or refused, by the table of a data folder, whether its ledger
 * runs or not, or by that of `DYNAMODB_ENDPOINT`. It asks the rules as the endpoints do, and changes nothing. Returns 0
 * when they grant the request, and 1 when not; throws when it cannot tell.
 */
export async function runExplain(input: ExplainRequest, isJson: boolean): Promise<number> {
  const tableName = variable('TABLE_NAME');
  const place = await placeOf(variable('LEDGER_DATA'));
  try {
    const explanation = await explainAt(place.endpoint, tableName, input);
    if (isJson) printJson(documentOf(explanation));
    else for (const line of pageOf(explanation, input.isAll)) print(printable(line));
    return explanation.error ? exitCodes.failed : exitCodes.done;
  } catch (error) {
    if (error instanceof LedgerError) throw misused(error.detail, { cause: error });
    throw explained(error, tableName, place.endpoint);
  } finally {
    await place.close();
  }
}

/** Explains by the endpoints, wired to the table. No key is unwrapped, so no keyring is needed. */
async function explainAt(
  endpoint: string,
  tableName: string,
  input: ExplainRequest,
): Promise<Explanation> {
  const { OUTBOX_CHANNEL: _channel, MASTER_KEY_FILE: _file, ...rest } = process.env;
  process.env = {
    ...rest,
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: endpoint,
    KMS_KEY_ID: 'none',
    LEDGER_HANDLE: variable('LEDGER_HANDLE'),
    SERVER_URLS: `http://127.0.0.1:${variable('PORT')}/${stage}`,
  };
  // The wiring reads the environment when it is imported.
  const { wiring } = await import('../../functions/wiring.ts');
  const path = `../../functions/${groupOf(input.path)}/handler${extname(import.meta.url)}`;
  const { handler } = (await import(path)) as { handler: Handler };
  try {
    return await explain(wiring.services, handler.actions, input);
  } catch (error) {
    const isOdd = error instanceof TypeError && input.body !== undefined;
    throw isOdd ? new Error('This endpoint does not take such a body.', { cause: error }) : error;
  }
}
