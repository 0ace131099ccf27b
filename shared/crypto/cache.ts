/**
 * A memory of limited size. Whoever calls the service chooses the keys that land in it, so it must
 * not grow with them: past its capacity it forgets what was asked for longest ago.
 */

/** A function that remembers its latest `capacity` answers. */
export function remembering<Key, Answer>(
  capacity: number,
  find: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new Map<Key, { readonly answer: Answer }>();
  return (key) => {
    const entry = answers.get(key) ?? { answer: find(key) };
    // A Map keeps the order of insertion, so the first key is the one to forget.
    answers.delete(key);
    answers.set(key, entry);
    if (answers.size > capacity) answers.delete(answers.keys().next().value as Key);
    return entry.answer;
  };
}
