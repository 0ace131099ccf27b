/**
 * Logs of the gateway. The access log has a line of JSON for each request: address, resource, outcome and duration. It
 * names the resource as it is mounted, and leaves out path, query, headers and body, which may contain a customer's
 * handle. `request` is the id in `x-request-id` of the answer and in the function's log.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { stage } from './topology.ts';

/** The method is the only field that the caller chooses, so no caller can forge a line. */
export const accessLogFormat = AccessLogFormat.custom(
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

export function accessLogs(scope: Construct, retention: RetentionDays): LogGroup {
  return new LogGroup(scope, 'AccessLogs', { retention, removalPolicy: RemovalPolicy.DESTROY });
}

/** The log group for errors of the gateway itself. The gateway would create it without a retention period. */
export function executionLogs(scope: Construct, api: RestApi, retention: RetentionDays): LogGroup {
  const { restApiId } = api;
  return new LogGroup(scope, 'GatewayLogs', {
    // API Gateway prescribes the name.
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
    logGroupName: `API-Gateway-Execution-Logs_${restApiId}/${stage}`,
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}
