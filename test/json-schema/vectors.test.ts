/**
 * Goal: what JSON Schema says of each keyword that schemas may use is what we judge. The cases are our own, in both
 * drafts; the official suite (github.com/json-schema-org/JSON-Schema-Test-Suite) is run besides where a checkout of it is
 * named: `JSON_SCHEMA_TEST_SUITE=<folder>`. What of it does not apply here is listed, case by case, with the reason.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { draft7, draft2020, keywordsOf } from '../../shared/json-schema/keyword.ts';
import { schemaMaker } from '../../shared/json-schema/maker.ts';
import { LedgerError } from '../../shared/ledger/errors.ts';
import groups from '../vectors/json-schema.json' with { type: 'json' };
import exceptions from '../vectors/json-schema-suite.json' with { type: 'json' };

interface Group {
  readonly keyword: string;
  readonly drafts?: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

const drafts = [
  ['7', draft7, 'draft7'],
  ['2020-12', draft2020, 'draft2020-12'],
] as const;

const groupsOf = (draft: string) =>
  (groups as readonly Group[]).filter(({ drafts = [draft] }) => drafts.includes(draft));

/** What tells people something and refuses nothing, whatever it says. */
const saysNothing: Readonly<Record<string, unknown>> = {
  $schema: undefined,
  $id: 'https://bank.example/any',
  $comment: 'a',
  $vocabulary: { 'https://bank.example/vocabulary': true },
  title: 'a',
  description: 'a',
  default: 5,
  examples: [5],
  readOnly: true,
  writeOnly: true,
  contentMediaType: 'application/json',
  contentEncoding: 'base64',
  contentSchema: false,
};

describe.each(drafts)('in draft %s', (draft, uri) => {
  test.each(groupsOf(draft))('$keyword: $schema', ({ schema, valid, invalid }) => {
    const judge = schemaMaker({ $schema: uri, ...schema });
    expect(valid.filter((data) => judge(data).length > 0)).toEqual([]);
    expect(invalid.filter((data) => judge(data).length === 0)).toEqual([]);
  });

  test('every keyword that may be used has a case that fails without it, or says nothing', () => {
    const refusing = groupsOf(draft).filter(({ invalid }) => invalid.length > 0);
    const covered = new Set(refusing.map(({ keyword }) => keyword));
    // A bare `definitions` refuses nothing; the cases of `$ref` lead there.
    const quiet = [...Object.keys(saysNothing), 'definitions'];
    expect([...keywordsOf[uri]].filter((one) => !covered.has(one) && !quiet.includes(one))).toEqual(
      [],
    );
  });

  test('what says nothing refuses nothing', () => {
    for (const [keyword, value] of Object.entries(saysNothing)) {
      if (value === undefined || !keywordsOf[uri].has(keyword)) continue;
      const judge = schemaMaker({ $schema: uri, [keyword]: value });
      expect([keyword, ...[1, 'a', {}, []].flatMap(judge)]).toEqual([keyword]);
    }
  });
});

test('there are as many cases as there were', () => {
  const counted = drafts.map(([draft]) =>
    groupsOf(draft).reduce((sum, { valid, invalid }) => sum + valid.length + invalid.length, 0),
  );
  expect(counted).toEqual([434, 472]);
});

/** What is not as the official suite has it, by reason, file and group; with ` › `, one case of the group. */
const apart = exceptions as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const suite = process.env['JSON_SCHEMA_TEST_SUITE'];

describe.skipIf(!suite)('the official suite', () => {
  test.each(drafts)('of draft %s is as we judge, but for what is listed', (_, uri, folder) => {
    const found = readdirSync(join(suite ?? '', 'tests', folder))
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) =>
        otherwiseIn(readFileSync(join(suite ?? '', 'tests', folder, name), 'utf8'), uri).map(
          (what) => `${folder}/${name}: ${what}`,
        ),
      );
    const listed = Object.values(apart).flatMap((files) =>
      Object.entries(files)
        .filter(([file]) => file.startsWith(`${folder}/`))
        .flatMap(([file, all]) => all.map((what) => `${file}: ${what}`)),
    );
    expect(found.sort()).toEqual(listed.sort());
  });
});

interface OfficialGroup {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/** The groups of a file whose schema is refused, and the cases that are judged otherwise. */
function otherwiseIn(text: string, $schema: string): string[] {
  return (JSON.parse(text) as OfficialGroup[]).flatMap(({ description, schema, tests }) => {
    const judge = typeof schema === 'object' ? judgeOf({ $schema, ...schema }) : undefined;
    if (!judge) return [description];
    return tests
      .filter(({ data, valid }) => (judge(data).length === 0) !== valid)
      .map((one) => `${description} › ${one.description}`);
  });
}

function judgeOf(schema: unknown) {
  try {
    return schemaMaker(schema);
  } catch (error) {
    if (error instanceof LedgerError) return undefined;
    throw error;
  }
}
