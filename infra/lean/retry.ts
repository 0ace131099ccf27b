/** How bundles ask AWS again, where their own code does not: for the bus and the keys. */

const waitBaseMs = 50;
const waitMaxMs = 1_000;

interface AwsError extends Error {
  /** Of a socket: `ECONNRESET` and the like. */
  readonly code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** A step that asks so many times at most, with full jitter between them. */
export function attempting(attemptsMax: number) {
  return <Args, Output>(next: (args: Args) => Promise<Output>) => {
    const attempt = async (args: Args, count: number): Promise<Output> => {
      try {
        return await next(args);
      } catch (error) {
        if (count >= attemptsMax || !mayPass(error)) throw error;
      }
      await pause(count);
      return attempt(args, count + 1);
    };
    return (args: Args) => attempt(args, 1);
  };
}

/** Whether the next attempt may have more luck: nothing was wrong with what was asked. */
function mayPass(error: unknown): boolean {
  const { name, code, $metadata } = error as AwsError;
  const status = $metadata?.httpStatusCode ?? 0;
  const isThrottled = status === 429 || /Throttl|TooManyRequests|LimitExceeded/.test(name);
  return isThrottled || status >= 500 || typeof code === 'string' || name === 'TimeoutError';
}

function pause(count: number): Promise<void> {
  const waitMs = Math.random() * Math.min(waitMaxMs, waitBaseMs * 2 ** count);
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}
