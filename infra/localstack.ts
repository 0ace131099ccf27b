/**
 * Adapts the stack to LocalStack. Resources that its free edition lacks are removed by type from the finished stack, so
 * that no other file knows of LocalStack. `test/infra/free-edition.ts` lists what the edition has.
 *
 * The edition has no custom resources, so the deployment cannot make the default ledger. The output `Founder` names the
 * function that makes it, and the deployer calls that.
 */
import { CfnOutput, CfnResource, type Stack } from 'aws-cdk-lib';
import { CfnRestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';

/** Types that no request needs. */
const leftOut: readonly RegExp[] = [
  /^AWS::CloudWatch::Dashboard$/,
  /^AWS::Events::Archive$/,
  /^Custom::/,
];

/** Adapts a finished stack. Its API gets the id `api`, so that the address is known beforehand. */
export function adaptToLocalStack(stack: Stack, api: string): void {
  for (const child of stack.node.findAll()) {
    if (isLeftOut(child)) child.node.scope?.node.tryRemoveChild(child.node.id);
    // LocalStack: API Gateway, Custom IDs for API Gateway resources via tags.
    if (child instanceof CfnRestApi) child.tags.setTag('_custom_id_', api);
    // It takes the media type of all bytes for none, and answers base64 as text.
    if (child instanceof CfnFunction)
      child.addPropertyOverride('Environment.Variables.TEXT_ONLY', '1');
    if (child instanceof CfnFunction && child.node.path.endsWith('/found/Function/Resource'))
      new CfnOutput(stack, 'Founder', {
        value: child.ref,
        description: 'The function that makes the default ledger.',
      });
  }
}

function isLeftOut(child: unknown): child is CfnResource {
  if (!CfnResource.isCfnResource(child)) return false;
  const isOfCustomResources = /CustomResourceProvider\/(Role|Handler)$/.test(child.node.path);
  return isOfCustomResources || leftOut.some((type) => type.test(child.cfnResourceType));
}
