import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { semver } from '../../functions/version.ts';
import { groupOf } from '../../infra/topology.ts';
import { clientTypesPath } from '../reference/openapi-file.ts';
import { partOf } from './documents.ts';
import { endpointsOf, endpointTable, groupNames } from './endpoint-table.ts';
import { layerPicture, layers } from './layer-picture.ts';

/** What git ignores, and its own folder. */
const ignored = ['.git', ...readFileSync('.gitignore', 'utf8').split('\n')]
  .map((line) => line.replace(/\/$/, ''))
  .filter((line) => line !== '' && !line.includes('*'));

/** Every file below a folder, but what is ignored. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (ignored.includes(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

const all = filesBelow('.');
/** Files that a generator makes. */
const generated = new Set([clientTypesPath]);
const own = all.filter(
  (path) => /^(functions|infra|localstack|shared)\/.*\.tsx?$/.test(path) && !generated.has(path),
);
const code = [...own, ...all.filter((path) => /^test\/.*\.(ts|cjs|mjs)$/.test(path))];
const textOf = (path: string) => readFileSync(path, 'utf8');
const lineCountOf = (path: string) => textOf(path).split('\n').length - 1;

/** Where a pattern occurs, as `path:line: text`. A check for nothing lists what it has found. */
function placesOf(paths: readonly string[], pattern: RegExp): string[] {
  return paths.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 100)}`] : [],
      ),
  );
}

test('the files of the house are seen', () => {
  expect(own.length).toBeGreaterThan(60);
  expect(all).toContain('package.json');
  expect(all.some((path) => path.startsWith('node_modules/'))).toBe(false);
});

const core = own.filter((path) => path.startsWith('shared/ledger/'));

describe.each(core)('%s', (path) => {
  const text = textOf(path);

  test('opens by saying what it is for', () => expect(text).toMatch(/^\/\*\*/));

  // The core is told the time and handed its luck, so that replaying a history gives the same ledger.
  test.each(['Date.now', 'new Date', 'Math.random', 'process.', 'console.', 'async ', 'await '])(
    'does not say %s',
    (word) => expect(text).not.toContain(word),
  );

  test('has a test of the same name', () => {
    const name = path.replace(/^shared\//, 'test/').replace(/\.ts$/, '.test.ts');
    expect(existsSync(name)).toBe(true);
  });
});

describe('every file', () => {
  test('opens by saying what it is for, but for handlers', () => {
    const silent = own.filter((path) => !textOf(path).startsWith('/**'));
    expect(silent.filter((path) => !/^functions\/[^/]+\/handler\.ts$/.test(path))).toEqual([]);
  });

  test('is named in kebab-case, for what it holds', () => {
    const names = code.map((path) => basename(path));
    expect(
      names.filter(
        (name) => !/^[a-z][a-z0-9-]*(\.(test|bench|config|d))?\.(tsx?|cjs|mjs)$/.test(name),
      ),
    ).toEqual([]);
    const empty = /^(index|utils?|helpers?|common|misc|types|constants|service|manager)\./;
    expect(names.filter((name) => empty.test(name))).toEqual([]);
  });

  test('leaves nothing for later', () => {
    expect(placesOf(all, new RegExp(`\\b(FIX${'ME'}|TO${'DO'}|X${'XX'}):?\\b`))).toEqual([]);
  });

  test('has no banners', () => {
    expect(placesOf(code, /^\s*\/[/*]+\s*[-=*─━#]{4,}/)).toEqual([]);
  });

  test('says nothing of the place where it was written', () => {
    const hosts =
      /\b(registry|npm|pypi|proxy|repo\d?)\.[a-z-]+\.(org|com|io|dev)\b|artifactory|codeartifact|jfrog/i;
    expect(
      placesOf(
        all.filter((path) => path !== 'test/tidy/tidy.test.ts'),
        hosts,
      ),
    ).toEqual([]);
    expect(placesOf(all, new RegExp(`(^|[^\\w.-])/${'work'}(/|\\b)`))).toEqual([]);
    expect(placesOf(all, /\/(home|Users|root)\/[a-z]/)).toEqual([]);
  });
});

describe('a size', () => {
  const lineCountMax = 400;
  const handlerLineCountMax = 38;

  /** Files that are longer, with the reason. One that got shorter leaves the list. */
  const longer: Readonly<Record<string, string>> = {
    'shared/store/keys.ts': 'the only file that knows a key: each key with its parser beside it',
  };

  test('a file has at most 400 lines, or a reason', () => {
    const long = own.filter((path) => lineCountOf(path) > lineCountMax);
    expect(long.sort()).toEqual(Object.keys(longer).sort());
  });

  test('a handler only names actions', () => {
    const handlers = own.filter((path) => path.endsWith('/handler.ts'));
    expect(handlers.length).toBeGreaterThan(5);
    expect(handlers.filter((path) => lineCountOf(path) > handlerLineCountMax)).toEqual([]);
  });
});

// One word, one meaning; one meaning, one word. The rest of the glossary is in `shared/README.md`.
describe('a word', () => {
  test.each([
    // A header of Standard Webhooks and a member of CloudWatch's metric format are called that.
    ["(?<!'webhook-|start_|end_)timestamp(?!: Date)", 'moment'],
    ['createdAt', 'moment'],
    ['updatedAt', 'moment'],
    ['tenant', 'ledger'],
    ['checksum', 'hash'],
    ['currency', 'symbol'],
    ['payment', 'intent'],
    ['posting', 'entry'],
    ['payload', 'body or data'],
    ['helper', 'what it does'],
  ])('instead of %s we say %s', (word) => {
    const paths = own.filter((path) => !path.startsWith('infra/'));
    expect(placesOf(paths, new RegExp(word, 'i'))).toEqual([]);
  });
});

describe('what is cited exists:', () => {
  const specification = textOf('shared/SPEC.md');
  const rulings = [...specification.matchAll(/^\*\*(\d+)\./gm)].map(([, number]) => Number(number));
  const documents = all.filter((path) => path.endsWith('.md'));
  const decisionsPath = 'shared/ledger/DECISIONS.md';
  const decisions = [...textOf(decisionsPath).matchAll(/^#+ Decision (\d+)/gm)].map(([, number]) =>
    Number(number),
  );

  /** The numbers cited after a word, `Rulings 46 to 48` as three, also over a line's end. */
  function citedIn(paths: readonly string[], word: string): Map<number, string[]> {
    const cited = new Map<number, string[]>();
    const citation = new RegExp(`${word}s?\\s+(\\d+(?:(?:,| and| or| to)+ \\d+)*)`, 'gi');
    for (const path of paths) {
      const text = textOf(path).replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
      for (const [, list = ''] of text.matchAll(citation))
        for (const number of numbersOf(list))
          cited.set(number, [...(cited.get(number) ?? []), path]);
    }
    return cited;
  }

  /** `1, 3 to 5 and 8` is 1, 3, 4, 5 and 8. */
  function numbersOf(list: string): number[] {
    return list.split(/, and |, or |, | and | or /).flatMap((part) => {
      const [first = 0, last = first] = part.split(' to ').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
  }

  test('the numbers of a citation are read', () => {
    expect(numbersOf('1, 3 to 5 and 8')).toEqual([1, 3, 4, 5, 8]);
    expect(citedIn(['shared/ledger/intent.ts'], 'Ruling').has(47)).toBe(true);
  });

  test('rulings', () => {
    const cited = [...citedIn([...code, ...documents], 'Ruling')];
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(([number]) => !rulings.includes(number))).toEqual([]);
  });

  test('rulings are told once, without a gap', () => {
    expect(rulings.toSorted((a, b) => a - b)).toEqual(rulings.map((_, index) => index + 1));
  });

  test('what a rule leaves open leads to the decision, and no decision is led to by none', () => {
    const titles = [...textOf(decisionsPath).matchAll(/^#+ (Decision (\d+) .*)$/gm)];
    const anchors = titles.map(([, title = '', number]) => {
      const anchor = title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
      return `[${number}](ledger/DECISIONS.md#${anchor})`;
    });
    const links = specification.match(/\[\d+\]\([^)]+\)/g) ?? [];
    expect([...new Set(links)].sort()).toEqual(anchors.sort());
  });

  test('decisions', () => {
    const cited = [...citedIn([...code, ...documents], 'Decision')];
    expect(cited.filter(([number]) => !decisions.includes(number))).toEqual([]);
  });

  test('decisions are numbered 1, 2, 3 …', () => {
    expect(decisions).toEqual(decisions.map((_, index) => index + 1));
  });

  test('and what was decided is cited in code or tests', () => {
    const cited = citedIn(code, 'Decision');
    expect(decisions.filter((number) => !cited.has(number))).toEqual([]);
  });
});

describe('what is written twice is equal:', () => {
  const remedy = 'UPDATE_DOCS=1 npm test -- --project tidy';

  test('the version', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(semver).toBe(version);
  });

  test('the table of endpoints', async () => {
    const table = await endpointTable();
    expect(table).toContain('`/wallets/{id}`');
    expect(partOf('functions/README.md', 'endpoints', table), remedy).toBe(table);
  });

  test('the picture of the layers', () => {
    const picture = layerPicture();
    expect(partOf('shared/README.md', 'layers', picture), remedy).toBe(picture);
  });

  test('the layers and those that are introduced', () => {
    const text = textOf('shared/README.md');
    const shared = layers.flatMap((layer) => /^shared\/(.*)/.exec(layer)?.[1] ?? []);
    expect(shared.filter((layer) => !text.includes(`| \`${layer}\` `))).toEqual([]);
  });
});

test('the table of the core names each of its files once', () => {
  const table = textOf('shared/ledger/README.md').match(/^\| `.*/gm) ?? [];
  const cells = table.flatMap((row) => row.split('|')[1] ?? '');
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+\.ts)`/g)]);
  expect(named.map(([, name]) => name).sort()).toEqual(core.map((path) => basename(path)).sort());
});

test('git ignores what the samples of documents write', () => {
  const lines = textOf('.gitignore').split('\n');
  const samples = all
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => textOf(path).match(/^ *```sh\n[\s\S]*?^ *```$/gm) ?? []);
  const written = samples.flatMap((sample) =>
    [...sample.matchAll(/(?:^ *(?:cat|curl|printf) .*> ?|--(?:csv|out) )([\w-]+(\.\w+))/gm)].map(
      ([, name = '', ending = '']) => [`/${name}`, `*${ending}`],
    ),
  );
  expect(written.flat()).toEqual(expect.arrayContaining(['/pay.ts', '/bank.csv', '/system.json']));
  expect(written.filter((one) => !one.some((line) => lines.includes(line)))).toEqual([]);
});

describe.each(groupNames())('the endpoints of %s', (group) => {
  test('lie below its path', async () => {
    const paths = (await endpointsOf(group)).map((endpoint) => endpoint.split(' ')[1] ?? '');
    expect(paths.filter((path) => groupOf(path) !== group)).toEqual([]);
  });

  test('are each listed once, as a method and a path', async () => {
    const endpoints = await endpointsOf(group);
    expect(new Set(endpoints).size).toBe(endpoints.length);
    for (const endpoint of endpoints)
      expect(endpoint).toMatch(/^(GET|POST|PUT|DELETE) \/[a-z0-9/{}!.-]*$/);
  });
});

test('a file that documents and comments name exists', () => {
  const texts = all.filter(
    (path) => /\.(md|ts)$/.test(path) && !path.startsWith('test/') && path !== 'CHANGELOG.md',
  );
  const named = texts.flatMap((path) => {
    const text = textOf(path);
    const prose = path.endsWith('.md')
      ? text
      : (text.match(/\/\*\*?[\s\S]*?\*\//g) ?? []).join('\n');
    return [...prose.matchAll(/`([\w/.-]+\.(?:ts|cjs))`/g)].map(([, name = '']) => ({
      path,
      name,
    }));
  });
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(
    ({ name }) => !all.some((path) => `/${path}`.endsWith(`/${name.replace(/^(\.+\/)+/, '')}`)),
  );
  expect(missing).toEqual([]);
});

test('a link in a document leads somewhere', () => {
  const broken = all
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, link = '']) => `${path.replace(/[^/]*$/, '')}${link}`)
        .filter((target) => !existsSync(target)),
    );
  expect(broken).toEqual([]);
});
