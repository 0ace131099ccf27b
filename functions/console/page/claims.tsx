/** The claims of an intent, as sentences. */
import { Amount, RecordLink } from './parts.tsx';
import type { ShownRecord } from './session.ts';
import { lineOf } from './text.ts';

type Claim = Readonly<Record<string, unknown>>;

export function claimsIn({ data }: ShownRecord): readonly Claim[] {
  const { claims } = data;
  return Array.isArray(claims) ? claims.filter((one) => typeof one === 'object' && one) : [];
}

/** Claims, a line each; at most so many, with the number of the others. */
export function Claims({ of, most = 40 }: { readonly of: ShownRecord; readonly most?: number }) {
  const claims = claimsIn(of);
  return (
    <ul class="claims">
      {claims.slice(0, most).map((claim, index) => (
        <li key={index}>
          <ClaimLine claim={claim} />
        </li>
      ))}
      {claims.length > most && <li class="quiet">and {claims.length - most} more</li>}
    </ul>
  );
}

function ClaimLine({ claim }: { readonly claim: Claim }) {
  const { action, source, target, wallet, symbol, amount, metric } = claim;
  return (
    <>
      {lineOf(action)} {metric !== undefined && `${lineOf(metric)} `}
      {metric === 'dailyCount' ? (
        `${lineOf(amount)} ${lineOf(symbol)}`
      ) : (
        <Amount of={amount} symbol={symbol} />
      )}
      {source !== undefined && (
        <>
          {' from '}
          <RecordLink group="wallets" of={source} />
        </>
      )}
      {target !== undefined && (
        <>
          {' to '}
          <RecordLink group="wallets" of={target} />
        </>
      )}
      {wallet !== undefined && (
        <>
          {' of '}
          <RecordLink group="wallets" of={wallet} />
        </>
      )}
    </>
  );
}
