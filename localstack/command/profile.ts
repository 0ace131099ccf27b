/** `countersign profile set | list | use | drop`: the profiles of the user. */
import { resolve } from 'node:path';
import { connect, LedgerUntrusted } from '../../shared/client/client.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { signerIn } from '../bank/key.ts';
import { print } from '../cli/output.ts';
import { tableOf } from '../cli/table.ts';
import { ExitError, exitCodes, misused } from '../runtime/failing.ts';
import { settingMust, usualServer } from './connection.ts';
import { printAnswer } from './printable.ts';
import {
  assertProfileName,
  type Profile,
  type Profiles,
  profileMembers,
  profileOf,
  readProfiles,
  writeProfiles,
} from './profiles.ts';

/** One attempt: the ledger may well not run yet. */
const askOptions = { attempts: 1, timeoutMs: 5_000 };

/**
 * Makes a profile, or replaces members of one. The ledger's public key is kept with it, taken from the server unless it
 * is given; it is never replaced in silence.
 */
export async function setProfile(name: string, options: Profile): Promise<void> {
  assertProfileName(name);
  const given = membersOf(options);
  if (given.key !== undefined) signerIn(given.key);
  const { current, profiles } = readProfiles();
  const before = profiles.get(name) ?? {};
  const isSamePlace = before.server === given.server || given.server === undefined;
  const isSameLedger = before.ledger === given.ledger || given.ledger === undefined;
  const { trust: _, ...place } = before;
  // A key belongs to one ledger.
  const kept = isSamePlace && isSameLedger ? before : place;
  const profile = { ...kept, ...given };
  const pinned = profile.trust === undefined ? await keyAt(profile) : { lines: [] };
  const whole = { ...profile, ...(pinned.trust !== undefined && { trust: pinned.trust }) };
  const isFirst = profiles.size === 0;
  const used = isFirst ? name : current;
  writeProfiles({
    ...(used !== undefined && { current: used }),
    profiles: new Map([...profiles, [name, whole]]),
  });
  print(`The profile ${name} is set${used === name ? ', and in use' : ''}.`);
  for (const line of pinned.lines) print(line);
}

/** The members that options give, each valid; a key file is named by its whole path. */
function membersOf(options: Profile): Profile {
  const rows = profileMembers.flatMap((member) => {
    const value = options[member];
    if (value === undefined) return [];
    const must = settingMust(member, value);
    if (must !== undefined)
      throw misused(`--${member} must be ${must}, not '${printable(value)}'.`);
    return [[member, member === 'key' ? resolve(value) : value] as const];
  });
  return Object.fromEntries(rows);
}

/** The key of the ledger, as its server tells it, and lines about it for the user. */
async function keyAt({
  server = usualServer,
  ledger,
  key,
}: Profile): Promise<{ readonly trust?: string; readonly lines: readonly string[] }> {
  const signer = key === undefined ? undefined : signerIn(key);
  try {
    const { key: trust } = await connect(server, {
      ...askOptions,
      ...(signer && { signer }),
      ...(ledger !== undefined && { ledger }),
    });
    return {
      trust,
      lines: [
        `The key of the ledger is ${trust}, by the answer of ${server}. Compare it with one that its operator gave you.`,
        'Answers that are signed by another key are refused from now on.',
      ],
    };
  } catch (error) {
    if (error instanceof LedgerUntrusted) throw new ExitError(exitCodes.untrusted, error.message);
    const why = printable((error as Error).message);
    return {
      lines: [
        `The key of the ledger is not known yet: ${why} Set the profile again, or give --trust.`,
      ],
    };
  }
}

export function listProfiles({ json }: { readonly json?: boolean }): void {
  const all = readProfiles();
  const { profiles } = all;
  if (json) printAnswer({ ...all, profiles: Object.fromEntries(profiles) });
  else if (profiles.size === 0) print('There are none. Make one: countersign profile set <name>');
  else print(tableIn(all));
}

function tableIn({ current, profiles }: Profiles): string {
  const rows = [...profiles].map(([name, profile]) => [
    name === current ? `${name} *` : name,
    ...profileMembers.map((member) => printable(profile[member] ?? '')),
  ]);
  return tableOf(['profile', ...profileMembers], rows, 1 + profileMembers.length);
}

/** Uses a profile wherever no other is named. */
export function applyProfile(name: string): void {
  const all = readProfiles();
  profileOf(all, name);
  writeProfiles({ ...all, current: name });
  print(`The profile ${name} is in use.`);
}

export function dropProfile(name: string): void {
  const { current, profiles } = readProfiles();
  profileOf({ profiles }, name);
  const rest = new Map([...profiles].filter(([one]) => one !== name));
  writeProfiles({
    ...(current !== undefined && current !== name && { current }),
    profiles: rest,
  });
  print(`The profile ${name} is dropped${current === name ? '; none is in use' : ''}.`);
}
