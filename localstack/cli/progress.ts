/** How far a command got, as a bar on a terminal; where nobody watches, nothing is shown. */
import { Presets, SingleBar } from 'cli-progress';

export interface Bar {
  /** Shows that so much is done, of so much when that is known. */
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
  // A signal ends the process without a word to whoever shows a bar, which has hidden the cursor.
  process.once('exit', () => bar.stop());
  return {
    show: (doing, done, of = 0) => {
      if (doing !== shown) {
        if (shown) bar.stop();
        bar.start(Math.max(of, done, 1), done, { doing });
        shown = doing;
        return;
      }
      // What is known of a table's length may be some hours old.
      bar.setTotal(Math.max(of, done, 1));
      bar.update(done, { doing });
    },
    end: () => bar.stop(),
  };
}
