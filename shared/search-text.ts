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
