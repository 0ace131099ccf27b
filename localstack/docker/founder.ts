/**
 * Calls the function that makes the default ledger. On AWS the deployment does, by a custom resource, which the free
 * edition of LocalStack lacks.
 */
import { readFile } from 'node:fs/promises';
import { endpoint, outputsFile, region } from './place.ts';
import { ToolError } from './tool.ts';

/** Time limit in milliseconds; the first call may wait for the download of the runtime's image. */
const callMsMax = 300_000;

/** LocalStack reads only the region in it. */
const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/lambda/aws4_request, SignedHeaders=host, Signature=0`;

/** The default ledger, and the public key that verifies its answers. */
interface Founded {
  readonly ledger: string;
  readonly public: string;
}

/** Makes the default ledger; calling it again changes nothing. */
export async function found(): Promise<Founded> {
  const name = await founderIn(outputsFile);
  const answer = await fetch(`${endpoint}/2015-03-31/functions/${name}/invocations`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(callMsMax),
  }).catch((error: unknown) => {
    throw new ToolError(`LocalStack does not answer: ${String(error)}`);
  });
  const text = await answer.text();
  const isMade = answer.ok && !answer.headers.has('x-amz-function-error');
  if (!isMade) throw new ToolError(`The default ledger was not made: ${answer.status} ${text}`);
  return JSON.parse(text) as Founded;
}

async function founderIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  const { Countersign } = JSON.parse(text) as { Countersign?: { Founder?: string } };
  if (!Countersign?.Founder)
    throw new ToolError(`The deployment wrote no output Founder to ${file}.`);
  return Countersign.Founder;
}
