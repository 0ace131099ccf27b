/** Seals: green for what verified in this browser, red for what did not, with what failed. Nothing else is green. */
import type { ProofVerdict } from '../../../shared/client/client.ts';
import type { Verdict } from './session.ts';
import { jsonOf, lineOf } from './text.ts';

/** The seal of an answer. */
export function Seal({ verdict }: { readonly verdict: Verdict }) {
  return verdict.isProven ? (
    <span
      class="seal good"
      title="The data, the luid and every proof; of an intent also its status; of a list all that it shows."
    >
      Verified here: signed by the ledger
    </span>
  ) : (
    <div class="seal bad" role="alert">
      <strong>Not verified.</strong>
      <ul>
        {verdict.problems.map((problem) => (
          <li key={problem}>{lineOf(problem)}</li>
        ))}
      </ul>
    </div>
  );
}

/** The fault of a proof, in words; undefined for one that verified. */
export function faultOf(proof: ProofVerdict): string | undefined {
  if (!proof.isValid)
    return 'Does not verify: it signs other data or another statement, or is forged.';
  if (proof.signer === 'system' && !proof.isTrusted)
    return 'Names the ledger, and is signed by a key that was not the ledger’s then.';
  return undefined;
}

/** The mark of a proof. */
export function ProofSeal({ proof }: { readonly proof: ProofVerdict }) {
  const fault = faultOf(proof);
  return fault === undefined ? (
    <span class="seal good">Verified</span>
  ) : (
    <strong class="seal bad">{fault}</strong>
  );
}

/** A value as JSON. The keyboard scrolls it. */
export function Json({ value }: { readonly value: unknown }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard, too. WCAG 2.1.1.
  return <pre tabIndex={0}>{jsonOf(value)}</pre>;
}

/** The signed content of a proof, with the key, for who wants to check by other means. */
export function ProofContent({ proof }: { readonly proof: ProofVerdict }) {
  const { custom, public: key } = proof;
  return (
    <details class="raw">
      <summary>Signed statement</summary>
      <Json value={custom} />
      <p>
        By the key <code class="long">{lineOf(key)}</code>
      </p>
    </details>
  );
}
