/** Bounds on a single ledger's use of this deployment, set by the operator. Decision 86. */

const effectsDefault = 100;
const bytesDefault = 10_000_000;

/** The highest number of effects of a ledger for one signal. */
export const effectsPerSignal = countOf('EFFECTS_PER_SIGNAL', effectsDefault);
/** Bytes per second of one ledger in this process; on AWS the stack divides the rate among all processes. */
export const bytesPerSecond = countOf('SENT_BYTES_PER_SECOND', bytesDefault);

function countOf(name: string, otherwise: number): number {
  const text = process.env[name];
  if (!text) return otherwise;
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw new Error(`${name} must be a whole number from 1 on, not '${text}'.`);
  return Number(text);
}
