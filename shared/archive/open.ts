/** Reading an archive into a place where each of its items is found. */
import { derivedOf } from './derive.ts';
import { ArchiveFault, type End, type Header, type Line } from './form.ts';
import { headerOf, type Numbered, readArchive } from './read.ts';
import { type Shelf, shelve } from './shelf.ts';

export interface Opened {
  readonly header: Header;
  readonly shelf: Shelf;
  /** What its lines hash to, as its end says. */
  readonly sha256: string;
  /** That the lines are not all that were written, while each of them could be read. */
  readonly fault?: ArchiveFault;
}

export interface OpenOptions {
  /** Where the items go meanwhile. */
  readonly folder: string;
  /** What becomes of a line before it is taken for what it says. */
  readonly change?: (header: Header, line: Line) => Promise<Line>;
  readonly onProgress?: (bytes: number) => void;
}

/** How many lines are read between two words of how far it got. */
const tellEach = 1_000;

/** Opens an archive; throws an `ArchiveFault` where it cannot be read. */
export async function openArchive(path: string, options: OpenOptions): Promise<Opened> {
  const { folder, change = async (_, line) => line, onProgress = () => {} } = options;
  const header = await headerOf(path);
  const heard: { fault?: ArchiveFault; sha256: string } = { sha256: '' };
  const hear = (end: End) => {
    heard.sha256 = String(end.sha256);
  };
  const lines = async function* (): AsyncGenerator<Numbered> {
    let bytes = 0;
    for await (const one of readArchive(path, hear)) {
      bytes += one.bytes;
      if (one.number % tellEach === 0) onProgress(bytes);
      yield { ...one, line: await change(header, one.line) };
    }
  };
  const whole = untilFault(lines(), (fault) => {
    heard.fault = fault;
  });
  const shelf = await shelve(folder, derivedOf(header.ledger, whole));
  return { header, shelf, ...heard };
}

/** All lines, also of an archive whose lines are not all that were written. */
async function* untilFault(
  lines: AsyncIterable<Numbered>,
  tell: (fault: ArchiveFault) => void,
): AsyncGenerator<Numbered> {
  try {
    yield* lines;
  } catch (error) {
    if (!(error instanceof ArchiveFault) || !error.isOfWhole) throw error;
    tell(error);
  }
}
