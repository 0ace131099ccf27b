/** Request headers, whatever their case. RFC 9110 5.1. */
import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The value of a header, by its lower-case name; undefined when it was not sent. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value;
  }
  return undefined;
}
