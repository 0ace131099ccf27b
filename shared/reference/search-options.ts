/** The options of the index, which those who load it must know too. */
export const searchOptions = {
  fields: ['title', 'text'],
  storeFields: ['title', 'type', 'href', 'text'],
  searchOptions: { prefix: true, fuzzy: 0.15, boost: { title: 4 }, combineWith: 'AND' as const },
};
