/** The folder of keys and profiles. */
import { misused } from '../runtime/failing.ts';

/** The folder of the system for programs' configuration; undefined for a user without a home, for whom the package cannot be loaded. */
const usual = await import('env-paths').then(
  ({ default: envPaths }) => envPaths('countersign', { suffix: '' }).config,
  () => undefined,
);

/**
 * The user's own folder for keys and profiles: the variable COUNTERSIGN_CONFIG, or the usual one. Throws an `ExitError`
 * for a user without a home, such as one of a container whom its system does not know.
 */
export function configFolder(): string {
  const folder = process.env['COUNTERSIGN_CONFIG'] || usual;
  if (folder !== undefined) return folder;
  throw misused(
    'Your user has no home folder for keys and profiles. Set COUNTERSIGN_CONFIG to a folder for them, or HOME.',
  );
}
