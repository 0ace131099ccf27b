import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cruised } from './cruise.ts';

const violationsOf = ({ summary }: Awaited<ReturnType<typeof cruised>>) =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);

test('imports point inwards', async () => {
  const result = await cruised(['functions', 'infra', 'localstack', 'shared', 'test']);
  // A cruise that sees nothing also finds nothing wrong.
  const own = result.modules.filter(({ source }) =>
    /^(functions|infra|localstack|shared)\//.test(source),
  );
  expect(own.length).toBeGreaterThan(40);
  expect(result.modules.some(({ source }) => source.startsWith('node_modules/zod/'))).toBe(true);
  expect(violationsOf(result)).toEqual([]);
});

/** The files of a small house in which everything is allowed. */
const house = {
  'node_modules/zod/index.js': 'export const z = 1;',
  'node_modules/zod/package.json': '{"name":"zod","version":"1.0.0","main":"index.js"}',
  'node_modules/@aws-sdk/client/index.js': 'export const c = 1;',
  'node_modules/@aws-sdk/client/package.json':
    '{"name":"@aws-sdk/client","version":"1.0.0","main":"index.js"}',
  'package.json': '{"name":"house","dependencies":{"zod":"1.0.0","@aws-sdk/client":"1.0.0"}}',
  'shared/ledger/errors.ts': 'export const e = 1; export type E = 1;',
  'shared/ledger/kind.ts': 'export const k = 1; export type K = 1;',
  'shared/ledger/settle.ts':
    "import type { S } from '../shape/intent.ts'; import { e } from './errors.ts'; export const s: S = e;",
  'shared/shape/intent.ts':
    "import { z } from 'zod'; import type { K } from '../ledger/kind.ts'; export const s: K = z; export type S = 1;",
  'shared/crypto/digest.ts':
    "import { createHash } from 'node:crypto'; import { e } from '../ledger/errors.ts'; export const d = [createHash, e]; export type D = 1;",
  'shared/port/ports.ts': "import type { S } from '../shape/intent.ts'; export type P = S;",
  'shared/action/create.ts':
    "import { d } from '../crypto/digest.ts'; import { s } from '../shape/intent.ts'; export const c = [d, s];",
  'shared/access/perform.ts':
    "import { d } from '../crypto/digest.ts'; import type { P } from '../port/ports.ts'; export const c: P = d;",
  'shared/http/api.ts':
    "import type { z } from 'zod'; import type { D } from '../crypto/digest.ts'; import { c } from '../access/perform.ts'; export const a: [D, z] = c;",
  'shared/store/read.ts':
    "import { c } from '@aws-sdk/client'; import type { P } from '../port/ports.ts'; export const r: P = c;",
  'functions/wiring.ts': "import { r } from '../shared/store/read.ts'; export const w = r;",
  'functions/wallets/endpoints.ts': 'export const n = 1;',
  'functions/wallets/handler.ts': "import { w } from '../wiring.ts'; export const h = w;",
  'infra/topology.ts': "import { n } from '../functions/wallets/endpoints.ts'; export const t = n;",
  'localstack/runtime/start.ts':
    "import { t } from '../../infra/topology.ts'; import { h } from '../../functions/wallets/handler.ts'; export const l = [t, h];",
  'test/start.test.ts': "import { l } from '../localstack/runtime/start.ts'; export const x = l;",
};

/** What the rules find in the small house with one more file, or with one of its files changed. */
async function foundWith(path: string, text: string): Promise<string[]> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'layers-')));
  try {
    for (const [file, content] of Object.entries({ ...house, [path]: text })) {
      mkdirSync(dirname(join(base, file)), { recursive: true });
      writeFileSync(join(base, file), content);
    }
    const result = await cruised(['functions', 'infra', 'localstack', 'shared', 'test'], base);
    expect(result.modules.length).toBeGreaterThanOrEqual(Object.keys(house).length - 3);
    return result.summary.violations.map(({ rule }) => rule.name);
  } finally {
    rmSync(base, { recursive: true });
  }
}

describe('a planted violation is found:', () => {
  test('none, where there is none', async () => {
    expect(await foundWith('shared/ledger/new.ts', 'export const n = 1;')).toEqual([]);
  });

  test.each([
    [
      'an outward import',
      'shared/ledger/new.ts',
      "import '../action/create.ts';",
      'layer: shared/ledger',
    ],
    [
      'an outward type',
      'shared/action/new.ts',
      "import type { a } from '../http/api.ts'; export type N = typeof a;",
      'layer: shared/action',
    ],
    [
      'a store that acts',
      'shared/store/new.ts',
      "import '../action/create.ts';",
      'layer: shared/store',
    ],
    [
      'a record that asks who may',
      'shared/record/new.ts',
      "import '../access/perform.ts';",
      'layer: shared/record',
    ],
    [
      'an action that knows the store',
      'shared/action/new.ts',
      "import '../store/read.ts';",
      'layer: shared/action',
    ],
    [
      'a core that runs shapes',
      'shared/ledger/new.ts',
      "import '../shape/intent.ts';",
      'types only: shared/ledger, shared/shape',
    ],
    [
      'a shape that runs the core',
      'shared/shape/new.ts',
      "import '../ledger/kind.ts';",
      'types only: shared/shape, shared/ledger/kind.ts',
    ],
    [
      'a shape that looks elsewhere in the core',
      'shared/shape/new.ts',
      "import type { E } from '../ledger/errors.ts'; export type N = E;",
      'layer: shared/shape',
    ],
    [
      'an HTTP that hashes',
      'shared/http/new.ts',
      "import '../crypto/digest.ts';",
      'types only: shared/http, shared/crypto',
    ],
    [
      'an HTTP that runs zod',
      'shared/http/new.ts',
      "import { z } from 'zod'; export const n = z;",
      'packages: shared/http, zod',
    ],
    [
      'a package in the core',
      'shared/ledger/new.ts',
      "import { z } from 'zod'; export const n = z;",
      'packages: shared/ledger',
    ],
    [
      'a package in an action',
      'shared/action/new.ts',
      "import { c } from '@aws-sdk/client'; export const n = c;",
      'packages: shared/action',
    ],
    [
      'a courier that knows the database',
      'shared/delivery/new.ts',
      "import { c } from '@aws-sdk/client'; export const n = c;",
      'packages: shared/delivery',
    ],
    [
      'a signal that knows who hears it',
      'shared/signal/new.ts',
      "import { r } from '../store/read.ts'; export const n = r;",
      'layer: shared/signal',
    ],
    [
      'the SDK beside the wiring',
      'functions/wallets/new.ts',
      "import { c } from '@aws-sdk/client'; export const n = c;",
      'packages: functions, @aws-sdk',
    ],
    [
      'a core that reads files',
      'shared/ledger/new.ts',
      "import { readFileSync } from 'node:fs'; export const n = readFileSync;",
      'pure: shared/ledger',
    ],
    [
      'a stack that loads a handler',
      'infra/new.ts',
      "import { h } from '../functions/wallets/handler.ts'; export const n = h;",
      'layer: infra',
    ],
    [
      'a shared file that knows a function',
      'shared/action/new.ts',
      "import { w } from '../../functions/wiring.ts'; export const n = w;",
      'layer: shared/action',
    ],
    [
      'a folder that is no layer',
      'shared/utils/new.ts',
      "import '../ledger/errors.ts';",
      'every folder is a layer',
    ],
    [
      'a cycle',
      'shared/ledger/errors.ts',
      "import { s } from './settle.ts'; export const e = s;",
      'no cycles',
    ],
    [
      'an import of a test',
      'localstack/new.ts',
      "import '../test/start.test.ts';",
      'nothing imports a test',
    ],
    [
      'a file that is not there',
      'shared/action/new.ts',
      "import './gone.ts';",
      'everything is found',
    ],
  ])('%s', async (_, path, text, rule) => {
    expect(await foundWith(path, text)).toContain(rule);
  });
});
