/** The error of LMDB's package where its compiled part is not installed, in words that say how to get it. */
import { ExitError, exitCodes } from './failing.ts';

/** The first words of the error that `node-gyp-build-optional-packages`, which LMDB is loaded by, throws. */
const unbuilt = 'No native build was found';

/** The error itself, or the `ExitError` that explains it where LMDB has nothing for this machine. */
export function withAdvice(error: unknown): unknown {
  if (!(error instanceof Error && error.message.startsWith(unbuilt))) return error;
  const machine = `${process.platform}-${process.arch}`;
  return new ExitError(
    exitCodes.misconfigured,
    `The embedded database is not installed for ${machine}: the package @lmdb/lmdb-${machine} is missing.`,
    {
      advice: [
        '  npm ci, without --omit=optional, installs it.',
        '  Where none is published, `npm rebuild lmdb` compiles it, by Python and a C++ compiler, once allowScripts of package.json lets it.',
      ],
      cause: error,
    },
  );
}
