/**
 * The ledger that a command talks to, by options, the environment, a profile and defaults, in this order; and the end of
 * a command that it did not answer as it should.
 */
import { existsSync } from 'node:fs';
import {
  connect,
  type Ledger,
  LedgerRefused,
  LedgerUnreachable,
  LedgerUntrusted,
  type ProofCustom,
  type ProofSigner,
} from '../../shared/client/client.ts';
import { isValidPublic } from '../../shared/crypto/key.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { signerIn } from '../bank/key.ts';
import { defaultKeyPath } from '../cli/key.ts';
import { ExitError, exitCodes, misused } from '../runtime/failing.ts';
import { mustOf } from '../runtime/variables.ts';
import { type Profile, profileMembers, profileOf, readProfiles } from './profiles.ts';

/** The options of every command that talks to a ledger. */
export interface ConnectionOptions extends Profile {
  readonly profile?: string;
  readonly json?: boolean;
}

/** A value, with the words by which a user finds its source. */
interface ConnectionSetting {
  readonly value: string;
  readonly source: string;
}

export type ConnectionSettings = { readonly [Member in keyof Profile]?: ConnectionSetting };

/** A record, as the answers of the ledger have it. */
export interface AnyRecord {
  readonly luid?: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A record, or a page of a list. */
export interface AnyAnswer extends Omit<AnyRecord, 'data'> {
  readonly data: AnyRecord['data'] | readonly AnyRecord[];
  readonly page?: { readonly limit: number; readonly next?: string; readonly total?: number };
}

export interface AnyParams {
  readonly query?: Readonly<Record<string, unknown>>;
}

/** The client of a ledger by paths that are known only when it runs, such as `/wallets/alice`. */
export interface AnyLedger {
  readonly get: (path: string, params?: AnyParams) => Promise<AnyAnswer>;
  readonly all: (path: string, params?: AnyParams) => AsyncGenerator<AnyRecord>;
  readonly create: (path: string, data: object) => Promise<AnyAnswer>;
  readonly post: (path: string, data: object) => Promise<AnyAnswer | undefined>;
  readonly update: (
    path: string,
    record: AnyRecord,
    change: object,
    params?: { readonly handsOver?: boolean },
  ) => Promise<AnyAnswer>;
  readonly drop: (path: string, record: AnyRecord) => Promise<void>;
  readonly prove: (path: string, record: AnyRecord, custom: ProofCustom) => Promise<AnyAnswer>;
}

export interface Session {
  readonly ledger: Ledger;
  /** The same client, for paths out of the words of the command. */
  readonly any: AnyLedger;
  /** The public key that signs; undefined without a key. */
  readonly own: string | undefined;
  /** The source of the trusted key, in words. */
  readonly trustedBy: string;
}

export const usualServer = 'http://127.0.0.1:3000/v2';
const variables = {
  server: ['COUNTERSIGN_SERVER', 'SERVER'],
  ledger: ['COUNTERSIGN_LEDGER'],
  key: ['COUNTERSIGN_KEY'],
  trust: ['COUNTERSIGN_TRUST'],
} as const satisfies Record<keyof Profile, readonly string[]>;
const ledgerPattern = /^[\x21-\x7e]{1,256}$/;

/** The valid values of a setting, as text after "must be", for a text that is none. */
export function settingMust(member: keyof Profile, text: string): string | undefined {
  if (member === 'server') return mustOf('SERVER', text);
  if (member === 'ledger')
    return ledgerPattern.test(text) ? undefined : 'the handle or the luid of a ledger';
  if (member === 'trust')
    return isValidPublic(text) ? undefined : "a ledger's ed25519 public key in base64";
  return text === '' ? 'the path of a key file' : undefined;
}

/** The settings of a command. Throws an `ExitError` for a value that cannot be meant, with its source. */
export function settingsOf(options: ConnectionOptions): ConnectionSettings {
  const profiles = readProfiles();
  const name = options.profile ?? (process.env['COUNTERSIGN_PROFILE'] || profiles.current);
  const profile = name === undefined ? {} : profileOf(profiles, name);
  const from: ConnectionSettings = Object.fromEntries(
    profileMembers.flatMap((member) => {
      const setting = given(member, options) ?? ofProfile(member, profile, name);
      return setting ? [[member, setting] as const] : [];
    }),
  );
  for (const [member, { value, source }] of Object.entries(from)) {
    const must = settingMust(member as keyof Profile, value);
    if (must !== undefined) throw misused(`${source} must be ${must}, not '${printable(value)}'.`);
  }
  return isPinned(from, profile) ? from : without(from, 'trust');
}

/** True unless the trusted key is that of a profile, and the command names another ledger than the profile does. */
function isPinned({ server, ledger, trust }: ConnectionSettings, profile: Profile): boolean {
  if (!trust?.source.startsWith(profileWord)) return true;
  return (
    (server?.value ?? usualServer) === (profile.server ?? usualServer) &&
    ledger?.value === profile.ledger
  );
}

function without(settings: ConnectionSettings, member: keyof Profile): ConnectionSettings {
  const { [member]: _, ...others } = settings;
  return others;
}

function given(member: keyof Profile, options: ConnectionOptions): ConnectionSetting | undefined {
  const option = options[member];
  if (option !== undefined) return { value: option, source: `--${member}` };
  const variable = variables[member].find((name) => process.env[name]);
  return variable && { value: process.env[variable] as string, source: variable };
}

const profileWord = 'profile ';

function ofProfile(
  member: keyof Profile,
  profile: Profile,
  name: string | undefined,
): ConnectionSetting | undefined {
  const value = profile[member];
  return value === undefined ? undefined : { value, source: `${profileWord}${name}` };
}

/** The base address of the ledger. */
export function serverIn({ server }: ConnectionSettings): string {
  return server?.value ?? usualServer;
}

/** The key that signs: the one that is named, or the user's own. */
export function signerOf({ key }: ConnectionSettings): ProofSigner | undefined {
  if (key) return signerIn(key.value);
  const usual = defaultKeyPath();
  return existsSync(usual) ? signerIn(usual) : undefined;
}

/** The time for one attempt, and the attempts: a server that never answers ends a command in less than a minute. */
export const limits = { timeoutMs: 15_000, attempts: 3 } as const;

interface SessionOptions {
  /** Refuses a change before anything is sent when there is no key. */
  readonly needsKey?: boolean;
  /** Gives the key that signs when there is none. */
  readonly otherKey?: () => ProofSigner;
  /** The trusted key of the ledger, in place of the one that the options mean. */
  readonly keptKey?: ConnectionSetting & { readonly hint: string };
}

/**
 * Does some work with the ledger that the options mean. Errors of the client become an `ExitError` with a line that says
 * how to go on.
 */
export async function withLedger(
  options: ConnectionOptions,
  work: (session: Session) => Promise<void>,
  { needsKey = false, otherKey, keptKey }: SessionOptions = {},
): Promise<void> {
  const settings = settingsOf(options);
  const signer = signerOf(settings) ?? otherKey?.();
  if (needsKey && !signer)
    throw misused(
      'A change is signed with a key. Make one by `countersign key`, or name its file by --key.',
    );
  const server = serverIn(settings);
  const { ledger: handle } = settings;
  const trust = keptKey ?? settings.trust;
  try {
    const ledger = await connect(server, {
      ...limits,
      ...(signer && { signer }),
      ...(handle && { ledger: handle.value }),
      ...(trust && { trust: trust.value }),
    });
    const trustedBy = trust?.source ?? `believed from the answer of ${server}`;
    await work({ ledger, any: ledger as unknown as AnyLedger, own: signer?.public, trustedBy });
  } catch (error) {
    throw explained(error, { trust, handle, hint: keptKey?.hint });
  }
}

interface Meant {
  readonly trust: ConnectionSetting | undefined;
  readonly handle: ConnectionSetting | undefined;
  /** A sentence on how to trust another key. */
  readonly hint: string | undefined;
}

function explained(error: unknown, { trust, handle, hint = '' }: Meant): unknown {
  const message = error instanceof Error ? printable(error.message) : '';
  if (error instanceof LedgerRefused)
    return new ExitError(exitCodes.refused, `${message}${namedIn(message, handle)}`);
  if (error instanceof LedgerUnreachable) {
    const start = /^No ledger answers at \S+$/.test(message)
      ? ' Start one with `countersign start`.'
      : '';
    return new ExitError(exitCodes.unreachable, `${message}${start}`, { cause: error });
  }
  if (error instanceof LedgerUntrusted) {
    const who = trust ? ` The trusted key is ${trust.value} (${trust.source}).${hint}` : '';
    return new ExitError(exitCodes.untrusted, `${message}${who}`, { cause: error });
  }
  return error;
}

/** Names the ledger that a server does not host, and where it was named. */
function namedIn(message: string, ledger: ConnectionSetting | undefined): string {
  if (!ledger || !message.endsWith('Server does not host requested ledger')) return '';
  return `: '${printable(ledger.value)}' (${ledger.source}).`;
}
