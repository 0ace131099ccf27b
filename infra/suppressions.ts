/**
 * The rules of cdk-nag (AwsSolutions) that do not fit here, each where it does not fit and with the reason.
 * Whoever adds one says why it is safe, not why it is convenient.
 * https://github.com/cdklabs/cdk-nag/blob/main/RULES.md
 */
import { Validations } from 'aws-cdk-lib';
import type { Method, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';

const logPolicy =
  'Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';

/** A method of the API. */
export function acceptMethod(method: Method): void {
  accept(method, {
    'AwsSolutions-APIG4':
      'Callers are known by what they have signed: the functions verify it and ask the rules of the ledger.',
    'AwsSolutions-COG4': 'Callers are known by their keys, not as users of Cognito.',
  });
}

/** The API itself, its stage, and the role under which it logs. */
export function acceptApi(api: RestApi): void {
  accept(api.node.findChild('Resource'), {
    'AwsSolutions-APIG2':
      'The doors of each function judge the bytes before anything is read, and refuse in a signed answer.',
  });
  accept(api.deploymentStage, {
    'AwsSolutions-APIG3':
      'Which addresses to block is for the operator to say, whose own web ACL can be put on the stage at any time.',
  });
  accept(api.node.findChild('CloudWatchRole'), {
    [`AwsSolutions-IAM4[${logPolicy}]`]:
      'API Gateway has one role for logs in an account and region, for which AWS prescribes this policy.',
  });
}

/** The role of a function, which may write traces. */
export function acceptTraces(role: Role): void {
  accept(role, {
    'AwsSolutions-IAM5[Resource::*]':
      'X-Ray knows no resources. The tests list every other wildcard, of which there is none.',
  });
}

/** A queue for dead letters. */
export function acceptLast(queue: Queue): void {
  accept(queue, {
    'AwsSolutions-SQS3': 'It is the queue of dead letters; nothing takes messages from it.',
  });
}

function accept(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons))
    Validations.of(construct).acknowledge({ id, reason });
}
