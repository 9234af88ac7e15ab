const maxCharacters = 32_767;
const maxNameCharacters = 31;

/**
 * A text for a cell, safe in XML 1.0: control characters are written as Excel does (`_x000B_`), and the underscore of a text
 * that only looks like such an escape is escaped itself (ECMA-376 part 1, 22.9.2.19). Lone surrogates become U+FFFD. A text too
 * long for a cell is cut and ends with an ellipsis.
 */
export function cellText(text: string): string {
  const cut = text.length > maxCharacters ? `${wholeCharacters(text, maxCharacters - 1)}…` : text;
  return escapeXml(
    cut
      // An underscore that looks like an escape must be escaped.
      .replace(/_(?=x[0-9A-Fa-f]{4}[_\u0000-\u0008\u000B-\u001F])/g, '_x005F_')
      .replace(/[\u0000-\u0008\u000B-\u001F]/g, (one) => `_x${hexOf(one)}_`),
  );
}

/** A text for any other place in XML, without the characters that XML cannot hold. */
export const plainText = (text: string): string =>
  escapeXml(text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g, ''));

/** Whether a program might read the text as a formula when a user edits the cell or pastes it elsewhere. */
export const looksLikeFormula = (text: string): boolean => /^[=+\-@\t\r＝＋－＠]/.test(text);

/** `A`, `Z`, `AA`: the name of a column, from its index. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** A sheet name that Excel accepts and that is not in `taken`, whatever its case; it is added there. */
export function sheetName(wanted: string, taken: Set<string>): string {
  const clean = wanted
    .toWellFormed()
    .replace(/[[\]:*?/\\\u0000-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, ' ')
    .replace(/^[\s']+|[\s']+$/g, '');
  // Excel reserves this name.
  const base = clean === '' || clean.toLowerCase() === 'history' ? `Sheet ${clean}`.trim() : clean;
  for (let copy = 1; ; copy += 1) {
    const suffix = copy === 1 ? '' : ` (${copy})`;
    const name = wholeCharacters(base, maxNameCharacters - suffix.length).replace(/[\s']+$/, '') + suffix;
    // Through upper case, because there are two lowercase sigmas.
    const key = name.toUpperCase().toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
}

/** A sheet name as written in formulas. */
export const quotedSheet = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** Width of the longest line of a text, in characters of normal width. */
export function displayWidth(text: string): number {
  let [widest, width] = [0, 0];
  for (const character of text) {
    if (character === '\n') width = 0;
    else width += isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
    widest = Math.max(widest, width);
  }
  return widest;
}

/** East Asian scripts and emoji. */
const isWide = (code: number) =>
  (code >= 0x11_00 && code <= 0x11_5f) ||
  (code >= 0x2e_80 && code <= 0xa4_cf) ||
  (code >= 0xac_00 && code <= 0xd7_a3) ||
  (code >= 0xf9_00 && code <= 0xfa_ff) ||
  (code >= 0xff_00 && code <= 0xff_60) ||
  (code >= 0x1_f3_00 && code <= 0x3_ff_fd);

/** At most this many UTF-16 units, without a lone surrogate at the end. */
function wholeCharacters(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? maxLength - 1 : maxLength);
}

const hexOf = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
