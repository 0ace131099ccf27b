/**
 * The REST API. Each group is mounted twice, at its path and at everything below it, for any
 * method: the group's own router knows its endpoints, and answers what is not there with a signed
 * 404. What belongs to no group is answered by the root group. Architecture: The parts on AWS.
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
import { accessFormat, accessLogs, executionLogs } from './access-logs.ts';
import { gatewayAnswers } from './gateway-answers.ts';
import type { Parameters } from './parameters.ts';
import { acceptApi, acceptMethod } from './suppressions.ts';
import { type Group, mountsOf, stage } from './topology.ts';

/** Makes the API, still without a path. */
export function gateway(scope: Construct, parameters: Parameters): RestApi {
  const { domain, logDays, requestsPerSecond, requestsAtOnce } = parameters;
  const api = new RestApi(scope, 'Gateway', {
    restApiName: Stack.of(scope).stackName,
    description: 'The ledger.',
    endpointTypes: [EndpointType.REGIONAL],
    // With a name of its own it has that one only.
    disableExecuteApiEndpoint: domain !== undefined,
    deployOptions: {
      stageName: stage,
      tracingEnabled: true,
      accessLogDestination: new LogGroupLogDestination(accessLogs(scope, logDays)),
      accessLogFormat: accessFormat,
      // Errors of the gateway itself; it logs no body and no header.
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      throttlingRateLimit: requestsPerSecond,
      throttlingBurstLimit: requestsAtOnce,
    },
    // Bodies reach the functions as the bytes that were sent, so that wrong UTF-8 can be refused.
    binaryMediaTypes: ['*/*'],
    // Without one no API of the account and region may write a log; it stays when the stack goes.
    cloudWatchRole: true,
  });
  // It says the address with a slash at the end; the stack says it as clients write it.
  api.node.tryRemoveChild('Endpoint');
  api.deploymentStage.node.addDependency(executionLogs(scope, api, logDays));
  gatewayAnswers(api, parameters.allowedOrigins);
  acceptApi(api);
  if (domain) nameIt(scope, api, domain);
  return api;
}

/** Lets a function answer the paths of its group. */
export function mount(api: RestApi, group: Group, handler: IFunction): void {
  for (const path of mountsOf(group)) {
    const integration = new LambdaIntegration(handler, { allowTestInvoke: false });
    acceptMethod(api.root.resourceForPath(path).addMethod('ANY', integration));
  }
}

/**
 * The base address of the API. Without a domain it is put together from the API's id alone: the stage
 * knows its address too, but comes after the functions, who have to know it.
 */
export function addressOf(api: RestApi, { domain }: Parameters): string {
  if (domain) return `https://${domain.name}/${stage}`;
  const { region, urlSuffix } = Stack.of(api);
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
}

/** Mounts the stage below a name, at the path that it has without one. */
function nameIt(scope: Construct, api: RestApi, domain: NonNullable<Parameters['domain']>): void {
  const name = new DomainName(scope, 'Domain', {
    domainName: domain.name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificate),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  name.addBasePathMapping(api, { basePath: stage, stage: api.deploymentStage });
  new CfnOutput(scope, 'DomainTarget', {
    value: name.domainNameAliasDomainName,
    description: 'What the CNAME of the domain has to name.',
  });
}
