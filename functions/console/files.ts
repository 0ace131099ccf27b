/** The files of the console. */

/** Their texts. */
export interface ConsoleFiles {
  readonly page: string;
  readonly script: string;
  readonly style: string;
}

/** The name of the file that has all of them, beside the handler: in the package and on Lambda. */
export const readyMadeName = 'assets.json';
