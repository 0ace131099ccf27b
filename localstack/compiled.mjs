/**
 * The command of a clone, compiled for Node: it starts in half of the time that its sources take with a loader, and has
 * half of their memory. Each state of the sources is compiled once, into a folder of its own beside the packages, so
 * that a ledger that runs keeps its modules when the sources change. Decision 151.
 */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ownRoot = fileURLToPath(new URL('..', import.meta.url));
const folders = ['functions', 'infra', 'localstack', 'shared'];
const manifest = 'package.json';
/** Modules, and what they read or build beside them. No data or key of a ledger has such a name. */
const sourcePattern = /\.(ts|tsx|json|md|css|html|svg|yml)$/;
/** The file with the sizes of all others. */
const sealName = 'whole.json';
/** The folder with a file for each process that runs the modules. */
const usersName = 'users';
/** The states that are kept beside those that run. */
const keptCount = 5;
const draftPrefix = 'draft-';
/** No compilation takes longer, in milliseconds. */
const draftMsMax = 3_600_000;
/** Node 20.19, the oldest that the package takes. */
const target = 'node20.19';

/** The address of the compiled command; undefined where it cannot be made, as where nobody may write beside the packages. */
export async function compiledCommand(root = ownRoot) {
  try {
    const folder = await compiledFolder(root);
    noteUse(folder);
    return pathToFileURL(join(folder, 'localstack', 'command', 'main.js'));
  } catch {
    return undefined;
  }
}

/**
 * The folder with the compiled modules, and all that lies beside them. It is made where these sources have none that is
 * whole. `root` is the folder of the clone.
 */
export async function compiledFolder(root = ownRoot) {
  const cache = join(root, 'node_modules', '.cache', 'countersign');
  const sources = sourcesIn(root);
  const folder = join(cache, stateOf(sources));
  if (isWhole(folder)) return folder;
  await make(folder, sources);
  forgetOld(cache);
  return folder;
}

/** Notes that this process runs the modules of a folder, which are kept until it ends. */
function noteUse(folder) {
  const own = join(folder, usersName, String(process.pid));
  writeFileSync(own, '');
  process.once('exit', () => rmSync(own, { force: true }));
}

/** What each source says, by its path. */
function sourcesIn(root) {
  const entries = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  if (entries.some((entry) => entry.isSymbolicLink())) throw new Error('A source is a link.');
  const paths = entries
    .filter((entry) => entry.isFile() && sourcePattern.test(entry.name))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((path) => !/(^|\/)\./.test(path));
  return new Map([manifest, ...paths.sort()].map((path) => [path, readFileSync(join(root, path))]));
}

/** A name for what all sources say. */
function stateOf(sources) {
  const hash = createHash('sha256');
  for (const [path, bytes] of sources) hash.update(`${path}\n${bytes.length}\n`).update(bytes);
  return hash.digest('hex').slice(0, 16);
}

/** True for a folder with all its files as long as they were made: a failure of the machine may cut some off. */
function isWhole(folder) {
  try {
    const sizes = Object.entries(JSON.parse(readFileSync(join(folder, sealName), 'utf8')));
    return sizes.every(([path, size]) => statSync(join(folder, path)).size === size);
  } catch {
    return false;
  }
}

async function make(folder, sources) {
  const cache = dirname(folder);
  mkdirSync(cache, { recursive: true });
  // Within the packages, so that the modules find them. By its real path, which the compiler takes.
  const draft = realpathSync(mkdtempSync(join(cache, draftPrefix)));
  try {
    write(draft, sources);
    const modules = await compiled(draft, [...sources.keys()].filter(isModule));
    write(draft, modules);
    mkdirSync(join(draft, usersName));
    const sizes = [...sources, ...modules].map(([path, { length }]) => [path, length]);
    write(draft, new Map([[sealName, JSON.stringify(Object.fromEntries(sizes))]]));
    rename(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function write(folder, files) {
  for (const path of new Set([...files.keys()].map(dirname)))
    mkdirSync(join(folder, path), { recursive: true });
  for (const [path, bytes] of files) writeFileSync(join(folder, path), bytes);
}

function isModule(path) {
  return path.endsWith('.ts') && !path.endsWith('.d.ts');
}

/** Compiles each module to one of its own; the files, by path. */
async function compiled(folder, modules) {
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    ...{ absWorkingDir: folder, entryPoints: modules, outdir: folder, outbase: folder },
    ...{ bundle: true, format: 'esm', platform: 'node', target, write: false, logLevel: 'silent' },
    plugins: [{ name: 'apart', setup: ({ onResolve }) => onResolve({ filter: /./ }, apart) }],
  });
  await stop();
  return new Map(
    outputFiles.map(({ path, contents }) => [
      relative(folder, path).replaceAll(sep, '/'),
      contents,
    ]),
  );
}

/** An import, which stays one: of a package, or of the compiled module. */
function apart({ kind, path }) {
  if (kind === 'entry-point') return undefined;
  const isOwn = path.startsWith('.');
  return { external: true, path: isOwn ? path.replace(/\.ts$/, '.js') : path };
}

/** Names a folder that is complete, in place of one that is not. Another process may have been faster. */
function rename(draft, folder) {
  if (isWhole(folder)) return;
  try {
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    if (!isWhole(folder)) throw error;
  }
}

/** Removes states that nobody runs, but those that were used last, and drafts that were never ended. */
function forgetOld(cache) {
  const all = readdirSync(cache).flatMap((name) => ageOf(join(cache, name)));
  all.sort((one, other) => other.usedMs - one.usedMs);
  const isDraft = ({ path }) => relative(cache, path).startsWith(draftPrefix);
  const states = all.filter((one) => !isDraft(one)).slice(keptCount);
  const drafts = all.filter((one) => isDraft(one) && one.usedMs < Date.now() - draftMsMax);
  for (const { path } of [...states.filter((one) => !isUsed(one)), ...drafts]) remove(path);
}

/** A folder of the cache with the time of its last use; nothing where it is gone. */
function ageOf(path) {
  const users = statSync(join(path, usersName), { throwIfNoEntry: false });
  const { mtimeMs } = users ?? statSync(path, { throwIfNoEntry: false }) ?? {};
  return mtimeMs === undefined ? [] : [{ path, usedMs: mtimeMs }];
}

/** True for modules that a process runs. */
function isUsed({ path }) {
  try {
    return readdirSync(join(path, usersName)).some((id) => isAlive(Number(id)));
  } catch {
    return false;
  }
}

function isAlive(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch ({ code }) {
    return code === 'EPERM';
  }
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Another user has made it.
  }
}
