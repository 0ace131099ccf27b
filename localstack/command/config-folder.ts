/** The folder of keys and profiles. */
import envPaths from 'env-paths';

/** The user's own folder for keys and profiles: the variable COUNTERSIGN_CONFIG, or what the system gives for programs' configuration. */
export function configFolder(): string {
  return process.env['COUNTERSIGN_CONFIG'] ?? envPaths('countersign', { suffix: '' }).config;
}
