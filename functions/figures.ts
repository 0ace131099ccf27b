/** The figures of the functions. They are for CloudWatch, which reads them in the log of a function; elsewhere nobody does. */
import { metricTo } from '../shared/signal/metric.ts';

// Lambda sets it. https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
const isWatched = process.env['AWS_LAMBDA_FUNCTION_NAME'] !== undefined;

export const metric = metricTo((line) => isWatched && process.stdout.write(`${line}\n`));
