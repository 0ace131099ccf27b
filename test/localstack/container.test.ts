/** Goal: processes of two containers whose numbers are the same do not take each other for themselves in a database file. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dataFolders } from '../fixture/data-folders.ts';
import { commandWords } from '../fixture/program.ts';
import { audit } from '../fixture/runtime.ts';

const folderOf = dataFolders();
/** Runs a program as the first process of a numbering of its own, which ends with it. */
const asFirst = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child'];
const mayNumber = spawnSync('unshare', [...asFirst, 'true']).status === 0;

test.runIf(mayNumber)(
  'a command in another container than the ledger is refused, and names the file',
  async () => {
    const data = folderOf();
    const env = { ...process.env, LEDGER_DATA: data, PORT: '0' };
    const words = (name: string) => [...asFirst, process.execPath, ...commandWords(), name];
    const ledger = spawn('unshare', words('start'), { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(ledger.stdout, 'data');
      const files = readdirSync(data);
      for (const name of ['audit', 'reindex']) {
        const { status, stderr } = spawnSync('unshare', words(name), { env, encoding: 'utf8' });
        const why = 'a process of another container has it open, and has the same number';
        expect(stderr).toContain(`${data}/ledger.mdb cannot be used: ${why}`);
        expect(status).toBe(4);
      }
      expect(readdirSync(data)).toEqual(files);
      expect(await audit(data)).toMatchObject({ code: 0 });
    } finally {
      ledger.kill('SIGKILL');
    }
  },
);
