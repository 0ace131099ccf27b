/**
 * By whom a bundle asks: Lambda puts the credentials of the function's role into the environment, where
 * they stay as they are for as long as the sandbox lives.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

let known: Credentials | undefined;

/** The credentials of this function, read once. */
export async function credentials(): Promise<Credentials> {
  known ??= read();
  return known;
}

function read(): Credentials {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey)
    throw new Error('There are no credentials in the environment.');
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
