/** The reconciliation of an external CSV with the ledger, from the command line. */
import { writeFileSync } from 'node:fs';
import { exitCodes } from '../runtime/failing.ts';
import { isSameFile, unwritable } from './given-file.ts';
import { print, printJson } from './output.ts';
import {
  isReconciled,
  reconcileCsvOf,
  reconcileDocumentOf,
  reconcilePageOf,
} from './reconcile-page.ts';
import type { ReconcileRequest } from './reconcile-request.ts';
import { sidesOf } from './reconcile-rows.ts';
import { reconcile } from './reconciliation.ts';

/**
 * `countersign reconcile`: compares an external CSV with a statement or report of the ledger, or with the entries of a
 * wallet of a running one, and prints the rows that differ or are missing on either side. It changes nothing. Returns 0
 * when all rows match, and 1 when not; throws when it cannot tell, or cannot write the rows as CSV.
 */
export async function runReconcile(request: ReconcileRequest, isJson: boolean): Promise<number> {
  assertOther(request);
  const { external, ledger } = await sidesOf(request);
  const result = reconcile(external, ledger, request.bounds);
  const { isAll, format, csv } = request;
  if (isJson) printJson(reconcileDocumentOf(result));
  else print(reconcilePageOf(result, { digits: format.digits, isAll }));
  // Last, so that a file that cannot be written does not cost the result.
  if (csv !== undefined) write(csv, reconcileCsvOf(result));
  return isReconciled(result) ? exitCodes.done : exitCodes.failed;
}

/** Refuses to write the rows in the place of a file that they come from. */
function assertOther({ csv, external, ledger }: ReconcileRequest): void {
  if (csv === undefined) return;
  const isGiven = [external, ledger].some(
    (path) => typeof path === 'string' && isSameFile(csv, path),
  );
  if (isGiven) throw new Error(`--csv is a file that is compared: ${csv}. Name another one.`);
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw unwritable(error, path) ?? error;
  }
}
