/** The screen of any record: its members, its data, and its proofs. */
import type { ComponentChildren } from 'preact';
import { Loaded, type Reading, useRecord } from './loading.tsx';
import { Copied, Fields, Head, Moment, Raw, Status } from './parts.tsx';
import { Proofs } from './proofs.tsx';
import { Seal } from './seal.tsx';
import type { Read, ShownRecord } from './session.ts';
import { lineOf } from './text.ts';

export type FactRow = readonly [name: string, value: ComponentChildren];

/** The head of the screen of a record: the name that it has, which need not be the one that was asked for. */
export function RecordHead({
  reading: { result },
  name,
  kind,
}: {
  readonly reading: Reading<Read<ShownRecord>>;
  readonly name: string;
  readonly kind: string;
}) {
  const own = lineOf(result?.answer.data['handle']);
  return <Head title={own === '' ? name : own} kind={kind} />;
}

/** The facts about a record that all kinds have, with those of its own kind first. */
export function Facts({
  read: { answer, verdict },
  rows = [],
  raw = [],
  children,
}: {
  readonly read: Read<ShownRecord>;
  readonly rows?: readonly FactRow[];
  /** Members of the data that are shown as JSON. */
  readonly raw?: readonly string[];
  readonly children?: ComponentChildren;
}) {
  const { luid = '', hash, data, meta } = answer;
  const members = [...raw, 'access', 'custom'].filter((name) => data[name] !== undefined);
  return (
    <section class="card" aria-label="Facts">
      <Seal verdict={verdict} />
      {children}
      <Fields
        rows={[
          ['Status', <Status key="status" of={meta['status']} />],
          ['Schema', lineOf(data['schema'])],
          ['Domain', lineOf(meta['domain'])],
          ...rows,
          ['Changed', <Moment key="moment" at={meta['moment']} />],
          ['Luid', <Copied key="luid" text={luid} />],
          ['Hash', <Copied key="hash" text={hash} />],
        ]}
      />
      {members.map((name) => (
        <Raw key={name} title={nameOf(name)} value={data[name]} />
      ))}
    </section>
  );
}

export function ProofsSection({ read }: { readonly read: Read<ShownRecord> }) {
  return (
    <section aria-labelledby="proofs">
      <h2 id="proofs">Proofs of its last version</h2>
      <Proofs proofs={read.verdict.proofs} />
    </section>
  );
}

/** The members of the data that are a word each. */
function plainRowsOf({ data }: ShownRecord): readonly FactRow[] {
  const rows = Object.entries(data).filter(
    ([name, value]) => !['schema', 'custom'].includes(name) && typeof value !== 'object',
  );
  return rows.map(([name, value]) => [nameOf(name), lineOf(value)]);
}

/** The kind of a group, for people: `Symbol` for `symbols`. */
function titleOf(group: string): string {
  return nameOf(group.replace(/ies$/, 'y').replace(/s$/, ''));
}

function nameOf(member: string): string {
  return `${member[0]?.toUpperCase() ?? ''}${member.slice(1)}`;
}

/** A record that has no screen of its own kind. */
export function RecordScreen({ group, id }: { readonly group: string; readonly id: string }) {
  const reading = useRecord(`/${group}/${encodeURIComponent(id)}`);
  return (
    <>
      <RecordHead reading={reading} name={id} kind={titleOf(group)} />
      <Loaded reading={reading}>
        {(read) => (
          <>
            <Facts read={read} rows={plainRowsOf(read.answer)} />
            <section>
              <Raw title="All of its data" value={read.answer.data} />
            </section>
            <ProofsSection read={read} />
          </>
        )}
      </Loaded>
    </>
  );
}
