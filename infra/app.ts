/** The CDK app: `npm run synth` and `npx cdk deploy` run it. It needs no account to synthesize. */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { LedgerStack } from './ledger-stack.ts';
import { ParameterError, parametersOf } from './parameters.ts';

try {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  new LedgerStack(app, 'Countersign', parametersOf(app.node));
} catch (error) {
  if (!(error instanceof ParameterError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
