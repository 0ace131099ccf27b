/** A ledger, as whoever signed in sees it: every answer comes with what it is worth. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import {
  connect,
  type Ledger,
  LedgerUntrusted,
  type ProofSigner,
  parseExactly,
  type RecordVerdict,
  verifyRecord,
} from '../../../shared/client/client.ts';

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
  /** The public key of the ledger. */
  readonly key: string;
  /** True when the key of the ledger was known before. */
  readonly isKeyGiven: boolean;
  /** The public key that signs; undefined without a key. */
  readonly own: string | undefined;
  readonly #options: SignInOptions;
  readonly #ledger: Ledger;
  readonly #factors = new Map<string, Promise<number | undefined>>();

  private constructor(options: SignInOptions, ledger: Ledger, handle: string) {
    this.#options = options;
    this.#ledger = ledger;
    this.server = options.server;
    this.handle = handle;
    this.key = ledger.key;
    this.isKeyGiven = options.trust !== '';
    this.own = options.signer?.public;
  }

  /** Finds the ledger, and refuses one that does not sign with the trusted key. Errors: those of the client. */
  static async begin(options: SignInOptions): Promise<LedgerSession> {
    const ledger = await connect(options.server, clientOptions(options));
    const { data } = await ledger.get('/');
    return new LedgerSession(options, ledger, data.handle);
  }

  /** Reads a record with each of its proofs verified. Errors: those of the client, but for `LedgerUntrusted`. */
  read(path: string, query: ReadQuery = {}): Promise<Read<ShownRecord>> {
    return this.#read(path, query) as Promise<Read<ShownRecord>>;
  }

  /** Reads a page of a list; its rows are what the ledger signed as one. Errors as of `read`. */
  list(path: string, query: ReadQuery = {}): Promise<Read<ShownList>> {
    return this.#read(path, query) as Promise<Read<ShownList>>;
  }

  async #read(path: string, query: ReadQuery): Promise<Read<unknown>> {
    let text = '';
    const ledger = await connect(this.server, {
      ...clientOptions(this.#options),
      trust: this.key,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        text = await response.clone().text();
        return response;
      },
    });
    const answer = await (ledger as unknown as AnyPaths)
      .get(path, { query })
      .catch((error: unknown) => {
        if (!(error instanceof LedgerUntrusted)) throw error;
        return { isForged: true };
      });
    const isForged = (answer as { readonly isForged?: true }).isForged === true;
    const whole: unknown = isForged ? parseExactly(text) : answer;
    return { answer: whole, verdict: this.#verdictOn(whole, isForged) };
  }

  /** A list that the client has verified is proven as a whole; its elements are judged where they are shown alone. */
  #verdictOn(answer: unknown, isForged: boolean): Verdict {
    const isList = Array.isArray((answer as Partial<ShownList>).data);
    if (isList && !isForged) return { isProven: true, problems: [], proofs: [] };
    const verdict = verifyRecord(answer, { trust: this.key });
    if (!isForged || !verdict.isProven) return verdict;
    return { ...verdict, isProven: false, problems: ['The ledger did not sign this answer.'] };
  }

  /** Judges a part of an answer that is signed by itself, such as a balance. */
  judge(record: unknown): Verdict {
    return verifyRecord(record, { trust: this.key });
  }

  /** Signs a proof over a record as it was read, and returns the record with it. Errors: those of the client. */
  async prove(path: string, record: ShownRecord, custom: object): Promise<void> {
    await (this.#ledger as unknown as AnyPaths).prove(path, record, custom);
  }

  /** Signs and posts data where no record is made. Errors: those of the client. */
  async post(path: string, data: object): Promise<unknown> {
    return (this.#ledger as unknown as AnyPaths).post(path, data);
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
