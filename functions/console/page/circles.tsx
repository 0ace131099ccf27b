/** The circles: who is a member, and what members may do. */
import { Listed, Loaded, usePages, useRecord } from './loading.tsx';
import { Head, Moment, RecordLink, Status, Table, To } from './parts.tsx';
import { Facts, ProofsSection, RecordHead } from './record.tsx';
import { handleIn, lineOf } from './text.ts';
import { conditionsOf, grantOf, type Members, rulesIn, toWhom } from './whom.ts';

export function CirclesScreen() {
  const reading = usePages('/circles', { 'page.limit': 50 });
  return (
    <>
      <Head title="Circles" />
      <Listed reading={reading} empty="There are no circles.">
        {(rows) => (
          <Table
            label="Circles"
            rows={rows}
            nameOf={({ luid = '' }) => luid}
            columns={[
              {
                head: 'Circle',
                cell: ({ data }) => <RecordLink group="circles" of={data['handle']} />,
              },
              {
                head: 'Its members may',
                cell: ({ data }) => <Rules rules={rulesIn(data['access'])} everybody="members" />,
              },
              { head: 'Status', cell: ({ meta }) => <Status of={meta['status']} /> },
              { head: 'Changed', cell: ({ meta }) => <Moment at={meta['moment']} /> },
            ]}
          />
        )}
      </Listed>
    </>
  );
}

export function CircleScreen({ handle }: { readonly handle: string }) {
  const path = `/circles/${encodeURIComponent(handle)}`;
  const reading = useRecord(path);
  return (
    <>
      <RecordHead reading={reading} name={handle} kind="Circle" />
      <Loaded reading={reading}>
        {(read) => (
          <>
            <Facts read={read} />
            <section aria-labelledby="rules">
              <h2 id="rules">What its members may do</h2>
              <Rules rules={rulesIn(read.answer.data['access'])} everybody="members" />
            </section>
            <MembersOf path={path} />
            <ProofsSection read={read} />
          </>
        )}
      </Loaded>
    </>
  );
}

function MembersOf({ path }: { readonly path: string }) {
  const reading = usePages(`${path}/signers`, { 'page.limit': 50 });
  return (
    <section aria-labelledby="members">
      <h2 id="members">Members</h2>
      <Listed reading={reading} empty="Nobody is a member.">
        {(rows) => (
          <Table
            label="Members"
            rows={rows}
            nameOf={({ luid = '' }) => luid}
            columns={[
              { head: 'Signer', cell: ({ data }) => <SignerLink of={data['signer']} /> },
              { head: 'Member since', cell: ({ meta }) => <Moment at={meta['moment']} /> },
              { head: 'Custom', cell: ({ data }) => lineOf(data['custom']) },
            ]}
          />
        )}
      </Listed>
    </section>
  );
}

function SignerLink({ of }: { readonly of: unknown }) {
  const handle = handleIn(of);
  return <To path={['records', 'signers', handle]}>{handle}</To>;
}

/** Access rules, a sentence each. */
export function Rules({
  rules,
  everybody,
}: {
  readonly rules: readonly Members[];
  /** To whom a rule without matchers grants something. */
  readonly everybody: string;
}) {
  if (rules.length === 0) return <span class="quiet">no rules</span>;
  return (
    <ul class="rules">
      {rules.map((rule) => (
        <li key={JSON.stringify(rule)}>
          {rule['policy'] === undefined ? (
            <>
              <strong>{grantOf(rule)}</strong> for {toWhom(rule, everybody)} {conditionsOf(rule)}
            </>
          ) : (
            <>the rules of policy {lineOf(rule['policy'])}</>
          )}
        </li>
      ))}
    </ul>
  );
}
