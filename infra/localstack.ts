/**
 * The stack for LocalStack. What its free edition does not have is left out, by type and at the end,
 * so that the rest of the stack knows nothing of it: `test/infra/free-edition.ts` says what it has.
 *
 * Custom resources are among what is missing, so nothing makes the default ledger there: who deploys
 * calls its maker, whose name the stack tells.
 */
import { CfnOutput, CfnResource, type Stack } from 'aws-cdk-lib';
import { CfnRestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';

/** What can be missing without being missed: nothing that a request needs. */
const leftOut: readonly RegExp[] = [
  /^AWS::CloudWatch::Dashboard$/,
  /^AWS::Events::Archive$/,
  /^Custom::/,
];

/** Fits a finished stack. The id of its API is `api`, so that its address is known beforehand. */
export function fitLocalStack(stack: Stack, api: string): void {
  for (const child of stack.node.findAll()) {
    if (isLeftOut(child)) child.node.scope?.node.tryRemoveChild(child.node.id);
    // LocalStack: API Gateway, Custom IDs for API Gateway resources via tags.
    if (child instanceof CfnRestApi) child.tags.setTag('_custom_id_', api);
    if (child instanceof CfnFunction && child.node.path.endsWith('/found/Function/Resource'))
      new CfnOutput(stack, 'Founder', { value: child.ref });
  }
}

function isLeftOut(child: unknown): child is CfnResource {
  if (!CfnResource.isCfnResource(child)) return false;
  const isOfCustomResources = /CustomResourceProvider\/(Role|Handler)$/.test(child.node.path);
  return isOfCustomResources || leftOut.some((type) => type.test(child.cfnResourceType));
}
