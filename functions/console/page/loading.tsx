/** Reading for screens: what is being read, what could not be read and why, and lists page by page. */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { LedgerRefused, LedgerUnreachable } from '../../../shared/client/errors.ts';
import { Seal } from './seal.tsx';
import {
  type Read,
  type ReadQuery,
  type ShownList,
  type ShownRecord,
  useSession,
  type Verdict,
} from './session.ts';
import { lineOf } from './text.ts';

export interface Reading<Result> {
  readonly result?: Result;
  readonly error?: unknown;
  readonly isBusy: boolean;
  /** Reads again. */
  readonly again: () => void;
}

/** Does some reading when the screen appears and when `name`, which says what is read, changes. */
export function useReading<Result>(name: string, work: () => Promise<Result>): Reading<Result> {
  const [state, setState] = useState<Omit<Reading<Result>, 'again'> & { readonly name: string }>({
    name,
    isBusy: true,
  });
  const latest = useRef(work);
  latest.current = work;
  const turn = useRef(0);
  const again = useCallback(() => {
    turn.current += 1;
    const own = turn.current;
    const done = (outcome: { readonly result?: Result; readonly error?: unknown }) => {
      if (turn.current === own) setState({ ...outcome, name, isBusy: false });
    };
    setState((before) =>
      before.name === name ? { ...before, isBusy: true } : { name, isBusy: true },
    );
    latest.current().then(
      (result) => done({ result }),
      (error: unknown) => done({ error }),
    );
  }, [name]);
  useEffect(() => {
    again();
    return () => {
      turn.current += 1;
    };
  }, [again]);
  const shown = state.name === name ? state : { isBusy: true };
  return { ...shown, again };
}

/** Reads a record, and again every so many milliseconds where that is given. */
export function useRecord(path: string, query: ReadQuery = {}): Reading<Read<ShownRecord>> {
  const session = useSession();
  return useReading(`${path} ${JSON.stringify(query)}`, () => session.read(path, query));
}

export function useRows(path: string, query: ReadQuery = {}): Reading<Read<ShownList>> {
  const session = useSession();
  return useReading(`${path} ${JSON.stringify(query)}`, () => session.list(path, query));
}

interface Pages {
  readonly rows: readonly ShownRecord[];
  /** The members beside the data of the first page. No proof of the list covers them. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly next?: string;
  readonly verdict: Verdict;
}

interface PagesReading extends Reading<Pages> {
  /** Reads the next page; absent at the end of the list. */
  readonly more?: () => void;
}

/** Reads a list page by page. */
export function usePages(path: string, query: ReadQuery = {}): PagesReading {
  const session = useSession();
  const name = `${path} ${JSON.stringify(query)}`;
  const pageAt = async (cursor: string): Promise<Pages> => {
    const { answer, verdict } = await session.list(path, { ...query, 'page.cursor': cursor });
    const { next } = answer.page ?? {};
    const { data: rows, meta = {} } = answer;
    return { rows, meta, verdict, ...(next !== undefined && { next }) };
  };
  const first = useReading(name, () => pageAt(''));
  const [later, setLater] = useState<{ readonly of?: Pages; readonly pages: readonly Pages[] }>({
    pages: [],
  });
  const [moreState, setMoreState] = useState<{
    readonly isBusy: boolean;
    readonly error?: unknown;
  }>({
    isBusy: false,
  });
  const { result } = first;
  if (!result) return first;
  const pages = [result, ...(later.of === result ? later.pages : [])];
  const last = pages.at(-1) as Pages;
  const forged = pages.find(({ verdict }) => !verdict.isProven);
  const whole = {
    rows: pages.flatMap(({ rows }) => rows),
    meta: result.meta,
    verdict: forged?.verdict ?? result.verdict,
  };
  const { next } = last;
  const more = () => {
    setMoreState({ isBusy: true });
    pageAt(next ?? '').then(
      (page) => {
        setLater({ of: result, pages: [...pages.slice(1), page] });
        setMoreState({ isBusy: false });
      },
      (error: unknown) => setMoreState({ isBusy: false, error }),
    );
  };
  return {
    ...first,
    result: whole,
    isBusy: first.isBusy || moreState.isBusy,
    ...(moreState.error !== undefined && { error: moreState.error }),
    ...(next !== undefined && { more }),
  };
}

/** Shows what is read once it is there; until then, or instead, that it is being read, or what went wrong. */
export function Loaded<Result>({
  reading,
  children,
}: {
  readonly reading: Reading<Result>;
  readonly children: (result: Result) => ComponentChildren;
}) {
  const { result, error, isBusy, again } = reading;
  return (
    <>
      {error !== undefined && <Problem error={error} again={again} />}
      {result !== undefined && children(result)}
      {result === undefined && error === undefined && isBusy && (
        <p class="busy" role="status">
          Reading…
        </p>
      )}
    </>
  );
}

/** A failure, in words that say how to go on. */
export function Problem({
  error,
  again,
}: {
  readonly error: unknown;
  readonly again?: () => void;
}) {
  return (
    <div class="problem" role="alert">
      <p>{problemOf(error)}</p>
      {again && (
        <button type="button" class="secondary small" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

export function problemOf(error: unknown): string {
  if (error instanceof LedgerRefused) {
    const [, reason = '', detail = ''] = /: ([\w.-]+): ([\s\S]*)$/.exec(error.message) ?? [];
    const said = detail === '' ? error.message : `${detail} (${reason})`;
    if (error.status === 401) return `Only signed-in callers may see this. ${lineOf(said)}`;
    if (error.status === 403) return `Your key has no right to do this. ${lineOf(said)}`;
    return lineOf(said);
  }
  if (error instanceof LedgerUnreachable) return 'The ledger does not answer. Is the server up?';
  return lineOf(error instanceof Error ? error.message : error);
}

/** A list with its seal, and a button for its next page. */
export function Listed({
  reading,
  empty,
  children,
}: {
  readonly reading: PagesReading;
  /** The sentence of a list without rows. */
  readonly empty: string;
  readonly children: (rows: readonly ShownRecord[]) => ComponentChildren;
}) {
  return (
    <Loaded reading={reading}>
      {({ rows, verdict }) => (
        <>
          {!verdict.isProven && <Seal verdict={verdict} />}
          {rows.length === 0 ? <p class="empty">{empty}</p> : children(rows)}
          <div class="foot">
            {verdict.isProven && <Seal verdict={verdict} />}
            {reading.more && (
              <button
                type="button"
                class="secondary small"
                onClick={reading.more}
                disabled={reading.isBusy}
              >
                Show more
              </button>
            )}
          </div>
        </>
      )}
    </Loaded>
  );
}
