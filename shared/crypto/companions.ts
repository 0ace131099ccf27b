/**
 * Values that belong to objects of which there are many, such as requests. A WeakMap that lives as long as the process is
 * old to the garbage collector, which keeps the values of an old WeakMap until it looks at the whole heap, whether or not
 * their objects are gone. A value in its object goes with it.
 */

/** The values of some objects. One that is frozen keeps what it had, or has none: so what needs a value can make it anew. */
export interface Companions<Owner extends object, Value> {
  readonly get: (owner: Owner) => Value | undefined;
  /** Sets or replaces the value of an object. What is spread or cloned from the object is without it. */
  readonly set: (owner: Owner, value: Value) => void;
}

/** Values of one meaning, each in its object, where no copy, comparison or text shows it. */
export function companions<Owner extends object, Value>(): Companions<Owner, Value> {
  const name = Symbol('companion');
  type Holder = { [name]?: Value };
  return {
    get: (owner) => (Object.hasOwn(owner, name) ? (owner as Holder)[name] : undefined),
    set: (owner, value) => {
      if (Object.hasOwn(owner, name)) Reflect.set(owner, name, value);
      else Reflect.defineProperty(owner, name, { value, writable: true });
    },
  };
}
