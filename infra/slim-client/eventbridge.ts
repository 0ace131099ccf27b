/** Stands for `@aws-sdk/client-eventbridge` in bundles: its commands, with the slim client. */
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import { errorTypeRegistries } from '../../node_modules/@aws-sdk/client-eventbridge/dist-es/schemas/schemas_0.js';
import { type ClientOptions, SlimClient } from './client.ts';

export * from '../../node_modules/@aws-sdk/client-eventbridge/dist-es/commands/index.js';

export class EventBridgeClient extends SlimClient {
  constructor(options?: ClientOptions) {
    const protocolSettings = {
      defaultNamespace: 'com.amazonaws.eventbridge',
      errorTypeRegistries,
      version: '2015-10-07',
      serviceTarget: 'AWSEvents',
    };
    const names = { name: 'events', variable: 'AWS_ENDPOINT_URL_EVENTBRIDGE' };
    super({ ...names, protocol: AwsJson1_1Protocol, protocolSettings }, options);
  }
}
