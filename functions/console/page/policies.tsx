/** The policies: what they are about, and whose signatures they ask for. */
import { Listed, Loaded, usePages, useRecord } from './loading.tsx';
import { Head, Moment, RecordLink, Status, Table } from './parts.tsx';
import { type FactRow, Facts, ProofsSection, RecordHead } from './record.tsx';
import type { ShownRecord } from './session.ts';
import { lineOf } from './text.ts';
import {
  conditionsOf,
  conditionText,
  grantOf,
  type Members,
  membersOf,
  rulesIn,
  toWhom,
  whomOf,
} from './whom.ts';

export function PoliciesScreen() {
  const reading = usePages('/policies', { 'page.limit': 50 });
  return (
    <>
      <Head title="Policies" />
      <Listed reading={reading} empty="There are no policies.">
        {(rows) => (
          <Table
            label="Policies"
            rows={rows}
            nameOf={({ luid = '' }) => luid}
            columns={[
              {
                head: 'Policy',
                cell: ({ data }) => <RecordLink group="policies" of={data['handle']} />,
              },
              { head: 'About', cell: (row) => aboutOf(row)[0]?.[1] },
              { head: 'Says', cell: (row) => <Values of={row} /> },
              { head: 'Status', cell: ({ meta }) => <Status of={meta['status']} /> },
              { head: 'Changed', cell: ({ meta }) => <Moment at={meta['moment']} /> },
            ]}
          />
        )}
      </Listed>
    </>
  );
}

export function PolicyScreen({ handle }: { readonly handle: string }) {
  const reading = useRecord(`/policies/${encodeURIComponent(handle)}`);
  return (
    <>
      <RecordHead reading={reading} name={handle} kind="Policy" />
      <Loaded reading={reading}>
        {(read) => (
          <>
            <Facts read={read} rows={aboutOf(read.answer)} raw={['filter', 'values', 'extend']}>
              <Values of={read.answer} />
            </Facts>
            <ProofsSection read={read} />
          </>
        )}
      </Loaded>
    </>
  );
}

function aboutOf({ data: { record, filter } }: ShownRecord): readonly FactRow[] {
  const where = filter === undefined ? '' : ` where ${conditionText(filter)}`;
  return [['About', `${lineOf(record)}${where}`]];
}

/** The values of a policy, a sentence each. */
function Values({ of: { data } }: { readonly of: ShownRecord }) {
  const values = rulesIn(data['values']);
  const schema = lineOf(data['schema']);
  return (
    <ul class="claims">
      {values.map((value) => (
        <li key={JSON.stringify(value)}>{textOf(schema, value)}</li>
      ))}
      {values.length === 0 && <li class="quiet">allows nothing</li>}
    </ul>
  );
}

function textOf(schema: string, value: Members): string {
  if (schema === 'access')
    return `${grantOf(value)} for ${toWhom(value, 'everybody')} ${conditionsOf(value)}`.trim();
  const { status, labels, quorum } = value;
  const named = membersOf(status ?? labels)['$in'] ?? status ?? labels;
  const what = status === null ? 'the first status' : named === undefined ? 'any' : lineOf(named);
  const matchers = Array.isArray(quorum) ? quorum.map(whomOf) : [];
  return `${schema === 'labels' ? 'labels' : 'status'} ${what}: ${matchers.length > 0 ? matchers.join(' and ') : 'anybody with the right'}`;
}
