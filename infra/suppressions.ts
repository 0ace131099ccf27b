/**
 * Rules of cdk-nag (AwsSolutions) that do not fit, each accepted at its resource. A reason says why that is safe, not
 * why it is convenient.
 * https://github.com/cdklabs/cdk-nag/blob/main/RULES.md
 */
import { Validations } from 'aws-cdk-lib';
import type { Method, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';

const logPolicy =
  'Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';

export function acceptMethod(method: Method): void {
  accept(method, {
    'AwsSolutions-APIG4':
      'Callers are identified by signatures: the functions verify them and apply the access rules of the ledger.',
    'AwsSolutions-COG4': 'Callers are identified by their keys, not as users of Cognito.',
  });
}

/** Accepts rules for the API, its stage, and the role under which it logs. */
export function acceptApi(api: RestApi): void {
  accept(api.node.findChild('Resource'), {
    'AwsSolutions-APIG2':
      'Each function validates the bytes of a body as strict JSON, and answers an error that is signed.',
  });
  accept(api.deploymentStage, {
    'AwsSolutions-APIG3':
      'The operator decides which addresses to block, and can attach a web ACL to the stage at any time.',
  });
  accept(api.node.findChild('CloudWatchRole'), {
    [`AwsSolutions-IAM4[${logPolicy}]`]:
      'API Gateway has one role for logs in an account and region, for which AWS prescribes this policy.',
  });
}

export function acceptTracing(role: Role): void {
  accept(role, {
    'AwsSolutions-IAM5[Resource::*]':
      'X-Ray has no resource-level permissions. The tests assert that there is no other wildcard.',
  });
}

export function acceptLast(queue: Queue): void {
  accept(queue, {
    'AwsSolutions-SQS3': 'It is a dead-letter queue itself; no function reads from it.',
  });
}

function accept(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons))
    Validations.of(construct).acknowledge({ id, reason });
}
