/** Request headers, whose names ignore case. RFC 9110 5.1. */
import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The value of a header, by its lower-case name. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value;
  }
  return undefined;
}
