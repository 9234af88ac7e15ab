type Words = ReadonlyMap<string, string>;

/**
 * Dashboards as their reader sees them: what they say as they ship is in the reader's language, what somebody wrote stays as it is. They
 * are kept once for readers of all languages, so `kept` puts the English texts back before one is saved.
 */
export function translator(texts: Readonly<Record<string, string>>) {
  const translations: Words = new Map(Object.entries(texts));
  const originals: Words = new Map(Object.entries(texts).map(([english, said]) => [said, english]));
  return {
    text: (text: string): string => translations.get(text) ?? text,
    shown: (spec: unknown): unknown => withWords(spec, translations),
    kept: (spec: unknown): unknown => withWords(spec, originals),
  };
}

/** Other texts than these are names of variables and columns, which others refer to. */
const isText = (key: string, within: string) =>
  key === 'header' || (within === 'display' && (key === 'name' || key === 'description'));

function withWords(value: unknown, words: Words, within = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withWords(one, words));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, of]: [string, unknown]) => [
      key,
      typeof of === 'string' && isText(key, within) ? (words.get(of) ?? of) : withWords(of, words, key),
    ]),
  );
}
