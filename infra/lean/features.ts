/** What bundles have in place of `@aws-sdk/core/client`, which tells AWS what of the SDK is used: nothing is told. */
export function setFeature(): void {}
