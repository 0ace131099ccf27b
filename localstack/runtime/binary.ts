/** Finds the program of the database of earlier releases, which is published for each platform as a package of its own. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { ExitError, exitCodes } from './failing.ts';
import { optionalVariable } from './variables.ts';

/** A machine, as Node names it: `darwin`, `linux` or `win32`; `x64` or `arm64`. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** The folders of programs, as in the variable PATH. */
  readonly path: string;
  /** Resolves a file of an installed package; throws when it is not there. */
  readonly resolve: (file: string) => string;
}

const version = '1.2.1';
/** The platforms for which a package is published. */
const published: readonly string[] = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64',
  'linux-x64',
  'win32-arm64',
  'win32-x64',
];

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  path: process.env['PATH'] ?? '',
  resolve: (file) => createRequire(import.meta.url).resolve(file),
};

/**
 * The program: that of `DYNOXIDE_PATH`, that of the package `@dynoxide/<platform>-<arch>`, or `dynoxide` on the path.
 * Throws an `ExitError` that names the command which gets it.
 */
export function binaryPath(machine: Machine = thisMachine): string {
  const given = optionalVariable('DYNOXIDE_PATH');
  if (given !== undefined) return existing(given);
  return inPackage(machine) ?? onPath(machine) ?? missing(machine);
}

function existing(path: string): string {
  if (existsSync(path)) return path;
  throw new ExitError(exitCodes.misconfigured, `DYNOXIDE_PATH is '${path}', where no file is.`);
}

function inPackage({ platform, arch, resolve }: Machine): string | undefined {
  try {
    return resolve(`@dynoxide/${platform}-${arch}/${nameOn(platform)}`);
  } catch {
    return undefined;
  }
}

function onPath({ platform, path }: Machine): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, nameOn(platform))).find((file) => existsSync(file));
}

function missing({ platform, arch }: Machine): never {
  const which = `${platform}-${arch}`;
  const how = published.includes(which)
    ? `Get it: npm install @dynoxide/${which}@${version}`
    : 'It is not published for this machine';
  throw new ExitError(
    exitCodes.misconfigured,
    `The embedded database is not installed for ${which}. ${how}; or put dynoxide on the PATH, name it in DYNOXIDE_PATH, or set DYNAMODB_ENDPOINT to another DynamoDB.`,
  );
}

function nameOn(platform: string): string {
  return platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
}
