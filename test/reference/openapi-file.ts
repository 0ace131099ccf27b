/** The document as the sources say it; `functions/openapi.json` is to be the same. */
import { semver } from '../../functions/version.ts';
import { groups, stage } from '../../infra/topology.ts';
import { openApiOf } from '../../shared/reference/document.ts';
import type { OpenApi } from '../../shared/reference/openapi.ts';

export const openApiPath = 'functions/openapi.json';

/** Makes the document from the endpoints of all groups. */
export function newOpenApi(): OpenApi {
  return openApiOf({ groups, version: semver, server: `/${stage}` });
}
