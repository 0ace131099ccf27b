/**
 * Values that belong to objects of which there are many, such as requests. A WeakMap that lives as long as the process is
 * old to the garbage collector, which keeps the values of an old WeakMap until it looks at the whole heap, whether or not
 * their objects are gone. A value in its object goes with it.
 */

/** The values of some objects, which may be asked for anew: an object that takes no more members, as a frozen one, has none. */
export interface Companions<Owner extends object, Value> {
  readonly get: (owner: Owner) => Value | undefined;
  /** Sets or replaces the value of an object. A copy of the object is without it. */
  readonly set: (owner: Owner, value: Value) => void;
}

/** Values of one meaning, each in its object, where no copy, comparison or text shows it. */
export function companions<Owner extends object, Value>(): Companions<Owner, Value> {
  const name = Symbol('companion');
  type Holder = { [name]?: Value };
  return {
    get: (owner) => (owner as Holder)[name],
    set: (owner, value) => {
      const holder = owner as Holder;
      if (name in holder) holder[name] = value;
      else Reflect.defineProperty(holder, name, { value, writable: true });
    },
  };
}
