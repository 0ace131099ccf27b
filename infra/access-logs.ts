/**
 * What the gateway writes of each request, as JSON: who asked, for which resource, how it ended and how
 * long it took. Never a header, a query, a body, or a path, in which a customer's handle may stand: only
 * the resource, as it is mounted. The id is the one of the answer's `x-request-id` and of the function's log.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { stage } from './topology.ts';

/** Nothing of it is the caller's to choose but the method, so that nobody can write a line of their own. */
export const accessFormat = AccessLogFormat.custom(
  JSON.stringify({
    request: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTimeEpoch(),
    ip: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    resource: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    bytes: AccessLogField.contextResponseLength(),
    ms: AccessLogField.contextResponseLatency(),
    functionMs: AccessLogField.contextIntegrationLatency(),
    functionStatus: AccessLogField.contextIntegrationStatus(),
    error: AccessLogField.contextErrorResponseType(),
    trace: AccessLogField.contextXrayTraceId(),
  }),
);

/** Where these lines go. */
export function accessLogs(scope: Construct, retention: RetentionDays): LogGroup {
  return new LogGroup(scope, 'AccessLogs', { retention, removalPolicy: RemovalPolicy.DESTROY });
}

/** Where the gateway says what went wrong with itself; made ahead, since it would keep them for ever. */
export function executionLogs(scope: Construct, api: RestApi, retention: RetentionDays): LogGroup {
  const { restApiId } = api;
  return new LogGroup(scope, 'GatewayLogs', {
    // The name is the gateway's.
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
    logGroupName: `API-Gateway-Execution-Logs_${restApiId}/${stage}`,
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}
