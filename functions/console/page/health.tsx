/** The health of the ledger: what waits, its last audit, whether its books come to zero, and the newest checkpoint. */
import type { ComponentChildren } from 'preact';
import { bytesIn, isSigned } from '../../../shared/client/digest.ts';
import { toBase64 } from '../../../shared/log/bytes.ts';
import { checkpointOf } from '../../../shared/log/checkpoint.ts';
import { type KeyedSigner, keysOf } from '../../../shared/log/key-table.ts';
import { isSignedBy, type VerifyBytes } from '../../../shared/log/note.ts';
import { Loaded, useReading, useRecord, useRows } from './loading.tsx';
import { Amount, Copied, Fields, Head, Moment, Status, Table } from './parts.tsx';
import { Seal } from './seal.tsx';
import { type LedgerSession, useSession, type Verdict } from './session.ts';
import { ageOf, lineOf } from './text.ts';
import { type Members, membersOf } from './whom.ts';

export function HealthScreen() {
  const reading = useRecord('/health');
  return (
    <>
      <Head title="Health">
        <button type="button" class="secondary small" onClick={reading.again}>
          Read again
        </button>
      </Head>
      <Loaded reading={reading}>
        {({ answer: { data }, verdict }) => (
          <>
            <section class="card" aria-label="Service">
              <Seal verdict={verdict} />
              <Fields
                rows={[
                  ['Service', <Status key="status" of={data['status']} />],
                  ['Database', lineOf(membersOf(data['dependencies'])['db'])],
                  ['Release', lineOf(data['semver'])],
                  ['Ledger', lineOf(data['ledger'])],
                ]}
              />
              <Backlogs of={membersOf(data['backlogs'])} />
            </section>
            <Part title="Last audit">
              <LastAudit of={data['audit']} mayRead={data['backlogs'] !== undefined} />
            </Part>
          </>
        )}
      </Loaded>
      <Part title="Books">
        <Books />
      </Part>
      <Part title="Newest checkpoint">
        <Checkpoint />
      </Part>
    </>
  );
}

function Part({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The last audit, as its operator has noted it: red where it found something. Decision 121. */
function LastAudit({ of, mayRead }: { readonly of: unknown; readonly mayRead: boolean }) {
  const { moment, findings, isPartial, records, proofs, semver } = membersOf(of);
  if (!mayRead) return <p class="quiet">It is shown to who may read the ledger.</p>;
  if (of === undefined)
    return (
      <p class="empty">
        None is noted. An audit reads the whole table and is run by its operator:{' '}
        <code>countersign audit</code>.
      </p>
    );
  const isInOrder = Number(findings) === 0;
  return (
    <div class="card">
      {!isInOrder && (
        <div class="seal bad" role="alert">
          <strong>
            {lineOf(findings)}
            {isPartial === true ? ' or more' : ''} found: the ledger is not in order.
          </strong>
        </div>
      )}
      <Fields
        rows={[
          ['Found', isInOrder && 'nothing, all in order'],
          ['Begun', <Moment key="moment" at={moment} />],
          ['Age', ageOf(lineOf(moment), Date.now())],
          ['Checked', `${lineOf(records)} records, ${lineOf(proofs)} proofs`],
          ['By release', lineOf(semver)],
        ]}
      />
    </div>
  );
}

/** The names of backlogs, for people. */
const backlogNames: Readonly<Record<string, string>> = {
  outbox: 'Signals to publish',
  deliveries: 'Deliveries',
  intents: 'Intents',
  reports: 'Reports',
  witnesses: 'Witnesses to show checkpoints to',
};

function Backlogs({ of }: { readonly of: Members }) {
  const rows = Object.entries(of).map(([name, value]) => [name, membersOf(value)] as const);
  if (rows.length === 0)
    return <p class="quiet">What waits is shown to who may read the ledger.</p>;
  return (
    <Table
      label="Backlogs"
      rows={rows}
      nameOf={([name]) => name}
      columns={[
        { head: 'Work', cell: ([name]) => backlogNames[name] ?? lineOf(name) },
        {
          head: 'Due now',
          isNumber: true,
          cell: ([, { due, count, isPartial }]) =>
            `${lineOf(due ?? count)}${isPartial === undefined ? '' : ' or more'}`,
        },
        { head: 'Later', isNumber: true, cell: ([, { waiting }]) => lineOf(waiting) },
        {
          head: 'Oldest',
          isNumber: true,
          cell: ([, { oldestSeconds }]) =>
            oldestSeconds === undefined ? '' : `${lineOf(oldestSeconds)} s`,
        },
      ]}
    />
  );
}

/** The sums of all balances, by symbol: supply and wallets come to zero. Ruling 85. */
function Books() {
  const reading = useRows('/balances/totals');
  return (
    <Loaded reading={reading}>
      {({ answer, verdict }) => {
        const symbols = [...new Set(answer.data.map(({ data }) => lineOf(data['symbol'])))];
        const sumOf = (symbol: string, isMeant: (of: unknown) => boolean) =>
          answer.data
            .filter(({ data }) => data['symbol'] === symbol && isMeant(data['of']))
            .reduce((sum, { data }) => sum + BigInt(lineOf(data['balance'])), 0n);
        return (
          <>
            {symbols.length === 0 ? (
              <p class="empty">Nothing was issued yet.</p>
            ) : (
              <Table
                label="Books"
                rows={symbols}
                nameOf={(symbol) => symbol}
                columns={[
                  { head: 'Symbol', cell: (symbol) => symbol },
                  {
                    head: 'In wallets',
                    isNumber: true,
                    cell: (symbol) => (
                      <Amount of={sumOf(symbol, (of) => of !== 'supply')} symbol={symbol} />
                    ),
                  },
                  {
                    head: 'Supply',
                    isNumber: true,
                    cell: (symbol) => (
                      <Amount of={sumOf(symbol, (of) => of === 'supply')} symbol={symbol} />
                    ),
                  },
                  {
                    head: 'Together',
                    cell: (symbol) =>
                      sumOf(symbol, () => true) === 0n ? (
                        'come to zero'
                      ) : (
                        <strong class="seal bad">do not come to zero</strong>
                      ),
                  },
                ]}
              />
            )}
            <Seal verdict={verdict} />
          </>
        );
      }}
    </Loaded>
  );
}

interface SeenCheckpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly verdict: Verdict;
}

const verifyBytes: VerifyBytes = (bytes, signature, { public: by }) =>
  isSigned(bytes, toBase64(signature), toBase64(by));

/** Reads the checkpoint and judges its signature by the keys of the log, whose record the ledger signs. */
async function readCheckpoint(session: LedgerSession): Promise<SeenCheckpoint | undefined> {
  const bytes = await session.bytes('/log/checkpoint');
  if (!bytes) return undefined;
  const { answer, verdict } = await session.read('/signers/log');
  const checkpoint = checkpointOf(new TextDecoder().decode(bytes));
  const isSignedByLog =
    checkpoint !== undefined &&
    keysOf(answer as unknown as KeyedSigner).some((entry) => {
      const key = bytesIn(entry.public, 32);
      return (
        key !== undefined &&
        isSignedBy(checkpoint.note, { name: checkpoint.origin, public: key }, verifyBytes)
      );
    });
  const problems = [
    ...verdict.problems,
    ...(isSignedByLog ? [] : ['The checkpoint is not signed by the log of the ledger.']),
  ];
  return {
    origin: checkpoint?.origin ?? '',
    size: checkpoint?.size ?? 0,
    root: checkpoint ? toBase64(checkpoint.root) : '',
    verdict: { isProven: problems.length === 0, problems, proofs: [] },
  };
}

function Checkpoint() {
  const session = useSession();
  const reading = useReading('checkpoint', async () => ({ found: await readCheckpoint(session) }));
  return (
    <Loaded reading={reading}>
      {({ found }) =>
        found === undefined ? (
          <p class="empty">The log has no checkpoint yet.</p>
        ) : (
          <div class="card">
            <Seal verdict={found.verdict} />
            <Fields
              rows={[
                ['Log', lineOf(found.origin)],
                ['Changes', lineOf(found.size)],
                ['Root', <Copied key="root" text={found.root} />],
              ]}
            />
          </div>
        )
      }
    </Loaded>
  );
}
