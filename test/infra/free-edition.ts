/**
 * What CloudFormation of LocalStack's free edition makes of each type of resource, as of 4.14.0.
 *
 * Which types there are is the table «Community image» of the documentation of its CloudFormation; which properties, the
 * resource providers in its source, github.com/localstack/localstack, that `create` a type
 * (`localstack-core/localstack/services/*` + `/resource_providers/aws_<service>_<type>.py`), and for
 * streams the table «Behaviour coverage» of the documentation of its Lambda. They were read in copies from 2023 to 2026; what the stack
 * has was then seen at 4.14.0 itself, and what it may come to have is from the documentation alone. A type that
 * is not listed here is skipped there in silence, as are WAF, Cognito, HTTP APIs and all else that is paid.
 */

/** A type of resource: the properties that are heeded, and what follows for those that are not. */
export interface Support {
  readonly heeded: readonly string[];
  readonly idle?: Readonly<Record<string, string>>;
}

const described = { Description: 'shown nowhere' };
const notEnforced = 'kept, and not enforced: every function may do everything';
const notEvaluated = 'kept, and the alarm is never evaluated';
const asynchronous = ['DestinationConfig', 'MaximumEventAgeInSeconds', 'MaximumRetryAttempts'];

export const freeEdition: Readonly<Record<string, Support>> = {
  'AWS::ApiGateway::Account': { heeded: ['CloudWatchRoleArn'] },
  'AWS::ApiGateway::Deployment': { heeded: ['Description', 'RestApiId'] },
  'AWS::ApiGateway::GatewayResponse': {
    heeded: ['ResponseType', 'RestApiId', 'StatusCode'],
    idle: {
      ResponseParameters: 'what the API itself refuses has its plain headers',
      ResponseTemplates: 'what the API itself refuses has its plain body',
    },
  },
  'AWS::ApiGateway::Method': {
    heeded: [
      'AuthorizationType',
      'HttpMethod',
      'Integration',
      'RequestParameters',
      'RequestValidatorId',
      'ResourceId',
      'RestApiId',
    ],
  },
  'AWS::ApiGateway::RequestValidator': {
    heeded: ['Name', 'RestApiId', 'ValidateRequestBody', 'ValidateRequestParameters'],
  },
  'AWS::ApiGateway::Resource': { heeded: ['ParentId', 'PathPart', 'RestApiId'] },
  'AWS::ApiGateway::RestApi': {
    heeded: [
      'BinaryMediaTypes',
      'Description',
      'DisableExecuteApiEndpoint',
      'EndpointConfiguration',
      'MinimumCompressionSize',
      'Name',
      'Policy',
      'Tags',
    ],
  },
  'AWS::ApiGateway::Stage': {
    heeded: ['DeploymentId', 'Description', 'RestApiId', 'StageName', 'Tags', 'Variables'],
    idle: {
      AccessLogSetting: 'kept, and no line is written',
      MethodSettings: 'nothing is throttled',
      TracingEnabled: 'there are no traces',
    },
  },
  'AWS::CDK::Metadata': { heeded: ['Analytics'] },
  'AWS::CloudWatch::Alarm': {
    heeded: [
      'ActionsEnabled',
      'AlarmActions',
      'AlarmDescription',
      'AlarmName',
      'ComparisonOperator',
      'DatapointsToAlarm',
      'Dimensions',
      'EvaluationPeriods',
      'MetricName',
      'Namespace',
      'OKActions',
      'Period',
      'Statistic',
      'Threshold',
      'TreatMissingData',
      'Unit',
    ],
    idle: {
      ExtendedStatistic: notEvaluated,
      Metrics: notEvaluated,
    },
  },
  'AWS::DynamoDB::Table': {
    heeded: [
      'AttributeDefinitions',
      'BillingMode',
      'KeySchema',
      'SSESpecification',
      'StreamSpecification',
      'TableName',
      'Tags',
      'TimeToLiveSpecification',
    ],
    idle: {
      DeletionProtectionEnabled: 'the table can be deleted',
      PointInTimeRecoverySpecification: 'the table cannot be restored',
    },
  },
  'AWS::ECR::Repository': {
    heeded: [],
    idle: {
      ImageScanningConfiguration: 'holds no image',
      ImageTagMutability: 'holds no image',
      LifecyclePolicy: 'holds no image',
      RepositoryName: 'holds no image',
      RepositoryPolicyText: 'holds no image',
    },
  },
  'AWS::Events::EventBus': { heeded: ['Name'], idle: described },
  'AWS::Events::Rule': {
    heeded: [
      'Description',
      'EventBusName',
      'EventPattern',
      'ScheduleExpression',
      'State',
      'Targets',
    ],
  },
  'AWS::IAM::ManagedPolicy': {
    heeded: [
      'Description',
      'Groups',
      'ManagedPolicyName',
      'Path',
      'PolicyDocument',
      'Roles',
      'Users',
    ],
  },
  'AWS::IAM::Policy': {
    heeded: ['PolicyName', 'Roles'],
    idle: { PolicyDocument: notEnforced },
  },
  'AWS::IAM::Role': {
    heeded: ['AssumeRolePolicyDocument', 'Description', 'ManagedPolicyArns', 'RoleName', 'Tags'],
    idle: { PermissionsBoundary: notEnforced, Policies: notEnforced },
  },
  'AWS::KMS::Alias': { heeded: ['AliasName', 'TargetKeyId'] },
  'AWS::KMS::Key': {
    heeded: ['Description', 'EnableKeyRotation', 'Enabled', 'KeySpec', 'KeyUsage', 'Tags'],
    idle: { KeyPolicy: notEnforced, PendingWindowInDays: 'keys go with the container' },
  },
  'AWS::Lambda::EventInvokeConfig': { heeded: ['FunctionName', 'Qualifier', ...asynchronous] },
  'AWS::Lambda::EventSourceMapping': {
    heeded: [
      'BatchSize',
      'DestinationConfig',
      'EventSourceArn',
      'FilterCriteria',
      'FunctionName',
      'FunctionResponseTypes',
      'MaximumBatchingWindowInSeconds',
      'MaximumRecordAgeInSeconds',
      'MaximumRetryAttempts',
      'StartingPosition',
    ],
    idle: {
      BisectBatchOnFunctionError: 'a failing batch is attempted as a whole',
      ParallelizationFactor: 'one batch of a shard at a time',
    },
  },
  'AWS::Lambda::Function': {
    heeded: [
      'Code',
      'Description',
      'Environment',
      'FunctionName',
      'Handler',
      'MemorySize',
      'Role',
      'Runtime',
      'Tags',
      'Timeout',
    ],
    idle: {
      Architectures: 'LAMBDA_IGNORE_ARCHITECTURE: the processor of the machine runs it',
      LoggingConfig:
        'it writes to `/aws/lambda/<function>`, and the log groups of the stack stay empty',
      ReservedConcurrentExecutions: 'as many run as are called',
      TracingConfig: 'there are no traces',
    },
  },
  'AWS::Lambda::Permission': {
    heeded: ['Action', 'FunctionName', 'Principal', 'SourceAccount', 'SourceArn'],
  },
  'AWS::Lambda::Version': { heeded: ['Description', 'FunctionName'] },
  'AWS::Logs::LogGroup': {
    heeded: ['LogGroupName'],
    idle: {
      KmsKeyId: 'logs lie in the container',
      RetentionInDays: 'logs go with the container',
    },
  },
  'AWS::S3::Bucket': {
    heeded: [
      'BucketName',
      'LifecycleConfiguration',
      'PublicAccessBlockConfiguration',
      'VersioningConfiguration',
    ],
    idle: { AccessControl: notEnforced, BucketEncryption: 'files lie in the container' },
  },
  'AWS::S3::BucketPolicy': { heeded: ['Bucket'], idle: { PolicyDocument: notEnforced } },
  'AWS::SNS::Subscription': {
    heeded: ['DeliveryPolicy', 'Endpoint', 'FilterPolicy', 'Protocol', 'RedrivePolicy', 'TopicArn'],
  },
  'AWS::SNS::Topic': {
    heeded: ['DisplayName', 'Subscription', 'Tags', 'TopicName'],
    idle: { KmsMasterKeyId: 'messages are not encrypted' },
  },
  'AWS::SNS::TopicPolicy': { heeded: ['Topics'], idle: { PolicyDocument: notEnforced } },
  'AWS::SQS::Queue': {
    heeded: [
      'DelaySeconds',
      'KmsMasterKeyId',
      'MaximumMessageSize',
      'MessageRetentionPeriod',
      'QueueName',
      'RedrivePolicy',
      'SqsManagedSseEnabled',
      'Tags',
      'VisibilityTimeout',
    ],
  },
  'AWS::SQS::QueuePolicy': { heeded: ['Queues'], idle: { PolicyDocument: notEnforced } },
  'AWS::SSM::Parameter': { heeded: ['Name', 'Type', 'Value'] },
};

/** The functions of templates that its CloudFormation does not know: Feature coverage. */
export const unknownIntrinsics = ['Fn::Cidr', 'Fn::GetAZs', 'Fn::ToJsonString'];

/** The newest runtime of Node that its Lambda has: `services/lambda_/runtimes.py`. */
export const newestNode = 24;
