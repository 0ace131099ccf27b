/**
 * A client of a ledger: it signs what it sends, verifies what is answered, and sends again what got no answer. It runs in
 * Node, Deno and browsers.
 */
import { assertOfLedger, mayBeUnsigned, type SignedAnswer, UnknownKey } from './answer.ts';
import type {
  AnswerOf,
  ApiSchemas,
  DataOf,
  ElementOf,
  ListPath,
  Method,
  ParamsOf,
  PathOf,
} from './answer-types.ts';
import type { IntentClaim } from './claims.ts';
import { hashOf, type ProofCustom, type ProofSigner, prove } from './digest.ts';
import { LedgerRefused, LedgerUntrusted } from './errors.ts';
import {
  asideOf,
  assertEnded,
  assertExpected,
  assertMade,
  assertPreviewed,
  type SentChange,
} from './expected.ts';
import { ledgerKeysOf, newestKeyOf } from './ledger-keys.ts';
import { endOf, type PlaceParams, placeOf, targetOf } from './path.ts';
import type { Incoming, Transport } from './request.ts';
import { send, systemSignerAt } from './send.ts';

export interface LedgerOptions {
  /** Signs what is sent, and the tokens of reads. Without one, only an open ledger can be read. */
  readonly signer?: ProofSigner;
  /** The handle of the ledger; without it, the server's default ledger. */
  readonly ledger?: string;
  /** The ledger's public key, from a source that you trust. Without it, the first answer of the ledger is believed. */
  readonly trust?: string;
  /** The longest time for one attempt, in milliseconds: 30,000 by default. */
  readonly timeoutMs?: number;
  /** The attempts of a request before it fails: 4 by default. */
  readonly attempts?: number;
  readonly fetch?: typeof globalThis.fetch;
}

type IntentRecord = ApiSchemas['Intent'];
type CreatePath = {
  [P in PathOf<'post'>]: AnswerOf<P, 'post'> extends { luid: string; data: unknown } ? P : never;
}[PathOf<'post'>];

/** A record, as far as it is changed or dropped. */
interface Target {
  readonly luid?: string;
  readonly hash: string;
  readonly data: object;
}

export interface IntentOptions {
  /** The handle, by which an intent is made once, however often it is sent. By default a random one. */
  readonly handle?: string;
  readonly schema?: string;
  readonly custom?: ProofCustom;
  readonly config?: IntentRecord['data']['config'];
  /** The handle of the intent that this one undoes. */
  readonly reverses?: string;
}

/** The statuses at which an intent ends. */
const final = new Set(['completed', 'rejected']);
const pollMs = 100;
const defaults = { timeoutMs: 30_000, attempts: 4 };

/** A client of the ledger at this base address, such as `http://127.0.0.1:3000/v2`. */
export async function connect(server: string, options: LedgerOptions = {}): Promise<Ledger> {
  const { timeoutMs = defaults.timeoutMs, attempts = defaults.attempts } = options;
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const transport = { server: server.replace(/\/+$/, ''), fetch, timeoutMs, attempts };
  if (options.trust !== undefined) return new Ledger(transport, options, [options.trust]);
  const signer = await systemSignerAt(transport, options);
  return new Ledger(transport, options, ledgerKeysOf(signer, newestKeyOf(signer)));
}

/** A ledger that answers. */
export class Ledger {
  #keys: readonly [string, ...string[]];
  readonly #transport: Transport;
  readonly #options: LedgerOptions;

  constructor(
    transport: Transport,
    options: LedgerOptions,
    keys: readonly [newest: string, ...others: string[]],
  ) {
    this.#transport = transport;
    this.#options = options;
    this.#keys = keys;
  }

  /**
   * The public key of the ledger, by which its answers are verified. It changes when the ledger rotates its key and the one
   * before, which this client trusts, has signed the new one: keep it in place of that. Ruling 99.
   */
  get key(): string {
    return this.#keys[0];
  }

  /** Reads: `get('/wallets/{id}', { path: { id: 'alice' } })`. */
  async get<P extends PathOf<'get'>>(
    path: P,
    params: ParamsOf<P, 'get'> = {},
  ): Promise<AnswerOf<P, 'get'>> {
    return (await this.#read(targetOf(path, params))) as AnswerOf<P, 'get'>;
  }

  /**
   * The newest checkpoint of the ledger's log, or the newest one that witnesses have cosigned: a signed note. Keep it, and
   * nobody can alter anything before it unseen. It is signed by the key of the log, and not verified here.
   */
  async checkpoint({ cosigned = false } = {}): Promise<string> {
    const target = targetOf('/log/checkpoint', { query: cosigned ? { cosigned } : {} });
    return String((await this.#send('get', target, undefined, true)).body);
  }

  /** Reads a list to its end, page by page. */
  async *all<P extends ListPath>(
    path: P,
    params: ParamsOf<P, 'get'> = {},
  ): AsyncGenerator<ElementOf<P>> {
    // An empty cursor is the begin of a list whose pages continue each other, also while it grows.
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = { ...params.query, 'page.cursor': cursor };
      const page = (await this.get(path, { ...params, query } as ParamsOf<P, 'get'>)) as {
        data: ElementOf<P>[];
        page?: { next?: string };
      };
      yield* page.data;
      cursor = page.page?.next;
    }
  }

  /**
   * Creates a record: `create('/wallets', { handle: 'alice' })`. One that this signer made before with the same handle and
   * the same data is returned, so a create whose answer was lost is made again without harm.
   */
  async create<P extends CreatePath>(
    path: P,
    data: DataOf<P, 'post'>,
    params: ParamsOf<P, 'post'> & { readonly custom?: ProofCustom } = {},
  ): Promise<AnswerOf<P, 'post'>> {
    const target = targetOf(path, params);
    const body = await this.#signed(data, { status: 'created', ...params.custom });
    try {
      return (await this.#made('post', target, body)) as AnswerOf<P, 'post'>;
    } catch (error) {
      const duplicated = refusedBy(error, 'record.duplicated');
      const luid = encodeURIComponent(String(duplicated?.custom['luid']));
      const own = duplicated && (await this.#ownIn(`${target}/${luid}`, body.hash, duplicated));
      if (!own) throw error;
      return own as AnswerOf<P, 'post'>;
    }
  }

  /**
   * Posts signed data where no record is made: `post('/intents/!preview', data)`, `post('/bridges/{id}/activate', {}, …)`.
   * Undefined for an answer without a body.
   */
  async post<P extends PathOf<'post'>>(
    path: P,
    data: DataOf<P, 'post'>,
    params: ParamsOf<P, 'post'> = {},
  ): Promise<AnswerOf<P, 'post'> | undefined> {
    const body = await this.#signed(data, { status: 'created' });
    const target = targetOf(path, params);
    const answer = await this.#send('post', target, body);
    const isEmpty = answer.body === undefined && !/\/![^/]*$/.test(path);
    if (isEmpty) return undefined;
    const verified = await this.#verified(answer);
    if (path.endsWith('/!preview')) assertPreviewed(target, data, verified);
    else if (path.includes('/!')) assertExpected(target, verified);
    else assertMade(target, body, verified);
    return verified as AnswerOf<P, 'post'>;
  }

  /**
   * Replaces members of a record's data: `update('/wallets/{id}', wallet, { schema: 'savings' })`. The record is returned
   * as it is when this signer has made this change before. With `handsOver`, the key of this client hands over what it owns
   * to the new `public` of a signer or a factor: `update('/signers/{id}', ann, { public: next }, { handsOver: true })`.
   * Go on with a client of that key. Ruling 105.
   */
  async update<P extends PathOf<'put'>>(
    path: P,
    record: Target,
    change: Partial<DataOf<P, 'put'>>,
    params: PlaceParams & { readonly handsOver?: boolean } = {},
  ): Promise<AnswerOf<P, 'put'>> {
    const { luid, hash: parent, data } = record;
    const said = params.handsOver ? await this.#handover(change as object) : {};
    const body = await this.#signed({ ...data, ...change, parent }, said);
    const whole = { ...(luid !== undefined && { luid }), ...body };
    const target = placeOf(path, record, params);
    try {
      return (await this.#made('put', target, whole)) as AnswerOf<P, 'put'>;
    } catch (error) {
      const changed = refusedBy(error, 'crypto.parent-hash-invalid');
      const own = changed && (await this.#ownIn(target, body.hash, changed));
      if (!own) throw error;
      return own as AnswerOf<P, 'put'>;
    }
  }

  /**
   * Ends a record: `drop('/wallets/{id}/drop', wallet)`. The answer is empty, so its end is read in the history of the
   * record, if this signer may read that and the record has a luid.
   */
  async drop<P extends PathOf<'post'> & `${string}/drop`>(
    path: P,
    record: Target,
    params: PlaceParams = {},
  ): Promise<void> {
    const { luid, hash: parent } = record;
    const body = await this.#signed({ parent }, { status: 'dropped' });
    const whole = { ...(luid !== undefined && { luid }), ...body };
    const target = placeOf(path, record, params);
    try {
      await this.#send('post', target, whole);
    } catch (error) {
      // The attempt before got no answer, and has ended it.
      const attempt = refusedBy(error, 'record.not-found')?.attempt ?? 1;
      if (attempt === 1) throw error;
    }
    if (luid !== undefined) await this.#seeEnded(target, luid);
  }

  /** Adds a proof to a record: a status, a consent, a decision. */
  async prove<P extends PathOf<'post'> & `${string}/proofs`>(
    path: P,
    record: Target,
    custom: ProofCustom,
    params: PlaceParams = {},
  ): Promise<AnswerOf<P, 'post'>> {
    const proof = await prove(
      record.hash,
      { moment: new Date().toISOString(), ...custom },
      this.#signer(),
    );
    const target = placeOf(path, record, params);
    const answer = await this.#verified(await this.#send('post', target, proof));
    const { luid, hash } = record;
    assertMade(target, { luid, hash, meta: { proofs: [proof] } }, answer);
    return answer as AnswerOf<P, 'post'>;
  }

  /** Signs and sends an intent of these claims; its status tells how it went. */
  async pay(
    claims: IntentClaim | readonly IntentClaim[],
    options: IntentOptions = {},
  ): Promise<IntentRecord> {
    const { handle = `pay-${crypto.randomUUID()}`, ...rest } = options;
    const data = { handle, claims: [claims].flat(), ...rest } as DataOf<'/intents', 'post'>;
    return (await this.create('/intents', data)) as IntentRecord;
  }

  /**
   * The intent once it is completed or rejected, or as it is after so many milliseconds. Each version on the way is shown
   * to `onVersion`.
   */
  async settled(
    intent: IntentRecord,
    withinMs = 60_000,
    onVersion: (intent: IntentRecord) => void = () => {},
  ): Promise<IntentRecord> {
    const endMs = Date.now() + withinMs;
    let latest = intent;
    while (!final.has(latest.meta.status) && Date.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      latest = (await this.get('/intents/{id}', { path: { id: intent.luid } })) as IntentRecord;
      onVersion(latest);
    }
    return latest;
  }

  /** The statement that the key of this client hands over to the one that a change brings, in this ledger. */
  async #handover({ public: successor }: { readonly public?: unknown }): Promise<ProofCustom> {
    if (typeof successor !== 'string')
      throw new TypeError('Nothing is handed over without a new key: name it in `public`.');
    const { ledger = (await this.get('/ledger')).data.handle } = this.#options;
    return { ledger, successor };
  }

  #signer(): ProofSigner {
    const { signer } = this.#options;
    if (!signer) throw new TypeError('A change needs a signer: connect(server, { signer }).');
    return signer;
  }

  async #signed(
    data: unknown,
    custom: ProofCustom,
  ): Promise<SentChange & { readonly data: unknown }> {
    const hash = hashOf(data);
    const said = { moment: new Date().toISOString(), ...custom };
    return { hash, data, meta: { proofs: [await prove(hash, said, this.#signer())] } };
  }

  #send(method: Method, target: string, body?: object, isText?: true): Promise<Incoming> {
    const more = { ...(body && { body }), ...(isText && { isText }) };
    const isSigned = (answer: unknown, reason: string) =>
      this.#isSigned(`${method} ${target}`, answer, reason);
    return send(this.#transport, this.#options, { method, target, isSigned, ...more });
  }

  /** Reads what is at a path, and nothing else that the ledger has signed. */
  async #read(target: string): Promise<SignedAnswer> {
    const answer = await this.#verified(await this.#send('get', target));
    assertExpected(target, answer, this.#options.ledger);
    const aside = asideOf(target, answer);
    if (aside) assertExpected(aside.targetBy(await this.#read(aside.path)), answer);
    return answer;
  }

  /** Sends a signed body, and takes what it has made. */
  async #made(method: Method, target: string, body: SentChange): Promise<SignedAnswer> {
    const answer = await this.#verified(await this.#send(method, target, body));
    assertMade(target, body, answer);
    return answer;
  }

  /** Reads whether a record has ended. */
  async #seeEnded(target: string, luid: string): Promise<void> {
    const { place, history } = endOf(target, luid);
    const hidden = [
      'auth.forbidden',
      'auth.unauthorized',
      ...(history ? [] : ['record.not-found']),
    ];
    try {
      assertEnded(place, await this.#read(history ?? place));
    } catch (error) {
      if (!hidden.some((reason) => refusedBy(error, reason)?.isSigned)) throw error;
    }
  }

  /** True for a refusal that the ledger has signed. Throws `LedgerUntrusted` for one that nobody else may give. */
  async #isSigned(what: string, answer: unknown, reason: string): Promise<boolean> {
    const isOfAnybody = mayBeUnsigned(what, reason);
    try {
      if (isOfAnybody) assertOfLedger(answer, this.#keys);
      else await this.#verified({ body: answer });
      return true;
    } catch (error) {
      if (!(error instanceof LedgerUntrusted)) throw error;
      if (isOfAnybody) return false;
      const text = `The refusal ${reason} of ${what} is not the ledger's. ${error.message}`;
      throw new LedgerUntrusted(text, { cause: error });
    }
  }

  async #verified({ body }: Incoming): Promise<SignedAnswer> {
    try {
      assertOfLedger(body, this.#keys);
    } catch (error) {
      if (!(error instanceof UnknownKey)) throw error;
      await this.#follow(error);
      assertOfLedger(body, this.#keys);
    }
    return body;
  }

  /** Takes the keys of the ledger that follow from the one that is trusted. */
  async #follow({ message }: UnknownKey): Promise<void> {
    const signer = await systemSignerAt(this.#transport, this.#options);
    try {
      this.#keys = ledgerKeysOf(signer, this.key);
    } catch (error) {
      throw new LedgerUntrusted(`${message} ${(error as Error).message}`, { cause: error });
    }
  }

  /** The record of this hash, if it is what is stored, and signed by this signer: an attempt before stored it. */
  async #ownIn(target: string, hash: string, { custom }: LedgerRefused): Promise<unknown> {
    if (custom['hash'] !== hash) return undefined;
    const record = (await this.#read(target)) as ApiSchemas['Wallet'];
    const { public: own } = this.#signer();
    const isOwn = record.meta.proofs.some((proof) => proof.public === own);
    return record.hash === hash && isOwn ? record : undefined;
  }
}

/** The error of a refusal for this reason; undefined for any other. */
function refusedBy(error: unknown, reason: string): LedgerRefused | undefined {
  return error instanceof LedgerRefused && error.reason === reason ? error : undefined;
}
