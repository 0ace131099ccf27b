/** Stands for `@aws-sdk/client-dynamodb` in bundles: its commands, with the slim client. */
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { DynamoDBJsonCodec2 } from '@aws-sdk/dynamodb-codec';
import { errorTypeRegistries } from '../../node_modules/@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js';
import { type ClientOptions, SlimClient } from './client.ts';

export * from '../../node_modules/@aws-sdk/client-dynamodb/dist-es/commands/index.js';

export class DynamoDBClient extends SlimClient {
  constructor(options?: ClientOptions) {
    const protocolSettings = {
      defaultNamespace: 'com.amazonaws.dynamodb',
      errorTypeRegistries,
      version: '2012-08-10',
      serviceTarget: 'DynamoDB_20120810',
      jsonCodec: new DynamoDBJsonCodec2(),
    };
    const names = { name: 'dynamodb', variable: 'AWS_ENDPOINT_URL_DYNAMODB' };
    super({ ...names, protocol: AwsJson1_0Protocol, protocolSettings }, options);
  }
}
