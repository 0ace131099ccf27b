/**
 * Stands for `@smithy/core/endpoints` in bundles, which derives addresses from rules for each region, partition
 * and account. A function calls the services of its own region.
 */
export { toEndpointV1 } from '@smithy/core/transport';

export interface ServiceAddress {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
}

/** The parts of an address that a request is sent to. */
export function addressOf(url: string): ServiceAddress {
  const { protocol, hostname, port, pathname: path } = new URL(url);
  return { protocol, hostname, path, ...(port && { port: Number(port) }) };
}

/**
 * The address of a service, by the start of its host name: in the region of the function, unless the environment names
 * another, as on LocalStack.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function addressIn(service: string, variable: string, region: string): ServiceAddress {
  const { [variable]: own, AWS_ENDPOINT_URL: shared } = process.env;
  const suffix = region.startsWith('cn-') ? '.cn' : '';
  return addressOf(own || shared || `https://${service}.${region}.amazonaws.com${suffix}`);
}

/** The step by which a command finds its address. It does nothing: the client has the address. */
export function getEndpointPlugin(): { readonly applyToStack: () => void } {
  return { applyToStack: () => {} };
}
