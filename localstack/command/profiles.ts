/** Profiles: named servers, ledgers and keys in the user's configuration folder, so that commands need not name them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../shared/disk/whole-file.ts';
import { ExitError, exitCodes, misused } from '../runtime/failing.ts';
import { makeFolder } from '../runtime/folder.ts';
import { configFolder } from './config-folder.ts';

export const profileMembers = ['server', 'ledger', 'key', 'trust'] as const;

export type Profile = { readonly [Member in (typeof profileMembers)[number]]?: string };

/** The content of `config.json`. */
export interface Profiles {
  /** The name of the profile that is used when no other is named. */
  readonly current?: string;
  readonly profiles: ReadonlyMap<string, Profile>;
}

const namePattern = /^[A-Za-z0-9][\w.-]{0,63}$/;

function path(): string {
  return join(configFolder(), 'config.json');
}

export function assertProfileName(name: string): void {
  if (!namePattern.test(name))
    throw misused(
      'The name of a profile has 1 to 64 letters, digits and _-. and begins with a letter or a digit.',
    );
}

/** The profiles of the user; none where there is no file. Throws an `ExitError` for a file that cannot be read. */
export function readProfiles(): Profiles {
  let text: string;
  try {
    text = readFileSync(path(), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: new Map() };
    throw new ExitError(
      exitCodes.unusable,
      `${path()} cannot be read: ${(error as Error).message}`,
    );
  }
  const profiles = parsed(text);
  if (profiles) return profiles;
  throw new ExitError(exitCodes.unusable, `${path()} holds no profiles. Correct it, or remove it.`);
}

/** The profile of this name. Throws an `ExitError`, with the names that there are, when there is none. */
export function profileOf({ profiles }: Profiles, name: string): Profile {
  const found = profiles.get(name);
  if (found) return found;
  const names = [...profiles.keys()].join(', ');
  const others = names === '' ? 'Make it: countersign profile set' : `There are: ${names}`;
  throw misused(`There is no profile '${name}'. ${others}.`);
}

/** Replaces the file as a whole, readable by its owner only. */
export function writeProfiles({ current, profiles }: Profiles): void {
  makeFolder(configFolder(), 'The configuration folder');
  const stored = {
    ...(current !== undefined && { current }),
    profiles: Object.fromEntries(profiles),
  };
  try {
    writeWhole(path(), `${JSON.stringify(stored, null, 2)}\n`);
  } catch (error) {
    const why = `${path()} cannot be written: ${(error as Error).message}`;
    throw new ExitError(exitCodes.unusable, why, { cause: error });
  }
}

function parsed(text: string): Profiles | undefined {
  try {
    const { current, profiles } = JSON.parse(text) as { current?: unknown; profiles: object };
    const rows = Object.entries(profiles).map(([name, profile]) => [name, profile] as const);
    const isValid =
      rows.every(([name, profile]) => namePattern.test(name) && isProfile(profile)) &&
      (current === undefined || typeof current === 'string');
    if (!isValid) return undefined;
    return {
      ...(current !== undefined && { current: current as string }),
      profiles: new Map(rows),
    };
  } catch {
    return undefined;
  }
}

function isProfile(value: unknown): value is Profile {
  if (typeof value !== 'object' || value === null) return false;
  const known: readonly string[] = profileMembers;
  return Object.entries(value).every(
    ([name, text]) => known.includes(name) && typeof text === 'string',
  );
}
