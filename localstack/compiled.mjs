/**
 * The command of a clone, compiled for Node: it starts in half of the time that its sources take with a loader, and has
 * half of their memory. Each state of the sources is compiled once, into a folder of its own beside the packages, so
 * that a ledger that runs keeps its modules whatever becomes of the sources. Decision 151.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ownRoot = fileURLToPath(new URL('..', import.meta.url));
const folders = ['functions', 'infra', 'localstack', 'shared'];
const manifest = 'package.json';
/** The errors of a place where nothing may be written. */
const unwritable = ['EACCES', 'EPERM', 'EROFS'];
/** The states that are kept: those of ledgers that may still run. */
const keptCount = 5;
const draftPrefix = 'draft-';
/** No compilation takes longer, in milliseconds. */
const draftMsMax = 3_600_000;
/** The files that are synced at a time. */
const laneCount = 16;
/** Node 20.19, the oldest that the package takes. */
const target = 'node20.19';

/** The address of the compiled command; undefined where nobody may write beside the packages. */
export async function compiledCommand() {
  try {
    const folder = await compiledFolder();
    return pathToFileURL(join(folder, 'localstack', 'command', 'main.js'));
  } catch (error) {
    if (unwritable.includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * The folder with the compiled modules, and all that lies beside them. It is made where these sources have none.
 * `root` is the folder of the clone.
 */
export async function compiledFolder(root = ownRoot) {
  const cache = join(root, 'node_modules', '.cache', 'countersign');
  const paths = sourcePaths(root);
  const folder = join(cache, stateOf(root, paths));
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    await make(root, folder, paths);
    forgetOld(cache);
  }
  noteUse(folder);
  return folder;
}

function sourcePaths(root) {
  const within = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/')),
  );
  return [manifest, ...within].sort();
}

/** A name for what all sources say. */
function stateOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

async function make(root, folder, paths) {
  // Within the packages, so that the modules find them.
  const draft = mkdtempSync(join(dirname(folder), draftPrefix));
  try {
    for (const one of [manifest, ...folders])
      cpSync(join(root, one), join(draft, one), { recursive: true });
    await compile(draft, paths.filter(isModule));
    await sync(draft, paths.map(compiledPath));
    chmodSync(draft, 0o755);
    rename(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function isModule(path) {
  return path.endsWith('.ts') && !path.endsWith('.d.ts');
}

function compiledPath(path) {
  return isModule(path) ? path.replace(/ts$/, 'js') : path;
}

/** Compiles each module to a file beside it. */
async function compile(folder, modules) {
  const { build, stop } = await import('esbuild');
  const options = {
    ...{ absWorkingDir: folder, entryPoints: modules, outdir: folder, outbase: folder },
    ...{ bundle: true, format: 'esm', platform: 'node', target, logLevel: 'warning' },
  };
  await build({
    ...options,
    plugins: [{ name: 'apart', setup: ({ onResolve }) => onResolve({ filter: /./ }, apart) }],
  });
  await stop();
}

/** An import, which stays one: of a package, or of the compiled module. */
function apart({ kind, path }) {
  if (kind === 'entry-point') return undefined;
  const isOwn = path.startsWith('.');
  return { external: true, path: isOwn ? compiledPath(path) : path };
}

/** Brings files to the disk, so that none is cut off when the machine fails. */
async function sync(folder, paths) {
  const rest = paths.values();
  const lane = async () => {
    for (const path of rest) {
      const file = await open(join(folder, path));
      await file.sync();
      await file.close();
    }
  };
  await Promise.all(Array.from({ length: laneCount }, lane));
}

/** Names a folder that is complete. Another process may have been faster. */
function rename(draft, folder) {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** The time of a folder tells when it was used last. */
function noteUse(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // Another user has made it.
  }
}

/** Removes all but the states that were used last, and drafts that were never ended. */
function forgetOld(cache) {
  const all = readdirSync(cache).map((name) => {
    const path = join(cache, name);
    return { path, isDraft: name.startsWith(draftPrefix), usedMs: statSync(path).mtimeMs };
  });
  all.sort((one, other) => other.usedMs - one.usedMs);
  const states = all.filter(({ isDraft }) => !isDraft).slice(keptCount);
  const drafts = all.filter(({ isDraft, usedMs }) => isDraft && usedMs < Date.now() - draftMsMax);
  for (const { path } of [...states, ...drafts]) rmSync(path, { recursive: true, force: true });
}
