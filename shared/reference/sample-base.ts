/** The address in the samples of the reference, which is replaced by that of the deployment when a page is served. */
export const sampleBase = 'http://127.0.0.1:3000/v2';
