/** The proofs of a record as a timeline: who stated what, when, and whether it verified in this browser. */
import type { ProofVerdict } from '../../../shared/client/client.ts';
import { useReading } from './loading.tsx';
import { Amount, Moment, Status } from './parts.tsx';
import { faultOf, ProofContent, ProofSeal } from './seal.tsx';
import { useSession } from './session.ts';
import { lineOf, shortOf } from './text.ts';

interface OneProof {
  readonly proof: ProofVerdict;
}

export function Proofs({ proofs }: { readonly proofs: readonly ProofVerdict[] }) {
  return (
    <ol class="timeline">
      {proofs.map((proof, index) => {
        const { custom } = proof;
        const name = `${index} ${lineOf(custom['moment'])}`;
        return (
          <li key={name} class={faultOf(proof) === undefined ? 'good' : 'bad'}>
            <p class="line">
              <Author proof={proof} />
              {isOfLedger(proof) && custom['status'] !== undefined && (
                <Status of={custom['status']} />
              )}
              <span class="when">
                <Moment at={custom['moment']} />
                <ProofSeal proof={proof} />
              </span>
            </p>
            <Said proof={proof} isFirst={index === 0} />
            <ProofContent proof={proof} />
          </li>
        );
      })}
    </ol>
  );
}

/** True where the ledger itself has signed the statement. */
function isOfLedger({ isValid, isTrusted }: ProofVerdict): boolean {
  return isValid && isTrusted;
}

/** Whoever signed a proof: the ledger, or the signer who has its key. No signature covers the name beside a proof. */
function Author({ proof: { signer, isTrusted, public: key } }: OneProof) {
  const session = useSession();
  const { result: known } = useReading(`signer of ${isTrusted} ${key}`, async () =>
    isTrusted ? 'The ledger' : session.signerOf(key),
  );
  const own = key === session.own ? ' (you)' : '';
  if (known !== undefined)
    return (
      <strong>
        {lineOf(known)}
        {own}
      </strong>
    );
  return (
    <>
      <strong>
        Key {lineOf(shortOf(key))}
        {own}
      </strong>
      {signer !== undefined && (
        <span class="quiet">the server calls it “{lineOf(signer)}”, which is not signed</span>
      )}
    </>
  );
}

/** The meanings of statuses that the ledger states, for people. */
const meanings: Readonly<Record<string, string>> = {
  pending: 'Accepted; nothing has moved yet.',
  processing: 'Waits for bridges to prepare their side.',
  prepared: 'All that it needs is reserved.',
  committed: 'Decided: the money moves.',
  completed: 'Done: the money is where it was sent.',
  aborted: 'Given up: what was reserved is free again.',
  rejected: 'It ended without moving anything.',
  due: 'Its moment has come; it waits for signatures.',
};

/** The statement of a proof: in words where the ledger made it, and as it stands where anybody else did. */
function Said({ proof, isFirst }: OneProof & { readonly isFirst: boolean }) {
  const { custom } = proof;
  if (!isOfLedger(proof)) return <Stated custom={custom} />;
  const { schema, amount, reason, detail } = custom;
  if ((schema === 'debit' || schema === 'credit') && amount !== undefined)
    return <EntrySaid custom={custom} />;
  if (reason !== undefined)
    return (
      <p>
        {lineOf(detail)} <code>{lineOf(reason)}</code>
      </p>
    );
  return <p>{isFirst ? 'Made and signed it.' : wordsOf(custom)}</p>;
}

/** The statement of an author, member by member: whatever it says, the ledger does not say it. */
function Stated({ custom }: { readonly custom: ProofVerdict['custom'] }) {
  const members = Object.entries(custom).filter(([name]) => name !== 'moment');
  if (members.length === 0) return <p>Signed it.</p>;
  return (
    <p>
      States:
      {members.map(([name, value]) => (
        <span key={name}>
          {' '}
          {lineOf(name)} <code>{lineOf(value)}</code>
        </span>
      ))}
    </p>
  );
}

function EntrySaid({ custom }: { readonly custom: ProofVerdict['custom'] }) {
  const { schema, wallet, symbol, amount } = custom;
  return (
    <p>
      {schema === 'debit' ? 'Takes ' : 'Gives '}
      <Amount of={amount} symbol={symbol} />
      {schema === 'debit' ? ' from ' : ' to '}
      {lineOf(wallet)}
    </p>
  );
}

function wordsOf({ status, handle, by }: ProofVerdict['custom']): string {
  const name = lineOf(status);
  const about = [
    Object.hasOwn(meanings, name) ? meanings[name] : '',
    handle === undefined ? '' : `Entry ${lineOf(handle)}.`,
    by === undefined ? '' : `By ${lineOf(by)}.`,
  ];
  return about.filter(Boolean).join(' ');
}
