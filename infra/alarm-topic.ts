/** The SNS topic of the alarms. It has a key of its own, and only CloudWatch may publish to it. */
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';

/** Makes the topic. An e-mail address receives every alarm, once its owner has confirmed the subscription. */
export function alarmTopic(scope: Construct, email: string | undefined): Topic {
  // CloudWatch cannot publish under a key that AWS manages for SNS.
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
  const masterKey = new Key(scope, 'AlarmKey', {
    description: 'Encrypts alarm notifications.',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const topic = new Topic(scope, 'AlarmTopic', {
    displayName: Stack.of(scope).stackName,
    masterKey,
    enforceSSL: true,
  });
  masterKey.addToResourcePolicy(ofCloudWatch(scope, ['kms:Decrypt', 'kms:GenerateDataKey'], '*'));
  topic.addToResourcePolicy(ofCloudWatch(scope, ['sns:Publish'], topic.topicArn));
  if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
  return topic;
}

/** Allows actions to CloudWatch, for alarms of this account only. */
function ofCloudWatch(scope: Construct, actions: string[], resource: string): PolicyStatement {
  return new PolicyStatement({
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions,
    resources: [resource],
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  });
}
