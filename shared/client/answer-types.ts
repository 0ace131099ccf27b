/** Types of requests and answers, out of those that openapi-typescript makes of the OpenAPI document. */
import type { components, paths } from './api.d.ts';

export type ApiSchemas = components['schemas'];
export type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { readonly [K in M]: { responses: unknown } } ? P : never;
}[keyof paths];

type OperationAt<P extends keyof paths, M extends Method> = paths[P][M];
type Member<Thing, Name extends string> = Thing extends { [N in Name]?: infer Value }
  ? Value
  : never;
type JsonOf<Thing> = Thing extends { content: { 'application/json': infer Body } } ? Body : never;
type Success<Responses> = { [Status in keyof Responses & (200 | 201)]: JsonOf<Responses[Status]> };

/** The parsed body of a successful answer. */
export type AnswerOf<P extends keyof paths, M extends Method> =
  Success<Member<OperationAt<P, M>, 'responses'>> extends infer Answers
    ? Answers[keyof Answers]
    : never;

type Given<P extends keyof paths, M extends Method, Name extends string> = NonNullable<
  Member<Member<OperationAt<P, M>, 'parameters'>, Name>
>;

/** Members of the path and of the query. */
export interface ParamsOf<P extends keyof paths, M extends Method> {
  readonly path?: Given<P, M, 'path'>;
  /** Further filters are those of the reference: `data.custom.city`, `meta.status.$in`, and others. */
  readonly query?: Given<P, M, 'query'> & Readonly<Record<string, unknown>>;
}

/** The `data` of the body that a request takes. */
export type DataOf<P extends keyof paths, M extends Method> =
  JsonOf<NonNullable<Member<OperationAt<P, M>, 'requestBody'>>> extends { data: infer Data }
    ? Data
    : never;

/** The paths of lists. */
export type ListPath = {
  [P in PathOf<'get'>]: AnswerOf<P, 'get'> extends { data: readonly unknown[] } ? P : never;
}[PathOf<'get'>];

/** An element of a list. */
export type ElementOf<P extends keyof paths> =
  AnswerOf<P, 'get'> extends { data: readonly (infer Element)[] } ? Element : never;
