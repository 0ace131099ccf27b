/**
 * Event patterns of EventBridge rules and Lambda filters, as far as the topology uses them. An unknown operator throws.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */

/** True when each member of the pattern lists the value of the event. */
export function fits(pattern: unknown, event: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some((one) => isAs(one, event));
  if (typeof pattern !== 'object' || pattern === null)
    throw new Error(`A pattern is made of lists, not of ${JSON.stringify(pattern)}.`);
  if (typeof event !== 'object' || event === null) return false;
  const members = event as Readonly<Record<string, unknown>>;
  return Object.entries(pattern).every(([name, inner]) => fits(inner, members[name]));
}

function isAs(one: unknown, value: unknown): boolean {
  if (typeof one !== 'object' || one === null) return one === value;
  const [operator, operand] = Object.entries(one)[0] ?? [];
  if (operator === 'prefix') return typeof value === 'string' && value.startsWith(String(operand));
  if (operator === 'suffix') return typeof value === 'string' && value.endsWith(String(operand));
  if (operator === 'exists') return operand === (value !== undefined);
  throw new Error(`The operator ${operator} is not known here.`);
}
