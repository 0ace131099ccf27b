/**
 * Goal: every command of `countersign` is told by its help, refuses in one line what it cannot mean, and ends with a code
 * that is documented. Method: the program is walked, so that a new command is covered at once, and runs in this process.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { colours, print } from '../../localstack/cli/output.ts';
import { newProgram } from '../../localstack/command/program.ts';
import { ran } from '../fixture/command.ts';
import { command, start } from '../fixture/runtime.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Each command, with the words that name it, and its subcommands; what only completion calls is left out. */
function commandsOf(
  command: Command,
  before: readonly string[] = [],
): { readonly words: readonly string[]; readonly command: Command }[] {
  const shown = command.commands.filter((one) => !one.name().startsWith('_'));
  return shown.flatMap((one) => {
    const words = [...before, one.name()];
    return [{ words, command: one }, ...commandsOf(one, words)];
  });
}

const commands = commandsOf(newProgram()).map(
  ({ words, command }) => [words.join(' '), words, command] as const,
);
const oneLine = /^[^\n]+\n$/;
/** A port at which nobody answers. */
const nobody = 'http://127.0.0.1:9/v2';

describe('a word that no command can have', () => {
  test('without a command, the help is printed, and it ends as misused', async () => {
    expect(await ran([])).toEqual({ code: 2, out: '', err: expect.stringContaining('Usage:') });
  });

  test('the help of the program names each command', async () => {
    const { code, out, err } = await ran(['--help']);
    expect([code, err]).toEqual([0, '']);
    for (const [, words] of commands.filter(([, words]) => words.length === 1))
      expect(out).toMatch(new RegExp(`^  ${words[0]}\\b`, 'm'));
    expect(await ran(['help'])).toEqual({ code, out, err });
  });

  test.each([
    ['adit', 'audit'],
    ['exprot', 'export'],
    ['quickstrat', 'quickstart'],
    ['listne', 'listen'],
  ])('a misspelt command names the nearest: %s', async (word, nearest) => {
    expect(await ran([word])).toEqual({
      code: 2,
      out: '',
      err: `countersign: unknown command '${word}' (Did you mean ${nearest}?). See: countersign --help\n`,
    });
    expect(await ran(['help', word])).toEqual(await ran([word]));
  });
});

describe.each(commands)('countersign %s', (name, words, command) => {
  test('tells by --help how it is used, with examples', async () => {
    const { code, out, err } = await ran([...words, '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`Usage: countersign ${name.split(' ')[0]}`);
    expect(out).toMatch(/^Examples:\n {2}\S.*countersign|^Examples:\n {2}countersign/m);
  });

  test('refuses an option that it does not have, in a line that names it', async () => {
    const needed = command.options.filter(({ mandatory }) => mandatory);
    const given = needed.flatMap(({ long }) => [String(long), '1']);
    const { code, out, err } = await ran([...words, ...given, '--no-such-option']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(oneLine);
    expect(err).toContain(`countersign ${name}: unknown option '--no-such-option'`);
  });
});

describe('what cannot be meant is refused in one line, and nothing is made', () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'x');
  const nowhere = join(folder, 'nowhere');
  test.each([
    ['audit one two', 2, 'too many arguments'],
    [`audit --data ${nowhere}`, 2, `There is no ledger in ${nowhere}.`],
    [
      `audit ${nowhere}.ndjson --data ${nowhere}`,
      2,
      `There is no file ${nowhere}.ndjson. There is`,
    ],
    [`audit --data ${file}`, 4, `${file} cannot be used`],
    ['audit %', 2, 'There is no such file, and no ledger can have this handle.'],
    ['reindex %', 2, "command-argument value '%' is invalid"],
    [`reindex --data ${nowhere}`, 2, 'There is no ledger in'],
    ['rotate-key main', 2, "missing required argument 'signer'"],
    ['rotate-key main both', 2, 'Allowed choices are system, log'],
    ['rotate-key main log --overlap 0', 2, 'It must be a whole number from 1 to 8784.'],
    ['rotate-key main log --overlap 2 --compromised', 2, 'cannot be used with'],
    [`rotate-key main system --data ${nowhere}`, 2, 'There is no ledger in'],
    [`export --data ${nowhere}`, 2, 'There is no ledger in'],
    ['export --ledger %', 2, "option '--ledger <handle>' argument '%' is invalid"],
    [`export --out ${nowhere}/x`, 2, `There is no folder ${nowhere}`],
    [`export --out ${file}`, 2, 'is there already'],
    ['export --out -', 2, 'An export is a file'],
    ['import', 2, "missing required argument 'file'"],
    [`import ${nowhere}`, 2, `There is no file ${nowhere}.`],
    [`import ${file} --data :memory:`, 2, ':memory: keeps nothing'],
    [`import ${file} --data ${nowhere}`, 1, `${file}: Line 1:`],
    ['drill --seconds 0', 2, 'It must be a whole number from 1 to 600.'],
    ['drill --seconds soon', 2, 'It must be a whole number from 1 to 600.'],
    ['explain GET wallets', 2, "The path begins with '/'"],
    [`explain GET /wallets --data ${nowhere}`, 2, 'There is no ledger in'],
    ['reconcile bank.csv', 2, "Name the ledger's side"],
    ['reconcile none.csv --with none.csv --key a --amount b', 2, 'cannot be read'],
    ['start --port 70000', 2, 'It must be a whole number from 0 to 65535.'],
    ['start --log loud', 2, 'It must be info, error or none.'],
    ['start --ledger %', 2, 'It must be the handle of a ledger'],
    ['start --owner me', 2, 'It must be an ed25519 public key'],
    [`start --port 0 --data ${file}`, 4, `LEDGER_DATA is '${file}'`],
    ['bridge b@ue', 2, "'b@ue' cannot be the name of a bank."],
    ['bridge blue --ledger-key x', 2, 'The key of the ledger is an ed25519 public key'],
    ['bridge blue --port x', 2, '--port must be a whole number from 0 to 65535'],
    ['bridge blue --account 1=-5', 2, 'An account must be as'],
    [`bridge blue --data ${file}`, 4, 'The folder of a bridge is'],
    [`key ${folder}`, 4, 'contains no key: it is a folder.'],
    [`key ${nowhere}/x`, 4, `${nowhere}/x cannot be written`],
    [`quickstart ${nowhere}`, 2, `There is no file ${nowhere}`],
    ['quickstart a --key b', 2, 'Name one key file'],
    ['quickstart --server nowhere', 2, '--server must be the http or https base address'],
    ['watch intent-updatd', 2, "There is no signal 'intent-updatd'. Did you mean intent-updated?"],
    ['watch --ledger ü', 2, '--ledger must be the handle or the luid of a ledger'],
    ['bridge blue --ledger %', 2, "option '--ledger <handle>' argument '%' is invalid"],
    [`watch --key ${nowhere}`, 2, `There is no file ${nowhere}`],
  ])('%s', async (text, code, said) => {
    const before = readdirSync(folder);
    const { code: ended, out, err } = await ran(text.split(' '), { COUNTERSIGN_CONFIG: folder });
    expect([err, ended, out]).toEqual([expect.stringMatching(oneLine), code, '']);
    expect(err).toContain(said);
    expect(readdirSync(folder)).toEqual(before);
  });

  test.each(['quickstart', 'watch', 'bridge blue'])(
    'a ledger that nobody runs ends %s with 7',
    async (text) => {
      const config = join(folder, 'user');
      const env = { COUNTERSIGN_CONFIG: config, BRIDGE_DATA: join(folder, 'blue') };
      await ran(['key'], env);
      const ended = await ran([...text.split(' '), '--server', nobody], env);
      expect([ended.code, ended.out]).toEqual([7, '']);
      expect(ended.err).toMatch(oneLine);
      expect(ended.err).toContain(`No ledger answers at ${nobody}.`);
      rmSync(env.BRIDGE_DATA, { recursive: true, force: true });
    },
  );

  test('so does a server that is none', async () => {
    const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = join(folder, 'user');
    const ended = await ran(['quickstart', '--server', address], { COUNTERSIGN_CONFIG: config });
    server.close();
    const err = `The server at ${address} is no ledger.\n`;
    expect(ended).toEqual({ code: 7, out: '', err });
  });

  test.each(['audit', 'reindex', 'export', 'explain GET /wallets'])(
    'a database that does not answer ends %s with 7',
    async (text) => {
      const env = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' };
      const out = join(folder, 'none.ndjson');
      const words = text === 'export' ? ['export', '--out', out] : text.split(' ');
      const err = 'No database answers at http://127.0.0.1:9.\n';
      expect(await ran(words, env)).toEqual({ code: 7, out: '', err });
    },
  );
});

test('a database that takes a connection and says nothing does not hold a command', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const ended = await ran(['audit'], { DYNAMODB_ENDPOINT: endpoint });
  silent.close().closeAllConnections();
  expect(ended).toEqual({ code: 7, out: '', err: `No database answers at ${endpoint}.\n` });
});

describe('countersign key', () => {
  test('makes the key of the user once, for the user alone, and shows its public half only', async () => {
    const config = join(folder, 'config', 'countersign');
    const env = { COUNTERSIGN_CONFIG: config };
    const path = join(config, 'default.key');
    const made = await ran(['key'], env);
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining(`Made ${path}.`) });
    expect(made.out).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    expect(await ran(['key'], env)).toEqual({ code: 0, out: made.out, err: '' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const secret = readFileSync(path, 'utf8').trim();
    expect(made.out + made.err).not.toContain(secret);
  });

  test('needs no home where the folder is named, and says so where it is not', async () => {
    // As Node refuses a user whom the system does not know, and who has no HOME.
    const homeless = `import os from 'node:os'; os.homedir = () => { throw new Error('ENOENT'); };`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(homeless)}` };
    const named = { ...env, COUNTERSIGN_CONFIG: join(folder, 'homeless') };
    expect(await command('key', folder, { env: named })).toMatchObject({ code: 0 });
    for (const name of ['key', 'wallet', 'watch-log']) {
      const { code, said } = await command(name, folder, {
        env: { ...env, COUNTERSIGN_CONFIG: '' },
      });
      expect([code, said]).toEqual([2, expect.stringContaining('Set COUNTERSIGN_CONFIG')]);
    }
  });

  test('names a folder that cannot be made', async () => {
    const file = join(folder, 'config-file');
    writeFileSync(file, '');
    const { code, err } = await ran(['key'], { COUNTERSIGN_CONFIG: file });
    expect([code, err]).toEqual([4, expect.stringContaining(`is '${file}'`)]);
  });
});

describe('at a ledger', () => {
  const data = join(folder, 'data');
  const other = join(folder, 'other');
  const at = (words: string) =>
    ran(words.split(' '), { COUNTERSIGN_CONFIG: join(folder, 'own'), LEDGER_DATA: data });
  /** The one document that a command prints, with nothing beside it but the progress of one that takes long. */
  const documentOf = async (words: string) => {
    const { code, out, err } = await at(`${words} --json`);
    expect([code, err.replaceAll(/^.*\b[\d.]+ s\n/gm, '')]).toEqual([0, '']);
    expect(out).toMatch(oneLine);
    return JSON.parse(out) as unknown;
  };
  const file = join(folder, 'main.ndjson');

  beforeAll(async () => {
    const runtime = await start({ data });
    const said = await at(`quickstart --server ${runtime.url}`);
    await runtime.stop();
    expect(said).toMatchObject({ code: 0, err: expect.stringMatching(/^Made \S+default\.key\./) });
    expect(said.out).toContain('The intent is completed; every proof of it verifies.');
    expect(said.out).toMatch(
      /\nGo on with:\n {2}countersign pay bob-\w+ alice-\w+ 5 usd-\w+ --server http/,
    );
  });

  test('the answers for programs are one document each', async () => {
    expect(await documentOf('audit')).toMatchObject({
      ...{ isInOrder: true, violations: [], awaited: { intents: 0 } },
      checked: { main: { intents: 2, balances: 2 } },
    });
    expect(await documentOf('reindex main')).toMatchObject({ records: 7, removed: 0 });
    const exported = await documentOf(`export --out ${file}`);
    expect(exported).toMatchObject({ ledger: 'main', file, sha256: expect.any(String) });
    expect(await documentOf(`audit ${file}`)).toMatchObject({ isInOrder: true });
    mkdirSync(other);
    copyFileSync(join(data, 'master.key'), join(other, 'master.key'));
    const imported = await documentOf(`import ${file} --data ${other}`);
    expect(imported).toMatchObject({ ledger: 'main', items: expect.any(Number) });
  });

  test('people read what the manual shows, but for numbers', async () => {
    const shapeOf = (text: string) =>
      text
        .replaceAll(`${folder}/`, '')
        .replaceAll(/lines \(.*\), sha256 [\w…]+/g, 'lines')
        .replaceAll(/\d+(\.\d+)?/g, '0')
        .replaceAll(/[ ─]+/g, ' ');
    const manual = shapeOf(readFileSync('localstack/README.md', 'utf8'));
    const shown = join(folder, 'shown');
    mkdirSync(join(shown, 'other'), { recursive: true });
    copyFileSync(join(data, 'master.key'), join(shown, 'other', 'master.key'));
    const archive = join(shown, 'main.ndjson');
    for (const words of [
      ...['audit', 'reindex', `export --out ${archive}`],
      `import ${archive} --data ${join(shown, 'other')}`,
    ]) {
      const { code, out } = await at(words);
      expect([words, code]).toEqual([words, 0]);
      const lines = shapeOf(out).replaceAll('shown/', '').trimEnd().split('\n');
      expect(lines.filter((line) => !manual.includes(line))).toEqual([]);
    }
  });

  test('an explanation is one, too, and its code is its answer', async () => {
    const { code, out } = await at('explain GET /wallets/nobody --json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ...{ isGranted: false, ledger: 'main', request: 'GET /wallets/nobody' },
      error: { status: 404, reason: 'record.not-found' },
      queries: [{ query: 'read every wallet', isOpen: true }],
    });
  });

  test('a table that is not in the file is refused, and the file named by its path', async () => {
    const env = { LEDGER_DATA: data, TABLE_NAME: 'nowhere' };
    const err = `There is no table 'nowhere' in ${join(data, 'ledger.mdb')}.\n`;
    expect(await ran(['audit'], env)).toEqual({ code: 2, out: '', err });
  });

  test('a ledger that is not in the table is refused', async () => {
    const none = join(folder, 'none.ndjson');
    for (const words of [
      'audit nobody',
      'reindex nobody',
      `export --ledger nobody --out ${none}`,
    ]) {
      const err = "There is no ledger 'nobody' in this table.\n";
      expect(await at(words)).toEqual({ code: 2, out: '', err });
    }
    for (const name of [none, 'nofile.ndjson', './nofile'])
      expect(await at(`audit ${name}`)).toEqual({
        code: 2,
        out: '',
        err: `There is no file ${name}. There is no ledger '${name}' in this table.\n`,
      });
    const rotated = await at('rotate-key nobody system');
    expect(rotated).toMatchObject({ code: 2, err: expect.stringContaining('There is no ledger') });
  });
});

const fileOf = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** Texts that would clear a screen, conceal what follows, turn its direction, or add a line. */
const hostile = '\u001b[2J\u001b[8m\u001b[32m\u009b31m\u009d0;x\u202eevil';
const hostileLine = `${hostile}\r\nAll rows match.`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the point.
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

describe('a text of others does nothing to a terminal', () => {
  const report = fileOf('others.csv', 'intent,amount\npay-1,1\n');
  const bank = fileOf('hostile.csv', `ref,amount,"${hostile}"\n"${hostileLine}",1,\n`);
  const words = ['reconcile', bank, '--with', report, '--amount', 'amount'];

  test.each([
    ['in a table', ['--key', 'ref=intent']],
    ['in a document', ['--key', 'ref=intent', '--json']],
    ['in an error', ['--key', 'none=intent']],
    ['in a word', ['--key', 'ref=intent', `--${hostile}`]],
  ])('%s', async (_, more) => {
    const { out, err } = await ran([...words, ...more]);
    expect(out + err).toContain('evil');
    expect(out + err).not.toMatch(steering);
    expect(out).not.toMatch(/^All rows match/m);
  });

  test('in an explanation', async () => {
    const { out, err } = await ran(['explain', 'GET', `/${hostileLine}`, '--data', folder]);
    expect(out + err).not.toMatch(steering);
  });
});

describe('a colour', () => {
  const terminal = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY');
  afterEach(() => {
    if (terminal) Object.defineProperty(process.stdout, 'isTTY', terminal);
    else Reflect.deleteProperty(process.stdout, 'isTTY');
  });

  test('is not for a pipe, also where CI runs the command', async () => {
    const file = fileOf('piped.csv', 'intent,amount\npay-1,1\n');
    const words = ['reconcile', file, '--with', file, '--key', 'intent', '--amount', 'amount'];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'localstack/command/main.ts', ...words],
      { env: { ...process.env, CI: 'true', NO_COLOR: '' } },
    );
    expect(stdout).toMatch(/^All rows match\.$/m);
    expect(stdout).not.toContain('\u001b[');
  });

  test.each([
    ['is for a terminal', true, {}, true],
    ['is not for a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
  ])('%s', async (_, isTTY, env, isColoured) => {
    Object.defineProperty(process.stdout, 'isTTY', { value: isTTY, configurable: true });
    const file = fileOf('same.csv', 'intent,amount\npay-1,1\n');
    const words = ['reconcile', file, '--with', file, '--key', 'intent', '--amount', 'amount'];
    const { code, out } = await ran(words, { NO_COLOR: '', FORCE_COLOR: '', ...env });
    expect([code, out.includes('\u001b[')]).toEqual([0, isColoured]);
  });

  test('is all that a terminal is told', () => {
    Object.defineProperty(process.stdout, 'isTTY', { value: true, configurable: true });
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    print(`${colours().red('No.')}\n${hostile}`);
    const text = String(write.mock.calls[0]?.[0]);
    write.mockRestore();
    expect(text).toContain('\u001b[31mNo.\u001b[39m\n\\u001b[2J\\u001b[8m');
  });
});

describe('--json', () => {
  test('comes whole through a pipe that is read late', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `pay-${index},${index}`);
    const bank = fileOf('many.csv', ['ref,amount', ...lines, ''].join('\n'));
    const report = fileOf('few.csv', 'intent,amount\npay-1,1\n');
    const words = ['reconcile', bank, '--with', report, '--key', 'ref', '--amount', 'amount'];
    const script = 'node --import tsx localstack/command/main.ts "$@" | (sleep 1; cat)';
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-c', script, 'bash', ...words, '--json'],
      { maxBuffer: Number.POSITIVE_INFINITY },
    );
    expect((JSON.parse(stdout) as { rows: unknown[] }).rows).toHaveLength(lines.length);
  });

  test('prints the rows of a reconciliation as one document, whatever the result', async () => {
    const bank = fileOf('bank.csv', 'ref,amount\npay-1,1230\npay-2,5\n');
    const report = fileOf('report.csv', 'intent,amount\npay-1,1230\n');
    const words = ['reconcile', bank, '--with', report, '--key', 'ref', '--amount', 'amount'];
    const { code, out, err } = await ran([...words, '--json']);
    expect([code, err]).toEqual([1, '']);
    expect(JSON.parse(out)).toEqual({
      isReconciled: false,
      rows: [
        { group: 'external-only', key: ['pay-2'], external: { row: 3, amount: 5 } },
        {
          ...{ group: 'matched', key: ['pay-1'] },
          external: { row: 2, amount: 1230 },
          ledger: { row: 2, amount: 1230 },
        },
      ],
    });
  });
});
