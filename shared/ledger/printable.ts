/** Texts of others, as people may be shown them: nothing in a line is unseen, and none of it steers what shows it. */

/**
 * Controls, ends of lines, formats such as joiners and marks of direction, and what is drawn as nothing or as a blank: tags,
 * selectors of variants, fillers of Hangul, the empty pattern of Braille, and the place of an object.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/gu;

/** A text with all that is not seen, or would be obeyed, escaped as in JSON, where both mean the same: `\u001b`. */
export function printable(text: string): string {
  return text.replace(unseen, (mark) => mark.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
