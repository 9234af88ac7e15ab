/** One or two letters that stand for a name: the initials of its first and last word. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : words;
  return ends
    .map((word = '') => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
