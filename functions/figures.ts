/** Metrics of the functions. CloudWatch reads them from the log of a function; elsewhere they are not written. */
import { metricWriter } from '../shared/signal/metric.ts';

// Lambda sets it. https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
const isWatched = process.env['AWS_LAMBDA_FUNCTION_NAME'] !== undefined;

export const metric = metricWriter((line) => isWatched && process.stdout.write(`${line}\n`));
