/**
 * Goal: the stack that is deployed to LocalStack holds nothing that its free edition skips or
 * refuses. Method: the template is made as `npm run localstack` makes it, and each type and property
 * in it is looked up; so is the template that bootstraps an account for the CDK.
 */
import { spawnSync } from 'node:child_process';
import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { parameters } from '../../localstack/docker/place.ts';
import { partOf } from '../tidy/documents.ts';
import { freeEdition, newestNode, unknownIntrinsics } from './free-edition.ts';
import { functionsOf, onlyOf, type Resource, templateOf } from './template.ts';

type Resources = Readonly<Record<string, Partial<Resource>>>;

let template: Template;
let resources: Resources;
let bare: Resources;

beforeAll(() => {
  template = templateOf(parameters);
  resources = template.toJSON()['Resources'] as Resources;
  bare = templateOf().toJSON()['Resources'] as Resources;
});

/** The types and properties of a template that the free edition does not have. */
function missingIn(all: Resources): string[] {
  const missing = Object.values(all).flatMap(({ Type = '', Properties = {} }) => {
    const support = freeEdition[Type];
    if (!support) return [Type];
    const known = [...support.heeded, ...Object.keys(support.idle ?? {})];
    const unknown = Object.keys(Properties).filter((name) => !known.includes(name));
    return unknown.map((name) => `${Type} ${name}`);
  });
  return [...new Set(missing)].sort();
}

/** What a template refers to and does not hold. */
function danglingIn(document: Readonly<Record<string, unknown>>): string[] {
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([^":]+)"/g)].map(
    ([, name = '']) => name,
  );
  const held = { ...(document['Resources'] as object), ...(document['Parameters'] as object) };
  return [...new Set(names)].filter((name) => !Object.hasOwn(held, name));
}

test('the free edition has each type and property of the stack', () => {
  expect(Object.keys(resources).length).toBeGreaterThan(100);
  expect(missingIn(resources)).toEqual([]);
});

test('it would not have them all without the parameter', () => {
  expect(missingIn(bare)).toEqual(
    expect.arrayContaining(['AWS::Events::Archive', 'Custom::Trigger']),
  );
});

test('nothing refers to what is left out, and nothing that requests need is', () => {
  expect(danglingIn(template.toJSON())).toEqual([]);
  const countOf = (all: Resources, type: string) =>
    Object.values(all).filter(({ Type }) => Type === type).length;
  const types = new Set(Object.values(bare).flatMap(({ Type = '' }) => Type));
  const fewer = [...types].filter((type) => countOf(resources, type) < countOf(bare, type));
  // A custom resource is itself a function with a role.
  const needless =
    /^Custom::|^AWS::(CloudWatch::Dashboard|Events::Archive|IAM::Role|Lambda::Function)$/;
  expect(fewer.filter((type) => !needless.test(type))).toEqual([]);
  expect([...functionsOf(template).keys()]).toEqual([...functionsOf(templateOf()).keys()]);
});

test('it knows each function of the template', () => {
  const text = JSON.stringify(template.toJSON());
  expect(unknownIntrinsics.filter((name) => text.includes(`"${name}"`))).toEqual([]);
});

test('it has the runtime of the functions', () => {
  for (const [name, { Properties }] of functionsOf(template)) {
    const [, version] = /^nodejs(\d+)\.x$/.exec(String(Properties['Runtime'])) ?? [];
    expect(Number(version), name).toBeLessThanOrEqual(newestNode);
  }
});

test('the API has the id that its address is made of, and the functions know the address', () => {
  const { Properties } = onlyOf(template, 'AWS::ApiGateway::RestApi');
  expect(Properties['Tags']).toEqual([{ Key: '_custom_id_', Value: parameters.localstack }]);
  expect(parameters.serverUrls).toMatch(
    new RegExp(`/_aws/execute-api/${parameters.localstack}/v2$`),
  );
  template.hasOutput('Address', { Value: parameters.serverUrls });
  for (const [name, { Properties: own }] of functionsOf(template)) {
    const { Variables } = own['Environment'] as { Variables: Record<string, unknown> };
    expect(Variables['SERVER_URLS'], name).toBe(parameters.serverUrls);
  }
});

test('its gateway answers no bytes, so its functions compress nothing, and those of AWS do', () => {
  const textOnly = (own: Template) =>
    [...functionsOf(own).values()].map(({ Properties }) => {
      const { Variables } = Properties['Environment'] as { Variables: Record<string, unknown> };
      return Variables['TEXT_ONLY'];
    });
  expect(new Set(textOnly(template))).toEqual(new Set(['1']));
  expect(new Set(textOnly(templateOf()))).toEqual(new Set([undefined]));
});

test('the stack tells who makes the default ledger, since no custom resource calls it', () => {
  const [found] = Object.keys(resources).filter((id) => /^foundFunction[0-9A-F]{8}$/.test(id));
  template.hasOutput('Founder', { Value: { Ref: found } });
});

test('on AWS there is neither a founder to call nor an id of ours', () => {
  const own = templateOf();
  expect(Object.keys(own.findOutputs('*'))).not.toContain('Founder');
  expect(onlyOf(own, 'AWS::ApiGateway::RestApi').Properties).not.toHaveProperty('Tags');
});

describe('the table of the free edition', () => {
  test('is told in the README, where it says what has no effect', () => {
    const lines = Object.entries(freeEdition).flatMap(([type, { idle = {} }]) =>
      Object.entries(idle)
        .filter(([name]) =>
          Object.values(resources).some(
            (each) => each.Type === type && name in (each.Properties ?? {}),
          ),
        )
        .map(
          ([name, follows]) => `| \`${type.replace('AWS::', '')}\` | \`${name}\` | ${follows} |`,
        ),
    );
    const table = ['| type | property | so |', '| --- | --- | --- |', ...lines].join('\n');
    expect(partOf('localstack/README.md', 'idle properties', table)).toBe(table);
  });

  test('has what the CDK makes to bootstrap an account', () => {
    const { stdout } = spawnSync(
      'node_modules/.bin/cdk',
      ['bootstrap', '--show-template', '--json'],
      {
        encoding: 'utf8',
      },
    );
    const { Resources } = JSON.parse(stdout) as { Resources: Resources };
    expect(missingIn(Resources)).toEqual([]);
  });
});
