/** A ledger, as whoever signed in sees it: every answer comes with what it is worth. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import {
  connect,
  type Ledger,
  LedgerUnreachable,
  LedgerUntrusted,
  type ProofSigner,
  parseExactly,
  type RecordVerdict,
  verifyRecord,
} from '../../../shared/client/client.ts';
import { isProofOf } from '../../../shared/client/digest.ts';
import { tokenFor } from '../../../shared/client/token.ts';
import {
  followed,
  type KeyEntry,
  type KeyedSigner,
  keyFor,
} from '../../../shared/log/key-table.ts';

/** A record of an answer, as far as all kinds are alike. */
export interface ShownRecord {
  readonly luid?: string;
  readonly hash: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface ShownList {
  readonly data: readonly ShownRecord[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly page?: { readonly next?: string; readonly total?: number };
}

/** The newest rows of a list; partial when there are older ones. */
export interface Newest {
  readonly rows: readonly ShownRecord[];
  readonly isPartial: boolean;
}

/** The worth of an answer: its problems, a sentence each; none when the ledger signed exactly this. */
export type Verdict = Pick<RecordVerdict, 'isProven' | 'problems' | 'proofs'>;

/** An answer with its verdict. A forged answer is shown as such, and not withheld. */
export interface Read<Answer> {
  readonly answer: Answer;
  readonly verdict: Verdict;
}

export type ReadQuery = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface SignInOptions {
  /** The base address, such as `https://ledger.example/v2`. */
  readonly server: string;
  /** The handle of the ledger; empty for the server's default ledger. */
  readonly ledger: string;
  /** The key of the ledger, known from elsewhere; empty to believe the first answer. */
  readonly trust: string;
  readonly signer?: ProofSigner | undefined;
}

/** The client of the paths that screens put together. */
interface AnyPaths {
  readonly get: (path: string, params: { readonly query: ReadQuery }) => Promise<unknown>;
  readonly post: (path: string, data: object) => Promise<unknown>;
  readonly prove: (path: string, record: ShownRecord, custom: object) => Promise<unknown>;
}

export class LedgerSession {
  readonly server: string;
  /** The handle of the ledger, as it calls itself. */
  readonly handle: string;
  /** True when the key of the ledger was known before. */
  readonly isKeyGiven: boolean;
  /** The public key that signs; undefined without a key. */
  readonly own: string | undefined;
  readonly #options: SignInOptions;
  readonly #ledger: Ledger;
  #system: KeyedSigner;
  readonly #signers = new Map<string, Promise<string | undefined>>();
  readonly #factors = new Map<string, Promise<number | undefined>>();

  private constructor(
    options: SignInOptions,
    ledger: Ledger,
    { handle, system }: { readonly handle: string; readonly system: KeyedSigner },
  ) {
    this.#options = options;
    this.#ledger = ledger;
    this.#system = system;
    this.server = options.server;
    this.handle = handle;
    this.isKeyGiven = options.trust !== '';
    this.own = options.signer?.public;
  }

  /** Finds the ledger, and refuses one that does not sign with the trusted key. Errors: those of the client. */
  static async begin(options: SignInOptions): Promise<LedgerSession> {
    const ledger = await connect(options.server, clientOptions(options));
    const [{ data }, system] = await Promise.all([ledger.get('/'), systemOf(ledger)]);
    return new LedgerSession(options, ledger, { handle: data.handle, system });
  }

  /** The newest public key of the ledger that follows from the trusted one. */
  get key(): string {
    return this.#ledger.key;
  }

  /** The signer of the ledger, with its keys, as it was verified last. */
  get system(): KeyedSigner {
    return this.#system;
  }

  /** The keys that the ledger ever had, as far as they follow from the trusted one. Ruling 99. */
  get #keys(): readonly KeyEntry[] {
    return followed(this.#system, this.key, isProofOf).keys;
  }

  /**
   * Reads a record with each of its proofs verified. Errors: those of the client; `LedgerUntrusted` only for an answer that
   * cannot be shown as a record, such as a refusal that the ledger has not signed.
   */
  read(path: string, query: ReadQuery = {}): Promise<Read<ShownRecord>> {
    return this.#read(path, query, false) as Promise<Read<ShownRecord>>;
  }

  /** Reads a page of a list; its rows are what the ledger signed as one. Errors as of `read`. */
  list(path: string, query: ReadQuery = {}): Promise<Read<ShownList>> {
    return this.#read(path, query, true) as Promise<Read<ShownList>>;
  }

  async #read(path: string, query: ReadQuery, isList: boolean): Promise<Read<unknown>> {
    let [text, isShown] = ['', false];
    let fault = undefined as string | undefined;
    const ledger = await connect(this.server, {
      ...clientOptions(this.#options),
      trust: this.key,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        // The client asks for the keys of the ledger as well, when it meets a new one.
        if (String(input).split('?')[0] === `${this.server}${path}`)
          [text, isShown] = [await response.clone().text(), response.ok];
        return response;
      },
    });
    const answer = await (ledger as unknown as AnyPaths)
      .get(path, { query })
      .catch((error: unknown) => {
        const forged = isShown ? (parseExactly(text) as Partial<ShownRecord> | null) : null;
        if (!(error instanceof LedgerUntrusted) || !isShowable(forged, isList)) throw error;
        fault = error.message;
        return forged;
      });
    const verdict = this.#verdictOn(answer, fault);
    if (verdict.isProven || fault !== undefined) return { answer, verdict };
    // The client believed it: the ledger may have rotated its key since the last look.
    this.#system = await systemOf(this.#ledger);
    return { answer, verdict: this.#verdictOn(answer, fault) };
  }

  /**
   * A list that the client has verified is proven as a whole; its elements are judged where they are shown alone. `fault`
   * is why the client did not believe it: the ledger may have signed it, and to something else that was asked.
   */
  #verdictOn(answer: unknown, fault: string | undefined): Verdict {
    const isList = Array.isArray((answer as Partial<ShownList>).data);
    if (isList && fault === undefined) return { isProven: true, problems: [], proofs: [] };
    const verdict = this.judge(answer);
    if (fault === undefined || !verdict.isProven) return verdict;
    return { ...verdict, isProven: false, problems: [fault] };
  }

  /** All rows of a list. Throws in words where there are more than so many, or a page did not verify. Errors as of `read`. */
  async all(path: string, most: number, query: ReadQuery = {}): Promise<readonly ShownRecord[]> {
    const { rows, isPartial } = await this.newest(path, most, query);
    if (isPartial) throw new Error(`More than ${most} records are at ${path}.`);
    return rows;
  }

  /** The newest rows of a list, up to so many. Throws where a page did not verify. Errors as of `read`. */
  async newest(path: string, most: number, query: ReadQuery = {}): Promise<Newest> {
    const rows: ShownRecord[] = [];
    let next: string | undefined = '';
    // A full page has a next one, which may be empty.
    while (next !== undefined && rows.length <= most) {
      const page: ReadQuery = { 'page.limit': 100, ...query, 'page.cursor': next };
      const { answer, verdict } = await this.list(path, page);
      if (!verdict.isProven) throw new LedgerUntrusted(verdict.problems.join(' '));
      rows.push(...answer.data);
      next = answer.page?.next;
    }
    return { rows: rows.slice(0, most), isPartial: rows.length > most };
  }

  /**
   * The bytes of an answer that is no JSON, such as a checkpoint, which is signed in a way of its own; undefined where
   * there is none. Throws in words for who may not read it, and `LedgerUnreachable` for an answer that says neither.
   */
  async bytes(path: string): Promise<Uint8Array | undefined> {
    const { ledger, signer } = this.#options;
    const response = await fetch(`${this.server}${path}`, {
      headers: {
        ...(ledger !== '' && { 'x-ledger': ledger }),
        ...(signer && {
          authorization: `Bearer ${await tokenFor(this.server, signer, Date.now())}`,
        }),
      },
    });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    if (response.status === 404) return undefined;
    if ([401, 403].includes(response.status))
      throw new Error(
        signer
          ? 'Your key has no right to read the log of the ledger.'
          : 'Only signed-in callers may read the log of the ledger.',
      );
    throw new LedgerUnreachable(`GET ${path} was answered with ${response.status}.`);
  }

  /** Judges a record: every proof, and that a key signed for the ledger which was the ledger's then. */
  judge(record: unknown): Verdict {
    const keys = this.#keys;
    const { proofs, problems } = verifyRecord(record, { trust: keys.map((key) => key.public) });
    const timely = proofs.map((proof) => ({
      ...proof,
      isTrusted: proof.isTrusted && keyFor(keys, proof) !== undefined,
    }));
    const isOwn = timely.some(({ isValid, isTrusted }) => isValid && isTrusted);
    const all =
      isOwn || problems.length > 0
        ? problems
        : ['The key that signed it was not the ledger’s at that moment.'];
    return { isProven: all.length === 0, problems: all, proofs: timely };
  }

  /** Signs a proof over a record as it was read, and returns the record with it. Errors: those of the client. */
  async prove(path: string, record: ShownRecord, custom: object): Promise<void> {
    await (this.#ledger as unknown as AnyPaths).prove(path, record, custom);
  }

  /** Signs and posts data where no record is made. Errors: those of the client. */
  async post(path: string, data: object): Promise<unknown> {
    return (this.#ledger as unknown as AnyPaths).post(path, data);
  }

  /** The handle of the signer whose key this session signs with; undefined for a key that the ledger does not know. */
  ownSigner(): Promise<string | undefined> {
    return this.own === undefined ? Promise.resolve(undefined) : this.signerOf(this.own);
  }

  /**
   * The handle of the signer who has this key now, as the ledger has signed it; undefined for a key of nobody, where signers
   * may not be read, and where several show the key, of whom one has it. No signature covers the name that a proof comes
   * with.
   */
  signerOf(key: string): Promise<string | undefined> {
    const known =
      this.#signers.get(key) ??
      this.newest('/signers', 2, { 'data.public': key, 'page.limit': 2 }).then(
        ({ rows: [signer, other] }) =>
          signer?.data['public'] === key && !other ? String(signer.data['handle']) : undefined,
        () => undefined,
      );
    this.#signers.set(key, known);
    return known;
  }

  /** The number of smallest units in one unit of a symbol; undefined where the symbol may not be read. */
  factorOf(symbol: string): Promise<number | undefined> {
    const known =
      this.#factors.get(symbol) ??
      this.#ledger.get('/symbols/{id}', { path: { id: symbol } }).then(
        ({ data }) => (/^10*$/.test(String(data.factor)) ? data.factor : undefined),
        () => undefined,
      );
    this.#factors.set(symbol, known);
    return known;
  }
}

/** True for a forged answer of the form that a screen shows. */
function isShowable(answer: Partial<ShownRecord> | null, isList: boolean): boolean {
  const { data, meta } = answer ?? {};
  return typeof data === 'object' && data !== null && Array.isArray(data) === isList && !!meta;
}

async function systemOf(ledger: Ledger): Promise<KeyedSigner> {
  const signer = await ledger.get('/signers/{id}', { path: { id: 'system' } });
  return signer as unknown as KeyedSigner;
}

function clientOptions({ ledger, trust, signer }: SignInOptions) {
  return {
    ...{ timeoutMs: 30_000, attempts: 3 },
    ...(ledger !== '' && { ledger }),
    ...(trust !== '' && { trust }),
    ...(signer && { signer }),
  };
}

export const SessionContext = createContext<LedgerSession | undefined>(undefined);

/** The session of the screen; there is one once somebody has signed in. */
export function useSession(): LedgerSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('A screen is shown after signing in.');
  return session;
}
