/** What a ledger may take of this deployment, as its operator has said. Decision 86. */

const effectsDefault = 100;
const bytesDefault = 10_000_000;

/** How many effects of a ledger may hear one signal. */
export const effectsPerSignal = countOf('EFFECTS_PER_SIGNAL', effectsDefault);
/** How many bytes a second this process may send for one ledger; on AWS the stack has divided them among all. */
export const bytesPerSecond = countOf('SENT_BYTES_PER_SECOND', bytesDefault);

function countOf(name: string, otherwise: number): number {
  const text = process.env[name];
  if (!text) return otherwise;
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw new Error(`${name} must be a whole number from 1 on, not '${text}'.`);
  return Number(text);
}
