/** The proofs of an answer, verified here with the key that the ledger says is its own. */
import { assertOfLedger, parseExactly } from '../../../shared/client/answer.ts';

interface AnswerText {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** The result in words; undefined for an answer that is not signed, as a page or a tile of the log. */
export async function verdictOf(
  answer: AnswerText,
  get: (path: string) => Promise<AnswerText>,
): Promise<string | undefined> {
  if (!answer.type.startsWith('application/json')) return undefined;
  const body = parseExactly(answer.text) as { meta?: { proofs?: readonly unknown[] } };
  if (!Array.isArray(body?.meta?.proofs)) return undefined;
  const system = await get('/signers/system');
  if (system.status !== 200) return 'Not verified: the key of the ledger could not be read.';
  const { data } = parseExactly(system.text) as { data: { public: string } };
  try {
    assertOfLedger(body, data.public);
    return `✓ Verified: the hash and all proofs hold, and the ledger's key ${data.public.slice(0, 8)}… has signed.`;
  } catch (error) {
    return `✗ Not verified: ${(error as Error).message}`;
  }
}
