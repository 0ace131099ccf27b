/** The document as the sources say it; `functions/openapi.json` is to be the same. */

import openapiTS, { astToString } from 'openapi-typescript';
import { semver } from '../../functions/version.ts';
import { groups, stage } from '../../infra/topology.ts';
import { openApiOf } from '../../shared/reference/document.ts';
import type { OpenApi } from '../../shared/reference/openapi.ts';

export const openApiPath = 'functions/openapi.json';

/** The types that `countersign/client` has of the document. */
export const clientTypesPath = 'shared/client/api.d.ts';

/** Makes the types of a document. The descriptions stay in the document: they would be half a megabyte. */
export async function clientTypes(document: OpenApi): Promise<string> {
  const types = astToString(await openapiTS(JSON.stringify(undescribed(document))));
  return `/** Types of requests and answers, made of \`functions/openapi.json\` by openapi-typescript. */\n${types}`;
}

/** A value without the members that say something to people. */
function undescribed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(undescribed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) =>
      !(
        ['description', 'summary', 'example', 'examples'].includes(name) &&
        typeof member !== 'object'
      ) && name !== 'example',
  );
  return Object.fromEntries(members.map(([name, member]) => [name, undescribed(member)]));
}

/** Makes the document from the endpoints of all groups. */
export function newOpenApi(): OpenApi {
  return openApiOf({ groups, version: semver, server: `/${stage}` });
}
