/** What bundles have in place of packages whose code is never reached; `bundling.ts` says which, and why. */
export {};
