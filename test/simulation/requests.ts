/** Requests of clients and banks, and the answers on which they rely. */

import { batchIntents } from '../../shared/action/batch-intents.ts';
import { create } from '../../shared/action/create.ts';
import { createIntent } from '../../shared/action/create-intent.ts';
import { activate } from '../../shared/action/effect-status.ts';
import { retryEvents } from '../../shared/action/events.ts';
import { list } from '../../shared/action/list.ts';
import { prove } from '../../shared/action/prove.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import type { LedgerRecord } from '../../shared/ledger/record.ts';
import type { Services } from '../../shared/port/action.ts';
import { type Body, type Json, type Key, type Proof, proofOf, signed } from '../fixture/client.ts';
import { type HostileKind, hostileData } from '../fixture/hostile.ts';
import type { Bank, Report } from './bank.ts';
import {
  alice,
  hostileName,
  type Ledger,
  mallory,
  second,
  stranger,
  thiefHost,
  walletNames,
} from './ledger.ts';
import type { Terms, Wish } from './scenario.ts';
import type { Workers } from './workers.ts';

/** An answer about an intent. */
export interface Answered {
  readonly handle: string;
  readonly luid: string;
  readonly status: string;
}

/** The API errors that may occur; any other is a finding. */
const refusals: ReadonlySet<string> = new Set([
  'api.body-malformed',
  'api.request-timeout',
  'record.duplicated',
  'record.invalid',
  'record.not-found',
  'record.update-rejected',
  'auth.forbidden',
]);

/** The first words of an API error for a spent budget. */
const tooMuchWork = 'The request takes too much work.';
/** An intent is not shorter that has no room. */
const usualLength = 100_000;

/** Those for want of room. */
const roomless: ReadonlySet<string> = new Set(['api.body-malformed', 'record.invalid']);

export type Requests = ReturnType<typeof newRequests>;

export function newRequests(ledger: Ledger, workers: Workers, now: () => number) {
  const bodies: Body[] = [];
  const answered: Answered[] = [];
  const refused = new Set<string>();
  const full: string[] = [];
  const faults: string[] = [];
  const hostile = { taken: new Set<HostileKind>(), refused: new Set<HostileKind>() };
  let askedCount = 0;
  let madeCount = 0;
  const isKnown = (error: unknown): error is LedgerError =>
    error instanceof LedgerError && refusals.has(error.reason);
  const said = (more: Json = {}) => ({ moment: new Date(now()).toISOString(), ...more });

  const note = ({ luid, data, meta }: LedgerRecord): void =>
    void answered.push({ handle: data.handle, luid, status: meta.status });

  const noteRefusal = (name: string, { reason, detail }: LedgerError): void => {
    // Costly rules are paid by their author, and by no other client.
    if (detail.startsWith(tooMuchWork)) faults.push(`${name}: ${detail}`);
    if (roomless.has(reason)) full.push(detail);
  };

  /** Asks; `unanswered` is told when nobody knows what came of it. */
  const send = (
    name: string,
    work: (services: Services) => Promise<void>,
    unanswered = () => {},
  ): void => {
    const guarded = async (services: Services): Promise<void> => {
      try {
        await work(services);
      } catch (error) {
        if (!isKnown(error)) throw error;
        noteRefusal(name, error);
        if (error.reason === 'api.request-timeout') unanswered();
      }
    };
    workers.request(name, guarded, unanswered);
  };

  const post = (body: Body, heard = (_status: string) => {}): void =>
    send(`ask for ${String(body.data['handle'])}`, async (services) => {
      try {
        const record = await ledger.run(services, createIntent, { body });
        note(record);
        heard(record.meta.status);
      } catch (error) {
        if (isKnown(error)) noteRefused(error, body);
        throw error;
      }
    });

  const noteRefused = (error: LedgerError, { data, meta }: Body): void => {
    const { luid } = (error.custom ?? {}) as { readonly luid?: string };
    const handle = String(data['handle']);
    // A repeated request is answered that the record exists.
    if (error.reason === 'record.duplicated' && luid !== undefined)
      answered.push({ handle, luid, status: 'pending' });
    if (isUndue(error, { data, meta })) faults.push(`${handle}: ${error.detail}`);
  };

  /** An intent of the client, of data with claims, on these terms. */
  const bodyOf = (data: Json, { isManual, laterMs }: Terms = { isManual: false, laterMs: 0 }) => {
    askedCount += 1;
    const notBefore = new Date(now() + laterMs).toISOString();
    const times = { ...(isManual && { commit: 'manual' }), ...(laterMs > 0 && { notBefore }) };
    const config = isManual || laterMs > 0 ? { config: times } : {};
    return signed({ handle: `i-${askedCount}`, ...data, ...config }, alice, said());
  };

  const say = (body: Body, key: Key, custom: Json): void => {
    const handle = String(body.data['handle']);
    const proof = proofOf(body.hash, key, said(custom));
    send(`say ${String(custom['status'])} of ${handle}`, async (services) => {
      try {
        const call = { body: proof, path: { id: handle } };
        note(await ledger.run(services, prove('intent'), call));
      } catch (error) {
        const isHeard = isKnown(error) && error.reason === 'record.update-rejected';
        if (isHeard) refused.add(proofName(proof));
        throw error;
      }
    });
  };

  const capture = (body: Body, amount: number): void =>
    say(body, alice, { status: 'committed', capture: [{ claim: 0, amount }] });

  return {
    bodies,
    answered,
    /** The proofs that were refused for good, by `proofName`. */
    refused,
    /** Requests for which there was no room. */
    full,
    /** The findings in the answers. */
    faults,
    /** Of what kind records were that somebody hostile made, and that they were refused. */
    hostile,
    ask: ({ claims, noteLength, crowd, ...terms }: Wish): void => {
      const note = noteLength > 0 ? { custom: { note: 'x'.repeat(noteLength) } } : {};
      const body = bodyOf({ claims, ...note }, terms);
      const more = Array.from({ length: crowd }, (_, place) =>
        proofOf(body.hash, stranger, said({ place })),
      );
      const crowded = { ...body, meta: { proofs: [...body.meta.proofs, ...more] } };
      bodies.push(crowded);
      post(crowded);
    },
    /** Asks for a hold, and takes a part of it when the answer says that it is there. */
    charge: (claims: readonly Json[], part: number): void => {
      const body = bodyOf({ claims }, { isManual: true, laterMs: 0 });
      bodies.push(body);
      post(body, (status) => {
        if (status === 'prepared') capture(body, part);
      });
    },
    /** Asks to undo a part of a claim of an intent. */
    reverse: ({ data }: LedgerRecord, part: number, terms: Terms): void => {
      const claims = (data['claims'] as Json[]).filter(({ action }) => action !== 'limit');
      const claim = claims[part % Math.max(1, claims.length)];
      if (!claim) return;
      // Now and then it is more than the claim moved.
      const amount = part > 7 ? part : Math.min(part, Number(claim['amount']));
      const body = bodyOf({ reverses: data.handle, claims: [undoing(claim, amount)] }, terms);
      bodies.push(body);
      post(body);
    },
    /** Asks for several intents in one request; what is to be stored together says so. */
    batch: (mode: 'independent' | 'atomic', lists: readonly (readonly Json[])[]): void => {
      const name = `b-${askedCount + 1}`;
      const custom = mode === 'atomic' ? { custom: { batch: name, size: lists.length } } : {};
      const data = lists.map((claims) => bodyOf({ claims, ...custom }));
      if (mode === 'independent') bodies.push(...data);
      send(`ask for the ${mode} batch ${name}`, async (services) => {
        const answer = await ledger.run(services, batchIntents, { body: { mode, data } });
        const lines = answer.data as unknown as (LedgerRecord & { readonly status: number })[];
        for (const line of lines) {
          const { reason = '', detail } = line.data as Json;
          if (line.luid !== undefined) note(line);
          else if (!refusals.has(String(reason))) faults.push(`${name}: ${String(detail)}`);
        }
      });
    },
    /** A hostile client makes a record, every other one in a domain of its own. */
    plant: (kind: HostileKind, isHopeless: boolean): void => {
      madeCount += 1;
      const within = madeCount % 2 === 0 ? `@${hostileName}` : '';
      const base = { author: mallory.public, target: `https://${thiefHost}/${madeCount}` };
      const data = hostileData(kind, isHopeless, { handle: `m-${madeCount}${within}`, ...base });
      const body = signed(data, mallory, said({ status: 'created' }));
      send(`plant ${isHopeless ? 'a hopeless' : 'a dear'} ${kind}`, async (services) => {
        const isRefused = await isInvalid(ledger.run(services, create(kind), { body }));
        (isRefused ? hostile.refused : hostile.taken).add(kind);
        if (isRefused !== isHopeless)
          faults.push(
            `a ${kind} is ${isRefused ? 'refused' : 'taken on'}: ${JSON.stringify(data)}`,
          );
      });
    },
    /** The same somebody asks for what only others may give. */
    steal: (amount: number, noteLength: number): void => {
      madeCount += 1;
      const claims = [
        { action: 'transfer', source: 'vault', target: hostileName, symbol: 'usd', amount },
      ];
      const note = { note: 'x'.repeat(noteLength) };
      post(signed({ handle: `s-${madeCount}`, claims, custom: note }, mallory, said()));
    },
    /** A client lists the wallets, and is shown all that everybody may read. */
    look: (): void =>
      send('look at the wallets', async (services) => {
        const call = { query: { 'page.limit': ['100'] } };
        const { data } = await ledger.run(services, list('wallet'), call);
        const shown = (data as unknown as LedgerRecord[]).map((record) => record.data.handle);
        const hidden = walletNames.filter(
          (handle) => handle !== hostileName && !shown.includes(handle),
        );
        if (hidden.length > 0) faults.push(`a list does not show ${hidden.join(', ')}`);
      }),
    /** A client adds a proof that no intent waits for. */
    stuff: ({ hash, data }: Pick<LedgerRecord, 'hash' | 'data'>, length: number): void =>
      say({ hash, data, meta: { proofs: [] } }, stranger, { note: 'x'.repeat(length) }),
    /** The answers about an intent that was requested. */
    say: {
      repeat: (body: Body): void => post(body),
      agree: (body: Body): void => say(body, second, { status: 'created' }),
      extend: (body: Body, ms: number): void =>
        say(body, alice, { status: 'extended', expiry: new Date(now() + ms).toISOString() }),
      commit: (body: Body): void => say(body, alice, { status: 'committed' }),
      capture,
      abort: (body: Body): void => say(body, alice, { status: 'aborted' }),
    },
    /** Brings a report to the ledger; a bank says it again until it was heard. */
    report: (report: Report): void => {
      const { bank, intent, custom } = report;
      const tell = async (services: Services): Promise<void> => {
        const body = proofOf(intent.hash, bank.key, custom);
        note(await ledger.run(services, prove('intent'), { body, path: { id: intent.handle } }));
      };
      const name = `${bank.name} says ${custom.status} of ${custom.handle}`;
      send(name, tell, () => void bank.owed.push(report));
    },
    /** Freezes a wallet, or lets it pay and receive again. */
    freeze: (handle: string, isFrozen: boolean): void =>
      send(`${isFrozen ? 'freeze' : 'thaw'} ${handle}`, async (services) => {
        const [wallet] = await services.store.load([
          { what: 'record', scope: 'main', kind: 'wallet', handle },
        ]);
        const status = isFrozen ? 'inactive' : 'active';
        const body = proofOf(wallet?.record.hash ?? '', alice, said({ status }));
        await ledger.run(services, prove('wallet'), { body, path: { id: handle } });
      }),
    rest: ({ name, key }: Bank): void =>
      send(`${name} rests`, async (services) => {
        const [bridge] = await services.store.load([
          { what: 'record', scope: 'main', kind: 'bridge', handle: name },
        ]);
        const body = proofOf(bridge?.record.hash ?? '', key, said({ status: 'inactive' }));
        await ledger.run(services, prove('bridge'), { body, path: { id: name } });
      }),
    wake: ({ name, key }: Bank): void =>
      send(`${name} wakes`, async (services) => {
        const body = signed({ wake: name }, key, said());
        await ledger.run(services, activate('bridge'), { body, path: { id: name } });
      }),
    /** An operator has a call made again. */
    recall: ({ name, key }: Bank, handle: string): void =>
      send(`recall ${handle}`, async (services) => {
        const body = signed({ handle }, key, said());
        await ledger.run(services, retryEvents('bridge'), { body, path: { id: name } });
      }),
  };
}

/** The claim that takes back a part of one. */
function undoing({ action, source, target, symbol }: Json, amount: number): Json {
  if (action === 'issue') return { action: 'destroy', source: target, symbol, amount };
  if (action === 'destroy') return { action: 'issue', target: source, symbol, amount };
  return { action, source: target, target: source, symbol, amount };
}

/** True when a request is refused for its content. */
async function isInvalid(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return false;
  } catch (error) {
    if (error instanceof LedgerError && error.reason === 'record.invalid') return true;
    throw error;
  }
}

/** True when a usual request should not have met this API error. */
function isUndue(
  { reason, detail }: LedgerError,
  { data, meta }: Pick<Body, 'data' | 'meta'>,
): boolean {
  const isSmall = meta.proofs.length === 1 && JSON.stringify(data).length < usualLength;
  // The clock of the ledger may be ahead of that of the client.
  const isUsual = isSmall && !/^The notBefore .* has passed/.test(detail);
  return reason === 'auth.forbidden' || (isUsual && roomless.has(reason));
}

/** Names a proof. A digest alone is not enough: the ledger may say the same in the same millisecond. */
export function proofName({ public: key, digest }: Pick<Proof, 'public' | 'digest'>): string {
  return `${key} ${digest}`;
}
