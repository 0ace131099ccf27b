/** The version of this service, as its status answers it; equal to that of `package.json`. */
export const semver = '0.1.0';
