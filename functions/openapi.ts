/** The OpenAPI document. A test generates the file; it is bundled as it is. */
import type { OpenApi } from '../shared/reference/openapi.ts';
import document from './openapi.json' with { type: 'json' };

export const openApi = document as unknown as OpenApi;
