/** Request headers, whose names ignore case. RFC 9110 5.1. */
import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * The value of a header, by its lower-case name. One that is repeated has all its values, with commas between them (RFC 9110
 * 5.3), so that a second token or ledger is refused and not passed over.
 */
export function headerOf(
  { headers, multiValueHeaders }: APIGatewayProxyEvent,
  name: string,
): string | undefined {
  const values = Object.entries(multiValueHeaders ?? headers ?? {}).flatMap(([key, value]) =>
    key.toLowerCase() === name ? (value ?? []) : [],
  );
  return values.length > 0 ? values.join(', ') : undefined;
}
