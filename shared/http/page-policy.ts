/** The content policy of the pages that the service serves: the reference and the console. */

/**
 * A page may load its own script and style, ask its own server, and nothing else; no text becomes code or HTML.
 * `images` are the sources of images, as the policy names them.
 */
export function pagePolicy(images: "'self'" | 'data:'): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
