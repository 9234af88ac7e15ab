const maxCharacters = 32_767;
const maxNameCharacters = 31;

/**
 * A text for a cell, safe in XML 1.0: what Excel writes as `_x000B_` for a control character is written so, and a text that
 * only looks like that keeps its underscore (ECMA-376 part 1, 22.9.2.19). Half characters become U+FFFD. What is longer than a
 * cell holds is cut, and says so by an ellipsis.
 */
export function cellText(text: string): string {
  const cut = text.length > maxCharacters ? `${wholeCharacters(text, maxCharacters - 1)}…` : text;
  return escapeXml(
    cut
      // What follows may be an underscore only once it is escaped itself.
      .replace(/_(?=x[0-9A-Fa-f]{4}[_\u0000-\u0008\u000B-\u001F])/g, '_x005F_')
      .replace(/[\u0000-\u0008\u000B-\u001F]/g, (one) => `_x${hexOf(one)}_`),
  );
}

/** A text for anywhere else in XML: what that cannot hold is left out. */
export const plainText = (text: string): string =>
  escapeXml(text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g, ''));

/** Whether a reader might take the text for a formula when somebody edits its cell or pastes it elsewhere. */
export const looksLikeFormula = (text: string): boolean => /^[=+\-@\t\r＝＋－＠]/.test(text);

/** `A`, `Z`, `AA`: the name of a column, counted from 0. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** A name by Excel's rules that no sheet has yet; `taken` has those that are, and gets this one too, whatever its case. */
export function sheetName(wanted: string, taken: Set<string>): string {
  const clean = wanted
    .toWellFormed()
    .replace(/[[\]:*?/\\\u0000-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, ' ')
    .replace(/^[\s']+|[\s']+$/g, '');
  // Excel keeps the name for itself.
  const base = clean === '' || clean.toLowerCase() === 'history' ? `Sheet ${clean}`.trim() : clean;
  for (let copy = 1; ; copy += 1) {
    const suffix = copy === 1 ? '' : ` (${copy})`;
    const name = wholeCharacters(base, maxNameCharacters - suffix.length).replace(/[\s']+$/, '') + suffix;
    // By way of the upper case, in which both small letters sigma are one.
    const key = name.toUpperCase().toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
}

/** A sheet's name as formulas write it. */
export const quotedSheet = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** How many characters of usual width a text takes in its longest line. */
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

/** At most so many units of UTF-16, and no half character at the end. */
function wholeCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? most - 1 : most);
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
