/** Declares the modules inside the SDK's packages that the slim client imports: they have no declarations of their own. */
declare module '*/client-dynamodb/dist-es/commands/index.js' {
  export * from '@aws-sdk/client-dynamodb';
}
declare module '*/client-eventbridge/dist-es/commands/index.js' {
  export * from '@aws-sdk/client-eventbridge';
}
declare module '*/dist-es/schemas/schemas_0.js' {
  export const errorTypeRegistries: readonly object[];
}
