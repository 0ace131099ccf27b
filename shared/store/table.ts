/** The definition of the one table, as data for the offline runtime, the tests and the stack. */

/** All that creating the table needs, beside its name. There is no secondary index. */
export const tableShape = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
} as const;

/** The attribute with the expiry of an item, in seconds since 1970. */
export const expiresAttribute = 'expires';
