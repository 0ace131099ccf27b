/**
 * What bundles have in place of `@aws-sdk/middleware-endpoint-discovery`. DynamoDB has told clients where
 * to go by its endpoints for years, nothing asks for discovery, and no step of the client does it.
 */

/** Leaves the configuration of a client as it is. */
export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}

/** Where the client would read whether to discover: nowhere. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};
