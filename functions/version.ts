/** The version of this service; a test compares it with `package.json`. */
export const semver = '0.2.0';
