/** Restores a ledger in a drill: from the copy of its table, and from an export of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecret } from '../../shared/crypto/secret.ts';
import { command } from './drill-ledger.ts';

export interface Restored {
  /** The time until the audit of the copy was over, in milliseconds. */
  readonly copyMs: number;
  /** The time of the export, its audit, the import and its audit, in milliseconds. */
  readonly importMs: number;
  readonly problems: readonly string[];
}

/** Audits a copy of a data folder, and moves it into another folder by an export and an import. */
export async function restore(copy: string, moved: string, work: string): Promise<Restored> {
  const [file, again, passphrase] = ['ledger.ndjson', 'again.ndjson', 'passphrase'].map((name) =>
    join(work, name),
  ) as [string, string, string];
  writeFileSync(passphrase, createSecret(), { mode: 0o600 });
  const problems: string[] = [];
  const does = async (
    name: Parameters<typeof command>[0],
    folder: string,
    ...args: readonly string[]
  ): Promise<void> => {
    if (problems.length > 0) return;
    const { code, said } = await command(name, folder, args);
    if (code !== 0) problems.push(`${name} ended with ${code}: ${said}`);
  };
  const startMs = Date.now();
  await does('audit', copy);
  const copiedMs = Date.now();
  await does('export', copy, '--out', file, '--with-key', passphrase);
  await does('audit', copy, file);
  await does('import', moved, file, '--passphrase', passphrase);
  await does('audit', moved);
  const importedMs = Date.now();
  await does('export', moved, '--out', again);
  if (problems.length === 0 && contentOf(file) !== contentOf(again))
    problems.push('The imported ledger differs from the exported one.');
  return { copyMs: copiedMs - startMs, importMs: importedMs - copiedMs, problems };
}

/** The content of an archive, without its time and the encryption of its keys. */
function contentOf(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => !/^\{"what":"(archive|key|secrets|end)"/.test(line)).join('\n');
}
