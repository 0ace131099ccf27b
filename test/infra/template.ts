/** The stack as CloudFormation gets it, made without bundling, and ways to read it. */
import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { LedgerStack } from '../../infra/ledger-stack.ts';
import { parametersOf } from '../../infra/parameters.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

interface CdkFile {
  readonly context: Readonly<Record<string, unknown>>;
}

/** The feature flags of `cdk.json`, so that the tests see what the command line sees. */
const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as CdkFile;

/** The public key of RFC 8032 7.1, test 1: whose ledger the template is. */
export const owner = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';

/** Makes the stack, of an owner unless the context says otherwise. */
export function stackOf(context: Readonly<Record<string, unknown>> = {}): LedgerStack {
  const beginning = context['access'] === 'open' ? {} : { owner };
  const said = { ...flags, ...beginning, ...context, 'aws:cdk:bundling-stacks': [] };
  const app = new App({ context: said });
  return new LedgerStack(app, 'Countersign', parametersOf(app.node));
}

const made = new Map<string, Template>();

/** The template, made once for each context; fails when its resources depend on each other in a circle. */
export function templateOf(context: Readonly<Record<string, unknown>> = {}): Template {
  const name = JSON.stringify(context);
  const template = made.get(name) ?? Template.fromStack(stackOf(context));
  made.set(name, template);
  return template;
}

/** The resources of a type, by their names in the template. */
export function resourcesOf(template: Template, type: string): Map<string, Resource> {
  return new Map(Object.entries(template.findResources(type) as Record<string, Resource>));
}

/** The only resource of a type. */
export function onlyOf(template: Template, type: string): Resource {
  const [resource, ...others] = resourcesOf(template, type).values();
  if (!resource || others.length > 0) throw new Error(`There is not exactly one ${type}.`);
  return resource;
}

/** What a value of the template refers to: the resource's name without its hash, or its text. */
export function nameIn(value: unknown): string {
  const text = JSON.stringify(value);
  const [, name] = /"(?:Ref|Fn::GetAtt)":\[?"([A-Za-z]+?)[0-9A-F]{8}"/.exec(text) ?? [];
  return name ?? text;
}

/** The functions that are ours, by the folder that they come from. */
export function functionsOf(template: Template): Map<string, Resource> {
  const all = [...resourcesOf(template, 'AWS::Lambda::Function')];
  return new Map(
    all.flatMap(([id, resource]) => {
      const [, name] = /^([a-z]+)Function[0-9A-F]{8}$/.exec(id) ?? [];
      return name ? [[name, resource] as const] : [];
    }),
  );
}

/** The statements of every policy of an identity, by the role that has them. */
export function statementsOf(template: Template): Map<string, readonly Statement[]> {
  const attached = [...resourcesOf(template, 'AWS::IAM::Policy')].map(([id, { Properties }]) => {
    return [id.replace(/RoleDefaultPolicy.*/, ''), statementsIn(Properties)] as const;
  });
  const inline = [...resourcesOf(template, 'AWS::IAM::Role')].flatMap(([id, { Properties }]) => {
    const policies = (Properties['Policies'] ?? []) as Record<string, unknown>[];
    return policies.map((policy) => [id, statementsIn(policy)] as const);
  });
  return new Map([...attached, ...inline]);
}

/** The partitions of the table that a statement is limited to. */
export function partitionsIn({ Condition }: Statement): readonly string[] | undefined {
  const { 'ForAllValues:StringLike': like } = (Condition ?? {}) as {
    readonly 'ForAllValues:StringLike'?: { readonly 'dynamodb:LeadingKeys': readonly string[] };
  };
  return like?.['dynamodb:LeadingKeys'];
}

function statementsIn(policy: Readonly<Record<string, unknown>>): readonly Statement[] {
  return (policy['PolicyDocument'] as { Statement: readonly Statement[] }).Statement;
}
