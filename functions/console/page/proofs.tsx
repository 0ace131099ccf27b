/** The proofs of a record as a timeline: who stated what, when, and whether it verified in this browser. */
import type { ProofVerdict } from '../../../shared/client/client.ts';
import { Amount, Moment, Status } from './parts.tsx';
import { authorOf, faultOf, ProofContent, ProofSeal } from './seal.tsx';
import { useSession } from './session.ts';
import { lineOf } from './text.ts';

export function Proofs({ proofs }: { readonly proofs: readonly ProofVerdict[] }) {
  const { own } = useSession();
  return (
    <ol class="timeline">
      {proofs.map((proof, index) => {
        const { custom } = proof;
        const name = `${index} ${lineOf(custom['moment'])}`;
        return (
          <li key={name} class={faultOf(proof) === undefined ? 'good' : 'bad'}>
            <p class="line">
              <strong>{authorOf(proof, own)}</strong>
              {custom['status'] !== undefined && <Status of={custom['status']} />}
              <span class="when">
                <Moment at={custom['moment']} />
                <ProofSeal proof={proof} />
              </span>
            </p>
            <Said custom={custom} isFirst={index === 0} />
            <ProofContent proof={proof} />
          </li>
        );
      })}
    </ol>
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

/** The statement of a proof, in words. */
function Said({
  custom,
  isFirst,
}: {
  readonly custom: ProofVerdict['custom'];
  readonly isFirst: boolean;
}) {
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
