/** What every endpoint takes, answers and refuses. The file is made by the tests, and bundled as it is. */
import type { OpenApi } from '../shared/reference/openapi.ts';
import document from './openapi.json' with { type: 'json' };

export const openApi = document as unknown as OpenApi;
