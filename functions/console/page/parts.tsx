/** Small parts of screens. Every text of a record passes through here or `text.ts`, and is shown as text. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { addressOf, type PagePlace } from './route.ts';
import { Json } from './seal.tsx';
import { useSession } from './session.ts';
import { amountOf, handleIn, lineOf, momentOf } from './text.ts';

/** A link to another screen. */
export function To({
  path,
  query,
  children,
}: {
  readonly path: readonly string[];
  readonly query?: PagePlace['query'];
  readonly children: ComponentChildren;
}) {
  return <a href={addressOf(path, query)}>{children}</a>;
}

/** A link to the record that a reference means. */
export function RecordLink({ group, of }: { readonly group: string; readonly of: unknown }) {
  const handle = handleIn(of);
  return handle === '' ? <span class="quiet">—</span> : <To path={[group, handle]}>{handle}</To>;
}

export function Moment({ at }: { readonly at: unknown }) {
  const text = momentOf(at);
  return text === '' ? (
    <span class="quiet">—</span>
  ) : (
    <time dateTime={lineOf(at)}>
      {text} <span class="unit">UTC</span>
    </time>
  );
}

/** The tones of statuses. None is green: that is for what verified. */
const tones: Readonly<Record<string, string>> = {
  ...{ completed: 'done', delivered: 'done', active: 'done', UP: 'done', created: 'plain' },
  ...{ pending: 'open', processing: 'open', prepared: 'open', running: 'open', DEGRADED: 'open' },
  ...{ committed: 'open', failed: 'lost', rejected: 'lost', aborted: 'lost', cancelled: 'lost' },
  ...{ inactive: 'lost', DOWN: 'lost' },
};

export function Status({ of }: { readonly of: unknown }) {
  const text = lineOf(of);
  if (text === '') return <span class="quiet">—</span>;
  return <span class={`status ${Object.hasOwn(tones, text) ? tones[text] : 'plain'}`}>{text}</span>;
}

/** The factor of a symbol, once it is read. */
export function useFactor(symbol: string): { readonly factor?: number; readonly isKnown: boolean } {
  const session = useSession();
  const [found, setFound] = useState<{ readonly symbol: string; readonly factor?: number }>();
  useEffect(() => {
    let isLeft = false;
    void session.factorOf(symbol).then((factor) => {
      if (!isLeft) setFound({ symbol, ...(factor !== undefined && { factor }) });
    });
    return () => {
      isLeft = true;
    };
  }, [session, symbol]);
  const isKnown = found?.symbol === symbol;
  return { isKnown, ...(isKnown && found.factor !== undefined && { factor: found.factor }) };
}

/** An amount in whole units of its symbol. */
export function Amount({ of, symbol }: { readonly of: unknown; readonly symbol: unknown }) {
  const handle = handleIn(symbol);
  const { factor, isKnown } = useFactor(handle);
  return (
    <span class="amount">
      {isKnown ? amountOf(of, factor) : '…'} <span class="unit">{handle}</span>
    </span>
  );
}

/** A long text that can be copied. */
export function Copied({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <span class="copied">
      <code class="long">{lineOf(text)}</code>
      <button
        type="button"
        class="secondary tiny"
        onClick={copy}
        aria-label={`Copy ${lineOf(text)}`}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}

/** Members of a record, a line each; those without a value are left out. */
export function Fields({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  const given = rows.filter(([, value]) => ![undefined, null, false, ''].includes(value as never));
  return (
    <dl class="fields">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A value as JSON, folded away. */
export function Raw({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <details class="raw">
      <summary>{title}</summary>
      <Json value={value} />
    </details>
  );
}

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
}

/** A table; on a phone, each row is a card. */
export function Table<Row>({
  label,
  columns,
  rows,
  nameOf,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly nameOf: (row: Row, index: number) => string;
}) {
  const classOf = ({ isNumber }: Column<Row>) => (isNumber ? { class: 'number' } : {});
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: as cards the rows would lose the roles of a table.
    <table role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.head} role="columnheader" scope="col" {...classOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={nameOf(row, index)} role="row">
            {columns.map((column) => (
              <td key={column.head} role="cell" data-head={column.head} {...classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as cards the rows would lose the roles of a table.
  );
}

/** The top of a screen, with its heading. */
export function Head({
  title,
  kind,
  children,
}: {
  readonly title: string;
  /** The kind of what the screen shows. */
  readonly kind?: string;
  readonly children?: ComponentChildren;
}) {
  useLayoutEffect(() => {
    document.title = `${title} · Countersign console`;
  }, [title]);
  return (
    <header class="head">
      <div>
        {kind && <p class="kind">{kind}</p>}
        <h1 tabIndex={-1}>{title}</h1>
      </div>
      {children}
    </header>
  );
}
