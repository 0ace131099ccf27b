/**
 * The REST API. Each group is mounted twice, at its path and at everything below it, for any
 * method: the group's own router knows its endpoints, and answers what is not there with a signed
 * 404. What belongs to no group is answered by the root group. Architecture: The parts on AWS.
 */
import { Stack } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type Group, mountsOf, stage } from './topology.ts';

/** Makes the API, still without a path. */
export function gateway(scope: Construct): RestApi {
  const api = new RestApi(scope, 'Gateway', {
    restApiName: Stack.of(scope).stackName,
    description: 'The ledger.',
    endpointTypes: [EndpointType.REGIONAL],
    deployOptions: { stageName: stage, tracingEnabled: true },
    // Bodies reach the functions as the bytes that were sent, so that wrong UTF-8 can be refused.
    binaryMediaTypes: ['*/*'],
    cloudWatchRole: false,
  });
  // It says the address with a slash at the end; the stack says it as clients write it.
  api.node.tryRemoveChild('Endpoint');
  return api;
}

/** Lets a function answer the paths of its group. */
export function mount(api: RestApi, group: Group, handler: IFunction): void {
  for (const path of mountsOf(group)) {
    const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
    api.root.resourceForPath(path).addMethod('ANY', integration);
  }
}

/**
 * The base address of the API. It is put together from the API's id alone: the stage knows its
 * address too, but comes after the functions, who have to know it.
 */
export function addressOf(api: RestApi): string {
  const { region, urlSuffix } = Stack.of(api);
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
}
