/** The console, a page. Infra and localstack read this list; the handler answers all of it. */
export const endpoints = ['GET /console', 'GET /console/app.js', 'GET /console/app.css'] as const;
