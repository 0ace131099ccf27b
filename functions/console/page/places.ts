/** The screens of records, by kind. */

/** The groups of kinds, by the letters of a luid. Ruling 10. */
export const recordGroups: Readonly<Record<string, string>> = {
  ...{ ldg: 'ledgers', snr: 'signers', sym: 'symbols', wlt: 'wallets', int: 'intents' },
  ...{ eff: 'effects', brg: 'bridges', crc: 'circles', plc: 'policies', dom: 'domains' },
  ...{ anc: 'anchors', sch: 'schemas', rep: 'reports' },
};

/** The groups whose records have a screen of their own. */
const ownScreens = ['wallets', 'intents', 'policies', 'bridges', 'circles'];

export function placeOf(group: string, id: string): readonly string[] {
  return ownScreens.includes(group) ? [group, id] : ['records', group, id];
}

/** The place of a record by its luid; undefined for kinds without a path of their own. */
export function placeOfLuid(luid: string): readonly string[] | undefined {
  const group = recordGroups[luid.slice(1, 4)];
  return group === undefined ? undefined : placeOf(group, luid);
}
