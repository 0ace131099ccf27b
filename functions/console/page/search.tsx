/** Search by handle, luid or hash. */
import { LedgerRefused } from '../../../shared/client/errors.ts';
import { Loaded, useReading } from './loading.tsx';
import { searchLog } from './log-search.ts';
import { Head, Moment, Status, Table, To } from './parts.tsx';
import { placeOf, placeOfLuid, recordGroups } from './places.ts';
import { type LedgerSession, type ShownRecord, useSession } from './session.ts';
import { lineOf } from './text.ts';

const hashPattern = /^[0-9a-f]{64}$/i;
const luidPattern = /^\$[a-z]{3}\.[-\w]{17}$/;
const handlePattern = /^(?!\.\.?$)[\w\-+.:=$/@]{1,256}$/;

export function SearchScreen({ text }: { readonly text: string }) {
  return (
    <>
      <Head title={`Search: ${text}`} />
      {hashPattern.test(text) ? <ByHash hash={text.toLowerCase()} /> : <ByName text={text} />}
    </>
  );
}

function ByHash({ hash }: { readonly hash: string }) {
  const session = useSession();
  const reading = useReading(`hash ${hash}`, () => searchLog(session, hash));
  return (
    <Loaded reading={reading}>
      {({ leaves, seen, size }) => (
        <>
          {leaves.length === 0 ? (
            <p class="empty">No such change among those that were looked through.</p>
          ) : (
            <Table
              label="Changes with this hash"
              rows={leaves}
              nameOf={({ luid, change }) => `${luid} ${change}`}
              columns={[
                { head: 'Record', cell: ({ luid }) => <LuidLink luid={luid} /> },
                { head: 'Change', cell: ({ change }) => String(change) },
                { head: 'Moment', cell: ({ moment }) => <Moment at={moment} /> },
              ]}
            />
          )}
          <p class="quiet">
            {seen === size
              ? `The whole log was looked through: ${size} changes.`
              : `The newest ${seen} of ${size} changes were looked through.`}
          </p>
        </>
      )}
    </Loaded>
  );
}

function LuidLink({ luid }: { readonly luid: string }) {
  const path = placeOfLuid(luid);
  return path ? <To path={path}>{lineOf(luid)}</To> : <span>{lineOf(luid)}</span>;
}

interface Finding {
  readonly group: string;
  readonly record: ShownRecord;
}

function ByName({ text }: { readonly text: string }) {
  const session = useSession();
  const reading = useReading(`name ${text}`, () => findByName(session, text));
  return (
    <Loaded reading={reading}>
      {(found) =>
        found.length === 0 ? (
          <p class="empty">Nothing that you may see has this handle, luid or hash.</p>
        ) : (
          <Table
            label="Found"
            rows={found}
            nameOf={({ record }) => lineOf(record.luid)}
            columns={[
              {
                head: 'Record',
                cell: ({ group, record }) => (
                  <To path={placeOf(group, lineOf(record.data['handle']))}>
                    {lineOf(record.data['handle'])}
                  </To>
                ),
              },
              { head: 'Of', cell: ({ group }) => group },
              { head: 'Status', cell: ({ record: { meta } }) => <Status of={meta['status']} /> },
              { head: 'Changed', cell: ({ record: { meta } }) => <Moment at={meta['moment']} /> },
            ]}
          />
        )
      }
    </Loaded>
  );
}

/** Looks for a record of each kind by this handle or luid, and for intents by words. */
async function findByName(session: LedgerSession, text: string): Promise<readonly Finding[]> {
  const groups = luidPattern.test(text)
    ? [recordGroups[text.slice(1, 4)]].filter((group) => group !== undefined)
    : Object.values(recordGroups).filter((group) => group !== 'ledgers');
  const named = handlePattern.test(text)
    ? await Promise.all(groups.map((group) => findIn(session, group, text)))
    : [];
  const byWords = luidPattern.test(text)
    ? []
    : await unlessRefused(
        session
          .newest('/intents', 20, { $plainTextQuery: text, 'page.limit': 20 })
          .then(({ rows }) => rows),
      );
  const all = [
    ...named.flat(),
    ...byWords.map((record): Finding => ({ group: 'intents', record })),
  ];
  return [...new Map(all.map((one) => [one.record.luid, one])).values()];
}

async function findIn(
  session: LedgerSession,
  group: string,
  id: string,
): Promise<readonly Finding[]> {
  const path = `/${group}/${encodeURIComponent(id)}`;
  const found = await unlessRefused(session.read(path).then(({ answer }) => [answer]));
  return found.map((record) => ({ group, record }));
}

/** Finds nothing where something may not be seen, or is not there. */
async function unlessRefused(
  work: Promise<readonly ShownRecord[]>,
): Promise<readonly ShownRecord[]> {
  return work.catch((error: unknown) => {
    if (error instanceof LedgerRefused && error.status < 500) return [];
    throw error;
  });
}
