/** Stands for packages that bundles load and never use; `bundling.ts` says which, and why. */

/** Of `@aws-sdk/core/client`, which tells AWS what features of the SDK a program uses. */
export function setFeature(): void {}
