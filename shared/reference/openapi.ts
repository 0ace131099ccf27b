/** Types for the parts of OpenAPI 3.1 that the document uses. */

/** JSON Schema, dialect 2020-12. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: Schema;
}

interface ResponseHeader {
  readonly description: string;
  readonly schema: Schema;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, ResponseHeader | Reference>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  /** By default that of the document. */
  readonly security?: OpenApi['security'];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

/** A request that the service sends; it has no name of its own. */
export interface SentOperation
  extends Pick<Operation, 'summary' | 'description' | 'tags' | 'security' | 'responses'> {
  readonly parameters?: readonly Reference[];
  readonly requestBody: NonNullable<Operation['requestBody']>;
}

export type OperationMethod = 'get' | 'post' | 'put' | 'delete';

interface Server {
  readonly url: string;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>> & {
    readonly title: string;
    readonly version: string;
    readonly description: string;
  };
  readonly servers: readonly Server[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<OperationMethod, Operation>>>>>;
  /** The requests that the service sends, by name. */
  readonly webhooks?: Readonly<
    Record<string, Readonly<Partial<Record<OperationMethod, SentOperation>>>>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, ResponseHeader>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

export function nameOfRef({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
