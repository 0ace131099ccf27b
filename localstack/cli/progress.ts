/** The progress of a command, as a bar on a terminal; without a terminal it prints nothing. */
import { Presets, SingleBar } from 'cli-progress';

export interface Bar {
  /** Shows how much is done, and of how much where that is known. */
  readonly show: (doing: string, done: number, of?: number) => void;
  readonly end: () => void;
}

const framesEachSecond = 10;

/** A bar on standard error. */
export function newBar(): Bar {
  if (!process.stderr.isTTY) return { show: () => {}, end: () => {} };
  const bar = new SingleBar(
    {
      stream: process.stderr,
      fps: framesEachSecond,
      hideCursor: true,
      clearOnComplete: true,
      format: '{doing} {bar} {percentage}% · {value} of {total} · {duration_formatted}',
    },
    Presets.shades_classic,
  );
  let shown = '';
  // The bar hides the cursor, and a signal ends the process without notice.
  process.once('exit', () => bar.stop());
  return {
    show: (doing, done, of = 0) => {
      if (doing !== shown) {
        if (shown) bar.stop();
        bar.start(Math.max(of, done, 1), done, { doing });
        shown = doing;
        return;
      }
      // The length of a table, as DynamoDB tells it, may be some hours old.
      bar.setTotal(Math.max(of, done, 1));
      bar.update(done, { doing });
    },
    end: () => bar.stop(),
  };
}
