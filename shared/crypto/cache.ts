/** A cache of limited size. Callers choose its keys, so it evicts the least recently used one when it is full. */

/** A function that remembers its latest `capacity` answers. */
export function cached<Key, Answer>(
  capacity: number,
  find: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new Map<Key, { readonly answer: Answer }>();
  return (key) => {
    const entry = answers.get(key) ?? { answer: find(key) };
    // A Map keeps the order of insertion, so its first key is the least recently used.
    answers.delete(key);
    answers.set(key, entry);
    if (answers.size > capacity) answers.delete(answers.keys().next().value as Key);
    return entry.answer;
  };
}
