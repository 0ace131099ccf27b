/**
 * What bundles have in place of `@aws-sdk/credential-provider-node`, which knows every way of being
 * somebody on AWS, and brings four more clients for it. Lambda knows one: it puts the credentials of the
 * function's role into the environment, where they stay as they are for as long as the sandbox lives.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Makes what the clients ask for their credentials, once each. */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    } = process.env;
    if (!accessKeyId || !secretAccessKey)
      throw new Error('There are no credentials in the environment.');
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  };
}
