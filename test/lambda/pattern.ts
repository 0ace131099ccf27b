/**
 * Event patterns, as rules of EventBridge and filters of Lambda have them: as much as the topology uses. What
 * is not known here is refused rather than passed over.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */

/** Whether an event is as the pattern says: each member is one of the values that it lists. */
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
  throw new Error(`The operator ${operator} is not known here.`);
}
