/**
 * The REST API. Each group is mounted twice, at its path and at everything below it, for any method. The router in the
 * group's function knows the endpoints, and answers an unknown one with a signed 404. Paths of no group go to the root
 * group.
 */
import { CfnOutput, Stack } from 'aws-cdk-lib';
import {
  DomainName,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { accessLogFormat, accessLogs, executionLogs } from './access-logs.ts';
import { gatewayErrors } from './gateway-answers.ts';
import type { Parameters } from './parameters.ts';
import { acceptApi, acceptMethod } from './suppressions.ts';
import { type FunctionGroup, mountsOf, stage } from './topology.ts';

/** Makes the API without any path; `mount` adds them. */
export function gateway(scope: Construct, parameters: Parameters): RestApi {
  const { domain, logDays, requestsPerSecond, requestsAtOnce } = parameters;
  const api = new RestApi(scope, 'Gateway', {
    restApiName: Stack.of(scope).stackName,
    description: 'The API of the ledger.',
    endpointTypes: [EndpointType.REGIONAL],
    // With a custom domain, that is the only name of the API.
    disableExecuteApiEndpoint: domain !== undefined,
    deployOptions: {
      stageName: stage,
      tracingEnabled: true,
      accessLogDestination: new LogGroupLogDestination(accessLogs(scope, logDays)),
      accessLogFormat,
      // Logs errors of the gateway itself, and never a body or a header.
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      throttlingRateLimit: requestsPerSecond,
      throttlingBurstLimit: requestsAtOnce,
    },
    // Bodies reach the functions as the bytes that were sent, so that invalid UTF-8 can be refused.
    binaryMediaTypes: ['*/*'],
    // All APIs of an account and region write logs under one role. It stays when the stack is deleted.
    cloudWatchRole: true,
  });
  // CDK's own output of the address ends in a slash; the stack's output `Address` does not.
  api.node.tryRemoveChild('Endpoint');
  api.deploymentStage.node.addDependency(executionLogs(scope, api, logDays));
  gatewayErrors(api, parameters.allowedOrigins);
  acceptApi(api);
  if (domain) addDomain(scope, api, domain);
  return api;
}

export function mount(api: RestApi, group: FunctionGroup, handler: IFunction): void {
  for (const path of mountsOf(group)) {
    const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
    acceptMethod(api.root.resourceForPath(path).addMethod('ANY', integration));
  }
}

/**
 * The base address of the API. Without a domain it is made from the API's id: the stage has the address too, but
 * depends on the functions, which need the address.
 */
export function addressOf(api: RestApi, { domain }: Parameters): string {
  if (domain) return `https://${domain.name}/${stage}`;
  const { region, urlSuffix } = Stack.of(api);
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
}

/** Maps a custom domain to the stage, at the same path as without one. */
function addDomain(
  scope: Construct,
  api: RestApi,
  domain: NonNullable<Parameters['domain']>,
): void {
  const name = new DomainName(scope, 'Domain', {
    domainName: domain.name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificate),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  name.addBasePathMapping(api, { basePath: stage, stage: api.deploymentStage });
  new CfnOutput(scope, 'DomainTarget', {
    value: name.domainNameAliasDomainName,
    description: 'The target for the CNAME record of the domain.',
  });
}
