/**
 * `npm run reconcile -- <external.csv> --with <file> …`: compares an external CSV with a statement or report of the
 * ledger and prints the rows that differ or are missing on either side. It reads files only and changes nothing.
 * Ends with 0 when all rows match, with 1 when not, and with 2 on an error.
 */
import { writeFileSync } from 'node:fs';
import { exitWith } from '../runtime/failing.ts';
import { isReconciled, reconcileCsvOf, reconcilePageOf } from './reconcile-page.ts';
import { parseReconcileRequest } from './reconcile-request.ts';
import { sidesOf } from './reconcile-rows.ts';
import { reconcile } from './reconciliation.ts';

function main(): number {
  const request = parseReconcileRequest(process.argv.slice(2));
  const { external, ledger } = sidesOf(request);
  const result = reconcile(external, ledger, request.bounds);
  if (request.csv !== undefined) writeFileSync(request.csv, reconcileCsvOf(result));
  console.log(reconcilePageOf(result, { digits: request.format.digits, isAll: request.isAll }));
  return isReconciled(result) ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  exitWith(2)(error);
}
