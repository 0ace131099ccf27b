/** What the conditions of effects may lead to is what their events have, by the published schemas. Ruling 59. */
import { expect, test } from 'vitest';
import { eventMembersOf } from '../../shared/action/event-members.ts';
import { signalNames } from '../../shared/shape/signal-name.ts';
import { eventSchemas } from '../signal/event-schemas.ts';

interface Shape {
  readonly $ref?: string;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

const { $defs } = eventSchemas() as { readonly $defs: Readonly<Record<string, Shape>> };

/** The properties of a shape, of the shape that it refers to, or of the one among its forms that has some. */
function propertiesOf(shape: Shape): Readonly<Record<string, Shape>> | undefined {
  const { $ref, anyOf = [] } = shape;
  const meant = $ref ? $defs[$ref.replace('#/$defs/', '')] : shape;
  return meant?.properties ?? anyOf.map(propertiesOf).find((one) => one !== undefined);
}

test.each(signalNames)('the members of %s are those of its schema', (signal) => {
  const { properties: { data = {} } = {} } = $defs[signal] ?? {};
  const shapes = data.properties ?? {};
  const known = eventMembersOf(signal);
  expect(Object.keys(known).sort()).toEqual(Object.keys(shapes).sort());
  for (const [name, within] of Object.entries(known))
    if (within)
      expect(within.toSorted()).toEqual(Object.keys(propertiesOf(shapes[name] ?? {}) ?? {}).sort());
});
