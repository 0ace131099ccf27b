/** Opening an archive: its items are sorted on disk, so that each can be found. */
import { derivedOf } from './derive.ts';
import { ArchiveError, type ArchiveHeader, type ArchiveLine, type EndLine } from './form.ts';
import { headerOf, type Numbered, readArchive } from './read.ts';
import { type SortedItems, shelve } from './sorted-items.ts';

export interface Opened {
  readonly header: ArchiveHeader;
  readonly sorted: SortedItems;
  /** The hash of its lines, from its last line. */
  readonly sha256: string;
  /** Present when each line could be read, but all of them together are not as they were written. */
  readonly fault?: ArchiveError;
}

export interface OpenOptions {
  /** The folder for the items meanwhile. */
  readonly folder: string;
  /** Changes each line before it is read. */
  readonly change?: (header: ArchiveHeader, line: ArchiveLine) => Promise<ArchiveLine>;
  readonly onProgress?: (bytes: number) => void;
}

/** The lines between two reports of progress. */
const reportEach = 1_000;

/** Opens an archive; throws an `ArchiveError` for a line that cannot be read. */
export async function openArchive(path: string, options: OpenOptions): Promise<Opened> {
  const { folder, change = async (_, line) => line, onProgress = () => {} } = options;
  const header = await headerOf(path);
  const ending: { fault?: ArchiveError; sha256: string } = { sha256: '' };
  const onEnd = (end: EndLine) => {
    ending.sha256 = String(end.sha256);
  };
  const lines = async function* (): AsyncGenerator<Numbered> {
    let bytes = 0;
    for await (const one of readArchive(path, onEnd)) {
      bytes += one.bytes;
      if (one.number % reportEach === 0) onProgress(bytes);
      yield { ...one, line: await change(header, one.line) };
    }
  };
  const whole = untilError(lines(), (fault) => {
    ending.fault = fault;
  });
  const sorted = await shelve(folder, derivedOf(header, whole));
  return { header, sorted, ...ending };
}

/** All lines, also of an archive that is not as it was written. */
async function* untilError(
  lines: AsyncIterable<Numbered>,
  report: (fault: ArchiveError) => void,
): AsyncGenerator<Numbered> {
  try {
    yield* lines;
  } catch (error) {
    if (!(error instanceof ArchiveError) || !error.isOfWhole) throw error;
    report(error);
  }
}
