/** A text in the form that is searched: without case and accents, so that `cafe` finds Café and `strasse` finds Straße. */
export const plainText = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

/** The words of a search in that form. */
export const searchedWords = (search: string): string[] => plainText(search).split(/\s+/).filter(Boolean);

/** Whether a text contains each word of the search; an empty search matches everything. */
export function searchFor(search: string): (text: string) => boolean {
  const words = searchedWords(search);
  return (text) => {
    if (words.length === 0) return true;
    const plain = plainText(text);
    return words.every((word) => plain.includes(word));
  };
}

/** The rank of what matches only besides its name. */
export const worstRank = 4;

/**
 * How well a name matches the words of a search: 0 is best; null if one of the words is missing. `text` has the name and all
 * else that is searched, both in the form of `plainText`.
 */
export function rankOf(words: readonly string[], label: string, text: string): number | null {
  if (!words.every((word) => text.includes(word))) return null;
  const whole = words.join(' ');
  if (label === whole || words.length === 0) return 0;
  if (label.startsWith(whole)) return 1;
  if (words.every((word) => ` ${label}`.includes(` ${word}`))) return 2;
  return words.every((word) => label.includes(word)) ? 3 : worstRank;
}
