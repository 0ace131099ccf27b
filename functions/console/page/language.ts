/**
 * A language for the page where that of the browser is no valid tag, such as `en-US@posix` of a container without one. The
 * chart formats numbers by it as soon as its module is loaded.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
